/**
 * Merges one worktree into the main working tree in a process of its own, for tests that kill it. Arguments: the main root, the
 * name, `merge` or `abort`, and before or after which git command that changes something it kills itself: each of them counts
 * twice. Gets to its end also when the merge stops for a person; then it prints the steps that are worth a kill: a step after
 * a command is not, where nothing is written down before the next one.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

const [root = '', name = '', what = 'merge', last = ''] = process.argv.slice(2);
let steps = 0;
const worth: number[] = [];
let record: string | undefined;
const step = (): void => {
  steps++;
  if (String(steps) === last) kill(process.pid, 'SIGKILL');
  const now = readRecord();
  if (now === record && worth.length > 0) worth.pop();
  worth.push(steps);
  record = now;
};
function readRecord(): string {
  try {
    return readFileSync(join(root, '.git/worktree-stacks/operations/_merge.json'), 'utf8');
  } catch {
    return '';
  }
}

class CountingGit extends Git {
  override async run(args: readonly string[], options: GitOptions): Promise<GitAnswer> {
    if (options.writes) step();
    const answer = await super.run(args, options);
    // What a command has done is another state, whatever is written down.
    if (options.writes) record = undefined;
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
process.stdout.write(`${JSON.stringify(worth)}\n`);
