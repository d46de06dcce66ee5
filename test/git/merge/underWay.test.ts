import assert from 'node:assert/strict';
import { chmod, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { abortInGit, continueInGit, type At, type Continued } from '../../../src/core/merge/continueGit.ts';
import { mergeWorktree } from '../../../src/core/merge/mergeWorktree.ts';
import { findMergeSource } from '../../../src/core/merge/source.ts';
import { stoppedRestackOf } from '../../../src/core/merge/stoppedRestack.ts';
import { commandsOf, readUnderWay } from '../../../src/core/merge/underWay.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import type { Worktree } from '../../../src/core/worktree/model.ts';
import { Stacks } from '../../support/stacks.ts';
import { shareOf } from '../../support/share.ts';

/** Everything that git can have under way at a conflict, begun with git itself; `again`: it stops at a second commit. */
const kinds = [
  { operation: 'merge', args: ['merge', 'other'], again: false },
  { operation: 'rebase', args: ['rebase', 'other'], again: true },
  { operation: 'cherry-pick', args: ['cherry-pick', 'first', 'second'], again: true },
  { operation: 'cherry-pick', args: ['cherry-pick', 'first'], again: false },
  { operation: 'revert', args: ['revert', '--no-edit', 'a~1'], again: false },
  { operation: 'am', args: ['am', '--3way', '../../../0001-other-1.patch'], again: false },
] as const;

describe('what is under way in a working tree', () => {
  let stacks: Stacks;
  let start: string;
  before(async () => {
    stacks = await Stacks.start();
    await stacks.commit('main', 'Start', { 'f.txt': 'start\n' });
    await stacks.add('a', 'main', { 'f.txt': 'a\n' }, { 'f.txt': 'a, more\n' });
    await stacks.add('b', 'a', { 'b.txt': 'b\n' });
    await stacks.add('other', 'main', { 'f.txt': 'other\n' }, { 'f.txt': 'other, more\n' });
    await stacks.git('other', 'format-patch', '--quiet', '-1', '-o', stacks.home.root, 'other~1');
    await stacks.git('other', 'tag', 'first', 'other~1');
    await stacks.git('other', 'tag', 'second', 'other');
    start = await stacks.tip('a');
  });
  after(() => stacks.dispose());
  afterEach(async () => {
    for (const operation of ['merge', 'rebase', 'cherry-pick', 'revert', 'am'])
      await stacks.git('a', operation, '--abort').catch(() => undefined);
    await stacks.git('a', 'reset', '--quiet', '--hard', start);
    await stacks.git('a', 'clean', '--quiet', '-d', '--force');
    await stacks.git('main', 'reset', '--quiet', '--hard');
  });

  const worktree = async (name: string): Promise<Worktree & At> => {
    const found = (await readSnapshot(stacks.workspace)).worktrees.find((each) => each.name === name);
    assert.ok(found?.gitDir !== undefined, name);
    return { ...found, gitDir: found.gitDir };
  };
  const stop = (args: readonly string[]): Promise<void> => assert.rejects(stacks.git('a', ...args));
  const resolve = async (text: string): Promise<void> => {
    await stacks.repository.write(join(stacks.path('a'), 'f.txt'), text);
    await stacks.git('a', 'add', 'f.txt');
  };
  const goOn = async (step: 'continue' | 'skip' = 'continue'): Promise<Continued> =>
    continueInGit(stacks.workspace, await worktree('a'), step);
  const subject = (): Promise<string> => stacks.git('a', 'log', '-1', '--format=%s');

  for (const { operation, args, again } of shareOf(kinds, 2)) {
    describe(`${args.slice(0, 3).join(' ')} with git itself`, () => {
      it('is continued by git, at each stop, once nothing is in conflict', async () => {
        await stop(args);
        const { gitDir } = await worktree('a');
        const underWay = await readUnderWay(stacks.workspace, { gitDir, operation });
        assert.deepEqual(underWay, { by: 'git', operation });
        assert.deepEqual(commandsOf(underWay), {
          goOn: `git ${operation} --continue`,
          abort: `git ${operation} --abort`,
        });
        await assert.rejects(goOn(), { reason: 'conflicts', items: ['f.txt'], outcome: 'incomplete' });
        await resolve('both\n');
        const first = await goOn();
        if (again) {
          assert.deepEqual(first, { operation, stopped: true, files: ['f.txt'] });
          await resolve('both, more\n');
        }
        assert.deepEqual(again ? await goOn() : first, { operation, stopped: false, files: [] });
        assert.equal((await worktree('a')).operation, undefined);
        assert.equal(await stacks.git('a', 'show', 'HEAD:f.txt'), again ? 'both, more' : 'both');
        assert.doesNotMatch(await stacks.git('a', 'log', '-1', '--format=%B'), /Conflicts:/);
        assert.equal(await stacks.git('a', 'status', '--porcelain'), '');
      });

      it('is aborted by git, and what was done to the files is kept', async () => {
        await stop(args);
        await resolve('half of it\n');
        const { backups } = await abortInGit(stacks.workspace, await worktree('a'));
        assert.equal(await stacks.git('a', 'status', '--porcelain'), '');
        assert.equal(await stacks.tip('a'), start);
        assert.equal(await stacks.git('a', 'show', `${backups[0]?.ref ?? ''}:f.txt`), 'half of it');
      });
    });
  }

  it('a restack that has stopped is continued by us, and by nobody else once its rebase was ended with git', async () => {
    await stacks.commit('main', 'Main', { 'f.txt': 'main\n' });
    await stacks.rebase('a', { wholeStack: true });
    const { gitDir, operation } = await worktree('a');
    const underWay = await readUnderWay(stacks.workspace, { gitDir, operation });
    assert.equal(underWay?.by, 'restack');
    assert.deepEqual(commandsOf(underWay), { goOn: 'wt rebase --continue', abort: 'wt rebase --abort' });
    // B waits for it, and has something of its own under way.
    const pick = { ...(await worktree('b')), operation: 'cherry-pick' } as const;
    assert.equal((await stoppedRestackOf(stacks.workspace, pick)).stop?.branch, 'a');
    // Another worktree has a rebase of its own: that is what its person means.
    const other = { ...(await worktree('other')), operation: 'rebase' } as const;
    await assert.rejects(stoppedRestackOf(stacks.workspace, other), {
      id: 'merge.begunWithGit',
      next: /`git rebase --continue`/,
    });
    await stacks.git('a', 'rebase', '--abort');
    assert.equal((await readUnderWay(stacks.workspace, await worktree('a')))?.by, 'restack');
    await stacks.abort('a');
    assert.equal(await readUnderWay(stacks.workspace, await worktree('a')), undefined);
  });

  it('a merge is ours as long as it is the one that we have begun', async () => {
    await stacks.commit('main', 'Main', { 'f.txt': 'main, more\n' });
    const snapshot = await readSnapshot(stacks.workspace);
    const source = await findMergeSource(stacks.workspace, snapshot, 'a', stacks.repository.root);
    await assert.rejects(mergeWorktree(stacks.workspace, { source, into: stacks.repository.root }), {
      reason: 'conflicts',
    });
    const ours = await readUnderWay(stacks.workspace, await worktree('main'));
    assert.equal(ours?.by, 'merge');
    assert.deepEqual(commandsOf(ours), { goOn: 'wt merge a', abort: 'wt merge a --abort' });
    await stacks.git('main', 'merge', '--abort');
    await assert.rejects(stacks.git('main', 'merge', 'other'));
    assert.deepEqual(await readUnderWay(stacks.workspace, await worktree('main')), { by: 'git', operation: 'merge' });
    await assert.rejects(mergeWorktree(stacks.workspace, { source, into: stacks.repository.root }), {
      reason: 'in-use',
      next: /`git merge --continue`.*`git merge --abort`/,
    });
  });

  it('nothing is kept of what nobody has touched', async () => {
    await stop(['merge', 'other']);
    assert.deepEqual((await abortInGit(stacks.workspace, await worktree('a'))).backups, []);
    await assert.rejects(abortInGit(stacks.workspace, await worktree('a')), { id: 'merge.nothingUnderWay' });
  });

  it('a commit of which nothing is left is not committed, and can be skipped', async () => {
    await stop(['cherry-pick', 'first', 'second']);
    await resolve('a, more\n');
    await assert.rejects(goOn(), { id: 'merge.commitBecameEmpty', next: /git cherry-pick --skip/ });
    assert.deepEqual(await goOn('skip'), { operation: 'cherry-pick', stopped: true, files: ['f.txt'] });
    await resolve('both\n');
    assert.equal((await goOn()).stopped, false);
    assert.equal(await subject(), 'other 2');
  });

  it('a merge of which nothing is staged is committed only where that is meant', async () => {
    await stacks.commit('other', 'More', { 'more.txt': 'more\n' });
    await stop(['merge', 'other']);
    await stacks.git('a', 'read-tree', 'HEAD');
    await assert.rejects(goOn(), { reason: 'inconsistent' });
    const done = await continueInGit(stacks.workspace, await worktree('a'), 'continue', { evenIfNothing: true });
    assert.equal(done.stopped, false);
  });

  it('what a hook refuses stays under way, with the words of the hook', async () => {
    const hook = join(stacks.repository.root, '.git/hooks/commit-msg');
    await stacks.repository.write(hook, '#!/bin/sh\necho "no ticket in the message" >&2\nexit 1\n');
    await chmod(hook, 0o755);
    await stop(['merge', 'other']);
    await resolve('both\n');
    await assert.rejects(goOn(), { reason: 'git-failed', items: ['no ticket in the message'] });
    assert.equal((await worktree('a')).operation, 'merge');
    await rm(hook);
    assert.equal((await goOn()).stopped, false);
    assert.equal(await readFile(join(stacks.path('a'), 'f.txt'), 'utf8'), 'both\n');
  });
});
