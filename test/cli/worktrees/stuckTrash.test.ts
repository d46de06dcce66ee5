import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getuid } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { assertMatches } from '../support/schema.ts';
import { skipBecause } from '../../support/skip.ts';
import { spawnAndWait, wtHome, wtProgram, type Ran, type WtHome } from '../support/wt.ts';

/** A user that is not root, and owns nothing else. */
const nobody = 65534;

describe('a removed worktree that cannot be deleted', function () {
  this.timeout(300_000);
  let home: WtHome;
  let root: string;
  let count = 0;

  before(async function () {
    home = await wtHome();
    if (getuid?.() !== 0) return skipBecause(this, 'only root can leave files of another user');
    await chown(home.root, nobody, nobody);
    const tried = await as('setpriv', [process.execPath, wtProgram, '--version'], '/').catch(() => undefined);
    if (tried?.code !== 0) return skipBecause(this, 'another user cannot run this program here');
  });
  after(async () => {
    if (root) await sweep(join(root, '.worktrees'));
    await home.dispose();
  });
  beforeEach(async () => {
    root = join(home.root, `project-${++count}`);
    await mkdir(root);
    await chown(root, nobody, nobody);
    await writeFile(join(root, '.gitignore'), 'node_modules/\ndata/\n');
    for (const args of [
      ['init', '--quiet'],
      ['add', '--all'],
      ['commit', '--quiet', '-m', 'Start'],
    ])
      assert.equal((await as('setpriv', ['git', ...args])).code, 0);
    assert.equal((await wt('create', 'one')).code, 0);
  });

  /** Runs a program as the user who is not root. */
  function as(program: string, command: readonly string[], folder = root): Promise<Ran> {
    const who = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
    return spawnAndWait(program, [...who, ...command], folder, home.variables);
  }
  const wt = (...args: string[]): Promise<Ran> => as('setpriv', [process.execPath, wtProgram, ...args]);
  const at = (file: string): string => join(root, '.worktrees', 'one', file);
  /** Writes a file with folders of its own, all of which belong to the user who is not root. */
  async function ours(file: string, text: string): Promise<void> {
    await mkdir(dirname(at(file)), { recursive: true });
    await writeFile(at(file), text);
    execFileSync('chown', ['-R', `${nobody}:${nobody}`, at(file.split('/')[0] ?? file)]);
  }
  const trash = async (): Promise<string[]> =>
    (await readdir(join(root, '.worktrees'))).filter((name) => name.startsWith('.trash-'));
  /** Waits until the process in the background has deleted what it can. */
  async function settled(): Promise<void> {
    const folder = join(root, '.git', 'worktree-stacks', 'operations');
    const isDone = async (): Promise<boolean> => {
      const names = (await readdir(folder)).filter((name) => name.startsWith('_trash-'));
      const pending = names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '"stuck"'));
      return (await Promise.all(pending)).every((text) => text.includes('"stuck"'));
    };
    for (const deadline = Date.now() + 60_000; !(await isDone()); await delay(30))
      assert.ok(Date.now() < deadline, 'it is still being deleted');
  }
  async function sweep(folder: string): Promise<void> {
    execFileSync('chattr', ['-R', '-i', folder], { stdio: 'ignore' });
    await rm(folder, { recursive: true, force: true });
  }

  it('is named by cleanup, list and doctor with its path, size, cause and the command that helps, until it is gone', async () => {
    await ours('node_modules/a.js', 'a\n');
    await mkdir(at('node_modules/cache'));
    await writeFile(at('node_modules/cache/left'), Buffer.alloc(1_000_000));
    const removed = await wt('cleanup', 'one');
    assert.equal(removed.code, 0, removed.stderr);
    assert.doesNotMatch(removed.stderr, /Deleted ignored files/);
    assert.match(
      removed.stderr,
      /node_modules\/cache \(1\.0 MB\) belongs to another user and cannot be deleted: it stays in (\S+); `sudo rm -rf \1` deletes it\./,
    );
    await settled();
    const [name = ''] = await trash();
    const tree = join(root, '.worktrees', name);
    assert.equal(existsSync(join(tree, 'node_modules/a.js')), false, 'the rest is gone');
    const words = `${tree} could not be deleted completely: node_modules/cache/left is in a folder of another user (root).`;
    const list = await wt('list');
    assert.equal(list.code, 0);
    assert.ok(list.stderr.includes(`warning: ${words} 1.0 MB of it`), list.stderr);
    assert.ok(list.stderr.includes(`next: \`sudo rm -rf ${tree}\``), list.stderr);
    const json = (await wt('list', '--json')).json();
    assertMatches('list', json);
    assert.ok(JSON.stringify(json['problems']).includes(tree));
    const doctor = await wt('doctor', '--json');
    assert.equal(doctor.code, 1);
    assertMatches('doctor', doctor.json());
    const [finding] = doctor.json()['findings'] as Record<string, unknown>[];
    assert.deepEqual(
      [finding?.['kind'], finding?.['subject'], finding?.['repairable'], finding?.['next']],
      ['trash', tree, false, `\`sudo rm -rf ${tree}\``],
    );
    const fixed = await wt('doctor', '--fix');
    assert.equal(fixed.code, 1);
    assert.doesNotMatch(fixed.stdout, /^repaired/m);
    assert.equal((await wt('undo')).code, 0);
    execFileSync('chown', ['-R', `${nobody}:${nobody}`, tree]);
    const freed = await wt('doctor', '--fix');
    assert.equal(freed.code, 0, freed.stdout);
    assert.deepEqual(await trash(), [], 'what holds it no more is deleted by a repair');
    assert.doesNotMatch((await wt('list')).stderr, /could not be deleted/);
    assert.equal((await wt('doctor')).code, 0);
  });

  it('is deleted all the same where only modes of our own are in the way', async () => {
    for (const folder of ['none', 'read', 'search']) await ours(`node_modules/mod@${folder}/deep/x.go`, 'package x\n');
    for (const [folder, mode] of [
      ['none', 0o000],
      ['read', 0o444],
      ['search', 0o111],
    ] as const) {
      await chmod(at(`node_modules/mod@${folder}/deep/x.go`), 0o400);
      await chmod(at(`node_modules/mod@${folder}/deep`), 0o555);
      await chmod(at(`node_modules/mod@${folder}`), mode);
    }
    await ours('data/closed/notes.md', 'notes\n');
    await chmod(at('data/closed'), 0o000);
    const removed = await wt('cleanup', 'one');
    assert.equal(removed.code, 0, removed.stderr);
    assert.doesNotMatch(removed.stderr, /another user/);
    await settled();
    assert.deepEqual(await trash(), []);
    assert.doesNotMatch((await wt('list')).stderr, /could not be deleted/);
    assert.equal((await wt('undo')).code, 0);
    assert.equal(await readFile(at('data/closed/notes.md'), 'utf8'), 'notes\n');
  });

  it('an ignored file that cannot be read, and so not kept, stops it; by force it goes and is named', async () => {
    await ours('data/notes.md', 'notes\n');
    await writeFile(at('data/secret'), 'secret\n', { mode: 0o600 });
    const refused = await wt('cleanup', 'one');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /what git ignores there cannot be read, and so not kept[^]*\n {2}data\/secret\n$/);
    assert.equal(await readFile(at('data/secret'), 'utf8'), 'secret\n');
    assert.deepEqual(await trash(), []);
    const forced = await wt('cleanup', 'one', '--force');
    assert.equal(forced.code, 0, forced.stderr);
    assert.match(forced.stderr, /data\/secret could not be read, so it was not kept\./);
    assert.equal((await wt('undo')).code, 0);
    assert.equal(await readFile(at('data/notes.md'), 'utf8'), 'notes\n');
  });

  it('marked as immutable, it is named with the command that takes the mark away', async function () {
    await ours('node_modules/held', 'x\n');
    try {
      execFileSync('chattr', ['+i', at('node_modules/held')], { stdio: 'ignore' });
    } catch {
      return skipBecause(this, 'this disk has no such mark');
    }
    assert.equal((await wt('cleanup', 'one')).code, 0);
    await settled();
    const [name = ''] = await trash();
    const tree = join(root, '.worktrees', name);
    const list = await wt('list');
    await sweep(tree);
    assert.match(list.stderr, /does not let go of node_modules\/held, which may be marked as immutable/);
    assert.ok(list.stderr.includes(`sudo chattr -R -i -a ${tree}`), list.stderr);
  });

  it('staged, and known to nobody any more, it is named by doctor', async () => {
    const tree = join(root, '.worktrees', '.trash-two-0123456789ab');
    await mkdir(tree);
    await chown(tree, nobody, nobody);
    const doctor = await wt('doctor');
    assert.equal(doctor.code, 1);
    assert.ok(doctor.stdout.includes(`${tree} is left from a removal that nothing else is known of.`), doctor.stdout);
  });
});
