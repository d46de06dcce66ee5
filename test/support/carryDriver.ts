/**
 * Carries uncommitted work in a process of its own that leaves copies of its home, one for each step at which it could be killed. Arguments: the
 * main root; `carry`, `undo` or `create` (a worktree with the work of `a`), or
 * `create-fails` (the same, whose setup fails); the worktrees, `a to b`; and the folder for the copies.
 */
import assert from 'node:assert/strict';
import { Problem } from '../../src/core/base/problem.ts';
import { carry } from '../../src/core/carry/carry.ts';
import { createWithChanges } from '../../src/core/carry/createWithChanges.ts';
import { environmentOf } from '../../src/core/base/environment.ts';
import { Git } from '../../src/core/git/git.ts';
import { undo } from '../../src/core/recovery/undo.ts';
import { readConfiguration } from '../../src/core/repository/configuration.ts';
import { locate } from '../../src/core/repository/identity.ts';
import { readSnapshot } from '../../src/core/snapshot/snapshot.ts';
import { findWorktree } from '../../src/core/worktree/find.ts';
import { copyAtSteps } from './stepCopies.ts';

const [root = '', what = '', names = '', into = ''] = process.argv.slice(2);
const copy = copyAtSteps(process.env['HOME'] ?? '', into);
const quiet = { info() {}, warn() {}, error() {} };
const environment = { ...environmentOf(process, { ...quiet, debug: () => copy() }), cwd: root };
const { repository } = await locate(new Git(environmentOf(process)), root);
const workspace = { environment, git: new Git(environment), repository, configuration: await readConfiguration(root) };
if (what === 'undo') await undo(workspace);
else {
  const snapshot = await readSnapshot(workspace, { withChanges: false });
  const [from = '', to = ''] = names.split(' to ');
  const source = await findWorktree(snapshot, from, root);
  if (what === 'carry') {
    await carry(workspace, { from: source, to: await findWorktree(snapshot, to, root), mode: 'move' });
  } else {
    const request = { name: to, base: from, createdBy: 'test' };
    const creating = createWithChanges(
      workspace,
      request,
      { from: source, mode: 'move' },
      { approveSetup: () => Promise.resolve(true) },
    );
    if (what === 'create') await creating;
    else await creating.catch((thrown: unknown) => assert.ok(Problem.is(thrown, 'setup-failed'), String(thrown)));
  }
}
copy();
process.stdout.write('done\n');
