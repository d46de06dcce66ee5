import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  chmod,
  link,
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { findShares } from '../../../src/core/create/findShares.ts';
import { sharedMessages } from '../../../src/core/create/shared.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { inspectRemoval } from '../../../src/core/remove/inspect.ts';
import { removeWorktree } from '../../../src/core/remove/remove.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { deleteTrash } from '../../../src/core/trash/trash.ts';
import { findWorktree } from '../../../src/core/worktree/find.ts';
import { Creations } from '../../support/creations.ts';
import { heard, texts } from '../../support/texts.ts';

describe('sharing ignored folders with the main working tree', () => {
  let at: Creations;
  beforeEach(async () => {
    at = await Creations.start();
    await at.repository.commit('Ignore', { '.gitignore': 'node_modules/\n/target/\n.env*\n*.db\n' });
  });
  afterEach(() => at.dispose());

  const main = (...path: string[]): string => join(at.repository.root, ...path);
  const write = (file: string, text = `${file}\n`): Promise<void> => at.repository.write(file, text);
  const share = (yaml: string): Promise<void> => at.configure(`worktree: { share: ${yaml} }\n`);

  it('finds folders and files that git ignores, at any depth, and nothing of our own or of what is tracked', async () => {
    await share("[node_modules, /target, '*.db', src, .worktrees]");
    await at.repository.commit('Code', { 'packages/a/index.js': '', 'src/a.c': '' });
    for (const file of ['node_modules/x/i.js', 'packages/a/node_modules/y/i.js', 'packages/b/node_modules/z/i.js'])
      await write(file);
    for (const file of ['target/a.o', 'src/target/b.o', 'test.db', 'src/new.c', '.worktrees/x/node_modules/q'])
      await write(file);
    const found = await findShares(at.workspace);
    assert.deepEqual(
      found.map(({ path, isFolder }) => (isFolder ? `${path}/` : path)),
      ['node_modules/', 'packages/a/node_modules/', 'packages/b/node_modules/', 'target/', 'test.db'],
    );
  });

  it('brings a tree along as it is: modes, times, links, empty folders, several names of one file, odd names', async () => {
    await share('[node_modules]');
    await write('node_modules/.bin/tool', '#!/bin/sh\n');
    await chmod(main('node_modules/.bin/tool'), 0o750);
    await link(main('node_modules/.bin/tool'), main('node_modules/.bin/second'));
    await mkdir(main('node_modules/empty/deep'), { recursive: true });
    await write('node_modules/closed/inside');
    await write('packages/a/index.js');
    await symlink('../packages/a', main('node_modules/a'));
    await symlink('gone', main('node_modules/broken'));
    await write('node_modules/.env', 'of a package\n');
    const odd = Buffer.concat([Buffer.from(`${main('node_modules')}/`), Buffer.from([0x66, 0xff])]);
    await writeFile(odd, 'odd\n');
    const old = new Date('2020-02-02T02:02:02Z');
    for (const path of ['.bin/tool', 'empty/deep', 'empty']) await utimes(main('node_modules', path), old, old);
    await chmod(main('node_modules/closed'), 0o555);

    const created = await at.create('x');
    await chmod(main('node_modules/closed'), 0o755);
    const copy = (...path: string[]): string => join(created.path, 'node_modules', ...path);
    const tool = await stat(copy('.bin/tool'));
    assert.equal(tool.mode & 0o7777, 0o750);
    assert.equal(tool.ino, (await stat(copy('.bin/second'))).ino, 'two names of one file');
    assert.notEqual(tool.ino, (await stat(main('node_modules/.bin/tool'))).ino, 'but not of that of the main one');
    for (const path of ['.bin/tool', 'empty/deep', 'empty']) assert.deepEqual((await stat(copy(path))).mtime, old);
    assert.equal((await stat(copy('closed'))).mode & 0o777, 0o555);
    await chmod(copy('closed'), 0o755);
    assert.equal(await readlink(copy('a')), '../packages/a');
    assert.equal(await readlink(copy('broken')), 'gone');
    const names = await readdir(copy(), { encoding: 'buffer' });
    assert.ok(names.some((name) => name.equals(Buffer.from([0x66, 0xff]))));
    assert.deepEqual(created.copied, [], '.env of a package came along with it, once');
    assert.equal(await readFile(copy('.env'), 'utf8'), 'of a package\n');
    assert.equal(await at.repository.gitIn(created.path, 'status', '--porcelain'), '');
    assert.deepEqual(texts(created.warnings), []);
    const [shared] = created.shared;
    assert.ok(shared);
    assert.deepEqual(
      { ...shared, how: 'any', saved: 0 },
      { path: 'node_modules', how: 'any', files: 7, bytes: 10 + 27 + 13 + 4, saved: 0 },
    );
  });

  it('names pipes and sockets and never opens them; leaves out repositories inside', async () => {
    await share('[node_modules, /target, pipe.db]');
    await write('node_modules/x/i.js');
    execFileSync('mkfifo', [main('node_modules/x/pipe'), main('pipe.db')]);
    const server = createServer().listen(main('node_modules/socket'));
    await once(server, 'listening');
    try {
      await write('node_modules/clone/file');
      await at.repository.gitIn(main('node_modules/clone'), 'init', '--quiet');
      await write('target/a.o');
      await at.repository.gitIn(main('target'), 'init', '--quiet');
      const created = await at.create('x');
      assert.deepEqual(texts(created.warnings).sort(), [
        'node_modules/clone was not copied: it is a repository or a worktree of its own.',
        'node_modules/socket was not copied: it is a socket, and not a file.',
        'node_modules/x/pipe was not copied: it is a pipe, and not a file.',
        'pipe.db was not copied: it is a pipe, and not a file.',
        'target was not copied: it is a repository or a worktree of its own.',
      ]);
      assert.deepEqual(await readdir(join(created.path, 'node_modules')), ['x']);
      assert.ok(!existsSync(join(created.path, 'target')));
    } finally {
      server.close();
    }
  });

  it('lets absolute links into the main working tree lead into the new one, where that has the same', async () => {
    await share('[node_modules]');
    await at.repository.commit('Code', { 'packages/a/index.js': '' });
    await mkdir(main('node_modules/.bin'), { recursive: true });
    await write('only-there');
    await symlink(main('packages/a'), main('node_modules/a'));
    await symlink(main('node_modules/tool'), main('node_modules/.bin/tool'));
    await write('node_modules/tool');
    await symlink(main('only-there'), main('node_modules/other'));
    await symlink('/usr', main('node_modules/usr'));
    await symlink('../../elsewhere', main('node_modules/outside'));
    const created = await at.create('x');
    const at2 = (path: string): Promise<string> => readlink(join(created.path, 'node_modules', path));
    assert.equal(await at2('a'), join(created.path, 'packages/a'));
    assert.equal(await at2('.bin/tool'), join(created.path, 'node_modules/tool'));
    assert.equal(await at2('usr'), '/usr');
    assert.equal(await at2('other'), main('only-there'));
    assert.equal(await at2('outside'), join(at.repository.root, '..', 'elsewhere'));
    assert.deepEqual(texts(created.warnings), [
      `The link node_modules/other leads into ${at.repository.root}, to what the new worktree does not have.`,
    ]);
  });

  it('shares one folder by a link, which git ignores and no removal follows', async () => {
    await share('[{ path: node_modules, how: link }]');
    await write('node_modules/x/i.js', 'x'.repeat(5000));
    const created = await at.create('x');
    assert.deepEqual(created.shared, [{ path: 'node_modules', how: 'link', files: 1, bytes: 5000, saved: 5000 }]);
    assert.deepEqual(texts(sharedMessages(created.shared)), [
      'Linked node_modules to that of the main working tree, which saves 5.0 kB.',
    ]);
    assert.equal(await readlink(join(created.path, 'node_modules')), '../../node_modules');
    assert.equal(await at.repository.gitIn(created.path, 'status', '--porcelain'), '');
    await at.create('y');
    const rules = await readFile(main('.git/info/exclude'), 'utf8');
    assert.equal(rules.split('\n').filter((line) => line === '/node_modules').length, 1);
    const snapshot = await readSnapshot(at.workspace, { withChanges: false });
    const removal = await inspectRemoval(at.workspace, snapshot, await findWorktree(snapshot, 'x', at.repository.root));
    const bins: string[] = [];
    await removeWorktree(at.workspace, removal, { deleteLater: (folder) => bins.push(folder) });
    assert.equal(bins.length, 1);
    for (const bin of bins) await deleteTrash(at.workspace.git, bin);
    assert.ok(!existsSync(created.path));
    assert.equal((await readFile(main('node_modules/x/i.js'), 'utf8')).length, 5000);
  });

  it('makes hard links where that is asked for, and of what pnpm keeps in its store', async () => {
    await share('[{ path: /target, how: hardlink }, node_modules]');
    await write('target/a.o');
    await write('.store/abc', 'content');
    await mkdir(main('node_modules/.pnpm/x'), { recursive: true });
    await link(main('.store/abc'), main('node_modules/.pnpm/x/i.js'));
    await write('node_modules/.pnpm/x/built.js');
    const created = await at.create('x');
    const ino = async (root: string, path: string): Promise<number> => (await stat(join(root, path))).ino;
    const same = async (path: string): Promise<boolean> =>
      (await ino(at.repository.root, path)) === (await ino(created.path, path));
    assert.ok(await same('target/a.o'));
    assert.ok(!(await same('node_modules/.pnpm/x/built.js')), 'what was built is no file of the store');
    const [modules, target] = created.shared;
    assert.equal(target?.how, 'hardlink');
    assert.equal(target.saved, target.bytes);
    // A disk that copies on write needs no hard link.
    assert.ok(modules && (modules.how === 'reflink' || (await same('node_modules/.pnpm/x/i.js'))));
  });

  it('leaves out what the branch has already or does not ignore, and says so', async () => {
    await share('[node_modules, /target]');
    await at.repository.git('branch', 'older');
    await at.repository.gitIn(at.repository.root, 'switch', '--quiet', 'older');
    await at.repository.commit('Other rules', { '.gitignore': '/target/\n', 'target.txt': '' });
    await write('target/kept');
    await at.repository.git('add', '--force', 'target/kept');
    await at.repository.git('commit', '--quiet', '-m', 'Track it');
    await at.repository.gitIn(at.repository.root, 'switch', '--quiet', '-');
    await write('node_modules/x/i.js');
    await write('target/a.o');
    const created = await at.create({ name: 'x', base: 'older' });
    assert.deepEqual(created.shared, []);
    assert.deepEqual(texts(created.warnings), [
      'node_modules was not copied: git does not ignore it in the new worktree.',
      'target was not copied: something is there already.',
    ]);
    assert.deepEqual(await readdir(join(created.path, 'target')), ['kept']);
    assert.equal(await at.repository.gitIn(created.path, 'status', '--porcelain'), '');
  });

  it('is there before setup runs', async () => {
    await at.configure('worktree: { share: [node_modules] }\nsetup: [cp node_modules/x/i.js seen.txt]\n');
    await write('node_modules/x/i.js', 'shared\n');
    const created = await at.create('x', { approveSetup: () => Promise.resolve(true) });
    assert.equal(await readFile(join(created.path, 'seen.txt'), 'utf8'), 'shared\n');
  });

  it('tells how far it is, can be cancelled, and leaves nothing then', async () => {
    await share('[node_modules]');
    for (let n = 0; n < 600; n++) await write(`node_modules/p${n % 7}/${n}.js`);
    const before = await at.traces();
    const cancel = new AbortController();
    const steps: string[] = [];
    const progress = heard((step) => {
      steps.push(step);
      if (step.includes('files')) cancel.abort();
    });
    await assert.rejects(at.create('x', { progress, signal: cancel.signal }), { reason: 'cancelled' });
    assert.ok(
      steps.some((step) => /^Sharing node_modules: 2\d\d files, /.test(step)),
      steps.join(),
    );
    assert.deepEqual(await at.traces(), before);
    assert.ok((await lstat(main('node_modules/p0/0.js'))).isFile());
  });

  it('says in words what it saved', () => {
    const one = { path: 'a', files: 3, bytes: 2_000_000 };
    const say = (...shared: Parameters<typeof sharedMessages>[0]): string[] => sharedMessages(shared).map(textOf);
    assert.deepEqual(say({ ...one, how: 'reflink', saved: 2_000_000 }, { ...one, how: 'hardlink', saved: 2_000_000 }), [
      'Shared a by copy on write: 3 files, which saves 2.0 MB.',
      'Shared a by hard links: 3 files, which saves 2.0 MB.',
      'Sharing saves 4.0 MB in all.',
    ]);
    assert.deepEqual(say({ ...one, how: 'copy', saved: 0 }), ['Copied a: 3 files, 2.0 MB.']);
    assert.deepEqual(say({ ...one, how: 'copy', saved: 1000 }), [
      'Copied a: 3 files, 2.0 MB. What they share saves 1.0 kB.',
    ]);
  });
});
