import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { worktreeId } from '../../../src/core/repository/context.ts';
import type { Engine, Row } from '../../../src/core/database/engine.ts';
import { databaseFile } from '../../../src/core/database/ownership.ts';
import { withPrepared, type Prepared } from '../../../src/core/database/prepare.ts';
import { queryDatabases } from '../../../src/core/database/query.ts';
import { columns } from '../../../src/core/database/shape.ts';
import { syncDatabase } from '../../../src/core/database/sync.ts';
import type { DatabaseWorktree } from '../../../src/core/database/worktrees.ts';
import { askFile, earlierDatabase, onFile, realEngine, worktreesAt } from '../../support/databases.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testEnvironment } from '../../support/workspace.ts';

const event = { id: 'e1', kind: 'denied', at: '2026-11-29T10:00:00.000Z', session: 's1', detail: "it's" } as const;

/** What stands in another order is the same. */
const sorted = (rows: readonly Row[] | undefined): string[] => (rows ?? []).map((row) => JSON.stringify(row)).sort();

describe('the migration of a database', function () {
  this.timeout(300_000);
  let home: TestHome;
  let repository: TestRepository;
  let engine: Engine;
  let main: DatabaseWorktree;
  let file: string;
  before(async () => {
    engine = realEngine();
    home = await testHome();
    repository = await home.repository();
    main = (await worktreesAt(home, repository.root))('main');
    file = databaseFile(main.root);
  });
  beforeEach(() => rm(dirname(file), { recursive: true, force: true }));
  after(() => home.dispose());

  const migrate = (options = {}): Promise<Prepared | undefined> =>
    withPrepared(testEnvironment(home, main.root), engine, main, options, async (_, prepared) => prepared);
  const sync = () => syncDatabase(testEnvironment(home, main.root), engine, main, [event]);
  const rows = async (sql: string): Promise<unknown> =>
    (await queryDatabases(engine, [main], sql, { limit: 100, several: false })).rows;

  it('makes one with the table, the column and the index of seed 004, once', async () => {
    assert.equal(await migrate({ make: false }), undefined);
    assert.equal((await migrate())?.outcome, 'made');
    const before = await readFile(file);
    const again = await migrate();
    assert.deepEqual([again?.outcome, again?.added], ['current', []]);
    assert.deepEqual(await readFile(file), before, 'nothing is written the second time');
    assert.deepEqual(
      await onFile(engine, file, 'SELECT index_name AS i, table_name AS t, expressions AS e FROM duckdb_indexes()'),
      [{ i: 'idx_sync_worktree', t: 'agent_synchronizations', e: '[worktree_id]' }],
    );
    assert.deepEqual((await readdir(dirname(file))).sort(), [
      '.created-at',
      '.gitignore',
      '.worktree-id',
      'agentdb.duckdb',
    ]);
  });

  const earlier: Readonly<Record<string, readonly string[]>> = {
    'a plain one': [
      'CREATE TABLE agent_synchronizations (sync_id INTEGER, agent VARCHAR)',
      "INSERT INTO agent_synchronizations VALUES (1, 'a'), (2, 'b')",
    ],
    'one with keys, rules, an index and a view of its own, that other tables refer to': [
      "CREATE TABLE agent_synchronizations (sync_id VARCHAR PRIMARY KEY, agent_id VARCHAR NOT NULL, pattern VARCHAR CHECK (pattern IN ('push', 'pull')), status VARCHAR NOT NULL DEFAULT 'pending', tries INTEGER NOT NULL, created_at TIMESTAMP NOT NULL, meta JSON)",
      'CREATE INDEX own_index ON agent_synchronizations(status)',
      'CREATE VIEW recent AS SELECT * FROM agent_synchronizations',
      'CREATE TABLE executions (id INTEGER, sync_id VARCHAR REFERENCES agent_synchronizations(sync_id))',
      "INSERT INTO agent_synchronizations VALUES ('1', 'a', 'push', 'done', 1, now(), '{}'), ('2', 'b', NULL, 'done', 2, now(), NULL)",
      "INSERT INTO executions VALUES (7, '1')",
    ],
    'one that has the column already, and nothing else': [
      'CREATE TABLE agent_synchronizations (sync_id INTEGER, worktree_id VARCHAR(12))',
      'INSERT INTO agent_synchronizations (sync_id) VALUES (1), (2)',
    ],
    'one with columns of the same names for something else': [
      'CREATE TABLE agent_synchronizations (sync_id INTEGER, task INTEGER, detail BOOLEAN, happened_at VARCHAR)',
      "INSERT INTO agent_synchronizations VALUES (1, 5, true, 'yesterday'), (2, 6, NULL, NULL)",
    ],
  };
  for (const [name, statements] of Object.entries(earlier)) {
    it(`adds what is missing to ${name}, and keeps all that is there`, async () => {
      await earlierDatabase(
        engine,
        main,
        ...statements,
        'CREATE TABLE notes (worktree_id INTEGER, text VARCHAR)',
        "INSERT INTO notes VALUES (1, 'n')",
      );
      const asked = [
        'FROM agent_synchronizations ORDER BY sync_id',
        'SELECT table_name, column_name, data_type, is_nullable, column_default FROM duckdb_columns() WHERE NOT internal',
        'SELECT constraint_text FROM duckdb_constraints() ORDER BY ALL',
        'FROM notes',
      ] as const;
      const before = await askFile(engine, file, ...asked);
      const names = Object.keys(before[0]?.[0] ?? {});
      const migrated = await migrate();
      assert.equal(migrated?.outcome, 'migrated');
      assert.deepEqual(
        migrated?.added,
        Object.keys(columns).filter((each) => !names.includes(each)),
      );
      const own = `SELECT ${names.join(', ')} FROM agent_synchronizations ORDER BY sync_id`;
      const after = await askFile(engine, file, own, ...asked.slice(1));
      const known = new Set(before[1]?.map((each) => JSON.stringify(each)));
      const kept = after[1]?.filter((each) => known.has(JSON.stringify(each)));
      assert.deepEqual([after[0], kept, after[2], after[3]].map(sorted), before.map(sorted));
      // Its rows are this worktree's, and new ones go in beside them, once.
      assert.deepEqual([(await sync())?.rows, (await sync())?.rows], [1, 0]);
      assert.deepEqual(
        await rows('SELECT worktree_id, kind, session_id FROM agent_synchronizations ORDER BY ALL NULLS LAST'),
        [
          ['denied', 's1'],
          [null, null],
          [null, null],
        ].map(([kind, session_id]) => ({
          worktree_id: worktreeId(main.root),
          kind,
          session_id,
        })),
      );
    });
  }

  it('names a table whose own rules do not take the rows, and leaves it as it is', async () => {
    for (const [rule, words] of [
      ["kind VARCHAR CHECK (kind IN ('push'))", /does not take the rows: .*CHECK constraint/],
      ['place STRUCT(a INTEGER) NOT NULL', /the column `place` .* needs a value/],
    ] as const) {
      await rm(dirname(file), { recursive: true, force: true });
      await earlierDatabase(engine, main, `CREATE TABLE agent_synchronizations (sync_id INTEGER, ${rule})`);
      await assert.rejects(sync(), (thrown: Error) => words.test(thrown.message));
      assert.deepEqual(await rows('SELECT count(*) AS n FROM agent_synchronizations'), [{ n: 0 }]);
    }
  });

  const refused: Readonly<Record<string, readonly [make: () => Promise<unknown>, id: string]>> = {
    'a text': [() => writeFile(file, 'no database\n'.repeat(1000)), 'database.fileBroken'],
    'an empty file': [() => writeFile(file, ''), 'database.fileBroken'],
    'half a file': [
      async () => {
        await earlierDatabase(
          engine,
          main,
          'CREATE TABLE agent_synchronizations AS SELECT range AS sync_id, uuid()::VARCHAR AS text FROM range(50000)',
        );
        const whole = await readFile(file);
        await writeFile(file, whole.subarray(0, whole.length / 2));
      },
      'database.fileBroken',
    ],
    'a file with a damaged header': [
      async () => {
        await earlierDatabase(engine, main, 'CREATE TABLE x (y INTEGER)');
        const whole = await readFile(file);
        await writeFile(file, whole.fill(7, 40, 5000));
      },
      'database.fileBroken',
    ],
    'a view of that name': [
      () => earlierDatabase(engine, main, 'CREATE VIEW agent_synchronizations AS SELECT 1 AS x'),
      'database.notOurTable',
    ],
    'ids that are numbers': [
      () => earlierDatabase(engine, main, 'CREATE TABLE agent_synchronizations (worktree_id INTEGER)'),
      'database.wrongType',
    ],
    'an index of that name on another table': [
      () => earlierDatabase(engine, main, 'CREATE TABLE x (y INTEGER)', 'CREATE INDEX idx_sync_worktree ON x(y)'),
      'database.indexElsewhere',
    ],
    'a folder': [() => mkdir(file), 'database.notAFile'],
    'a link': [() => symlink(join(home.root, 'elsewhere.duckdb'), file), 'database.notAFile'],
  };
  for (const [name, [make, id]] of Object.entries(refused)) {
    it(`names ${name} and leaves it alone, whatever is asked`, async () => {
      await mkdir(dirname(file), { recursive: true });
      await make();
      const before = await readFile(file).catch(() => undefined);
      for (const work of [() => migrate(), sync, () => rows('FROM agent_synchronizations')]) {
        await assert.rejects(work(), (thrown: Error) => {
          const { id: found, next } = thrown as Error & { id?: string; next?: string };
          assert.equal(found, id, thrown.message);
          assert.ok(thrown.message.includes(file), thrown.message);
          return next !== undefined;
        });
      }
      assert.deepEqual(await readFile(file).catch(() => undefined), before);
    });
  }

  it('names the process that has the file open, and leaves the file alone', async () => {
    await earlierDatabase(engine, main, 'CREATE TABLE agent_synchronizations (sync_id INTEGER)');
    const before = await readFile(file);
    const library = resolve(import.meta.dirname, '../../../node_modules/@duckdb/node-api');
    const script = `const { DuckDBInstance } = require(${JSON.stringify(library)});
      DuckDBInstance.create(${JSON.stringify(file)}).then(async (it) => { const one = await it.connect(); console.log('open'); setInterval(() => one, 1000); });`;
    const holder = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(holder.stdout, 'data');
      for (const work of [
        () => migrate({ patience: 50 }),
        () => queryDatabases(engine, [main], 'SELECT 1', { limit: 1, several: false, patience: 50 }),
      ])
        await assert.rejects(work(), (thrown: Error) => {
          assert.match(thrown.message, new RegExp(`agentdb.duckdb is in use by .*\\(process ${holder.pid}\\)`));
          return true;
        });
    } finally {
      holder.kill('SIGKILL');
      await once(holder, 'exit');
    }
    assert.deepEqual(await readFile(file), before);
    assert.equal((await migrate())?.outcome, 'migrated', 'the lock went with the process');
  });
});
