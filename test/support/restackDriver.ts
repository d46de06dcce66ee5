/**
 * Does something with stacks in a process of its own, for tests that kill it. Arguments: the main root, what to do (`rebase`, `continue`,
 * `abort`, `rename`, `undo`, `redo`, `merge`), the worktree (to merge, `one into other`), and after which step it kills itself: a number, counting what is written by git or by us; being
 * killed while something is only read is like being killed before. Prints the number of steps when it gets to its end; a problem goes to
 * standard error as JSON.
 */
import { kill } from 'node:process';
import { environmentOf } from '../../src/core/base/environment.ts';
import { Problem } from '../../src/core/base/problem.ts';
import { Git } from '../../src/core/git/git.ts';
import { mergeWorktree } from '../../src/core/merge/mergeWorktree.ts';
import { findMergeSource } from '../../src/core/merge/source.ts';
import { readConfiguration } from '../../src/core/repository/configuration.ts';
import { locate } from '../../src/core/repository/identity.ts';
import { planRename, renameWorktree } from '../../src/core/restack/rename.ts';
import { abortStopped, continueStopped, stoppedOperation } from '../../src/core/restack/resume.ts';
import { prepareRestack } from '../../src/core/restack/prepareRestack.ts';
import { restack } from '../../src/core/restack/restack.ts';
import { redo, undo } from '../../src/core/recovery/undo.ts';
import { findWorktree } from '../../src/core/worktree/find.ts';
import { readSnapshot } from '../../src/core/snapshot/snapshot.ts';

const [root = '', what = '', name = '', last = ''] = process.argv.slice(2);
let steps = 0;
const merging = / merge --no-commit| commit --quiet| (update|checkout)-index/;
const writing = /\[operation\]|\[stack\]|update-ref|read-tree|worktree add|checkout --quiet --detach|rebase --/;
const step = (line: string): void => {
  if ((writing.test(line) || (what === 'merge' && merging.test(line))) && ++steps === Number(last))
    kill(process.pid, 'SIGKILL');
};
const quiet = { info() {}, warn() {}, error() {} };
const environment = { ...environmentOf(process, { ...quiet, debug: step }), cwd: root };
const { repository } = await locate(new Git(environmentOf(process)), root);
const workspace = { environment, git: new Git(environment), repository, configuration: await readConfiguration(root) };
const options = { offline: true };
async function run(): Promise<void> {
  if (what === 'rebase') {
    const worktree = await findWorktree(await readSnapshot(workspace, { withChanges: false }), name, root);
    const wish = { worktree, wholeStack: true };
    await restack(workspace, wish, await prepareRestack(workspace, wish, options), options);
  } else if (what === 'continue')
    await continueStopped(workspace, await stoppedOperation(workspace, name), 'continue', options);
  else if (what === 'abort') await abortStopped(workspace, await stoppedOperation(workspace, name));
  else if (what === 'rename') {
    const snapshot = await readSnapshot(workspace, { withChanges: false });
    const asked = { name: `new-${name}`, branch: `new-${name}` };
    const { renaming } = await planRename(workspace, snapshot, await findWorktree(snapshot, name, root), asked);
    await renameWorktree(workspace, renaming);
  } else if (what === 'undo') await undo(workspace);
  else if (what === 'redo') await redo(workspace);
  else if (what === 'merge') {
    const snapshot = await readSnapshot(workspace, { withChanges: false });
    const [from = '', into = ''] = name.split(' into ');
    const target = await findWorktree(snapshot, into, root);
    const source = await findMergeSource(workspace, snapshot, from, root);
    await mergeWorktree(workspace, { source, into: target.path });
  }
  process.stdout.write(`${steps}\n`);
}
try {
  await run();
} catch (thrown) {
  if (!Problem.is(thrown)) throw thrown;
  const { reason, message, next, file, items, outcome } = thrown;
  process.stderr.write(`${JSON.stringify({ reason, message, next, file, items, outcome })}\n`);
  process.exitCode = 1;
}
