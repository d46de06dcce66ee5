import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { copyFiles, findCopies } from '../../../src/core/create/copyIgnored.ts';
import { Creations } from '../../support/creations.ts';
import { skipBecause } from '../../support/skip.ts';
import { heard, texts } from '../../support/texts.ts';

describe('bringing ignored files along', () => {
  let at: Creations;
  beforeEach(async () => {
    at = await Creations.start();
  });
  afterEach(() => at.dispose());

  const write = (file: string, text = `${file}\n`): Promise<void> => at.repository.write(file, text);

  it('copies .env files by default, and says which', async () => {
    await at.repository.commit('Ignore', { '.gitignore': '.env*\n!.env.example\n', '.env.example': 'KEY=\n' });
    await write('.env', 'KEY=1\n');
    await write('services/api/.env.local', 'KEY=2\n');
    const steps: string[] = [];
    const created = await at.create('x', { progress: heard((step) => steps.push(step)) });
    assert.deepEqual(created.copied, ['.env', 'services/api/.env.local']);
    assert.equal(await readFile(join(created.path, 'services/api/.env.local'), 'utf8'), 'KEY=2\n');
    assert.ok(steps.includes('Copying 2 ignored files'), steps.join());
    assert.equal(await at.repository.gitIn(created.path, 'status', '--porcelain'), '');
  });

  it('leaves files that match but are not ignored', async () => {
    await write('.env', 'KEY=1\n');
    assert.deepEqual(await findCopies(at.workspace), []);
  });

  it('reads .worktreeinclude as git reads .gitignore', async () => {
    await at.repository.commit('Ignore', { '.gitignore': 'config/\n*.key\nbuild/\ntrail \n.env*\n' });
    await write(
      '.worktreeinclude',
      '\uFEFF# what agents need\r\nconfig/\r\n\r\n*.key\r\n!secret.key\r\n!.env.production   \r\n',
    );
    for (const file of [
      'config/a/deep.json',
      'config/b.json',
      'one.key',
      'secret.key',
      'build/out',
      '.env',
      '.env.production',
    ])
      await write(file);
    assert.deepEqual(await findCopies(at.workspace), ['.env', 'config/a/deep.json', 'config/b.json', 'one.key']);
  });

  it('never brings our own files or anything of a repository inside', async () => {
    await at.repository.commit('Ignore', { '.gitignore': '*\n!.gitignore\n' });
    await write('.worktreeinclude', '*\n');
    await at.create('x');
    await write('.worktrees/x/.env');
    await write('.worktrees/old/.git', 'gitdir: /nowhere\n');
    await write('.worktrees/old/.env');
    await write('.claude/worktrees/agent/.git', 'gitdir: /nowhere\n');
    await write('.claude/worktrees/agent/CLAUDE.md');
    await write('.claude/agents/wt-x.md');
    await write('.claude/settings.local.json');
    await write('vendor/lib/.env');
    await at.repository.gitIn(join(at.repository.root, 'vendor/lib'), 'init', '--quiet');
    await write('node/.env');
    assert.deepEqual(await findCopies(at.workspace), ['.claude/settings.local.json', '.worktreeinclude', 'node/.env']);
  });

  it('keeps modes and links, also broken ones, and passes over what has vanished', async () => {
    const from = at.repository.root;
    const to = join(at.home.root, 'to');
    await mkdir(to);
    await write('bin/tool', '#!/bin/sh\n');
    await chmod(join(from, 'bin/tool'), 0o750);
    await symlink('tool', join(from, 'bin/link'));
    await symlink('gone', join(from, 'bin/broken'));
    const copied = await copyFiles(from, to, ['bin/tool', 'bin/link', 'bin/broken', 'bin/vanished', 'also/vanished']);
    assert.deepEqual(copied, { files: ['bin/broken', 'bin/link', 'bin/tool'], warnings: [] });
    assert.equal((await stat(join(to, 'bin/tool'))).mode & 0o777, 0o750);
    assert.equal(await readlink(join(to, 'bin/link')), 'tool');
    assert.equal(await readlink(join(to, 'bin/broken')), 'gone');
  });

  it('does not overwrite what is there', async () => {
    const to = join(at.home.root, 'to');
    await mkdir(to);
    await writeFile(join(to, '.env'), 'theirs\n');
    await write('.env', 'ours\n');
    assert.deepEqual((await copyFiles(at.repository.root, to, ['.env'])).files, []);
    assert.equal(await readFile(join(to, '.env'), 'utf8'), 'theirs\n');
  });

  it('makes no link that leads out of the worktree, and writes through none', async () => {
    const outside = join(at.home.root, 'outside');
    const to = join(at.home.root, 'to');
    await mkdir(outside);
    await mkdir(to);
    await symlink(outside, join(to, 'config'));
    await write('config/.env');
    await symlink('../../outside/x', join(at.repository.root, 'up'));
    await symlink(outside, join(at.repository.root, 'absolute'));
    const { files, warnings } = await copyFiles(at.repository.root, to, ['config/.env', 'up', 'absolute']);
    assert.deepEqual(files, []);
    assert.equal(warnings.length, 3);
    assert.match(texts(warnings).join('\n'), /config\/\.env was not copied: a link in the worktree is in its way/);
    assert.equal(existsSync(join(outside, '.env')), false);
    await assert.rejects(lstat(join(to, 'up')), { code: 'ENOENT' });
  });

  it('copies thousands of files with few open at a time', async () => {
    const from = join(at.home.root, 'many');
    const to = join(at.home.root, 'to');
    await mkdir(to);
    const paths = Array.from({ length: 3000 }, (_, index) => `d${index % 50}/f${index}`);
    for (let folder = 0; folder < 50; folder++) await mkdir(join(from, `d${folder}`), { recursive: true });
    for (const path of paths) await writeFile(join(from, path), path);
    await rm(join(from, 'd0/f0'));
    const { files } = await copyFiles(from, to, paths);
    assert.equal(files.length, 2999);
  });

  it('tells which files cannot be read and brings the others', async function () {
    if (process.getuid?.() === 0) skipBecause(this, 'root can read every file');
    await write('.env', 'secret\n');
    await chmod(join(at.repository.root, '.env'), 0o000);
    const to = join(at.home.root, 'to');
    await mkdir(to);
    const { warnings } = await copyFiles(at.repository.root, to, ['.env']);
    assert.deepEqual(texts(warnings), ['.env was not copied: it cannot be read.']);
  });

  it('tells of pipes, sockets and devices with such names, does not wait for them, and brings the others', async function () {
    if (process.platform === 'win32') skipBecause(this, 'Windows has no pipes among files');
    const { root } = at.repository;
    await at.repository.commit('Folder', { 'services/api/a.txt': 'a\n' });
    await writeFile(join(root, '.worktreeinclude'), 'secrets/token\n');
    await mkdir(join(root, 'secrets'));
    execFileSync('mkfifo', ['.env', 'services/api/.env.local', 'secrets/token', 'other'], { cwd: root });
    const server = createServer().listen(join(root, '.env.sock'));
    await once(server, 'listening');
    await write('.env.test', 'KEY=1\n');
    await writeFile(join(root, '.git/info/exclude'), '.env*\nsecrets/\nother\n.worktreeinclude\n');
    const expected = [
      '.env was not copied: it is a pipe, and not a file.',
      '.env.sock was not copied: it is a socket, and not a file.',
      'secrets/token was not copied: it is a pipe, and not a file.',
      'services/api/.env.local was not copied: it is a pipe, and not a file.',
    ];
    if (process.getuid?.() === 0) {
      execFileSync('mknod', ['.env.null', 'c', '1', '3'], { cwd: root });
      expected.push('.env.null was not copied: it is a device, and not a file.');
    }
    const { copied, warnings } = await at.create('x').finally(() => server.close());
    assert.deepEqual(copied, ['.env.test']);
    assert.deepEqual(texts(warnings).sort(), expected.sort());
  });

  it('does not wait for a pipe that is called .worktreeinclude', async function () {
    if (process.platform === 'win32') skipBecause(this, 'Windows has no pipes among files');
    execFileSync('mkfifo', ['.worktreeinclude'], { cwd: at.repository.root });
    assert.deepEqual((await at.create('x')).copied, []);
  });
});
