import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { inspectReclaim, type Reclaimable } from '../../../src/core/reclaim/inspect.ts';
import { reclaim, type Reclaimed } from '../../../src/core/reclaim/reclaim.ts';
import { readConfiguration } from '../../../src/core/repository/configuration.ts';
import { writeActive } from '../../../src/core/repository/stateFile.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { deleteTrash } from '../../../src/core/trash/trash.ts';
import { Removals } from '../../support/removals.ts';
import { texts } from '../../support/texts.ts';

const rules = ['node_modules/', 'dist/', 'build/', '.venv/', 'target/', 'data/', 'cache/', 'out', '.env*', 'gen/'];
const day = 86_400_000;

describe('build output that is reclaimed', function () {
  this.timeout(300_000);
  let at: Removals;
  let path: string;
  beforeEach(async () => {
    at = await Removals.start();
    await at.repository.commit('Rules', { '.gitignore': `${rules.join('\n')}\n`, 'package.json': '{}\n' });
    path = await at.add('one');
  });
  afterEach(() => at.dispose());

  const write = (...files: string[]): Promise<unknown> =>
    Promise.all(files.map((file) => at.repository.write(join(path, file), `${file}\n`)));
  const look = async (idle = 0, workspace = at.workspace): Promise<Reclaimable> => {
    const snapshot = await readSnapshot(workspace, { withChanges: false });
    const worktree = snapshot.worktrees.find((each) => each.name === 'one');
    assert.ok(worktree);
    return inspectReclaim(workspace, snapshot, worktree, { idle });
  };
  const found = ({ folders }: Reclaimable): string[] => folders.map((each) => each.path).sort();
  const whys = ({ kept }: Reclaimable): Record<string, string> =>
    Object.fromEntries(kept.map((each) => [each.path, texts([each.why])[0] ?? '']));
  const take = async (shown: Reclaimable, again = (): Promise<Reclaimable> => look()): Promise<Reclaimed> => {
    const later: string[] = [];
    const done = await reclaim(at.workspace, shown, { again, deleteLater: (folder) => later.push(folder) });
    for (const folder of later) await deleteTrash(at.workspace.git, folder);
    return done;
  };
  const reasonOf = async (idle = 0, workspace = at.workspace): Promise<string | undefined> => {
    const { inUse } = await look(idle, workspace);
    return inUse && texts([inUse])[0];
  };

  it('is what a name or a file beside it shows to be made again; everything else that is ignored is kept and named', async () => {
    await write('node_modules/a/index.js', 'dist/app.js', 'data/mine.txt', '.env', 'target/a.o', '.venv/pyvenv.cfg');
    await write('sub/build/x.o', 'cache/CACHEDIR.TAG', 'out', 'src/new.ts');
    await writeFile(
      join(path, 'cache/CACHEDIR.TAG'),
      'Signature: 8a477f597d28d172789f06886806bc55\n# made by a tool\n',
    );
    const shown = await look();
    assert.deepEqual(found(shown), ['.venv/', 'cache/', 'dist/', 'node_modules/']);
    const unknown = 'not known to be build output';
    assert.deepEqual(whys(shown), {
      ...{ '.env': unknown, 'data/': unknown, out: unknown, 'sub/build/': unknown, 'target/': unknown },
    });
    await write('sub/CMakeLists.txt', 'Cargo.toml');
    assert.deepEqual(found(await look()), ['.venv/', 'cache/', 'dist/', 'node_modules/', 'sub/build/', 'target/']);
    const done = await take(await look());
    assert.deepEqual([done.folders.length, done.kept], [6, []]);
    for (const file of ['data/mine.txt', '.env', 'out', 'src/new.ts', 'sub/CMakeLists.txt', 'README.md'])
      assert.ok(existsSync(join(path, file)), file);
    for (const folder of ['dist', 'node_modules', '.venv', 'cache', 'sub/build', 'target'])
      assert.ok(!existsSync(join(path, folder)), folder);
    assert.deepEqual((await readdir(join(at.repository.root, '.worktrees'))).sort(), ['one', 'stack.json']);
  });

  it('is kept where something of somebody’s own, a repository, a worktree or a tracked file lies in it', async () => {
    await write('dist/deep/.env.production', 'build/app.sqlite', 'node_modules/a/key.pem', 'target/a', 'Cargo.toml');
    await write(
      'sub/dist/session.md',
      'sub/package.json',
      'two/dist/a.js',
      'two/package.json',
      'three/dist/tracked.js',
    );
    await write('three/package.json', 'four/node_modules/lib/index.js');
    await at.repository.gitIn(path, 'add', '--force', 'three/dist/tracked.js');
    await at.repository.gitIn(join(path, 'four/node_modules/lib'), 'init', '--quiet');
    await at.repository.git('worktree', 'add', '--quiet', '-b', 'inner', join(path, 'two/dist/inner'));
    const shown = await look();
    assert.deepEqual(found(shown), ['node_modules/', 'target/'], 'keys deep in a package are those of its authors');
    assert.deepEqual(whys(shown), {
      'build/': 'holds app.sqlite, which looks like somebody’s own',
      'dist/': 'holds deep/.env.production, which looks like somebody’s own',
      'four/node_modules/': 'a repository lies in it (lib)',
      'sub/dist/': 'holds session.md, which looks like somebody’s own',
      'two/dist/': 'the worktree inner lies in it',
    });
    await rm(join(path, 'four/node_modules/lib/.git'), { recursive: true });
    assert.ok(found(await look()).includes('four/node_modules/'));
    await write('node_modules/.env');
    assert.equal(whys(await look())['node_modules/'], 'holds .env, which looks like somebody’s own');
  });

  it('is not what a link leads to', async () => {
    const store = join(at.home.root, 'store');
    await mkdir(join(store, 'pkg'), { recursive: true });
    await writeFile(join(store, 'pkg/a.js'), 'a\n');
    await symlink(store, join(path, 'out'));
    await write('dist/a.js');
    await symlink(store, join(path, 'dist/linked'));
    const shown = await look();
    assert.deepEqual(found(shown), ['dist/']);
    await take(shown);
    assert.ok(existsSync(join(store, 'pkg/a.js')));
    // Put in the place of what was shown.
    await write('dist/a.js');
    const again = await look();
    await rm(join(path, 'dist'), { recursive: true });
    await symlink(store, join(path, 'dist'));
    const done = await take(again, () => Promise.resolve(again));
    assert.deepEqual(
      [done.folders, texts(done.kept.map(({ why }) => why))],
      [[], ['could not be moved aside: it is a link now']],
    );
    assert.ok(existsSync(join(store, 'pkg/a.js')));
  });

  it('is also what the team names, inside other ignored folders too, and kept like the rest', async () => {
    await write('data/cache/a', 'data/mine.txt', 'gen/a.ts', 'gen/.env.local');
    await at.repository.write('.worktrees.yml', 'reclaim:\n  - data/cache/\n  - gen/\n');
    const workspace = { ...at.workspace, configuration: await readConfiguration(at.repository.root) };
    const shown = await look(0, workspace);
    assert.deepEqual(found(shown), ['data/cache/']);
    assert.equal(whys(shown)['gen/'], 'holds .env.local, which looks like somebody’s own');
    await take(shown, () => look(0, workspace));
    assert.ok(existsSync(join(path, 'data/mine.txt')));
    assert.ok(!existsSync(join(path, 'data/cache')));
  });

  it('stays as long as somebody works in the worktree, or it is locked or active', async () => {
    await write('dist/a.js');
    // What we have started ourselves does not count: here we are another process.
    const others = { ...at.workspace, environment: { ...at.workspace.environment, pid: 2 ** 30 } };
    const child = spawn('sleep', ['60'], { cwd: path });
    await once(child, 'spawn');
    try {
      assert.match((await reasonOf(0, others)) ?? '', /^sleep works in it \(process \d+\)$/);
      const shown = await look();
      const again = (): Promise<Reclaimable> => look(0, others);
      await assert.rejects(take(shown, again), (thrown) => Problem.is(thrown, 'in-use'));
    } finally {
      child.kill();
      await once(child, 'exit');
    }
    assert.equal(await reasonOf(), undefined);
    await at.repository.git('worktree', 'lock', '--reason', 'on a stick', path);
    assert.equal(await reasonOf(), 'it is locked: on a stick');
    await at.repository.git('worktree', 'unlock', path);
    const { environment, repository } = at.workspace;
    await writeActive(environment, repository, { path, branch: 'one', created: '2026-01-06' });
    assert.equal(await reasonOf(), 'it is the active worktree');
    assert.ok(existsSync(join(path, 'dist/a.js')));
  });

  it('stays where a file or a commit is newer than the time that was asked for', async () => {
    await write('dist/a.js');
    assert.match((await reasonOf(7 * day)) ?? '', /^it was changed on \d{4}-\d\d-\d\d$/);
    const old = new Date(Date.now() - 9 * day);
    const gitDir = join(at.repository.root, '.git/worktrees/one');
    const files = (await readdir(path, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
    for (const { parentPath, name } of files) await utimes(join(parentPath, name), old, old);
    for (const file of ['HEAD', 'logs/HEAD']) await utimes(join(gitDir, file), old, old);
    assert.equal(await reasonOf(7 * day), undefined);
    assert.notEqual(await reasonOf(10 * day), undefined);
    await write('dist/b.js');
    assert.notEqual(await reasonOf(7 * day), undefined, 'somebody builds there');
  });

  it('goes only as far as it is as it was shown, and comes back when something of somebody’s own is in it after all', async () => {
    await write('dist/a.js', 'node_modules/a/index.js');
    const shown = await look();
    await write('build/new.js', 'dist/.env');
    const done = await take(shown);
    assert.deepEqual(
      done.folders.map((each) => each.path),
      ['node_modules/'],
    );
    assert.ok(existsSync(join(path, 'build/new.js')), 'was not shown');
    assert.ok(existsSync(join(path, 'dist/.env')));
    // Written between the last look and the move.
    await rm(join(path, 'dist/.env'));
    const late = async (): Promise<Reclaimable> => {
      const now = await look();
      await write('dist/.env.local');
      return now;
    };
    const second = await take(await look(), late);
    assert.deepEqual(texts(second.kept.map(({ why }) => why)), ['holds .env.local, which looks like somebody’s own']);
    assert.deepEqual((await readdir(join(path, 'dist'))).sort(), ['.env.local', 'a.js']);
    assert.ok(!existsSync(join(path, 'build')));
    assert.deepEqual((await readdir(join(at.repository.root, '.worktrees'))).sort(), ['one', 'stack.json']);
  });
});
