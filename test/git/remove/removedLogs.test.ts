import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Git } from '../../../src/core/git/git.ts';
import { undo } from '../../../src/core/recovery/undo.ts';
import { forgetOldOperations } from '../../../src/core/operations/store.ts';
import { Removals } from '../../support/removals.ts';
import { texts } from '../../support/texts.ts';
import { shareOf } from '../../support/share.ts';

describe('commits that only the logs of a removed worktree hold', function () {
  this.timeout(300_000);
  let at: Removals;
  let path: string;
  beforeEach(async () => {
    at = await Removals.start();
    path = await at.add('one', { commits: 1 });
  });
  afterEach(() => at.dispose());

  const git = (...args: string[]): Promise<string> => at.repository.git(...args);
  const here = (...args: string[]): Promise<string> => at.repository.gitIn(path, ...args);
  const land = (): Promise<string> => git('merge', '--quiet', '--no-ff', '--no-edit', 'one');
  const logs = (): Promise<Buffer[]> =>
    Promise.all(
      ['worktrees/one/logs/HEAD', 'logs/refs/heads/one'].map((file) =>
        readFile(join(at.repository.root, '.git', file)),
      ),
    );
  /** Throws away whatever nothing holds. */
  const collect = async (): Promise<void> => {
    await git('reflog', 'expire', '--expire-unreachable=now', '--all');
    await git('gc', '--quiet', '--prune=now');
  };
  const detachedCommit = async (name: string): Promise<string> => {
    await here('checkout', '--quiet', '--detach');
    const oid = await at.repository.commit(name, { [`${name}.txt`]: `${name}\n` }, path);
    await here('checkout', '--quiet', 'one');
    return oid;
  };

  const ways: [what: string, lose: () => Promise<string>][] = [
    ['made on a detached HEAD', () => detachedCommit('lost')],
    [
      'amended away',
      async () => {
        const oid = await at.repository.commit('before', { 'x.txt': 'before\n' }, path);
        await here('commit', '--quiet', '--amend', '-m', 'after');
        return oid;
      },
    ],
    [
      'reset away',
      async () => {
        const oid = await at.repository.commit('before', { 'x.txt': 'before\n' }, path);
        await here('reset', '--quiet', '--hard', 'HEAD~1');
        return oid;
      },
    ],
    [
      'on a branch that was deleted',
      async () => {
        await here('checkout', '--quiet', '-b', 'spike');
        const oid = await at.repository.commit('spike', { 'x.txt': 'spike\n' }, path);
        await here('checkout', '--quiet', 'one');
        await here('branch', '--quiet', '-D', 'spike');
        return oid;
      },
    ],
    [
      'named by ORIG_HEAD alone',
      async () => {
        const oid = await here('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'before');
        await here('update-ref', 'ORIG_HEAD', oid);
        return oid;
      },
    ],
  ];
  for (const [what, lose] of shareOf(ways, 2)) {
    it(`are backed up and come back: ${what}`, async () => {
      const oid = await lose();
      await land();
      const before = await logs();
      const { backups, branchDeleted } = await at.remove('one');
      assert.equal(branchDeleted, true);
      assert.deepEqual(texts(backups.map((each) => each.what)), ['a commit that only its log held']);
      await collect();
      const ref = backups[0]?.ref ?? '';
      assert.match(ref, /^refs\/wt-backup\/.*-one\/reflog$/);
      assert.match(await git('for-each-ref', '--contains', oid), new RegExp(ref));
      await undo(at.workspace);
      assert.deepEqual(await logs(), before);
      assert.ok(what.startsWith('named by') || (await here('reflog', '--format=%H')).includes(oid));
      assert.equal(await here('cat-file', '-t', oid), 'commit');
      assert.equal(await git('fsck', '--no-dangling'), '');
    });
  }

  it('are one backup however many they are, and git is asked once', async () => {
    const fill = Array.from({ length: 300 }, (_, number) => number);
    const tree = await here('rev-parse', 'HEAD^{tree}');
    const tip = await here('rev-parse', 'HEAD');
    const log = join(at.repository.root, '.git/worktrees/one/logs/HEAD');
    const oids: string[] = [];
    for (const number of fill) oids.push(await here('commit-tree', tree, '-p', tip, '-m', `lost ${number}`));
    const lines = oids.map((oid) => `${tip} ${oid} Ada <ada@example.com> 1700000000 +0000\tcommit: x\n`);
    await at.repository.write(log, (await readFile(log, 'utf8')) + lines.join(''));
    await land();
    const asked: string[] = [];
    const debug = (line: string): void => void asked.push(line);
    const environment = { ...at.workspace.environment, log: { ...at.workspace.environment.log, debug } };
    const workspace = { ...at.workspace, environment, git: new Git(environment) };
    const { backups } = await at.remove('one', { workspace });
    assert.deepEqual(texts(backups.map((each) => each.what)), ['300 commits that only its logs held']);
    assert.equal(asked.filter((line) => / rev-list --ignore-missing --parents /.test(line)).length, 1);
    assert.ok(asked.filter((line) => line.startsWith('[git]')).length < 30, asked.join('\n'));
    await collect();
    const held = await git('rev-list', '--no-walk', `${backups[0]?.ref ?? ''}^@`);
    assert.deepEqual(held.split('\n').sort(), [...oids].sort());
    assert.equal(await git('fsck', '--no-dangling'), '');
  });

  it('need no backup where the branch stays with its log, or where there are none', async () => {
    await here('commit', '--quiet', '--amend', '-m', 'other words');
    const { backups, branchDeleted } = await at.remove('one');
    assert.deepEqual([backups, branchDeleted], [[], false]);
    await undo(at.workspace);
    assert.match(await here('reflog', '--format=%gs'), /^commit \(amend\): other words\ncommit: one 1/);
    await at.add('two');
    assert.deepEqual((await at.remove('two')).backups, []);
  });

  it('are not counted twice when a forced removal keeps them anyway', async () => {
    await here('checkout', '--quiet', '--detach');
    await at.repository.commit('first', {}, path);
    await at.repository.commit('second', {}, path);
    const { backups } = await at.remove('one', { force: true });
    assert.deepEqual(texts(backups.map((each) => each.what)), ['the commits of its detached HEAD']);
  });

  it('its own refs come back too', async () => {
    const oid = await at.repository.commit('kept', {}, path);
    await here('update-ref', 'refs/worktree/mine', oid);
    await land();
    await at.remove('one');
    await undo(at.workspace);
    assert.equal(await here('rev-parse', 'refs/worktree/mine'), oid);
  });

  it('what git writes to the log of the branch after that stands behind what was there', async () => {
    await detachedCommit('lost');
    await land();
    const [, before] = await logs();
    await at.remove('one');
    await undo(at.workspace);
    await at.repository.commit('after', {}, path);
    const [, after] = await logs();
    assert.equal(after?.subarray(0, before?.length).toString(), before?.toString());
    assert.match(after?.subarray(before?.length).toString() ?? '', /^[0-9a-f]{40} .*\tcommit: after\n$/);
  });

  it('are forgotten with their operation after thirty days', async () => {
    await detachedCommit('lost');
    await land();
    await at.remove('one');
    const now = (): Date => new Date(Date.now() + 31 * 24 * 60 * 60 * 1000);
    const later = { ...at.workspace, environment: { ...at.workspace.environment, now } };
    await forgetOldOperations(later);
    assert.equal(await git('for-each-ref', 'refs/wt-backup'), '');
  });
});
