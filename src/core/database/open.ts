import { existsSync } from 'node:fs';
import { stopIfCancelled } from '../base/problem.ts';
import type { Connection, Engine, OpenOptions } from './engine.ts';
import { databaseProblem } from './failure.ts';

/** How a database is opened for some work. */
export type WorkOptions = Omit<OpenOptions, 'setUp'>;

/**
 * Opens a database, works with it and closes it. Another process that has the file open is waited for, within limits: an
 * engine lets in one writer, or several readers.
 *
 * @throws Problem `locked-by-another` that names the holder, `unreadable-file`, `cancelled`; what the work throws.
 */
export async function withDatabase<T>(
  engine: Engine,
  file: string,
  options: WorkOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  return within(file, options, () => engine.open(file, options), work);
}

/**
 * The same with a database in memory that reads files.
 *
 * @param file the one to name in a failure.
 * @param setUp attaches the files.
 */
export async function withAttached<T>(
  engine: Engine,
  file: string,
  setUp: readonly string[],
  options: WorkOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  return within(file, options, () => engine.open(undefined, { ...options, setUp }), work);
}

/**
 * Brings what a killed process has committed into the file: it is in a log beside it until then, and an engine that opens
 * the file to read it only may not be able to apply that.
 *
 * @throws Problem as {@link withDatabase}.
 */
export async function replayWriteAhead(engine: Engine, file: string, options: WorkOptions): Promise<void> {
  if (!existsSync(`${file}.wal`)) return;
  await withDatabase(engine, file, { ...options, readOnly: false }, async (connection) => {
    await connection.run(['CHECKPOINT']).catch((thrown: unknown) => {
      throw databaseProblem(file, thrown);
    });
  });
}

async function within<T>(
  file: string,
  options: WorkOptions,
  open: () => Promise<Connection>,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  stopIfCancelled(options.signal);
  let connection: Connection;
  try {
    connection = await open();
  } catch (thrown) {
    throw databaseProblem(file, thrown);
  }
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}
