import { createRequire as requireFrom } from 'node:module';
import { join } from 'node:path';
import type * as DuckDB from '@duckdb/node-api';
import { messageOf } from '../base/problem.ts';
import { untilFree } from './untilFree.ts';
import { EngineFailure, type Connection, type Engine, type OpenOptions, type Row } from './engine.ts';

const name = '@duckdb/node-api';

/**
 * Nothing is fetched from the network, nothing is written beside the database, and two threads are enough for what a
 * worktree has.
 */
const settings = {
  threads: '2',
  temp_directory: '',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};

/**
 * Loads the library, which is an optional dependency: as a package that lies in `folder/node_modules`, or in those of a
 * folder above.
 *
 * @returns `undefined` where it is not there.
 * @throws Error when it is there and cannot be loaded, such as on a system that it does not know.
 */
export function loadLibrary(folder: string): Engine | undefined {
  // Not `import()`: the programs run outside of Node's loader (src/shims/v8CodeCache.ts), which `import()` needs.
  const require = requireFrom(join(folder, 'engine.js'));
  let found: string;
  try {
    found = require.resolve(name);
  } catch {
    return undefined;
  }
  return libraryEngine(require(found) as typeof DuckDB, folder);
}

/** The engine that a loaded library is. */
export function libraryEngine(library: typeof DuckDB, from: string): Engine {
  return {
    kind: 'library',
    version: library.version(),
    from,
    open: (file, options = {}) => untilFree(options, () => open(library, file, options)),
  };
}

async function open(
  library: typeof DuckDB,
  file: string | undefined,
  { readOnly = false, setUp = [], signal }: OpenOptions,
): Promise<Connection> {
  const access = readOnly && file !== undefined ? { access_mode: 'READ_ONLY' } : {};
  const instance = await asFailure(library.DuckDBInstance.create(file ?? ':memory:', { ...settings, ...access }));
  let connection: DuckDB.DuckDBConnection;
  try {
    connection = await asFailure(instance.connect());
  } catch (thrown) {
    instance.closeSync();
    throw thrown;
  }
  const opened: Connection = {
    async run(statements) {
      let rows: readonly Row[] = [];
      for (const [index, statement] of statements.entries()) {
        if (signal?.aborted) throw new EngineFailure('INTERRUPT Error: Interrupted!');
        const reader = await asFailure(interruptible(connection, statement, signal));
        if (index === statements.length - 1) rows = reader.getRowObjectsJson();
      }
      return rows;
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
  try {
    await opened.run(setUp);
    return opened;
  } catch (thrown) {
    opened.close();
    throw thrown;
  }
}

/** The engine forgets an interruption that comes before a statement has begun, and cannot tell when it has: so it is told until it ends. */
async function interruptible(
  connection: DuckDB.DuckDBConnection,
  statement: string,
  signal: AbortSignal | undefined,
): Promise<DuckDB.DuckDBResultReader> {
  let repeated: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    connection.interrupt();
    repeated ??= setInterval(() => connection.interrupt(), 20);
  };
  signal?.addEventListener('abort', interrupt);
  try {
    return await connection.runAndReadAll(statement);
  } finally {
    signal?.removeEventListener('abort', interrupt);
    clearInterval(repeated);
  }
}

async function asFailure<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    throw new EngineFailure(messageOf(thrown), { cause: thrown });
  }
}
