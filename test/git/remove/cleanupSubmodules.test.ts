import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Removals } from '../../support/removals.ts';
import { sceneForEach } from '../../support/sceneForEach.ts';
import type { TestRepository } from '../../support/tempRepo.ts';
import { textOf } from '../../../src/core/messages/message.ts';

describe('removing a worktree with submodules', () => {
  let at: Removals;
  let upstream: TestRepository;
  let path: string;
  let sub: string;
  let nested: string;
  sceneForEach(async () => {
    at = await Removals.start();
    const inner = await at.home.repository('inner');
    upstream = await at.home.repository('lib');
    await upstream.git('submodule', 'add', '--quiet', inner.root, 'inner');
    await upstream.git('commit', '--quiet', '-m', 'Use inner');
    await at.repository.git('submodule', 'add', '--quiet', upstream.root, 'deps/lib');
    await at.repository.git('submodule', 'update', '--quiet', '--init', '--recursive');
    await at.repository.git('commit', '--quiet', '-m', 'Use lib');
    path = await at.add('one');
    await at.repository.gitIn(path, 'submodule', 'update', '--quiet', '--init', '--recursive');
    sub = join(path, 'deps', 'lib');
    nested = join(sub, 'inner');
    return at.home;
  });

  const home = (): string => join(at.repository.root, '.git', 'modules', 'deps', 'lib');
  const kinds = async (): Promise<string[]> => (await at.obstacles('one')).sort();
  const items = async (): Promise<string[]> => (await at.inspect('one')).obstacles.flatMap((each) => each.items);

  it('an untouched one goes, with the repositories that git kept for it', async () => {
    assert.deepEqual(await kinds(), []);
    await at.remove('one');
    assert.equal(existsSync(path), false);
    assert.deepEqual(await at.listed(), [at.repository.root]);
    assert.equal(existsSync(join(at.repository.root, '.git', 'worktrees', 'one')), false);
    assert.equal(await at.repository.gitIn(join(at.repository.root, 'deps', 'lib'), 'status', '--porcelain'), '');
  });

  it('a commit that lives only in its own repository of the submodule stops it, also when the branch records it', async () => {
    const oid = await at.repository.commit('Only here', { 'mine.txt': 'mine\n' }, sub);
    await at.repository.commit('Record it', {}, path);
    assert.deepEqual(await kinds(), ['submodule-commits']);
    assert.deepEqual(await items(), [`deps/lib: ${oid.slice(0, 9)} Only here`]);
    await assert.rejects(at.remove('one'), /1 commit is only in its submodules/);
    assert.ok(existsSync(sub));
  });

  it('forced, that commit is kept in the repository of the submodule that stays', async () => {
    const oid = await at.repository.commit('Only here', { 'mine.txt': 'mine\n' }, sub);
    await at.repository.commit('Record it', {}, path);
    const { backups } = await at.remove('one', { force: true });
    assert.equal(backups.length, 1);
    assert.equal(
      await at.repository.gitIn(home(), '--git-dir=.', '--work-tree=.', 'rev-parse', backups[0]?.ref ?? ''),
      oid,
    );
    // What the branch records can be checked out again.
    await at.repository.git('checkout', '--quiet', 'one');
    await at.repository.git('submodule', 'update', '--quiet');
    assert.equal(await readFile(join(at.repository.root, 'deps', 'lib', 'mine.txt'), 'utf8'), 'mine\n');
    assert.match(backups[0]?.restore ?? '', /^git --git-dir=\S+modules\/deps\/lib branch <name> refs\/wt-backup\//);
  });

  it('a commit that was pushed does not stop it', async () => {
    await at.repository.gitIn(sub, 'checkout', '--quiet', '-b', 'topic');
    await at.repository.commit('Pushed', { 'mine.txt': 'mine\n' }, sub);
    assert.deepEqual(await kinds(), ['submodule-commits', 'uncommitted']);
    await at.repository.gitIn(sub, 'push', '--quiet', 'origin', 'topic');
    await at.repository.commit('Record it', {}, path);
    assert.deepEqual(await kinds(), []);
  });

  it('a commit that the main working tree has checked out does not stop it', async () => {
    const oid = await at.repository.commit('Shared', { 'mine.txt': 'mine\n' }, sub);
    await at.repository.commit('Record it', {}, path);
    const main = join(at.repository.root, 'deps', 'lib');
    await at.repository.gitIn(main, 'fetch', '--quiet', sub, oid);
    await at.repository.gitIn(main, 'checkout', '--quiet', '--detach', oid);
    assert.deepEqual(await kinds(), []);
  });

  it('commits of a branch, of a stash and of a nested submodule count as well', async () => {
    await at.repository.gitIn(sub, 'checkout', '--quiet', '-b', 'topic');
    await at.repository.commit('On a branch', { 'branch.txt': 'x\n' }, sub);
    await at.repository.gitIn(sub, 'checkout', '--quiet', '--detach', 'origin/main');
    await at.repository.write(join(nested, 'README.md'), 'stashed\n');
    await at.repository.gitIn(nested, 'stash', '--quiet');
    await at.repository.write(join(nested, 'README.md'), 'stashed later\n');
    await at.repository.gitIn(nested, 'stash', '--quiet');
    assert.deepEqual(await kinds(), ['submodule-commits']);
    const { backups } = await at.remove('one', { force: true });
    const inner = join(home(), 'modules', 'inner');
    const texts = await Promise.all(
      backups
        .filter((each) => each.ref.includes('inner'))
        .map((each) => at.repository.gitIn(inner, '--git-dir=.', '--work-tree=.', 'show', `${each.ref}:README.md`)),
    );
    assert.deepEqual(texts.sort(), ['stashed', 'stashed later']);
    assert.deepEqual(
      await Promise.all(
        backups
          .filter((each) => !each.ref.includes('inner'))
          .map((each) =>
            at.repository.gitIn(home(), '--git-dir=.', '--work-tree=.', 'log', '-1', '--format=%s', each.ref, '--'),
          ),
      ),
      ['On a branch'],
    );
  });

  it('uncommitted files in it and in a nested one stop it, whatever its own settings hide', async () => {
    await at.repository.gitIn(sub, 'config', 'status.showUntrackedFiles', 'no');
    await at.repository.git('config', 'submodule.deps/lib.ignore', 'all');
    await at.repository.write(join(sub, 'new.txt'), 'new\n');
    await at.repository.write(join(nested, 'README.md'), 'changed\n');
    assert.deepEqual(await kinds(), ['submodule-changes']);
    assert.deepEqual((await items()).sort(), ['deps/lib/inner/README.md', 'deps/lib/new.txt']);
    const { backups } = await at.remove('one', { force: true });
    const inner = backups.find((each) => textOf(each.what).endsWith('deps/lib/inner'))?.ref ?? '';
    const outer = backups.find((each) => textOf(each.what).endsWith('deps/lib'))?.ref ?? '';
    const show = (store: string, name: string): Promise<string> =>
      at.repository.gitIn(store, '--git-dir=.', '--work-tree=.', 'show', name);
    assert.equal(await show(home(), `${outer}:new.txt`), 'new');
    assert.equal(await show(join(home(), 'modules', 'inner'), `${inner}:README.md`), 'changed');
  });

  it('a repository that deinit has left behind is looked at too', async () => {
    await at.repository.commit('Only here', { 'mine.txt': 'mine\n' }, sub);
    await at.repository.gitIn(path, 'submodule', '--quiet', 'deinit', '--force', '--all');
    assert.deepEqual(await kinds(), ['submodule-commits']);
    const { backups } = await at.remove('one', { force: true });
    assert.equal(
      await at.repository.gitIn(
        home(),
        '--git-dir=.',
        '--work-tree=.',
        'log',
        '-1',
        '--format=%s',
        backups[0]?.ref ?? '',
        '--',
      ),
      'Only here',
    );
  });

  it('files in the folder of a submodule that is not initialised are seen and kept', async () => {
    await at.repository.gitIn(path, 'submodule', '--quiet', 'deinit', '--force', '--all');
    await mkdir(sub, { recursive: true });
    await at.repository.write(join(sub, 'mine.txt'), 'mine\n');
    assert.equal(await at.repository.gitIn(path, 'status', '--porcelain'), '');
    assert.deepEqual(await kinds(), ['submodule-changes']);
    const { backups } = await at.remove('one', { force: true });
    assert.equal(await at.repository.git('show', `${backups[0]?.ref ?? ''}:deps/lib/mine.txt`), 'mine');
  });

  it('a submodule that keeps its repository in its own folder, unknown to the main working tree, goes to the main one', async () => {
    const added = join(path, 'added');
    await at.repository.git('clone', '--quiet', upstream.root, added);
    const oid = await at.repository.commit('Only here', { 'mine.txt': 'mine\n' }, added);
    await at.repository.gitIn(path, '-c', 'advice.addEmbeddedRepo=false', 'add', 'added');
    await at.repository.gitIn(path, 'commit', '--quiet', '-m', 'Add it');
    assert.deepEqual(await kinds(), ['submodule-commits']);
    const { backups } = await at.remove('one', { force: true });
    assert.equal(await at.repository.git('rev-parse', backups[0]?.ref ?? ''), oid);
  });

  it('the main working tree may have none of it: then the backup goes to the main repository', async () => {
    await at.repository.git('submodule', '--quiet', 'deinit', '--force', '--all');
    await rm(join(at.repository.root, '.git', 'modules'), { recursive: true });
    const oid = await at.repository.commit('Only here', { 'mine.txt': 'mine\n' }, sub);
    const { backups } = await at.remove('one', { force: true });
    const ref = backups.find((each) => textOf(each.what).startsWith('commits'))?.ref ?? '';
    assert.equal(await at.repository.git('rev-parse', ref), oid);
    assert.equal(await at.repository.git('show', `${ref}:mine.txt`), 'mine');
  });

  it('a worktree whose folder is missing still has them', async () => {
    await at.repository.commit('Only here', { 'mine.txt': 'mine\n' }, sub);
    await rm(path, { recursive: true });
    assert.deepEqual(await kinds(), ['out-of-sight', 'submodule-commits']);
    const { backups } = await at.remove('one', { force: true });
    assert.equal(backups.filter(({ what }) => textOf(what).startsWith('commits')).length, 1);
  });

  it('work that begins after the look stops it', async () => {
    const removal = await at.inspect('one');
    await at.repository.commit('Only here', { 'mine.txt': 'mine\n' }, nested);
    await assert.rejects(at.act(removal), /its submodules have changed since/);
    assert.ok(existsSync(join(nested, 'mine.txt')));
  });
});
