/**
 * Merges one worktree into the main working tree in a process of its own, for tests that kill it. Arguments: the main root, the
 * name, `merge` or `abort`, and before or after which git command that changes something it kills itself: each of them counts
 * twice. With a folder instead of a number it lives, and leaves copies of its home there, one for each step that it could have been killed
 * at. Gets to its end also when the merge stops for a person; then it prints the number of steps.
 */
import { kill } from 'node:process';
import { environmentOf } from '../../src/core/base/environment.ts';
import { Problem } from '../../src/core/base/problem.ts';
import { Git } from '../../src/core/git/git.ts';
import type { GitOptions } from '../../src/core/git/gitProcess.ts';
import type { GitAnswer } from '../../src/core/git/gitError.ts';
import { abortMerge } from '../../src/core/merge/abort.ts';
import { mergeWorktree } from '../../src/core/merge/mergeWorktree.ts';
import { findMergeSource } from '../../src/core/merge/source.ts';
import { readConfiguration } from '../../src/core/repository/configuration.ts';
import { locate } from '../../src/core/repository/identity.ts';
import { readSnapshot } from '../../src/core/snapshot/snapshot.ts';
import { copyAtSteps } from './stepCopies.ts';

const [root = '', name = '', what = 'merge', last = ''] = process.argv.slice(2);
const copy = last.startsWith('/') ? copyAtSteps(process.env['HOME'] ?? '', last) : undefined;
let steps = 0;
const step = (): void => {
  copy?.();
  if (String(++steps) === last) kill(process.pid, 'SIGKILL');
};

class CountingGit extends Git {
  override async run(args: readonly string[], options: GitOptions): Promise<GitAnswer> {
    if (options.writes) step();
    const answer = await super.run(args, options);
    if (options.writes) step();
    return answer;
  }
}

const environment = { ...environmentOf(process), cwd: root };
const git = new CountingGit(environment);
const { repository } = await locate(git, root);
const workspace = { environment, git, repository, configuration: await readConfiguration(root) };
try {
  if (what === 'abort') await abortMerge(workspace, name, root);
  else {
    const source = await findMergeSource(workspace, await readSnapshot(workspace, { withChanges: false }), name, root);
    await mergeWorktree(workspace, { source, into: root });
  }
} catch (thrown) {
  if (!Problem.is(thrown) || thrown.outcome !== 'incomplete') throw thrown;
}
process.stdout.write(`${steps}\n`);
