import { homedir } from 'node:os';
import { join } from 'node:path';
import { readTextIfThere, writeAtomically } from '../base/atomicFile.ts';
import { attributePattern, conflictAlways } from '../repository/notesDriver.ts';
import { sessionPaths } from '../repository/sessionPaths.ts';
import type { Workspace } from '../worktree/workspace.ts';

/**
 * Settings for a rebase that git itself runs: it stops at each commit with a session file that both sides have changed, also where merging its
 * lines gives no conflict, so that the entries can be merged before the next commit builds upon them. Nothing is committed or left in
 * the configuration; attributes that the repository gives these files itself come first.
 *
 * @param cwd the root of the working tree.
 * @throws Problem `not-writable`.
 */
export async function stopAtNotes(workspace: Workspace, cwd: string): Promise<string[]> {
  const { environment, git, repository } = workspace;
  const { variables } = environment;
  const chosen = await git.line(['config', '--type=path', '--get', 'core.attributesFile'], { cwd });
  const settings = variables['XDG_CONFIG_HOME'] ?? join(variables['HOME'] ?? homedir(), '.config');
  // Git reads one such file only: what the person has in theirs holds as well.
  const before = (await readTextIfThere(chosen ?? join(settings, 'git', 'attributes'))) ?? '';
  const lines = sessionPaths(workspace).map(({ kind, path }) => `${attributePattern(path)} merge=wt-${kind}\n`);
  const text = `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${lines.join('')}`;
  const file = join(repository.commonDir, 'worktree-stacks', 'rebase-attributes');
  if ((await readTextIfThere(file)) !== text) await writeAtomically(file, text);
  return ['-c', `core.attributesFile=${file}`, ...conflictAlways];
}
