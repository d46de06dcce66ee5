import { resolve } from 'node:path';
import { displayPath, isWithin, realPathOf } from '../../core/base/paths.ts';
import { Problem } from '../../core/base/problem.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import { holderOf } from '../../core/worktree/find.ts';
import type { CommandRun } from '../command.ts';
import { openWorkspace } from '../context.ts';
import { cliMessages } from '../cliMessages.ts';

export const run: CommandRun = async (cli, [path = '']) => {
  if (path === '') throw new Problem('usage', cliMessages.pathEmpty(), { next: 'give the path of a file or folder' });
  const { workspace } = await openWorkspace(cli, { tolerant: true });
  const snapshot = await readSnapshot(workspace, { signal: cli.signal, withChanges: false });
  const absolute = resolve(cli.environment.cwd, path);
  const [real, gitDir] = await Promise.all([realPathOf(absolute), realPathOf(workspace.repository.commonDir)]);
  // Git's own files lie in the main working tree and belong to no worktree.
  const worktree = isWithin(gitDir, real) ? undefined : await holderOf(snapshot, absolute);
  if (!worktree) {
    throw new Problem('not-found', cliMessages.noWorktreeRepository({ path: JSON.stringify(path) }), {
      next: 'give a path in one of the worktrees below',
      items: snapshot.worktrees.filter(({ bare }) => !bare).map((each) => each.path),
      outcome: 'incomplete',
    });
  }
  const { name, slug, branch, main } = worktree;
  const file = displayPath(await realPathOf(worktree.path), real);
  if (cli.output.json)
    cli.output.answerJson({
      success: true,
      name,
      slug,
      branch: branch ?? null,
      main,
      worktree_root: worktree.path,
      file,
    });
  else cli.output.answer(name);
  return 0;
};
