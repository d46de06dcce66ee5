import { existsSync } from 'node:fs';
import { link } from 'node:fs/promises';
import { rename, rm } from '../base/heldFiles.ts';
import type { Environment } from '../base/environment.ts';
import { withFileLock } from '../base/fileLock.ts';
import { errorCode, messageOf } from '../base/problem.ts';
import { shareLikeGit } from '../base/sharing.ts';
import { worktreeId } from '../repository/context.ts';
import { ensureStateDirectory, readStateDirectory } from '../repository/stateDirectory.ts';
import type { Connection, Engine } from './engine.ts';
import { databaseProblem } from './failure.ts';
import { withDatabase, type WorkOptions } from './open.ts';
import { adoption, databaseFile, hasDatabase, readRows, refuseCopiedState, type DatabaseOwner } from './ownership.ts';
import { isCurrent, migration, readShape, type ColumnName, type Shape } from './shape.ts';

/** What was done to a worktree's database so that it can be written. */
export interface Prepared {
  readonly file: string;
  /** `current`: nothing had to be done. */
  readonly outcome: 'made' | 'migrated' | 'current';
  /** The columns that were added. */
  readonly added: readonly ColumnName[];
  readonly shape: Shape;
}

/** What a worktree's database is prepared with. */
export interface PrepareOptions extends Omit<WorkOptions, 'readOnly'> {
  /** A database is made where there is none. Default true. */
  readonly make?: boolean;
}

/**
 * Makes the database of a worktree, or brings an earlier one into the present shape, in one transaction, and then works
 * with it. Doing it twice is harmless; two processes at once take turns. A process that is killed leaves the file as it
 * was before or after.
 *
 * @returns `undefined` where there is none and none is to be made.
 * @throws Problem `in-use` for a file that was copied from another worktree, `locked-by-another`, `unreadable-file` for one
 *   that cannot be read or that others have given another meaning: each is named and left as it is; `not-writable`.
 */
export async function withPrepared<T>(
  environment: Environment,
  engine: Engine,
  owner: DatabaseOwner,
  options: PrepareOptions,
  work: (connection: Connection, prepared: Prepared) => Promise<T>,
): Promise<T | undefined> {
  const file = databaseFile(owner.root);
  await readStateDirectory(owner.root);
  await refuseCopiedState(owner);
  if (!(await hasDatabase(owner.root)) && options.make === false) return undefined;
  return withFileLock(
    environment,
    file,
    async () => {
      const made = !(await hasDatabase(owner.root)) && (await make(engine, owner, options));
      return withDatabase(engine, file, options, async (connection) => {
        const prepared = await bringUpToDate(environment, connection, owner);
        await ensureStateDirectory(owner.root);
        return work(connection, made ? { ...prepared, outcome: 'made' } : prepared);
      });
    },
    options.signal,
  );
}

/** Makes a database beside its place and puts it there when it is whole. False when another program was faster. */
async function make(engine: Engine, { root }: DatabaseOwner, options: WorkOptions): Promise<boolean> {
  await ensureStateDirectory(root);
  const file = databaseFile(root);
  const fresh = `${file}.new`;
  await rm(fresh, { force: true });
  await rm(`${fresh}.wal`, { force: true });
  await withDatabase(engine, fresh, options, async (connection) => {
    try {
      await connection.run(migration({ columns: [], missing: [] }, worktreeId(root)));
    } catch (thrown) {
      throw databaseProblem(file, thrown);
    }
  });
  // What was committed to a database that is gone cannot be applied to another one.
  if (existsSync(`${file}.wal`)) await rename(`${file}.wal`, `${file}.wal.old`);
  try {
    await link(fresh, file);
  } catch (thrown) {
    if (errorCode(thrown) === 'EEXIST') return false;
    // A file system without hard links.
    await rename(fresh, file);
  } finally {
    await rm(fresh, { force: true });
  }
  await shareLikeGit(file);
  return true;
}

async function bringUpToDate(
  environment: Environment,
  connection: Connection,
  owner: DatabaseOwner,
): Promise<Prepared> {
  const file = databaseFile(owner.root);
  try {
    const shape = await readShape(connection, file);
    const rows = await readRows(connection, owner, shape);
    if (!isCurrent(shape)) await connection.run(migration(shape, worktreeId(owner.root)));
    for (const statement of adoption(rows, owner)) {
      // Where other tables refer to the rows this is refused. Queries know the former ids as well.
      await connection.run([statement]).catch((thrown: unknown) => environment.log.debug(messageOf(thrown)));
    }
    const now = isCurrent(shape) ? shape : await readShape(connection, file);
    return { file, outcome: isCurrent(shape) ? 'current' : 'migrated', added: shape.missing, shape: now };
  } catch (thrown) {
    throw databaseProblem(file, thrown);
  }
}
