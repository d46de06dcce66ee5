import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Merges } from '../../support/merges.ts';
import { addSubmodules, commitInSubmodule, lines, makeRemote } from '../../support/mergeSubmodules.ts';
import { sceneForEach } from '../../support/sceneForEach.ts';
import { texts } from '../../support/texts.ts';
import { shareOf } from '../../support/share.ts';

describe('merging a worktree with submodules', () => {
  let merges: Merges;
  sceneForEach(async () => {
    merges = await Merges.start();
    await addSubmodules(merges);
    await merges.at.create('x');
    return merges.at.home;
  });

  const first = 'libs/first one';
  const head = (folder: string): Promise<string> => merges.git(folder, 'rev-parse', 'HEAD');
  const inX = (path: readonly string[], files: Record<string, string>): Promise<string> =>
    commitInSubmodule(merges, merges.at.path('x'), path, files);
  const inMain = (path: readonly string[], files: Record<string, string>): Promise<string> =>
    commitInSubmodule(merges, merges.root, path, files);
  const has = (folder: string, commit: string): Promise<string> =>
    merges.git(folder, 'merge-base', '--is-ancestor', commit, 'HEAD');

  /** The tree is clean with everything in it, and what is recorded is what is checked out. */
  async function assertWhole(): Promise<void> {
    assert.equal(await merges.git('.', 'status', '--porcelain', '--ignore-submodules=none'), '');
    for (const folder of [first, 'agent-core', 'agent-core/nested']) {
      assert.equal(await merges.git(folder, 'status', '--porcelain'), '', folder);
    }
    assert.equal(await merges.git('.', 'rev-parse', `HEAD:${first}`), await head(first));
    assert.equal(await merges.git('.', 'rev-parse', 'HEAD:agent-core'), await head('agent-core'));
    assert.equal(await merges.git('agent-core', 'rev-parse', 'HEAD:nested'), await head('agent-core/nested'));
  }

  it("moves one on that only the worktree has changed, with no merge commit in it, from the worktree's own store", async () => {
    const theirs = await inX([first], { 'new.txt': 'n\n' });
    await rename(join(merges.at.home.root, 'remotes'), join(merges.at.home.root, 'unreachable'));
    const merged = await merges.merge('x');
    assert.deepEqual(merged.submodules, [{ path: first, fate: 'forwarded', commit: theirs }]);
    assert.equal(await head(first), theirs);
    assert.equal(await readFile(join(merges.root, first, 'new.txt'), 'utf8'), 'n\n');
    await assertWhole();
  });

  it('merges one that both have changed, in one commit of its own, and the parent in one as well', async () => {
    const theirs = await inX([first], { 'first.txt': lines('theirs') });
    const ours = await inMain([first], { 'first.txt': lines('first', 'ours') });
    const before = await head('.');
    const merged = await merges.merge('x');
    assert.deepEqual(
      merged.submodules.map(({ path, fate }) => [path, fate]),
      [[first, 'merged']],
    );
    await has(first, theirs);
    await has(first, ours);
    assert.equal(await readFile(join(merges.root, first, 'first.txt'), 'utf8'), lines('theirs', 'ours'));
    assert.equal(await merges.git(first, 'log', '-1', '--format=%s'), `🔀 Merge ${first} from x`);
    assert.equal(await merges.git('.', 'rev-parse', 'HEAD^1'), before);
    await assertWhole();
  });

  it("leaves one alone that holds the worktree's commit already", async () => {
    const theirs = await inX([first], { 'new.txt': 'n\n' });
    const store = await merges.git(`.worktrees/x/${first}`, 'rev-parse', '--absolute-git-dir');
    await merges.git(first, 'fetch', '-q', store, theirs);
    await merges.git(first, 'merge', '-q', theirs);
    const ours = await inMain([first], { 'more.txt': 'm\n' });
    const merged = await merges.merge('x');
    assert.deepEqual(merged.submodules, [{ path: first, fate: 'contained', commit: ours }]);
    await assertWhole();
  });

  it('merges nested ones first, and records their merges in the outer ones', async () => {
    const theirs = await inX(['agent-core', 'nested'], { 'nested.txt': lines('theirs') });
    const ours = await inMain(['agent-core', 'nested'], { 'nested.txt': lines('nested', 'ours') });
    const merged = await merges.merge('x');
    assert.deepEqual(
      merged.submodules.map(({ path, fate }) => [path, fate]),
      [
        ['agent-core/nested', 'merged'],
        ['agent-core', 'merged'],
      ],
    );
    await has('agent-core/nested', theirs);
    await has('agent-core/nested', ours);
    await assertWhole();
  });

  it('moves nested ones on with the outer ones', async () => {
    const theirs = await inX(['agent-core', 'nested'], { 'new.txt': 'n\n' });
    await merges.commit('', { 'other.txt': '' });
    await merges.merge('x');
    assert.equal(await head('agent-core/nested'), theirs);
    assert.equal(await head('agent-core'), await merges.git('.worktrees/x', 'rev-parse', 'HEAD:agent-core'));
    await assertWhole();
  });

  it('keeps one that only the target has changed', async () => {
    const ours = await inMain([first], { 'new.txt': 'n\n' });
    await merges.commit('x', { 'x.txt': 'x\n' });
    assert.deepEqual((await merges.merge('x')).submodules, []);
    assert.equal(await head(first), ours);
    await assertWhole();
  });

  it("finds the commits also when the worktree's folder is gone", async () => {
    const theirs = await inX(['agent-core', 'nested'], { 'new.txt': 'n\n' });
    await rename(join(merges.at.home.root, 'remotes'), join(merges.at.home.root, 'unreachable'));
    await rm(merges.at.path('x'), { recursive: true });
    await merges.merge('x');
    assert.equal(await head('agent-core/nested'), theirs);
    await assertWhole();
  });

  it('finds the commits at the remote when the worktree has not checked it out', async () => {
    const remote = join(merges.at.home.root, 'remotes', 'first');
    const theirs = await merges.at.repository.commit('Upstream', { 'up.txt': 'u\n' }, remote);
    await merges.git('.worktrees/x', 'submodule', '--quiet', 'deinit', '--force', first);
    await rm(join(merges.root, '.git/worktrees/x/modules/odd name'), { recursive: true });
    await merges.git('.worktrees/x', 'update-index', '--cacheinfo', `160000,${theirs},${first}`);
    await merges.git('.worktrees/x', 'commit', '-q', '-m', 'Up');
    await merges.merge('x');
    assert.equal(await head(first), theirs);
    await assertWhole();
  });

  it('says which commit is nowhere to be found, before anything is merged', async () => {
    await inX([first], { 'new.txt': 'n\n' });
    await rm(merges.at.path('x'), { recursive: true });
    await rm(join(merges.root, '.git/worktrees/x/modules'), { recursive: true });
    const before = await head('.');
    const problem = await merges.refusal('x');
    assert.equal(problem.reason, 'not-found');
    assert.match(problem.message, /The commit [0-9a-f]{12} of the submodule libs\/first one is neither/);
    assert.equal(problem.outcome, 'incomplete');
    assert.equal(await head('.'), before);
  });

  it("takes the worktree's commit for one that is not checked out, and refuses where it would have to be merged", async () => {
    const theirs = await inX([first], { 'new.txt': 'n\n' });
    await merges.git('.', 'submodule', '--quiet', 'deinit', '--force', first);
    const merged = await merges.merge('x');
    assert.deepEqual(merged.submodules, [{ path: first, fate: 'taken', commit: theirs }]);
    assert.equal(await merges.git('.', 'rev-parse', `HEAD:${first}`), theirs);
    assert.equal(await merges.git('.', 'status', '--porcelain'), '');
    await merges.git('.', 'update-index', '--cacheinfo', `160000,${await head('agent-core')},${first}`);
    await merges.git('.', 'commit', '-q', '-m', 'Elsewhere');
    await inX([first], { 'more.txt': 'm\n' });
    const problem = await merges.refusal('x');
    assert.equal(problem.reason, 'unsupported');
    assert.match(problem.message, /both sides have changed the submodule libs\/first one, which is not checked out/);
    assert.match(problem.next ?? '', /git submodule update --init -- "libs\/first one"/);
  });

  it('names a submodule that is new', async () => {
    const fresh = await makeRemote(merges, 'fresh');
    await merges.git('.worktrees/x', 'submodule', '--quiet', 'add', fresh, 'fresh');
    await merges.commit('x', {});
    const merged = await merges.merge('x');
    assert.match(texts(merged.notes).join(), /The submodule fresh is new/);
  });

  for (const path of shareOf([[first], ['agent-core', 'nested']], 2)) {
    const folder = path.join('/');
    const file = path[0] === first ? 'first.txt' : 'nested.txt';

    describe(`with a conflict in ${folder}`, () => {
      beforeEach(async () => {
        await inX(path, { [file]: lines('theirs') });
        await inMain(path, { [file]: lines('ours') });
        await merges.commit('x', { 'x.txt': 'x\n' });
      });

      it('stops there, and goes on once that is committed', async () => {
        const before = await head('.');
        const problem = await merges.refusal('x');
        assert.equal(problem.reason, 'conflicts');
        assert.match(problem.message, new RegExp(`^The submodule ${folder} has conflicts`));
        assert.deepEqual(problem.items, [`${folder}/${file} (both changed)`]);
        assert.match(problem.next ?? '', /commit there, then run `wt merge x` again/);
        assert.deepEqual((await merges.refusal('x')).items, problem.items);
        assert.equal(await head('.'), before);
        assert.equal(existsSync(join(merges.root, 'x.txt')), false);
        await merges.at.repository.write(join(merges.root, folder, file), lines('resolved'));
        await merges.git(folder, 'commit', '-qam', 'Resolve');
        assert.equal((await merges.merge('x')).state, 'merged');
        assert.equal(await readFile(join(merges.root, folder, file), 'utf8'), lines('resolved'));
        assert.equal(existsSync(join(merges.root, 'x.txt')), true);
        await assertWhole();
      });

      it('commits what was only staged, but no markers', async () => {
        await merges.refusal('x');
        await merges.git(folder, 'add', '--all');
        const problem = await merges.refusal('x');
        assert.match(problem.message, new RegExp(`^${folder}/${file}, line 2: a conflict marker is left`));
        await merges.at.repository.write(join(merges.root, folder, file), lines('resolved'));
        await merges.git(folder, 'add', file);
        assert.equal((await merges.merge('x')).state, 'merged');
        assert.equal(await merges.git(folder, 'log', '-1', '--format=%s'), `🔀 Merge ${folder} from x`);
        await assertWhole();
      });

      it('is taken back with all the rest', async () => {
        const folders = ['.', first, 'agent-core', 'agent-core/nested'];
        const before = await Promise.all(folders.map(head));
        await merges.refusal('x');
        await merges.abort('x');
        assert.deepEqual(await Promise.all(folders.map(head)), before);
        await assertWhole();
      });
    });
  }

  describe('taken back', () => {
    beforeEach(async () => {
      await inX([first], { 'first.txt': lines('theirs') });
      await inX(['agent-core', 'nested'], { 'new.txt': 'n\n' });
      await inMain([first], { 'first.txt': lines('first', 'ours') });
      await merges.commit('x', { 'README.md': 'theirs\n' });
      await merges.commit('', { 'README.md': 'ours\n' });
    });
    const folders = ['.', first, 'agent-core', 'agent-core/nested'];

    it('puts back those that it has moved, and keeps their merge commits in a ref', async () => {
      const before = await Promise.all(folders.map(head));
      assert.equal((await merges.refusal('x')).reason, 'conflicts');
      const merge = await head(first);
      const { submodules, backups } = await merges.abort('x');
      assert.deepEqual([...submodules].sort(), ['agent-core', 'agent-core/nested', first]);
      assert.deepEqual(await Promise.all(folders.map(head)), before);
      assert.equal(backups.length, 1);
      assert.equal(await merges.git(first, 'rev-parse', backups[0]?.ref ?? ''), merge);
      await assertWhole();
    });

    it('puts them back to what was there at first, also after a second beginning', async () => {
      const before = await Promise.all(folders.map(head));
      await merges.refusal('x');
      await merges.git('.', 'merge', '--abort');
      await inX([first], { 'more.txt': 'm\n' });
      assert.equal((await merges.refusal('x')).reason, 'conflicts');
      assert.equal(existsSync(join(merges.root, first, 'more.txt')), true);
      await merges.abort('x');
      assert.deepEqual(await Promise.all(folders.map(head)), before);
      await assertWhole();
    });

    it('leaves one that has changes, or has moved on since, and says so', async () => {
      await merges.refusal('x');
      await merges.at.repository.write(join(merges.root, first, 'first.txt'), 'mine\n');
      const mine = await merges.at.repository.commit('Mine', {}, join(merges.root, 'agent-core/nested'));
      const { notes } = await merges.abort('x');
      assert.match(texts(notes).join(), /libs\/first one was left as it is: it has changes that are not committed/);
      assert.match(texts(notes).join(), /agent-core\/nested was left as it is: it was moved on since/);
      assert.equal(await head('agent-core/nested'), mine);
      assert.equal(await readFile(join(merges.root, first, 'first.txt'), 'utf8'), 'mine\n');
    });
  });
});
