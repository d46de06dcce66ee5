import assert from 'node:assert/strict';
import { mkdir, readFile, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { redo, undo } from '../../../src/core/recovery/undo.ts';
import { initSubmodules } from '../../../src/core/create/submodules.ts';
import { sceneForEach } from '../../support/sceneForEach.ts';
import { Stacks } from '../../support/stacks.ts';
import { texts } from '../../support/texts.ts';
import { shareOf } from '../../support/share.ts';

describe('submodules of a worktree that follows its branch', function () {
  this.timeout(300_000);
  let at: Stacks;
  let first: string;
  sceneForEach(async () => {
    at = await Stacks.start();
    const inner = await makeRemote('inner');
    const lib = await makeRemote('lib');
    await git(lib, 'submodule', '--quiet', 'add', inner, 'inner');
    await at.repository.commit('Nest', {}, lib);
    await at.repository.git('submodule', '--quiet', 'add', lib, 'lib');
    await at.repository.git('submodule', '--quiet', 'update', '--init', '--recursive');
    await at.commit('main', 'Submodules', {});
    first = await git(main('lib'), 'rev-parse', 'HEAD');
    await at.add('a', 'main', { 'a.txt': 'a\n' });
    await at.add('b', 'a', { 'b.txt': 'b\n' });
    for (const name of ['a', 'b']) await initSubmodules(at.workspace, { path: at.path(name), branch: name });
    // Whatever is needed from here on is in the repository.
    await rename(join(at.home.root, 'remotes'), join(at.home.root, 'gone'));
    return at.home;
  });

  const git = (folder: string, ...args: string[]): Promise<string> => at.repository.gitIn(folder, ...args);
  const main = (path: string): string => join(at.repository.root, path);
  const inside = (name: string, path = 'lib'): string => join(at.path(name), path);
  const headOf = (name: string, path = 'lib'): Promise<string> => git(inside(name, path), 'rev-parse', 'HEAD');

  async function makeRemote(name: string): Promise<string> {
    const folder = join(at.home.root, 'remotes', name);
    await mkdir(folder, { recursive: true });
    await git(folder, 'init', '--quiet');
    await at.repository.commit(`Start ${name}`, { f: '1\n' }, folder);
    return folder;
  }

  /** Commits in the main worktree's copy of the submodule and of the one inside it, and records both. */
  async function bump(): Promise<string> {
    await at.repository.commit('Inner two', { f: '2\n' }, main('lib/inner'));
    const oid = await at.repository.commit('Two', { f: '2\n' }, main('lib'));
    await at.commit('main', 'Bump', {});
    return oid;
  }

  /** What an agent does next takes nothing back. */
  async function commitsNothingBack(name: string, base: string): Promise<void> {
    await at.repository.write(join(at.path(name), 'more.txt'), 'more\n');
    await at.git(name, 'add', '--all');
    await at.git(name, 'commit', '--quiet', '-m', 'Everything');
    assert.equal(await at.git(name, 'diff', '--name-only', base, 'HEAD', '--', 'lib'), '');
  }

  it('follow a bump, on their branch, nested ones too, and go back with an undo', async () => {
    const second = await bump();
    assert.deepEqual(await at.outcomes('a', { wholeStack: true }), { a: 'moves', b: 'moves' });
    for (const name of ['a', 'b']) {
      assert.equal(await headOf(name), second);
      assert.equal(await git(inside(name), 'symbolic-ref', '--short', 'HEAD'), name);
      assert.equal(await readFile(join(inside(name), 'f'), 'utf8'), '2\n');
      assert.equal(await readFile(join(inside(name), 'inner/f'), 'utf8'), '2\n');
      assert.equal(await at.git(name, 'status', '--porcelain'), '');
    }
    await undo(at.workspace);
    for (const name of ['a', 'b']) {
      assert.equal(await headOf(name), first);
      assert.equal(await readFile(join(inside(name), 'inner/f'), 'utf8'), '1\n');
      assert.equal(await at.git(name, 'status', '--porcelain'), '');
    }
    await redo(at.workspace);
    for (const name of ['a', 'b']) {
      assert.equal(await headOf(name), second);
      await commitsNothingBack(name, 'main');
    }
  });

  it('follow also where their files were only touched', async () => {
    const second = await bump();
    const past = new Date(Date.now() - 3_600_000);
    for (const name of ['a', 'b'])
      for (const path of ['lib', 'lib/inner']) await utimes(join(inside(name, path), 'f'), past, past);
    await at.rebase('a', { wholeStack: true });
    for (const name of ['a', 'b']) {
      assert.equal(await headOf(name), second);
      assert.equal(await at.git(name, 'status', '--porcelain'), '');
    }
  });

  it('get a commit that only the worktree below has', async () => {
    const second = await at.repository.commit('Two', { f: '2\n' }, inside('a'));
    await at.commit('a', 'Bump', {});
    assert.deepEqual(await at.outcomes('b'), { b: 'moves' });
    assert.equal(await headOf('b'), second);
    assert.equal(await at.git('b', 'status', '--porcelain'), '');
  });

  const kinds = {
    'commits of its own': async () => void (await at.repository.commit('Mine', { mine: 'x\n' }, inside('a'))),
    'uncommitted changes': () => at.repository.write(join(inside('a'), 'f'), 'mine\n'),
    'uncommitted changes in the one inside': () => at.repository.write(join(inside('a'), 'inner/f'), 'mine\n'),
    'an untracked file in the way': () => at.repository.write(join(inside('a'), 'new'), 'mine\n'),
    'a rebase under way': async () => {
      await at.repository.commit('Other', { f: 'other\n' }, inside('a'));
      await git(inside('a'), 'branch', 'other');
      await git(inside('a'), 'reset', '--quiet', '--hard', first);
      await git(inside('a'), 'switch', '--quiet', '-c', 'mine', 'other');
      await git(inside('a'), 'commit', '--quiet', '--amend', '-m', 'Mine', '--allow-empty');
      await git(inside('a'), 'rebase', '--exec', 'false', first).catch(() => undefined);
      await git(inside('a'), 'checkout', '--quiet', '--detach', first);
    },
  };
  for (const [kind, work] of shareOf(Object.entries(kinds), 2)) {
    it(`with ${kind} stay and are named`, async () => {
      await at.repository.commit('New', { new: 'x\n' }, main('lib'));
      const second = await bump();
      await work();
      const before = [await headOf('a'), await git(inside('a'), 'status', '--porcelain')];
      const { branches, operation } = await at.rebase('a', { wholeStack: true });
      assert.deepEqual(
        branches.map(({ outcome }) => outcome),
        ['moves', 'moves'],
      );
      assert.equal(operation?.notes?.length, 1, texts(operation?.notes).join());
      assert.match(
        texts(operation?.notes)[0] ?? '',
        /^The submodule lib in .*\/a (was not moved, because|could not be moved)/,
      );
      assert.match(
        texts(operation?.notes)[0] ?? '',
        /`git -C .* submodule update --init -- lib` brings it to [0-9a-f]{12}/,
      );
      assert.deepEqual([await headOf('a'), await git(inside('a'), 'status', '--porcelain')], before);
      assert.equal(await headOf('b'), second);
    });
  }

  it('whose commit is nowhere here stay and are named', async () => {
    const second = await bump();
    await at.repository.git('submodule', '--quiet', 'deinit', '--all', '--force');
    for (const folder of [main('.git/modules/lib/objects'), at.path('b')]) await rm(join(folder, 'x'), { force: true });
    await rm(main(`.git/modules/lib/objects/${second.slice(0, 2)}/${second.slice(2)}`));
    const { operation } = await at.rebase('a');
    assert.match(texts(operation?.notes).join() ?? '', /because its commit [0-9a-f]{12} is in no copy of it here/);
    assert.equal(await headOf('a'), first);
  });

  it('that are not initialised stay so', async () => {
    await at.git('a', 'submodule', '--quiet', 'deinit', '--all', '--force');
    await bump();
    const { operation } = await at.rebase('a');
    assert.deepEqual(operation?.notes ?? [], []);
    assert.equal(await at.git('a', 'status', '--porcelain'), '');
  });

  it('that are new or gone in the new base are named', async () => {
    await at.repository.git('mv', 'lib', 'moved');
    await at.commit('main', 'Move it', {});
    const { operation } = await at.rebase('a');
    assert.match(texts(operation?.notes).join('\n'), /submodule lib in .* is no submodule any more/);
    assert.match(texts(operation?.notes).join('\n'), /submodule moved in .* is new and not initialized; `git -C/);
  });

  it('follow to where a rebase stops, on to its end, and back with an abort', async () => {
    const second = await bump();
    await at.commit('main', 'News', { 'a.txt': 'theirs\n' });
    const before = await at.picture();
    const stopIt = async (): Promise<void> => void (await at.rebase('a', { wholeStack: true }));
    await stopIt();
    assert.equal(await headOf('a'), second);
    await at.abort('a');
    assert.deepEqual(await at.picture(), before);
    assert.equal(await headOf('a'), first);
    await stopIt();
    await at.repository.write(join(at.path('a'), 'a.txt'), 'both\n');
    await at.git('a', 'add', '--all');
    assert.equal((await at.resume('a')).operation?.state, 'done');
    for (const name of ['a', 'b']) {
      assert.equal(await headOf(name), second);
      assert.equal(await at.git(name, 'status', '--porcelain'), '');
      assert.equal(await at.git(name, 'diff', '--name-only', 'main', 'HEAD', '--', 'lib'), '');
    }
  });
});
