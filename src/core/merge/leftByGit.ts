import { copyFile, mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import type { Git } from '../git/git.ts';
import type { Versions } from './conflictStages.ts';

/**
 * Whether a file in conflict is as git left it, or is one of the two sides: then nobody has worked on it, and it can be written over. Git
 * itself is asked what it would leave there, in a folder of its own with a copy of the index, because what it marks depends on its version,
 * its settings and attributes.
 *
 * @param root the top of the working tree.
 * @param gitDir the git directory of the working tree.
 * @param path from the root, with forward slashes.
 * @param text what the file holds.
 */
export async function isLeftByGit(
  git: Git,
  { root, gitDir, path }: { readonly root: string; readonly gitDir: string; readonly path: string },
  versions: Versions,
  text: string,
): Promise<boolean> {
  if (text === versions.ours || text === versions.theirs) return true;
  if (versions.ours === undefined || versions.theirs === undefined) return false;
  const wanted = withoutLabels(text);
  const folder = await mkdtemp(join(tmpdir(), 'worktree-stacks-'));
  try {
    for (const style of /^\|{7}/m.test(text) ? ['diff3', 'zdiff3'] : ['merge']) {
      const index = join(folder, `index-${style}`);
      const tree = join(folder, style);
      await Promise.all([copyFile(join(gitDir, 'index'), index), mkdir(tree)]);
      // The hook for checkouts is none of this one's business.
      const args = ['-c', `core.hooksPath=${join(folder, 'none')}`, `--work-tree=${tree}`, '--literal-pathspecs'];
      const checkout = ['checkout', '--merge', `--conflict=${style}`, '--', path];
      const { exitCode } = await git.run([...args, ...checkout], {
        cwd: root,
        writes: true,
        variables: { GIT_INDEX_FILE: index },
      });
      const made = exitCode === 0 ? await readFile(join(tree, path), 'utf8').catch(() => undefined) : undefined;
      if (made !== undefined && withoutLabels(made) === wanted) return true;
    }
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The first line of a text that is one of git's conflict markers, counted from 1; `undefined` when there is none. */
export function markerLine(text: string): number | undefined {
  // `=======` alone may underline a heading; the other three are nothing that people write.
  const index = text.split('\n').findIndex((line) => /^(<{7}|\|{7}|>{7})( |\r?$)/.test(line));
  return index < 0 ? undefined : index + 1;
}

/** Markers carry the names of the sides, which differ from command to command. */
function withoutLabels(text: string): string {
  return text.replace(/^(<{7,}|\|{7,}|>{7,}) [^\r\n]*/gm, '$1').replaceAll('\r\n', '\n');
}
