// Syncs three events in the worktree at a folder, and kills itself as soon as a statement that begins with a word has run.
import process from 'node:process';
import { resolve } from 'node:path';
import { environmentOf } from '../../src/core/base/environment.ts';
import { loadLibrary } from '../../src/core/database/libraryEngine.ts';
import { syncDatabase } from '../../src/core/database/sync.ts';

const [, , home = '', root = '', point = ''] = process.argv;
const engine = loadLibrary(resolve(import.meta.dirname, '../..'));
if (!engine) throw new Error('there is no engine');
const dying: typeof engine = {
  ...engine,
  async open(file, options) {
    const inner = await engine.open(file, options);
    return {
      close: () => inner.close(),
      async run(statements) {
        let rows: Awaited<ReturnType<typeof inner.run>> = [];
        for (const statement of statements) {
          // Without a checkpoint the log beside the file has all of it.
          if (statement === 'CHECKPOINT' && point === 'CHECKPOINT') process.kill(process.pid, 'SIGKILL');
          rows = await inner.run([statement]);
          if (statement.startsWith('INSERT') && point === 'COMMIT') process.kill(process.pid, 'SIGKILL');
        }
        return rows;
      },
    };
  },
};
const events = [1, 2, 3].map((number) => ({
  id: `e${number}`,
  kind: 'waits' as const,
  at: new Date(Date.parse('2026-11-29T10:00:00Z') + number).toISOString(),
}));
const environment = { ...environmentOf(process), cwd: home };
await syncDatabase(environment, dying, { name: 'main', root, branch: 'main', others: [] }, events);
