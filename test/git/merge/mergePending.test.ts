import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unmergedEntries } from '../../../src/core/git/indexEntries.ts';
import { findMergeSource } from '../../../src/core/merge/source.ts';
import { mergeWorktree } from '../../../src/core/merge/mergeWorktree.ts';
import { readMerge, takeOverMerge, type MergeData } from '../../../src/core/merge/mergeData.ts';
import { readOperations, readPending } from '../../../src/core/operations/store.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { lostTrash } from '../../../src/core/trash/stuckTrash.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { undo } from '../../../src/core/recovery/undo.ts';
import { Merges } from '../../support/merges.ts';
import { testWorkspace } from '../../support/workspace.ts';
import { shareOf } from '../../support/share.ts';

describe('a merge that is pending', function () {
  this.timeout(300_000);
  let merges: Merges;
  beforeEach(async () => {
    merges = await Merges.start();
    await merges.commit('', { 'a.txt': '1\n2\n3\n', 'b.txt': 'b\n' });
    await merges.at.create('x');
    await merges.at.create('release');
    await merges.commit('x', { 'a.txt': '1\ntheirs\n3\n', 'new.txt': 'new\n' });
  });
  afterEach(() => merges.dispose());

  const release = (): string => merges.at.path('release');
  const gitDirOf = (name: string): string => join(merges.root, '.git', name === '' ? '' : `worktrees/${name}`);
  const status = (folder = '.'): Promise<string> => merges.git(folder, 'status', '--porcelain');
  const recover = async (): Promise<void> => {
    const { workspace } = merges.at;
    const environment = { ...workspace.environment, now: () => new Date(Date.now() + 60_000) };
    assert.deepEqual(await recoverInterrupted({ ...workspace, environment }), []);
  };
  /** Who owns each pending merge, 0 for nobody. */
  const owners = async (): Promise<number[]> =>
    (await readPending(merges.at.workspace, 'merge')).map(({ owner }) => owner.pid);

  /** Lets the merge look as if its process had died. @param change what it had written down. */
  async function die(name: string, change: Partial<MergeData>, waits: boolean): Promise<void> {
    const { workspace } = merges.at;
    const { data } = (await readMerge(workspace.repository, gitDirOf(name))) ?? {};
    assert.ok(data);
    const environment = { ...workspace.environment, pid: 4_999_999 };
    await takeOverMerge({ ...workspace, environment }, { ...data, ...change }, waits);
  }

  /** Stops in a conflict, into the main working tree or into a linked one. */
  async function stop(into = ''): Promise<void> {
    await merges.commit(into, { 'a.txt': '1\nours\n3\n' });
    const where = into === '' ? {} : { into: merges.at.path(into) };
    assert.equal((await merges.refusal('x', where)).reason, 'conflicts');
  }
  async function resolve(folder: string): Promise<void> {
    await writeFile(join(folder, 'a.txt'), '1\nresolved\n3\n');
    await merges.at.repository.gitIn(folder, 'add', 'a.txt');
  }

  it('into several working trees waits in each, and each goes its own way', async () => {
    await stop();
    await stop('release');
    await recover();
    assert.deepEqual(await owners(), [0, 0]);
    await merges.abort('x');
    assert.equal(await status(), '');
    await resolve(release());
    const merged = await merges.merge('x', { into: release() });
    assert.equal(await merges.at.repository.gitIn(release(), 'rev-parse', 'HEAD'), merged.commit);
    assert.deepEqual(await owners(), []);
  });

  it('goes on after its worktree was moved, and after the repository was', async () => {
    await stop('release');
    const moved = join(merges.root, '.worktrees/renamed');
    await merges.git('.', 'worktree', 'move', release(), moved);
    await recover();
    await resolve(moved);
    const root = join(merges.at.home.root, 'elsewhere');
    await rename(merges.root, root);
    await merges.at.repository.gitIn(root, 'worktree', 'repair', join(root, '.worktrees/renamed'));
    const there = await testWorkspace(merges.at.home, root);
    assert.deepEqual(await recoverInterrupted(there), []);
    const into = join(root, '.worktrees/renamed');
    const source = await findMergeSource(there, await readSnapshot(there, { withChanges: false }), 'x', root);
    const merged = await mergeWorktree(there, { source, into });
    assert.equal(merged.state, 'merged');
    assert.equal(await readFile(join(into, 'a.txt'), 'utf8'), '1\nresolved\n3\n');
    assert.equal((await readPending(there, 'merge')).length, 0);
  });

  it('is not that of a later worktree of the same name', async () => {
    await stop('release');
    await merges.git('.', 'worktree', 'remove', '--force', release());
    await merges.git('.', 'worktree', 'add', '--quiet', release(), 'release');
    assert.equal(await readMerge(merges.at.workspace.repository, gitDirOf('release')), undefined);
    await merges.at.create('y');
    await merges.commit('y', { 'y.txt': 'y\n' });
    assert.equal((await merges.merge('y', { into: release() })).state, 'merged');
    assert.deepEqual(await owners(), []);
  });

  it('in a worktree that is gone is dropped when its process has died, and kept while its folder is out of sight', async () => {
    await stop('release');
    await die('release', {}, false);
    await rename(release(), `${release()}-away`);
    await recover();
    assert.deepEqual(await owners(), [0]);
    await rename(`${release()}-away`, release());
    await die('release', {}, false);
    await merges.git('.', 'worktree', 'remove', '--force', release());
    await recover();
    assert.deepEqual(await owners(), []);
  });

  for (const [when, change, work] of shareOf(
    [
      ['while its conflicts wait, before it could say so', {}, false],
      ['before anything was staged', { staged: false }, false],
      ['before anything was staged, and somebody has worked on it since', { staged: false }, true],
    ] as const,
    2,
  ))
    it(`whose process dies ${when} is ${when.endsWith('staged') ? 'rolled back' : 'left to the person'}`, async () => {
      await stop();
      await die('', change, false);
      if (work) await writeFile(join(merges.root, 'a.txt'), '1\nhalf\n3\n');
      const before = await status();
      await recover();
      const isRolledBack = when.endsWith('staged');
      assert.equal(await status(), isRolledBack ? '' : before);
      assert.equal(existsSync(join(merges.root, 'new.txt')), !isRolledBack);
      assert.deepEqual(await owners(), isRolledBack ? [] : [0]);
      if (work) assert.equal(await readFile(join(merges.root, 'a.txt'), 'utf8'), '1\nhalf\n3\n');
    });

  it('whose process dies while it goes on keeps what the person has resolved', async () => {
    await stop();
    await resolve(merges.root);
    await die('', {}, true);
    await recover();
    assert.deepEqual(await owners(), [0]);
    const merged = await merges.merge('x');
    assert.equal(merged.state, 'merged');
    assert.equal(await readFile(join(merges.root, 'a.txt'), 'utf8'), '1\nresolved\n3\n');
  });

  it('whose process dies while it is rolled back is rolled back, with what the person did in a ref', async () => {
    await stop();
    await resolve(merges.root);
    await die('', { aborting: true }, false);
    await recover();
    assert.equal(await status(), '');
    assert.deepEqual(await owners(), []);
    const [ref = ''] = (await merges.git('.', 'for-each-ref', '--format=%(refname)', 'refs/wt-backup')).split('\n');
    assert.equal(await merges.git('.', 'show', `${ref}:a.txt`), '1\nresolved\n3');
  });

  for (const how of shareOf(['recovery', 'the person'] as const, 2))
    it(`whose process dies while the checks try a side is rolled back by ${how}`, async () => {
      await stop();
      const stages = (await unmergedEntries(merges.at.workspace.git, merges.root)).get('a.txt') ?? [];
      const conflicted = await merges.git('.', 'hash-object', '-w', 'a.txt');
      const [, ours, theirs] = stages.map(({ oid }) => oid);
      assert.ok(ours !== undefined && theirs !== undefined);
      const files = [{ path: 'a.txt', stages, conflicted, sides: { ours, theirs } }];
      await die('', { attempt: { state: 'trying', files } }, false);
      // Staged, and not written yet.
      await merges.git('.', 'update-index', '--cacheinfo', `100644,${ours},a.txt`);
      await (how === 'recovery' ? recover() : merges.abort('x'));
      assert.equal(await status(), '');
      assert.deepEqual(await owners(), []);
    });

  for (const checks of shareOf([undefined, 'test -f passes.txt'], 2))
    it(`whose process dies after the commit is finished${checks ? ', all but the checks' : ''}, and can be undone`, async () => {
      if (checks !== undefined) {
        await merges.at.configure(`checks: ${checks}\n`);
        await merges.approve(checks);
      }
      const head = await merges.git('.', 'rev-parse', 'HEAD');
      await stop();
      await resolve(merges.root);
      await die('', {}, true);
      await merges.git('.', 'commit', '--quiet', '--no-edit');
      await recover();
      assert.deepEqual(await owners(), checks === undefined ? [] : [0]);
      const [operation] = await readOperations(merges.at.workspace);
      assert.deepEqual([operation?.kind, operation?.state], ['merge', 'done']);
      if (checks !== undefined) {
        assert.equal((await merges.refusal('x')).reason, 'checks-failed');
        await merges.commit('', { 'passes.txt': '' });
        assert.equal((await merges.merge('x')).checks.state, 'passed');
        assert.deepEqual(await owners(), []);
      } else {
        await undo(merges.at.workspace);
        assert.equal(await merges.git('.', 'rev-parse', 'HEAD^'), head);
      }
    });

  it('keeps nobody from finding what a removal has lost', async () => {
    await stop();
    const lost = join(merges.root, '.worktrees/.trash-gone-0123456789ab');
    await writeFile(lost, '');
    assert.deepEqual(await lostTrash(merges.at.workspace.repository), [lost]);
    await rm(lost);
  });
});
