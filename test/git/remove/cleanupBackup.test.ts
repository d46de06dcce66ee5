import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Removals } from '../../support/removals.ts';
import { texts } from '../../support/texts.ts';

describe('what a forced removal keeps', () => {
  let at: Removals;
  beforeEach(async () => {
    at = await Removals.start();
  });
  afterEach(() => at.dispose());

  const show = (ref: string | undefined, file: string): Promise<string> =>
    at.repository.git('show', `${ref ?? ''}:${file}`);
  const byName = (backups: readonly { ref: string }[]): Map<string, string> =>
    new Map(backups.map(({ ref }) => [ref.split('/').slice(3).join('/'), ref]));

  it('uncommitted, deleted and untracked files, as a commit on top of the last one', async () => {
    await at.repository.commit('More', { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const path = await at.add('one', { commits: 1 });
    await at.repository.write(join(path, 'a.txt'), 'changed\n');
    await at.repository.gitIn(path, 'rm', '--quiet', 'b.txt');
    await at.repository.write(join(path, 'new', 'deep.txt'), 'new\n');
    await symlink('/etc/hosts', join(path, 'link'));
    await at.repository.write(join(path, 'run.sh'), '#!/bin/sh\n');
    await chmod(join(path, 'run.sh'), 0o755);
    const { backups, branchDeleted } = await at.remove('one', { force: true });
    assert.equal(branchDeleted, false);
    assert.deepEqual(texts(backups.map((each) => each.what)), ['5 uncommitted files', 'what was staged']);
    const ref = backups[0]?.ref ?? '';
    assert.match(ref, /^refs\/wt-backup\/\d{8}T\d{6}-\d{3}-one\/changes$/);
    assert.equal(await at.repository.git('rev-parse', `${ref}^`), await at.repository.git('rev-parse', 'one'));
    const output = await at.repository.git('diff', '--name-status', 'one', ref);
    assert.deepEqual(output.split('\n'), ['M\ta.txt', 'D\tb.txt', 'A\tlink', 'A\tnew/deep.txt', 'A\trun.sh']);
    assert.match(await at.repository.git('ls-tree', ref, 'link', 'run.sh'), /^120000 .*\n100755 /);
  });

  it('the command that it names brings the files back', async () => {
    const path = await at.add('one', { commits: 1 });
    await at.repository.write(join(path, 'README.md'), 'changed\n');
    await at.repository.write(join(path, 'new.txt'), 'new\n');
    const { backups } = await at.remove('one', { force: true });
    await at.repository.git('worktree', 'add', '--quiet', path, 'one');
    const [git, ...args] = (backups[0]?.restore ?? '').split(' ');
    assert.equal(git, 'git');
    await at.repository.gitIn(path, ...args);
    assert.equal(await readFile(join(path, 'README.md'), 'utf8'), 'changed\n');
    assert.equal(await readFile(join(path, 'new.txt'), 'utf8'), 'new\n');
  });

  it('what was staged, where the file was changed again', async () => {
    const path = await at.add('one');
    await at.repository.write(join(path, 'README.md'), 'staged\n');
    await at.repository.gitIn(path, 'add', 'README.md');
    await at.repository.write(join(path, 'README.md'), 'later\n');
    const refs = byName((await at.remove('one', { force: true })).backups);
    assert.equal(await show(refs.get('changes'), 'README.md'), 'later');
    assert.equal(await show(refs.get('index'), 'README.md'), 'staged');
  });

  it('both sides of a conflict as they stand in the file', async () => {
    await at.repository.commit('Theirs', { 'f.txt': 'theirs\n' });
    const path = await at.add('one', { base: 'main~1' });
    await at.repository.commit('Ours', { 'f.txt': 'ours\n' }, path);
    await assert.rejects(at.repository.gitIn(path, 'merge', '--quiet', 'main'));
    const refs = byName((await at.remove('one', { force: true })).backups);
    assert.match(await show(refs.get('changes'), 'f.txt'), /<<<<<<< HEAD\nours\n=======\ntheirs\n/);
  });

  it('what an interrupted rebase had set aside, and the commits it had made', async () => {
    await at.repository.commit('Theirs', { 'f.txt': 'theirs\n' });
    const path = await at.add('one', { base: 'main~1' });
    await at.repository.commit('First', { 'first.txt': 'first\n' }, path);
    await at.repository.commit('Second', { 'f.txt': 'ours\n' }, path);
    await at.repository.write(join(path, 'README.md'), 'set aside\n');
    await assert.rejects(at.repository.gitIn(path, 'rebase', '--quiet', '--autostash', 'main'));
    const refs = byName((await at.remove('one', { force: true })).backups);
    assert.equal(await show(refs.get('autostash'), 'README.md'), 'set aside');
    assert.equal(await at.repository.git('log', '-1', '--format=%s', refs.get('head') ?? ''), 'First');
    assert.ok((await at.branches()).includes('one'));
  });

  it('commits of a detached HEAD and of private refs', async () => {
    const path = await at.add('one');
    await at.repository.gitIn(path, 'checkout', '--quiet', '--detach');
    const first = await at.repository.commit('First', { 'first.txt': 'x\n' }, path);
    await at.repository.gitIn(path, 'update-ref', 'refs/worktree/kept', first);
    await at.repository.gitIn(path, 'checkout', '--quiet', '--detach', 'main');
    const second = await at.repository.commit('Second', { 'second.txt': 'x\n' }, path);
    const refs = byName((await at.remove('one', { force: true })).backups);
    assert.equal(await at.repository.git('rev-parse', refs.get('head') ?? ''), second);
    assert.equal(await at.repository.git('rev-parse', refs.get('worktree/kept') ?? ''), first);
  });

  it('files that git was told to overlook; copies of ignored files that were changed are kept in files of their own', async () => {
    await at.repository.write('.git/info/exclude', '/.worktrees/\n.env*\n*.log\n');
    await at.repository.commit('More', { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const path = await at.add('one');
    await at.repository.gitIn(path, 'update-index', '--skip-worktree', 'a.txt');
    await at.repository.gitIn(path, 'update-index', '--assume-unchanged', 'b.txt');
    for (const file of ['a.txt', 'b.txt', '.env', 'x.log']) await at.repository.write(join(path, file), 'mine\n');
    const { backups, ignored } = await at.remove('one', { force: true });
    const refs = byName(backups);
    for (const file of ['a.txt', 'b.txt']) assert.equal(await show(refs.get('changes'), file), 'mine');
    // What may be a secret is in no object.
    for (const file of ['.env', 'x.log']) {
      await assert.rejects(show(refs.get('changes'), file));
      assert.equal(await readFile(join(ignored.kept?.folder ?? '', file), 'utf8'), 'mine\n');
    }
  });

  it('the files of a worktree without any commit', async () => {
    const path = join(at.repository.root, '.worktrees', 'orphan');
    await at.repository.git('worktree', 'add', '--quiet', '--detach', path);
    await at.repository.gitIn(path, 'checkout', '--quiet', '--orphan', 'orphan');
    await at.repository.gitIn(path, 'rm', '--quiet', '-r', '-f', '.');
    await at.repository.write(join(path, 'only.txt'), 'only\n');
    const refs = byName((await at.remove('orphan', { force: true })).backups);
    assert.equal(await show(refs.get('changes'), 'only.txt'), 'only');
  });

  it('everything, also where nobody has told git a name and every commit would be signed', async () => {
    const path = await at.add('one');
    await at.repository.git('config', 'commit.gpgSign', 'true');
    await at.repository.git('config', 'user.useConfigOnly', 'true');
    await at.repository.git('config', '--global', '--unset', 'user.name');
    await at.repository.git('config', '--global', '--unset', 'user.email');
    await at.repository.git('config', 'core.safecrlf', 'true');
    await at.repository.git('config', 'core.autocrlf', 'true');
    await at.repository.write(join(path, 'new.txt'), 'mixed\nline\r\nends\n');
    const refs = byName((await at.remove('one', { force: true })).backups);
    assert.match(await show(refs.get('changes'), 'new.txt'), /mixed/);
  });

  it('nothing is removed when the backup cannot be made', async () => {
    const path = await at.add('one');
    await at.repository.write(join(path, 'new.txt'), 'new\n');
    // A filter that is required and fails is the simplest thing that keeps git from taking a file in.
    await at.repository.git('config', 'filter.broken.clean', 'false');
    await at.repository.git('config', 'filter.broken.required', 'true');
    await at.repository.write('.git/info/attributes', '*.txt filter=broken\n');
    await assert.rejects(at.remove('one', { force: true }), { id: 'remove.backupFailed' });
    assert.equal(await readFile(join(path, 'new.txt'), 'utf8'), 'new\n');
    assert.equal(await at.repository.gitIn(path, 'status', '--porcelain'), '?? new.txt');
  });

  it('nothing is removed when what was staged cannot be written, although the files can', async () => {
    const path = await at.add('one');
    await at.repository.write(join(path, 'new.txt'), 'staged\n');
    await at.repository.gitIn(path, 'add', 'new.txt');
    const blob = await at.repository.gitIn(path, 'rev-parse', ':new.txt');
    await at.repository.write(join(path, 'new.txt'), 'later\n');
    // As on a disk that has no room for the tree of the index: git's `write-tree` fails.
    await rm(join(at.repository.root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    await assert.rejects(at.remove('one', { force: true }), { id: 'remove.backupFailed' });
    assert.equal(await readFile(join(path, 'new.txt'), 'utf8'), 'later\n');
    assert.equal(await at.repository.gitIn(path, 'rev-parse', ':new.txt'), blob);
  });

  it('a second backup of the same name does not replace the first', async () => {
    const refs: string[] = [];
    for (const text of ['one\n', 'two\n']) {
      const path = await at.add('one');
      await writeFile(join(path, 'new.txt'), text);
      refs.push((await at.remove('one', { force: true })).backups[0]?.ref ?? '');
    }
    assert.equal(await show(refs[0], 'new.txt'), 'one');
    assert.equal(await show(refs[1], 'new.txt'), 'two');
  });

  it('an untracked clone does not keep the files around it from being kept', async () => {
    const path = await at.add('one');
    await mkdir(join(path, 'around'));
    await at.repository.git('clone', '--quiet', at.repository.root, join(path, 'around', 'clone'));
    await at.repository.gitIn(join(path, 'around'), 'init', '--quiet', 'empty');
    await at.repository.write(join(path, 'around', 'mine.txt'), 'mine\n');
    const refs = byName((await at.remove('one', { force: true })).backups);
    assert.equal(await show(refs.get('changes'), 'around/mine.txt'), 'mine');
  });
});
