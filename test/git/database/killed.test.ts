import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Connection, Engine } from '../../../src/core/database/engine.ts';
import { databaseFile } from '../../../src/core/database/ownership.ts';
import { queryDatabases } from '../../../src/core/database/query.ts';
import { syncDatabase } from '../../../src/core/database/sync.ts';
import type { DatabaseWorktree } from '../../../src/core/database/worktrees.ts';
import { bundled } from '../../support/bundled.ts';
import { earlierDatabase, onFile, realEngine, worktreesAt } from '../../support/databases.ts';
import { copyAtSteps, StepCopies } from '../../support/stepCopies.ts';
import { testHome, type TestHome } from '../../support/tempRepo.ts';
import { testEnvironment } from '../../support/workspace.ts';

const events = Array.from({ length: 600 }, (_, number) => ({
  id: `e${number}`,
  kind: 'waits' as const,
  at: new Date(Date.parse('2026-11-29T10:00:00Z') + number).toISOString(),
}));

/** Keeps a copy of the folder before and after each statement that changes it: what a process leaves behind that is killed there. */
function copying(engine: Engine, copy: () => void): Engine {
  return {
    ...engine,
    async open(file, options) {
      copy();
      const inner = await engine.open(file, options);
      copy();
      const run: Connection['run'] = async (statements) => {
        let rows: Awaited<ReturnType<Connection['run']>> = [];
        for (const statement of statements) {
          rows = await inner.run([statement]);
          copy();
        }
        return rows;
      };
      return {
        run,
        close() {
          inner.close();
          copy();
        },
      };
    },
  };
}

describe('a sync that is killed', function () {
  this.timeout(300_000);
  let home: TestHome;
  let engine: Engine;
  let main: DatabaseWorktree;
  let folder: string;
  before(async () => {
    engine = realEngine();
    home = await testHome();
    main = (await worktreesAt(home, (await home.repository()).root))('main');
    folder = dirname(databaseFile(main.root));
  });
  beforeEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  after(() => home.dispose());

  const sync = (by: Engine) => syncDatabase(testEnvironment(home, main.root), by, main, events);
  const count = async (): Promise<unknown> => {
    const sql = 'SELECT count(*) AS n, count(event_id) AS e FROM agent_synchronizations';
    return (await queryDatabases(engine, [main], sql, { limit: 1, several: false })).rows[0];
  };

  const places: Readonly<Record<string, readonly string[]>> = {
    'where there was no database': [],
    'in the migration of an earlier one': [
      'CREATE TABLE agent_synchronizations (sync_id VARCHAR PRIMARY KEY, agent_id VARCHAR NOT NULL)',
      'CREATE TABLE executions (sync_id VARCHAR REFERENCES agent_synchronizations(sync_id))',
      "INSERT INTO agent_synchronizations VALUES ('1', 'a'), ('2', 'b')",
      "INSERT INTO executions VALUES ('1')",
    ],
  };
  for (const [name, statements] of Object.entries(places)) {
    it(`leaves a file that can be read, and the next one completes it: at every step ${name}`, async () => {
      const there = statements.length === 0 ? 0 : 2;
      if (there > 0) await earlierDatabase(engine, main, ...statements);
      mkdirSync(folder, { recursive: true });
      const copies = new StepCopies(folder);
      await sync(copying(engine, copyAtSteps(folder, copies.into)));
      const seen = new Set<unknown>();
      for (const step of copies.all()) {
        copies.restore(step);
        // Its owner is this process, which is alive here; the tests of locks show what becomes of a dead one's.
        rmSync(`${databaseFile(main.root)}.lock`, { recursive: true, force: true });
        const found = await count().catch((thrown: Error & { id?: string }) => thrown.id ?? thrown.message);
        seen.add(typeof found === 'string' ? found : (found as { n: number }).n);
        assert.equal((await sync(engine))?.rows !== undefined, true);
        assert.deepEqual(await count(), { n: events.length + there, e: events.length }, `step ${step}`);
      }
      copies.forget();
      // All rows or none; before that the earlier shape, or no file.
      const none = there === 0 ? [0, 'database.noFile'] : [there, 'database.olderShape'];
      assert.deepEqual([...seen].sort(), [...none, events.length + there].sort());
    });
  }

  it('is none the worse after a real SIGKILL in the middle of it', async () => {
    await earlierDatabase(engine, main, ...(places['in the migration of an earlier one'] ?? []));
    for (const point of ['COMMIT', 'CHECKPOINT']) {
      const driver = bundled(new URL('../../support/dyingSync.ts', import.meta.url));
      const child = spawn(process.execPath, [driver, home.root, main.root, point], { stdio: 'inherit' });
      const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
      assert.equal(signal, 'SIGKILL');
      await sync(engine);
      assert.deepEqual(await count(), { n: events.length + 2, e: events.length });
      assert.deepEqual(await onFile(engine, databaseFile(main.root), 'FROM executions'), [{ sync_id: '1' }]);
      await onFile(engine, databaseFile(main.root), 'DELETE FROM agent_synchronizations WHERE event_id IS NOT NULL');
    }
  });
});
