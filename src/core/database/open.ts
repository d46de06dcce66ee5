import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { stopIfCancelled } from '../base/problem.ts';
import type { Connection, Engine, OpenOptions } from './engine.ts';
import { databaseProblem, isLocked } from './failure.ts';

/** How long to wait for a file that another process has open, in milliseconds. */
const patience = 10_000;

/** How a database is opened for some work. */
export interface WorkOptions extends Omit<OpenOptions, 'setUp'> {
  /** How long to wait for a file that is locked, in milliseconds. Default ten seconds. */
  readonly patience?: number | undefined;
}

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
  const { readOnly = false, signal } = options;
  return within(file, options, () => engine.open(file, { readOnly, signal }), work);
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
  return within(file, options, () => engine.open(undefined, { setUp, signal: options.signal }), work);
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
  const connection = await opened(file, options, open);
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}

async function opened(file: string, options: WorkOptions, open: () => Promise<Connection>): Promise<Connection> {
  const deadline = Date.now() + (options.patience ?? patience);
  for (let pause = 10; ; pause = Math.min(pause * 1.5, 200)) {
    stopIfCancelled(options.signal);
    try {
      return await open();
    } catch (thrown) {
      if (!isLocked(thrown) || Date.now() > deadline) throw databaseProblem(file, thrown);
    }
    // Waiting in step would make all waiters collide again and again.
    await delay(pause * (0.5 + Math.random()));
  }
}
