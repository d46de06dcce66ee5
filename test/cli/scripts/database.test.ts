import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { sessionIn, sessionKinds, writeLog } from '../../support/databases.ts';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertMatches } from '../support/schema.ts';
import { wtHome, wtProgram, type Ran, type WtHome } from '../support/wt.ts';

const root = resolve(import.meta.dirname, '../../..');

describe('wt state db', function () {
  this.timeout(300_000);
  let home: WtHome;
  let repository: TestRepository;
  let one: string;
  let two: string;
  /** The path with git and node alone, and a copy of `wt` beside which no package lies. */
  let plainPath: string;
  let lonelyProgram: string;

  before(async () => {
    home = await wtHome();
    repository = await home.repository();
    one = join(repository.root, (await home.done(repository.root, 'create', 'one')).trim());
    two = join(repository.root, (await home.done(repository.root, 'create', 'two', '--work-id', '258')).trim());
    await writeLog(join(repository.root, '.git'), [
      ...sessionIn('one', one, 's1'),
      ...sessionIn('two', join(two, 'src'), 's2'),
      { at: '2099-01-01T11:00:00.000Z', event: 'SessionStart', decision: 'none', session: 's3', cwd: repository.root },
    ]);
    plainPath = join(home.root, 'path');
    await mkdir(plainPath);
    await symlink(
      await realpath(execFileSync('sh', ['-c', 'command -v git']).toString().trim()),
      join(plainPath, 'git'),
    );
    await symlink(process.execPath, join(plainPath, 'node'));
    lonelyProgram = join(home.root, 'lonely', 'wt.js');
    await cp(dirname(wtProgram), dirname(lonelyProgram), { recursive: true });
  });
  after(() => home.dispose());

  const run = async (folder: string, command: string, ...args: string[]): Promise<Record<string, unknown>> => {
    const ran = await home.wt(folder, ['state', 'db', command, ...args, '--json']);
    assert.equal(ran.code, 0, ran.stderr);
    assertMatches(`state-db-${command}`, ran.json());
    return ran.json();
  };
  const outcomes = ({ databases }: Record<string, unknown>): unknown =>
    (databases as { worktree: string; outcome: string; rows_added: number }[]).map((each) => [
      each.worktree,
      each.outcome,
      each.rows_added,
    ]);
  const query = async (folder: string, sql: string, ...args: string[]): Promise<unknown> =>
    (await run(folder, 'query', sql, ...args))['rows'];

  it('makes the file, fills it, and tells what is in it, for this worktree alone', async () => {
    assert.deepEqual(outcomes(await run(one, 'migrate')), [['one', 'missing', 0]]);
    const asked = await home.wt(one, ['state', 'db', 'query', 'FROM agent_synchronizations']);
    assert.deepEqual([asked.code, asked.stdout], [1, '']);
    assert.match(asked.stderr, /has no database yet: .*agentdb\.duckdb is not there\.\nnext: run `wt state db sync`/);
    assert.deepEqual(outcomes(await run(one, 'init')), [['one', 'made', 0]]);
    assert.deepEqual(outcomes(await run(one, 'sync')), [['one', 'current', 6]]);
    assert.deepEqual(outcomes(await run(one, 'sync')), [['one', 'current', 0]]);
    const rows = await query(
      one,
      'SELECT kind, session_id, tool, subject, detail, happened_at FROM agent_synchronizations ORDER BY happened_at',
    );
    assert.deepEqual(
      (rows as { kind: string }[]).map(({ kind }) => kind),
      sessionKinds,
    );
    assert.deepEqual((rows as object[])[1], {
      ...{ kind: 'denied', session_id: 's1', tool: 'Bash', subject: 'git push' },
      ...{ detail: "the lead pushes, that's all", happened_at: '2099-01-01T10:00:02Z' },
    });
    const status = await run(one, 'status');
    const [state] = status['databases'] as Record<string, unknown>[];
    assert.deepEqual(
      [state?.['state'], state?.['rows'], state?.['last_event']],
      ['current', 6, '2099-01-01T10:00:06.000Z'],
    );
    assert.equal((status['engine'] as { kind: string }).kind, 'library');
  });

  it('tells with one query over all worktrees who did what', async () => {
    await run(repository.root, 'sync', '--all-worktrees');
    const sql = `SELECT worktree, session_id, count(*) AS n, count(*) FILTER (kind = 'denied') AS denied, any_value(task) AS task
      FROM agent_synchronizations GROUP BY ALL ORDER BY ALL`;
    assert.deepEqual(await query(repository.root, sql, '--all-worktrees'), [
      { worktree: 'main', session_id: 's3', n: 1, denied: 0, task: null },
      { worktree: 'one', session_id: 's1', n: 6, denied: 1, task: null },
      { worktree: 'two', session_id: 's2', n: 6, denied: 1, task: null },
      { worktree: 'two', session_id: null, n: 1, denied: 0, task: '258' },
    ]);
    assert.deepEqual(await query(two, 'SELECT DISTINCT worktree AS w FROM agent_synchronizations'), [{ w: 'two' }]);
    const table = await home.done(
      two,
      'state',
      'db',
      'query',
      'SELECT kind, 1 AS n FROM agent_synchronizations ORDER BY 1',
      '--limit',
      '2',
    );
    assert.match(table, /^kind +n\ndenied +1\nhanded_over +1\n$/);
  });

  it('is written by several at once, and loses nothing', async () => {
    const late = sessionIn('one', one, 's4', Date.parse('2099-01-02T10:00:00Z'));
    await writeLog(join(repository.root, '.git'), [...sessionIn('one', one, 's1'), ...late]);
    const ran = await Promise.all([
      ...[1, 2, 3].map(() => home.wt(one, ['state', 'db', 'sync', '--json'])),
      home.wt(repository.root, ['state', 'db', 'query', '--all-worktrees', 'FROM agent_synchronizations', '--json']),
    ]);
    assert.deepEqual(
      ran.map(({ code }) => code),
      [0, 0, 0, 0],
      ran.map(({ stderr }) => stderr).join('\n'),
    );
    const added = ran.slice(0, 3).map((each) => (each.json()['databases'] as { rows_added: number }[])[0]?.rows_added);
    assert.deepEqual(added.sort(), [0, 0, 6]);
    assert.deepEqual(
      await query(one, 'SELECT count(*) AS n, count(DISTINCT event_id) AS ids FROM agent_synchronizations'),
      [{ n: 12, ids: 12 }],
    );
  });

  it('names what is wrong with one of several, and does the others', async () => {
    const file = join(two, '.claude-state', 'agentdb.duckdb');
    const saved = await readFile(file);
    await writeFile(file, 'no database');
    const ran = await home.wt(repository.root, ['state', 'db', 'migrate', '--all-worktrees', '--json']);
    assert.equal(ran.code, 1);
    assertMatches('state-db-migrate', ran.json());
    assert.deepEqual(outcomes(ran.json()), [
      ['main', 'current', 0],
      ['one', 'current', 0],
      ['two', 'failed', 0],
    ]);
    const answer = await run(
      repository.root,
      'query',
      '--all-worktrees',
      'SELECT DISTINCT worktree AS w FROM agent_synchronizations ORDER BY 1',
    );
    assert.deepEqual(answer['rows'], [{ w: 'main' }, { w: 'one' }]);
    assert.equal((answer['skipped'] as { reason: string }[])[0]?.reason, 'unreadable-file');
    assert.equal(await readFile(file, 'utf8'), 'no database');
    await writeFile(file, saved);
  });

  for (const [args, code, words] of [
    [
      ['query', 'DROP TABLE agent_synchronizations'],
      2,
      /The query failed: Parser Error: Expected a single SELECT statement/,
    ],
    [['query', 'SELECT 1', '--limit', 'none'], 2, /"none" is no number of rows/],
    [['query'], 2, /missing required argument/i],
  ] as const) {
    it(`refuses ${args.join(' ')}`, async () => {
      const ran = await home.wt(one, ['state', 'db', ...args]);
      assert.equal(ran.code, code);
      assert.match(ran.stderr, words);
      assert.match(ran.stderr, /next:/);
    });
  }

  it('reads the query from standard input', async () => {
    const ran = await home.wt(one, ['state', 'db', 'query', '-', '--json'], { input: 'SELECT 42 AS answer\n' });
    assert.deepEqual(ran.json()['rows'], [{ answer: 42 }]);
  });

  it('has a row for a merge, and for its undoing, without being asked', async () => {
    await repository.commit('Work', { 'one.txt': '1\n' }, one);
    await home.done(repository.root, 'merge', 'one');
    const merges = "SELECT kind, subject FROM agent_synchronizations WHERE kind LIKE 'merge%' ORDER BY happened_at";
    assert.deepEqual(await query(one, merges), [{ kind: 'merged', subject: 'main' }]);
    await home.done(repository.root, 'undo');
    await run(one, 'sync');
    assert.deepEqual(await query(one, merges), [
      { kind: 'merged', subject: 'main' },
      { kind: 'merge_undone', subject: 'main' },
    ]);
  });

  it('gives a retrospective what the log has no more', async () => {
    const registry = JSON.parse(await readFile(join(repository.root, '.worktrees', 'stack.json'), 'utf8')) as {
      worktrees: { one: { created: string } };
    };
    const denied = sessionIn('one', one, 's6', Date.parse(registry.worktrees.one.created)).filter(
      ({ decision }) => decision === 'deny',
    );
    await writeLog(
      join(repository.root, '.git'),
      denied.map((each) => ({ ...each, at: registry.worktrees.one.created })),
    );
    await run(one, 'sync');
    await writeLog(join(repository.root, '.git'), []);
    const retro = await home.wt(repository.root, ['retro', '--json']);
    assert.equal(retro.json()['denied'], 1, retro.stderr);
  });

  /** `wt` where no package lies beside it, and with a path of our own. */
  const lonely = (folder: string, args: readonly string[], path = plainPath, variables = {}): Promise<Ran> =>
    home.wt(folder, args, {
      program: lonelyProgram,
      variables: { PATH: path, TEST_NODE: process.execPath, ...variables },
    });

  it('says in one sentence how to get an engine, and nothing else needs one', async () => {
    for (const args of [['init'], ['migrate'], ['sync'], ['query', 'SELECT 1']]) {
      const ran = await lonely(one, ['state', 'db', ...args]);
      assert.equal(ran.code, 1);
      assert.match(
        ran.stderr,
        /^wt: There is no database engine here: .*\nnext: run `wt state db install` once, or install `duckdb`/,
      );
    }
    const status = await lonely(one, ['state', 'db', 'status', '--json']);
    assertMatches('state-db-status', status.json());
    assert.deepEqual([status.code, status.json()['engine']], [0, null]);
    for (const args of [['retro'], ['state', 'begin'], ['state', 'end'], ['merge', 'two']])
      assert.equal((await lonely(args[0] === 'merge' ? repository.root : one, args)).code, 0, args.join(' '));
  });

  it('works with the program duckdb as well', async () => {
    const path = `${join(root, 'test/support/duckdb')}:${plainPath}:/usr/bin:/bin`;
    const dots = { TEST_DUCKDB_DOTS: join(home.root, 'dots') };
    const db = (...args: string[]) => lonely(two, ['state', 'db', ...args, '--json'], path, dots);
    await writeLog(
      join(repository.root, '.git'),
      sessionIn('two', two, "s5 'quoted'\n.shell touch x", Date.parse('2099-01-03T10:00:00Z')),
    );
    const synced = await db('sync');
    assert.equal(synced.code, 0, synced.stderr);
    assert.deepEqual(outcomes(synced.json()), [['two', 'current', 6]]);
    const asked = await db(
      'query',
      "SELECT session_id AS s, count(*) AS n, max(happened_at) AS at, 9007199254740993 AS big\nFROM agent_synchronizations WHERE session_id LIKE 's5%' GROUP BY ALL",
    );
    assertMatches('state-db-query', asked.json());
    assert.deepEqual(asked.json()['rows'], [
      { s: "s5 'quoted'\n.shell touch x", n: 6, at: '2099-01-03T10:00:06Z', big: '9007199254740993' },
    ]);
    const ran = await db('query', 'SELECT 1);\n.shell touch x\nSELECT (1');
    assert.equal(ran.code, 2, ran.stdout);
    assert.match(ran.stderr, /^wt: The query failed: /);
    await assert.rejects(readFile(dots.TEST_DUCKDB_DOTS), 'no line became a command of the program');
  });

  it('installs the engine with the npm that is there, by exact versions and hashes', async () => {
    const bin = join(home.root, 'npm-path');
    await mkdir(bin);
    const npm = join(bin, 'npm');
    const script = (body: string): Promise<void> =>
      writeFile(npm, `#!/bin/sh\n[ "$1" = --version ] && { echo 11; exit; }\n${body}\n`, { mode: 0o755 });
    const path = `${bin}:${plainPath}:/usr/bin:/bin`;
    const install = (...args: string[]) => lonely(one, ['state', 'db', 'install', ...args, '--json'], path);
    const without = await lonely(one, ['state', 'db', 'install']);
    assert.deepEqual([without.code, /no npm here/.test(without.stderr)], [1, true], without.stderr);
    await script('echo "npm error code ENOTFOUND" >&2; echo "npm error network is away" >&2; exit 1');
    const failed = await install();
    assert.deepEqual([failed.code, /network is away/.test(failed.stderr)], [1, true], failed.stderr);
    const modules = join(root, 'node_modules');
    await script(
      `cp package.json package-lock.json ${JSON.stringify(home.root)}; mkdir node_modules && cp -R ${modules}/@duckdb ${modules}/detect-libc node_modules; echo "$*" > ${JSON.stringify(join(home.root, 'asked'))}`,
    );
    const installed = await install();
    assert.equal(installed.code, 0, installed.stderr);
    assertMatches('state-db-install', installed.json());
    assert.equal(installed.json()['installed'], true);
    assert.match(await readFile(join(home.root, 'asked'), 'utf8'), /^ci --ignore-scripts /);
    const lock = JSON.parse(await readFile(join(home.root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version?: string; integrity?: string; dependencies?: object }>;
    };
    assert.deepEqual(lock.packages['']?.dependencies, {
      '@duckdb/node-api': lock.packages['node_modules/@duckdb/node-api']?.version,
    });
    for (const [name, { version, integrity }] of Object.entries(lock.packages))
      if (name !== '') assert.match(`${version} ${integrity}`, /^\d+\.\d+\.\d+\S* sha512-/, name);
    assert.equal((await install()).json()['installed'], false);
    const status = (await lonely(one, ['state', 'db', 'status', '--json'], path)).json();
    const { kind, from } = status['engine'] as { kind: string; from: string };
    assert.deepEqual([kind, basename(from)], ['library', 'engine']);
    // Elsewhere, as an editor asks for it, it is found as well.
    const elsewhere = join(home.root, 'storage', 'engine');
    assert.equal((await install('--into', elsewhere)).code, 0);
    const found = (await lonely(one, ['state', 'db', 'status', '--json'], path)).json();
    assert.equal((found['engine'] as { from: string }).from, elsewhere);
  });
});
