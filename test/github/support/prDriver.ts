/**
 * Brings the pull requests of a stack up to date in a process of its own, for tests that kill it: without the pauses that GitHub asks for.
 * Arguments: the main root, the worktree. Prints what was done when it gets to its end; a problem goes to standard error as JSON.
 */
import { environmentOf } from '../../../src/core/base/environment.ts';
import { Problem } from '../../../src/core/base/problem.ts';
import { Git } from '../../../src/core/git/git.ts';
import { openSession } from '../../../src/core/github/connect.ts';
import { openPullRequests } from '../../../src/core/github/pr/openPullRequests.ts';
import { readConfiguration } from '../../../src/core/repository/configuration.ts';
import { locate } from '../../../src/core/repository/identity.ts';
import { findWorktree } from '../../../src/core/worktree/find.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';

const [root = '', name = ''] = process.argv.slice(2);
const quiet = { info() {}, warn() {}, error() {}, debug() {} };
const environment = { ...environmentOf(process, quiet), cwd: root };
const git = new Git(environment);
const { repository } = await locate(git, root);
const workspace = { environment, git, repository, configuration: await readConfiguration(root) };
try {
  const snapshot = await readSnapshot(workspace, { withChanges: false });
  const worktree = await findWorktree(snapshot, name, root);
  const session = await openSession(workspace, { spacing: false });
  const { pullRequests, left } = await openPullRequests(workspace, snapshot, worktree, session, { stack: true });
  const told = pullRequests.map(({ branch, number, base, action }) => `${branch} #${number} ${base} ${action}`);
  process.stdout.write(JSON.stringify({ told, left: left.map(({ problem }) => problem.message) }));
} catch (thrown) {
  if (!Problem.is(thrown)) throw thrown;
  process.stderr.write(`${JSON.stringify({ reason: thrown.reason, message: thrown.message, items: thrown.items })}\n`);
  process.exitCode = 1;
}
