import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { newOperation } from '../../../src/core/operations/operation.ts';
import { readOperations, rememberOperation, reserve } from '../../../src/core/operations/store.ts';
import { planRename, renameKind, renameWorktree } from '../../../src/core/restack/rename.ts';
import { redo, undo } from '../../../src/core/recovery/undo.ts';
import { updateRegistry } from '../../../src/core/repository/registry.ts';
import { findWorktree } from '../../../src/core/worktree/find.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { Creations } from '../../support/creations.ts';
import { texts } from '../../support/texts.ts';
import { shareOf } from '../../support/share.ts';

describe('renaming a worktree', function () {
  this.timeout(300_000);
  let at: Creations;
  beforeEach(async () => {
    at = await Creations.start();
    const programs = { wt: '/opt/worktree-stacks/wt.js', hook: '/opt/worktree-stacks/hook.js' };
    await at.create('login', { programs });
    await at.create({ name: 'api', base: 'login' }, { programs });
  });
  afterEach(() => at.dispose());

  async function plan(from: string, name: string, branch?: string): ReturnType<typeof planRename> {
    const snapshot = await readSnapshot(at.workspace, { withChanges: false });
    return planRename(at.workspace, snapshot, await findWorktree(snapshot, from, at.repository.root), { name, branch });
  }
  const rename = async (from: string, to: string, branch?: string): Promise<void> =>
    void (await renameWorktree(at.workspace, (await plan(from, to, branch)).renaming));

  async function picture(): Promise<unknown> {
    const { branches, registered, folders, listed, active } = await at.traces();
    const { worktrees } = await readSnapshot(at.workspace, { withChanges: false });
    const agents = (await readdir(join(at.repository.root, '.claude/agents')).catch(() => [])).sort();
    const bases = worktrees.map(({ name, slug, base, branch }) => [name, slug, base?.branch, branch]);
    return { branches, registered, folders, listed, active, agents, bases };
  }

  /** The names that the agents must have afterwards. */
  async function hasAgents(): Promise<string[]> {
    const { agents } = (await picture()) as { agents: string[] };
    assert.deepEqual(agents, ['wt-api.md', 'wt-login.md']);
    return ['wt-api.md', 'wt-sign-in.md'];
  }

  it('renames its branch, its agent and what stands on it, and leaves its folder', async () => {
    const before = await picture();
    const agents = await hasAgents();
    await rename('login', 'Sign-In');
    const traces = await at.traces();
    assert.deepEqual(traces.registered, ['Sign-In', 'api']);
    assert.deepEqual(traces.folders, ['api', 'login']);
    const { worktrees } = await readSnapshot(at.workspace, { withChanges: false });
    assert.deepEqual(
      worktrees
        .slice(1)
        .map(({ name, slug, base }) => [name, slug, base?.branch])
        .sort(),
      [
        ['Sign-In', 'sign-in', 'main'],
        ['api', 'api', 'Sign-In'],
      ],
    );
    assert.deepEqual(((await picture()) as { agents: string[] }).agents, agents);
    await undo(at.workspace);
    assert.deepEqual(await picture(), before);
  });

  it('takes the branch along, and can be undone and done again', async () => {
    const before = await picture();
    await rename('login', 'sign-in');
    const after = await picture();
    assert.deepEqual((after as { branches: string[] }).branches, ['api', 'main', 'sign-in']);
    assert.ok(JSON.stringify(after).includes(JSON.stringify(['api', 'api', 'sign-in', 'api'])));
    await undo(at.workspace);
    assert.deepEqual(await picture(), before);
    await redo(at.workspace);
    assert.deepEqual(await picture(), after);
  });

  it('keeps the name of a branch that was pushed, unless another is given', async () => {
    await updateRegistry(at.workspace.environment, at.workspace.repository, ({ worktrees }) => {
      const entry = worktrees.get('login');
      if (entry) worktrees.set('login', { ...entry, pr: { number: 1, url: 'https://example.com/1' } });
    });
    const { renaming, notes } = await plan('login', 'sign-in');
    assert.equal(renaming.to.branch, 'login');
    assert.match(texts(notes).join(), /it was pushed/);
    assert.equal((await plan('login', 'sign-in', 'other')).renaming.to.branch, 'other');
  });

  it('refuses names that are taken or cannot be, and the main working tree', async () => {
    await at.repository.git('branch', 'there');
    await assert.rejects(plan('login', 'api'), { reason: 'taken' });
    await assert.rejects(plan('login', 'there'), { reason: 'taken' });
    await assert.rejects(plan('login', 'x', 'a..b'), { reason: 'invalid-name' });
    await assert.rejects(plan('login', '../x'), { reason: 'invalid-name' });
    await assert.rejects(plan('@', 'x'), { reason: 'usage' });
  });

  for (const [renamed, earlier] of shareOf(
    [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ],
    2,
  )) {
    const when = `${renamed ? 'after' : 'before'} the branch had its new name${earlier ? ', by an earlier version,' : ''}`;
    it(`that was killed ${when} is ${renamed ? 'finished' : 'forgotten'}`, async () => {
      const before = await picture();
      const { renaming } = await plan('login', 'sign-in');
      const operation = { ...newOperation(at.workspace, 'rename', 'rename'), renaming };
      // Earlier versions wrote only the id down; the log had the rest.
      const [kind, data] = earlier ? ['stack', { id: operation.id }] : [renameKind.name, { operation }];
      const reservation = await reserve(at.workspace, kind, '_stack', () => Promise.resolve(data));
      if (earlier) await rememberOperation(at.workspace, operation);
      if (renamed) await at.repository.git('branch', '-m', 'login', 'sign-in');
      await reservation.abandon();
      assert.deepEqual(await recoverInterrupted(at.workspace), []);
      if (renamed) {
        assert.deepEqual((await at.traces()).registered, ['api', 'sign-in']);
        await undo(at.workspace);
      } else assert.deepEqual(await readOperations(at.workspace), []);
      assert.deepEqual(await picture(), before);
    });
  }

  it('gives a name to the first of two that were planned for it, and loses neither', async () => {
    const [one, other] = [await plan('login', 'x', 'login'), await plan('api', 'x', 'api')];
    await renameWorktree(at.workspace, one.renaming);
    await assert.rejects(renameWorktree(at.workspace, other.renaming), { reason: 'taken' });
    await assert.rejects(renameWorktree(at.workspace, { ...one.renaming, to: other.renaming.to }), {
      reason: 'in-use',
    });
    assert.deepEqual((await at.traces()).registered, ['api', 'x']);
    assert.equal((await readOperations(at.workspace)).length, 1);
  });

  it('leaves a worktree alone that was made under the name after it was planned', async () => {
    const { renaming } = await plan('login', 'x', 'login');
    await at.create({ name: 'x', branch: 'other' });
    const before = await picture();
    await assert.rejects(renameWorktree(at.workspace, renaming), { reason: 'taken' });
    assert.deepEqual(await picture(), before);
  });

  it('keeps its former name when another one got the name while its branch was renamed', async () => {
    const { renaming } = await plan('login', 'x', 'y');
    await at.create({ name: 'x', branch: 'other' });
    await at.repository.git('branch', '-m', 'login', 'y');
    await renameKind.finish(at.workspace, {
      operation: { ...newOperation(at.workspace, 'rename', 'rename'), renaming },
    });
    const { worktrees } = await readSnapshot(at.workspace, { withChanges: false });
    assert.deepEqual(
      worktrees
        .slice(1)
        .map(({ name, branch, base }) => [name, branch, base?.branch])
        .sort(),
      [
        ['api', 'api', 'y'],
        ['login', 'y', 'main'],
        ['x', 'other', 'main'],
      ],
    );
  });
});
