import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { wtHome, type WtHome } from '../support/wt.ts';

describe('the commands for stacks', () => {
  let home: WtHome;
  let repository: TestRepository;
  const at = (name: string): string => join(repository.root, '.worktrees', name);

  beforeEach(async () => {
    home = await wtHome();
    repository = await home.repository();
    await home.done(repository.root, 'create', 'branch-a', '--base', 'main');
    await repository.commit('A', { 'a.txt': 'a\n' }, at('branch-a'));
    await home.done(repository.root, 'create', 'branch-b', '--base', 'branch-a');
    await repository.commit('B', { 'b.txt': 'b\n' }, at('branch-b'));
    await home.done(repository.root, 'create', 'branch-c', '--base', 'branch-b');
  });
  afterEach(() => home.dispose());

  it('draw what stands on what', async () => {
    assert.equal(
      await home.done(repository.root, 'stack'),
      'main\n +-- branch-a\n      +-- branch-b\n           +-- branch-c\n',
    );
    await repository.commit('News', { 'news.txt': 'news\n' });
    await home.done(repository.root, 'create', 'other', '--base', 'main');
    assert.equal(
      await home.done(repository.root, 'stack'),
      'main\n +-- branch-a needs restack\n      +-- branch-b\n           +-- branch-c\n +-- other\n',
    );
    assert.equal(await home.done(repository.root, 'stack', 'other'), 'main\n +-- other\n');
    const json = (await home.wt(repository.root, ['stack', '--json'])).json();
    assertMatches('stack', json);
    const branches = json['branches'] as { name: string; position: number; needs_restack: boolean; base: string }[];
    assert.deepEqual(
      branches.map(({ name, position, needs_restack: needs, base }) => [name, position, needs, base]),
      [
        ['branch-a', 1, true, 'main'],
        ['branch-b', 2, false, 'branch-a'],
        ['branch-c', 3, false, 'branch-b'],
        ['other', 1, false, 'main'],
      ],
    );
  });

  it('draw what stands on the same branch in the order in which people count', async () => {
    for (const name of ['task-10', 'task-2', 'Task-1'])
      await home.done(repository.root, 'create', name, '--base', 'branch-c');
    const names = ['Task-1', 'task-2', 'task-10'];
    const drawn = await home.done(repository.root, 'stack');
    assert.deepEqual(drawn.match(/task-\d+/gi), names);
    const listed = await home.done(repository.root, 'list', '--stack');
    // A mark stands before the active one.
    assert.deepEqual(listed.match(/(?<=^[ ●]+)task-\d+/gim), names);
  });

  it('plan, rebase, log, undo and redo a whole stack', async () => {
    await repository.commit('News', { 'news.txt': 'news\n' });
    const before = await repository.git('for-each-ref', 'refs/heads');
    const plan = await home.wt(at('branch-b'), ['rebase', '--stack', '--dry-run', '--json']);
    assert.equal(plan.code, 0, plan.stderr);
    assertMatches('rebase', plan.json());
    assert.equal(plan.json()['dry_run'], true);
    assert.equal(await repository.git('for-each-ref', 'refs/heads'), before);
    const lines = (await home.done(at('branch-b'), 'rebase', '--stack')).trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => line.replace(/[0-9a-f]{8}/, 'commit').split(/ {2,}/)),
      [
        ['branch-a', '1 commit on main commit', 'rebased'],
        ['branch-b', '1 commit on branch-a commit', 'rebased'],
        ['branch-c', '0 commits on branch-b commit', 'rebased'],
      ],
    );
    const after = await repository.git('for-each-ref', 'refs/heads');
    assertMatches('undo', (await home.wt(repository.root, ['undo', '--json'])).json());
    assert.equal(await repository.git('for-each-ref', 'refs/heads'), before);
    await home.done(repository.root, 'redo');
    assert.equal(await repository.git('for-each-ref', 'refs/heads'), after);
    const log = (await home.wt(repository.root, ['log', '--json'])).json();
    assertMatches('log', log);
    const operations = log['operations'] as { kind: string; state: string; title: string }[];
    assert.deepEqual(
      operations.map(({ kind, state, title }) => [kind, state, title]),
      [
        ['redo', 'done', 'redo: restack branch-b onto main'],
        ['undo', 'done', 'undo: restack branch-b onto main'],
        ['rebase', 'done', 'restack branch-b onto main'],
      ],
    );
    assert.match(await home.done(repository.root, 'log'), /restack branch-b onto main/);
  });

  it('stop at a conflict with exit code 1, and say how to go on', async () => {
    await repository.commit('News', { 'b.txt': 'theirs\n' });
    const plan = await home.wt(repository.root, ['rebase', 'branch-a', '--stack', '--dry-run']);
    assert.equal(plan.code, 1);
    assert.match(plan.stdout, /branch-b .*will conflict: b.txt/);
    const stopped = await home.wt(repository.root, ['rebase', 'branch-a', '--stack']);
    assert.equal(stopped.code, 1);
    assert.match(
      stopped.stderr,
      /branch-b has a conflict in .*branch-b\.\nnext: .*wt resolve.*wt rebase branch-b --continue/,
    );
    assert.match(
      await home.done(repository.root, 'stack'),
      /branch-b waits for you\n +\+-- branch-c waits for branch-b/,
    );
    const again = await home.wt(repository.root, ['rebase', 'branch-c', '--json']);
    assert.equal(again.code, 1);
    assertFailure(again.json(), 'in-use');
    assert.match(
      await home.done(at('branch-b')),
      /Next\n +wt rebase --continue +continue .*1 conflict is resolved.*\n +wt rebase --abort/,
    );
    const still = await home.wt(at('branch-b'), ['rebase', '--continue', '--json']);
    assert.equal(still.code, 1);
    assertFailure(still.json(), 'conflicts');
    await repository.write(join(at('branch-b'), 'b.txt'), 'both\n');
    await repository.gitIn(at('branch-b'), 'add', 'b.txt');
    const done = await home.wt(at('branch-b'), ['rebase', '--continue', '--json']);
    assert.equal(done.code, 0, done.stderr);
    assertMatches('rebase', done.json());
    const [resumed] = (done.json() as { resumed: { branch: string; from: string; to: string }[] }).resumed;
    assert.equal(resumed?.branch, 'branch-b');
    assert.equal(resumed.to, await repository.git('rev-parse', 'branch-b'));
    assert.doesNotMatch(await home.done(repository.root, 'stack'), /waits/);
    await home.done(repository.root, 'undo');
    assert.equal(await repository.git('log', '--format=%s', 'main..branch-c'), 'B\nA');
  });

  it('leave what was begun with git to git, and name its commands', async () => {
    await repository.commit('News', { 'b.txt': 'theirs\n' });
    const begun: string[][] = [
      ['merge', 'main'],
      ['rebase', 'main'],
      ['cherry-pick', 'main'],
      ['revert', 'HEAD~1'],
    ];
    for (const args of begun) {
      const [operation = ''] = args;
      if (operation === 'revert') {
        await repository.commit('One', { 'b.txt': 'one\n' }, at('branch-b'));
        await repository.commit('Two', { 'b.txt': 'two\n' }, at('branch-b'));
      }
      await assert.rejects(repository.gitIn(at('branch-b'), ...args));
      assert.match(
        await home.done(at('branch-b')),
        new RegExp(`Next\\n +git ${operation} --continue .*conflict is resolved.*\\n +git ${operation} --abort`),
      );
      const refused = await home.wt(at('branch-b'), ['rebase', '--continue']);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, new RegExp(`was begun with git.*\\nnext: .*git ${operation} --continue.*--abort`));
      await repository.gitIn(at('branch-b'), operation, '--abort');
    }
  });

  it('say what moved when they go on', async () => {
    await repository.commit('News', { 'b.txt': 'theirs\n' });
    assert.equal((await home.wt(repository.root, ['rebase', 'branch-a', '--stack'])).code, 1);
    const tip = await repository.git('rev-parse', '--short=8', 'branch-b');
    await repository.write(join(at('branch-b'), 'b.txt'), 'both\n');
    await repository.gitIn(at('branch-b'), 'add', 'b.txt');
    const words = await home.done(at('branch-b'), 'rebase', '--continue');
    assert.match(
      words,
      new RegExp(`^branch-b +${tip} -> \\w{8} +rebased\nbranch-c +0 commits on branch-b \\w{8} +rebased\n$`),
    );
  });

  it('take a stopped rebase back as a whole', async () => {
    const before = await repository.git('for-each-ref', 'refs/heads/branch-*');
    await repository.commit('News', { 'b.txt': 'theirs\n' });
    assert.equal((await home.wt(repository.root, ['rebase', 'branch-a', '--stack'])).code, 1);
    const aborted = await home.wt(repository.root, ['rebase', 'branch-b', '--abort', '--json']);
    assert.equal(aborted.code, 0, aborted.stderr);
    assertMatches('rebase', aborted.json());
    assert.equal(await repository.git('for-each-ref', 'refs/heads/branch-*'), before);
    assert.equal((await home.wt(repository.root, ['rebase', 'branch-b', '--abort'])).code, 2);
  });

  it('move a branch with everything on it', async () => {
    await home.done(repository.root, 'move', 'branch-b', '--onto', 'main');
    assert.equal(await home.done(repository.root, 'stack'), 'main\n +-- branch-a\n +-- branch-b\n      +-- branch-c\n');
    assert.equal(await repository.git('log', '--format=%s', 'main..branch-c'), 'B');
    const ring = await home.wt(repository.root, ['move', 'branch-b', '--onto', 'branch-c', '--json']);
    assert.equal(ring.code, 2);
    assertFailure(ring.json(), 'usage', 'stack.cannotBasedBased');
    assert.equal((await home.wt(repository.root, ['move', 'branch-b'])).code, 2);
    const json = (await home.wt(repository.root, ['move', 'branch-b', '--onto', 'branch-a', '--json'])).json();
    assertMatches('move', json);
    await home.done(repository.root, 'undo');
    assert.equal(await home.done(repository.root, 'stack'), 'main\n +-- branch-a\n +-- branch-b\n      +-- branch-c\n');
  });

  it('predict conflicts, rename and look everything over', async () => {
    await repository.write(join(at('branch-c'), 'a.txt'), 'other\n');
    const prediction = (await home.wt(repository.root, ['predict', '--json'])).json();
    assertMatches('predict', prediction);
    await repository.commit('News', { 'a.txt': 'theirs\n' });
    assert.match(await home.done(repository.root, 'predict'), /branch-a +its base main +1 file +a\.txt/);
    const renamed = await home.wt(repository.root, ['rename', 'branch-c', 'last', '--json']);
    assertMatches('rename', renamed.json());
    assert.match(await home.done(repository.root, 'stack'), /\+-- last\n$/);
    const looked = await home.wt(repository.root, ['doctor', '--json']);
    assert.equal(looked.code, 0, looked.stdout);
    assertMatches('doctor', looked.json());
    await repository.git('worktree', 'remove', '--force', at('branch-c'));
    const found = await home.wt(repository.root, ['doctor', '--json']);
    assert.equal(found.code, 1);
    assertMatches('doctor', found.json());
    await repository.git('branch', '-D', 'last');
    assert.equal((await home.wt(repository.root, ['doctor', '--fix'])).code, 0);
    assert.equal((await home.wt(repository.root, ['doctor'])).code, 0);
  });

  it('say when there is nothing to undo, and that options exclude one another', async () => {
    for (const args of [
      ['undo'],
      ['redo'],
      ['rebase', 'branch-a', '--continue'],
      ['rebase', 'branch-a', '--continue', '--stack'],
      ['rebase', '@'],
    ]) {
      const ran = await home.wt(repository.root, [...args, '--json']);
      assert.equal(ran.code, 2, args.join(' '));
      assert.equal(ran.json()['success'], false);
    }
  });
});
