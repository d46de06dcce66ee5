import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { planUndo, redo, undo } from '../../../src/core/recovery/undo.ts';
import { readOperations } from '../../../src/core/operations/store.ts';
import { Merges } from '../../support/merges.ts';

describe('taking back a merge', function () {
  this.timeout(300_000);
  let merges: Merges;
  let before: string;
  let theirs: string;
  beforeEach(async () => {
    merges = await Merges.start();
    await merges.commit('', {
      'agents/session.md': '# Session\n\n## Pending Tasks\n\n- [ ] **One**\n',
      'own.txt': 'own\n',
    });
    await merges.at.create('x');
    theirs = await merges.commit('x', {
      'a.txt': 'a\n',
      'agents/session.md': '# Session\n\n## Pending Tasks\n\n- [x] **One**\n',
    });
    before = await merges.commit('', { 'b.txt': 'b\n' });
  });
  afterEach(() => merges.dispose());

  const head = (): Promise<string> => merges.git('.', 'rev-parse', 'HEAD');
  const workspace = (): Merges['at']['workspace'] => merges.at.workspace;
  const refusal = async (): Promise<Problem> => {
    const refs = await merges.git('.', 'for-each-ref');
    const thrown = await planUndo(workspace()).then(
      () => undefined,
      (problem: unknown) => problem,
    );
    assert.ok(Problem.is(thrown), 'it is refused');
    assert.equal(thrown.outcome, 'incomplete');
    assert.equal(await merges.git('.', 'for-each-ref'), refs);
    return thrown;
  };

  it('puts the branch and its files back, keeps what is not committed, and can be done again', async () => {
    const { commit, operation } = await merges.merge('x');
    const [logged] = await readOperations(workspace());
    assert.deepEqual([logged?.id, logged?.kind, logged?.title], [operation, 'merge', 'merge x into main']);
    assert.equal(await merges.git('.', 'rev-parse', `refs/wt-backup/${operation ?? ''}/main`), before);
    await writeFile(join(merges.root, 'own.txt'), 'changed\n');
    await writeFile(join(merges.root, 'new.txt'), 'new\n');
    const { moves } = await undo(workspace());
    assert.deepEqual(
      moves.map(({ branch, from, to }) => [branch, from, to]),
      [['main', commit, before]],
    );
    assert.equal(await head(), before);
    assert.equal(existsSync(join(merges.root, 'a.txt')), false);
    assert.match(await readFile(join(merges.root, 'agents/session.md'), 'utf8'), /\[ \] \*\*One/);
    assert.equal(await merges.git('.', 'status', '--porcelain'), ' M own.txt\n?? new.txt');
    await redo(workspace());
    assert.equal(await head(), commit);
    assert.equal(await merges.git('.', 'status', '--porcelain'), ' M own.txt\n?? new.txt');
  });

  it('puts back a linked worktree that was merged into', async () => {
    await merges.at.create('y');
    const tip = await merges.git('.worktrees/y', 'rev-parse', 'HEAD');
    await merges.merge('x', { into: merges.at.path('y') });
    await undo(workspace());
    assert.equal(await merges.git('.worktrees/y', 'rev-parse', 'HEAD'), tip);
    assert.equal(await merges.git('.worktrees/y', 'status', '--porcelain'), '');
    assert.equal(await head(), before);
  });

  it('leaves the branch free to be merged again', async () => {
    await merges.merge('x');
    await undo(workspace());
    const again = await merges.merge('x');
    assert.equal(again.state, 'merged');
    assert.equal(await merges.git('.', 'rev-parse', 'HEAD^2'), theirs);
  });

  it('is remembered also where its checks have failed, and no merge is under way afterwards', async () => {
    await merges.at.configure('checks: "false"\n');
    await merges.approve('false');
    before = await head();
    assert.equal((await merges.refusal('x')).reason, 'checks-failed');
    assert.equal((await merges.refusal('x')).reason, 'checks-failed');
    assert.equal((await readOperations(workspace())).length, 1);
    await undo(workspace());
    assert.equal(await head(), before);
    await assert.rejects(merges.abort('x'), { reason: 'not-found' });
  });

  it('is refused once it was pushed', async () => {
    await merges.merge('x');
    await merges.git('.', 'update-ref', 'refs/remotes/origin/main', 'HEAD');
    const { message, next, items } = await refusal();
    assert.equal(message, 'This cannot be undone, because it was pushed: merge x into main.');
    assert.match(next ?? '', /^`git revert -m 1 [0-9a-f]{12}` undoes it with a new commit$/);
    assert.deepEqual(items, ['origin/main']);
  });

  it('is refused once something stands on it', async () => {
    await merges.merge('x');
    await merges.at.create('y');
    const { message, items } = await refusal();
    assert.match(message, /other branches are based on it/);
    assert.deepEqual(items, ['y']);
  });

  it('is refused once the branch has gone on', async () => {
    await merges.merge('x');
    await merges.commit('', { 'later.txt': 'later\n' });
    assert.match((await refusal()).message, /main has gone on since/);
  });

  it('is refused where nothing else holds the commits that were merged', async () => {
    await merges.merge('x');
    await merges.git('.', 'worktree', 'remove', merges.at.path('x'));
    await merges.git('.', 'branch', '-d', 'x');
    const { message, next } = await refusal();
    assert.match(message, /nothing but main holds the commits of x any more/);
    await merges.git('.', ...(/`git (branch x [0-9a-f]+)`/.exec(next ?? '')?.[1] ?? '').split(' '));
    await undo(workspace());
    assert.equal(await head(), before);
  });

  it('is refused where a submodule has moved with it', async () => {
    const lib = await merges.at.home.repository('lib');
    await merges.git('.', 'submodule', 'add', '--quiet', lib.root, 'lib');
    await merges.git('.', 'commit', '--quiet', '-m', 'Use lib');
    await merges.at.create('s');
    await merges.at.repository.commit('In the submodule', { 'l.txt': 'l\n' }, join(merges.at.path('s'), 'lib'));
    await merges.commit('s', {}, 'Move lib');
    await merges.merge('s');
    const { reason, next, items } = await refusal();
    assert.equal(reason, 'unsupported');
    assert.deepEqual(items, ['lib']);
    assert.match(next ?? '', /git reset --keep .*git submodule update/);
  });

  it('is refused where files that are not committed are in the way', async () => {
    await merges.merge('x');
    await writeFile(join(merges.root, 'a.txt'), 'mine\n');
    assert.equal((await refusal()).reason, 'dirty');
    assert.equal(await readFile(join(merges.root, 'a.txt'), 'utf8'), 'mine\n');
  });
});
