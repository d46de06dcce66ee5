import assert from 'node:assert/strict';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { worktreeId } from '../../../src/core/repository/context.ts';
import type { Engine } from '../../../src/core/database/engine.ts';
import { databaseFile } from '../../../src/core/database/ownership.ts';
import { queryDatabases, type QueryAnswer } from '../../../src/core/database/query.ts';
import { syncDatabase } from '../../../src/core/database/sync.ts';
import type { DatabaseWorktree } from '../../../src/core/database/worktrees.ts';
import { onFile, realEngine, worktreesAt } from '../../support/databases.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testEnvironment } from '../../support/workspace.ts';

const at = '2026-11-29T10:00:00.000Z';

describe('a query', function () {
  this.timeout(300_000);
  let home: TestHome;
  let repository: TestRepository;
  let engine: Engine;
  let worktrees: (name: string) => DatabaseWorktree;
  before(async () => {
    engine = realEngine();
    home = await testHome();
    repository = await home.repository();
    for (const name of ['one', 'two', 'three'])
      await repository.git('worktree', 'add', '--quiet', `../${name}`, '-b', name);
    worktrees = await worktreesAt(home, repository.root);
    for (const name of ['one', 'two']) await sync(worktrees(name), name);
  });
  after(() => home.dispose());

  const sync = (worktree: DatabaseWorktree, session: string) =>
    syncDatabase(testEnvironment(home, worktree.root), engine, worktree, [
      { id: `${session}-1`, kind: 'session_started', at, session },
      { id: `${session}-2`, kind: 'denied', at: '2026-11-29T10:00:01.000Z', session, subject: 'git push' },
    ]);
  const ask = (sql: string, owners = [worktrees('one')], options = {}): Promise<QueryAnswer> =>
    queryDatabases(engine, owners, sql, { limit: 100, several: owners.length > 1, ...options });
  const rows = async (sql: string, ...owners: DatabaseWorktree[]): Promise<unknown> =>
    (await ask(sql, owners.length > 0 ? owners : undefined)).rows;
  const sessions = 'SELECT DISTINCT session_id AS s FROM agent_synchronizations ORDER BY 1';

  it('sees the worktree alone; several worktrees only together', async () => {
    assert.deepEqual(await rows(sessions), [{ s: 'one' }]);
    assert.deepEqual(await rows(sessions, worktrees('two')), [{ s: 'two' }]);
    assert.deepEqual(
      await rows(
        'SELECT worktree, kind, count(*) AS n FROM agent_synchronizations GROUP BY ALL ORDER BY ALL',
        worktrees('one'),
        worktrees('two'),
        worktrees('three'),
      ),
      ['one', 'two'].flatMap((worktree) => [
        { worktree, kind: 'denied', n: 1 },
        { worktree, kind: 'session_started', n: 1 },
      ]),
    );
    await assert.rejects(ask('SELECT 1', [worktrees('three')]), { id: 'database.noFile' });
  });

  // What an agent could try in its place: each must show or change nothing.
  for (const sql of [
    'DELETE FROM agent_synchronizations',
    'SELECT 1; DELETE FROM agent_synchronizations',
    "SELECT 1') t; DROP TABLE w0.main.agent_synchronizations; --",
    'SELECT 1) t;\n.shell touch stolen\nSELECT (1',
    '.shell touch stolen',
    "UPDATE w0.main.agent_synchronizations SET kind = 'x'",
    "SELECT * FROM read_text('$SECRET')",
    "FROM '$OTHER'",
    "SELECT * FROM read_csv('$SECRET', columns = {'a': 'VARCHAR'})",
    "SELECT * FROM glob('$HOME/*')",
    "ATTACH '$OTHER' AS other",
    "COPY (SELECT 1) TO '$HOME/stolen'",
    "COPY agent_synchronizations FROM '$SECRET'",
    'SET enable_external_access = true',
    'RESET lock_configuration',
    'INSTALL httpfs',
    "LOAD '$SECRET'",
    'PRAGMA enable_profiling',
    'CALL pragma_version()',
    "EXPORT DATABASE '$HOME/stolen'",
    "SELECT * FROM query('DELETE FROM agent_synchronizations')",
    'EXPLAIN SELECT 1',
    'SELEC 1',
    'SELECT missing FROM agent_synchronizations',
    '',
    '-- nothing',
  ]) {
    it(`refuses ${sql === '' ? 'no text at all' : sql.replaceAll('\n', ' ')}`, async () => {
      const secret = join(home.root, 'secret.csv');
      await writeFile(secret, 'a secret\n');
      const before = await readFile(databaseFile(worktrees('one').root));
      const asked = sql
        .replaceAll('$SECRET', secret)
        .replaceAll('$OTHER', databaseFile(worktrees('two').root))
        .replaceAll('$HOME', home.root);
      await assert.rejects(ask(asked), (thrown: Error) => {
        const { reason, next } = thrown as Error & { reason?: string; next?: string };
        assert.equal(reason, 'usage', thrown.message);
        assert.match(thrown.message, /^The query failed: \w+/);
        assert.doesNotMatch(thrown.message, /\n/);
        return next !== undefined;
      });
      assert.deepEqual(await readFile(databaseFile(worktrees('one').root)), before);
      await assert.rejects(readFile(join(home.root, 'stolen')));
    });
  }

  it('gives what JSON and JavaScript can hold, and the rest as texts', async () => {
    const sql = `SELECT 1 AS small, 9007199254740993 AS big, -170141183460469231731687303715884105727 AS huge, 1.5 AS decimal,
      12345678901234567.25::DECIMAL(20, 2) AS wide, 'NaN'::DOUBLE AS nothing, '-inf'::DOUBLE AS least, 1e300 AS large, NULL AS empty, true AS yes,
      TIMESTAMPTZ '2026-11-29 12:00:00.25+02' AS moment, TIMESTAMP '2026-11-29 12:00:00' AS naive, DATE '2026-11-29' AS day,
      [1, 9007199254740993] AS list, {'a': 'x"y'} AS record, 'NaN 9007199254740993' AS text, '2026-11-29 12:00:00+00' AS looks_like,
      INTERVAL 3 DAY AS span, 'é\n😀' AS letters, 1 AS twice, 2 AS twice`;
    const answer = await ask(sql);
    assert.deepEqual(answer.rows, [
      {
        ...{ small: 1, big: '9007199254740993', huge: '-170141183460469231731687303715884105727', decimal: 1.5 },
        ...{ wide: '12345678901234567.25', nothing: 'NaN', least: '-Infinity', large: 1e300, empty: null, yes: true },
        ...{ moment: '2026-11-29T10:00:00.25Z', naive: '2026-11-29T12:00:00', day: '2026-11-29' },
        ...{ list: [1, '9007199254740993'], record: { a: 'x"y' }, text: 'NaN 9007199254740993' },
        ...{ looks_like: '2026-11-29 12:00:00+00', span: '3 days', letters: 'é\n😀', twice: 1, twice_1: 2 },
      },
    ]);
    assert.deepEqual(answer.columns.slice(0, 2), [
      { name: 'small', type: 'INTEGER' },
      { name: 'big', type: 'BIGINT' },
    ]);
    assert.deepEqual(
      Object.keys(answer.rows[0] ?? {}),
      answer.columns.map(({ name }) => name),
    );
  });

  it('keeps the order, takes no more than asked for, and understands what people write', async () => {
    const numbers = await ask('SELECT range AS n FROM range(100000) ORDER BY n DESC', undefined, { limit: 2 });
    assert.deepEqual([numbers.rows, numbers.truncated], [[{ n: 99999 }, { n: 99998 }], true]);
    assert.equal((await ask('FROM range(2)', undefined, { limit: 2 })).truncated, false);
    for (const sql of [
      'SELECT 1 AS "a whole" -- so it is',
      'FROM agent_synchronizations;',
      'WITH x AS (SELECT 1) FROM x',
      'DESCRIBE agent_synchronizations',
      'SHOW TABLES',
      'SELECT t FROM (SELECT 1 AS t)',
      "SELECT '\\n' AS b",
    ])
      assert.ok((await ask(sql)).rows.length > 0, sql);
    assert.deepEqual(
      await rows("SELECT kind FROM agent_synchronizations WHERE happened_at < now() AND subject = 'git push'"),
      [{ kind: 'denied' }],
    );
  });

  for (const [when, call] of [
    ['before the engine has begun', (stop: () => void) => stop()],
    ['as it begins', (stop: () => void) => setImmediate(stop)],
  ] as const)
    it(`can be called off ${when}`, async () => {
      const controller = new AbortController();
      const watched: Engine = {
        ...engine,
        async open(file, options) {
          const inner = await engine.open(file, options);
          return {
            ...inner,
            run(statements) {
              const running = inner.run(statements);
              if (statements.some((each) => each.includes('to_json'))) call(() => controller.abort());
              return running;
            },
          };
        },
      };
      const endless = 'SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE (a.range * b.range) % 7 = 3';
      const options = { limit: 1, several: false, signal: controller.signal };
      await assert.rejects(queryDatabases(watched, [worktrees('one')], endless, options), { reason: 'cancelled' });
      assert.ok(controller.signal.aborted);
    });

  it('never shows rows of other worktrees that are in the file, wherever they are', async () => {
    const file = databaseFile(worktrees('two').root);
    const saved = await readFile(file);
    const other = worktreeId(worktrees('one').root);
    await onFile(
      engine,
      file,
      `INSERT INTO agent_synchronizations BY NAME SELECT 'x' AS event_id, '${other}' AS worktree_id, 'stray' AS session_id`,
      `CREATE TABLE theirs AS SELECT '${other}' AS worktree_id`,
    );
    assert.deepEqual(await rows(sessions, worktrees('two')), [{ s: 'two' }]);
    assert.deepEqual(await rows(sessions, worktrees('one'), worktrees('two')), [{ s: 'one' }, { s: 'two' }]);
    for (const table of ['w0.main.agent_synchronizations', 'w0.main.theirs', 'theirs'])
      await assert.rejects(ask(`FROM ${table}`, [worktrees('two')]), { reason: 'usage' }, table);
    await onFile(engine, file, 'DELETE FROM agent_synchronizations WHERE worktree_id = $$' + other + '$$');
    await assert.rejects(ask('FROM w0.main.theirs', [worktrees('two')]), { reason: 'usage' });
    await writeFile(file, saved);
  });

  it('refuses a file that was copied from another worktree, and so does a sync', async () => {
    const three = worktrees('three');
    const folder = dirname(databaseFile(three.root));
    for (const copy of [
      () => cp(dirname(databaseFile(worktrees('one').root)), folder, { recursive: true }),
      () => cp(databaseFile(worktrees('one').root), databaseFile(three.root), { recursive: true }),
      // One that no worktree here has: from a repository that this one knows nothing of.
      async () => {
        await cp(databaseFile(worktrees('one').root), databaseFile(three.root));
        await onFile(
          engine,
          databaseFile(three.root),
          "UPDATE agent_synchronizations SET worktree_id = 'ffffffffffff', worktree_root = NULL",
        );
      },
    ]) {
      await rm(folder, { recursive: true, force: true });
      await copy();
      const before = await readFile(databaseFile(three.root));
      for (const work of [() => ask(sessions, [three]), () => sync(three, 'three')])
        await assert.rejects(work(), (thrown: Error) => {
          assert.match(
            thrown.message,
            /agentdb\.duckdb was copied from (the worktree one|another worktree \(ffffffffffff\))/,
          );
          return (thrown as Error & { next?: string }).next?.includes('wt state db sync') === true;
        });
      assert.deepEqual(await readFile(databaseFile(three.root)), before);
      const together = await ask(sessions, [worktrees('one'), three]);
      assert.deepEqual([together.rows, together.skipped.map(({ reason }) => reason)], [[{ s: 'one' }], ['in-use']]);
    }
    await rm(folder, { recursive: true, force: true });
    assert.equal((await sync(three, 'three'))?.rows, 2, 'without the file it is made anew');
  });

  it('follows a worktree that was moved: its rows are its own as before', async () => {
    const two = worktrees('two');
    const moved = join(home.root, 'moved');
    await repository.git('worktree', 'move', two.root, moved);
    const now = (await worktreesAt(home, repository.root))('moved');
    const ids = 'SELECT DISTINCT worktree_id AS id, session_id AS s FROM agent_synchronizations';
    const expected = [{ id: worktreeId(moved), s: 'two' }];
    assert.deepEqual(await rows(ids, now), expected, 'before anything was written');
    assert.equal((await sync(now, 'two'))?.rows, 0);
    assert.deepEqual(await rows(ids, now), expected);
    assert.deepEqual(await onFile(engine, databaseFile(moved), ids), expected, 'for other tools as well');
    // In a copy of the whole repository nobody knows the worktree, but the rows say where it is, and it is there.
    const copy = databaseFile(worktrees('three').root);
    await cp(databaseFile(moved), copy);
    await assert.rejects(ask(ids, [{ ...worktrees('three'), others: [] }]), { id: 'database.copiedUnknown' });
  });
});
