import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../base/atomicFile.ts';
import { withFileLock } from '../base/fileLock.ts';
import { isObject, readJsonObject } from '../base/jsonText.ts';
import { Problem, errorCode, messageOf } from '../base/problem.ts';
import { identityOf, mayBeAlive, type ProcessIdentity } from '../base/processes.ts';
import { makeFolders } from '../base/sharing.ts';
import { systemProblem } from '../base/systemFailure.ts';
import type { Repository } from '../repository/identity.ts';
import { fromMovable, toMovable } from '../repository/movablePaths.ts';
import type { Workspace } from '../worktree/workspace.ts';

/**
 * What an operation writes down before each step that it could not take back blindly, so that after a SIGKILL the next run
 * knows what was meant, how far it came, and whether its process is dead.
 */
export interface JournalRecord<Kind extends string = string, Data = Record<string, unknown>> {
  readonly kind: Kind;
  /** What the operation works on: the slug of a worktree. One operation at a time may hold a key. */
  readonly key: string;
  readonly owner: ProcessIdentity;
  /** ISO 8601. */
  readonly started: string;
  readonly data: Data;
}

/** No process has this id. */
const abandoned = 0;
/** What this process has given up without being able to write that down. */
const abandonedHere = new Set<string>();

const idOf = ({ kind, key, started }: Pick<JournalRecord, 'kind' | 'key' | 'started'>): string =>
  [kind, key, started].join('\0');

/** Whether the operation was given up, as opposed to killed: its process had no children any more. */
export function isAbandoned(record: JournalRecord): boolean {
  return record.owner.pid === abandoned || abandonedHere.has(idOf(record));
}

/** Whether somebody is still at an operation. */
export async function isUnderWay(environment: Workspace['environment'], record: JournalRecord): Promise<boolean> {
  return !isAbandoned(record) && (await mayBeAlive(environment, record.owner));
}

/** An open journal of a running operation. */
export interface Journal<Data> {
  /** Writes down what is known now; on disk before this resolves. */
  note(data: Data): Promise<void>;
  /** The operation is done, or undone: nothing is left to mend. */
  close(): Promise<void>;
  /** The operation could be neither done nor undone: whoever mends next may try, although this process lives on. Never fails. */
  abandon(): Promise<void>;
}

/**
 * Opens the journal of an operation, which also reserves its key against every other process.
 *
 * @throws Problem `in-use` when an operation on the key is under way, or has died and was not mended yet.
 */
export function openJournal<Data>(workspace: Workspace, kind: string, key: string, data: Data): Promise<Journal<Data>> {
  return openJournalAndLook(workspace, kind, key, () => Promise.resolve(data));
}

/**
 * {@link openJournal} for an operation that must not go by what was true before: whoever held the key until now may have changed it.
 *
 * @param look gives what the journal is to say; called when the key is reserved. When it throws, the key is free again.
 * @throws Problem `in-use` as {@link openJournal}; what `look` throws.
 */
export async function openJournalAndLook<Data>(
  workspace: Workspace,
  kind: string,
  key: string,
  look: () => Promise<Data>,
): Promise<Journal<Data>> {
  const { environment, repository } = workspace;
  const file = fileOf(repository, key);
  const head = { kind, key, owner: await identityOf(environment), started: environment.now().toISOString() };
  let latest: Data | undefined;
  const textOf = (owner = head.owner): string =>
    `${JSON.stringify(toMovable(repository, { ...head, owner, data: latest }), null, 2)}\n`;
  await makeFolders(operationsFolder(repository));
  await withFileLock(environment, file, async () => {
    try {
      // Made empty first: only its existence reserves the key. A process that dies here leaves a record that says nothing was done.
      await (await open(file, 'wx')).close();
    } catch (thrown) {
      if (errorCode(thrown) !== 'EEXIST') throw thrown;
      throw new Problem('in-use', `Another operation on ${JSON.stringify(key)} is under way.`, {
        file,
        next: 'try again when it has ended',
        outcome: 'incomplete',
      });
    }
    try {
      latest = await look();
      await writeAtomically(file, textOf());
    } catch (thrown) {
      // An empty one says that nothing was done.
      await rm(file, { force: true }).catch(() => undefined);
      throw thrown;
    }
  });
  return {
    note: (now) => {
      latest = now;
      return writeAtomically(file, textOf());
    },
    // One that cannot be removed is that of a dead process soon: whoever mends next finds that nothing is left to do.
    close: () =>
      rm(file, { force: true }).catch((thrown: unknown) =>
        environment.log.warn(`${file} could not be removed: ${messageOf(thrown)}`),
      ),
    abandon: () =>
      writeAtomically(file, textOf({ pid: abandoned, host: environment.host })).catch((thrown: unknown) => {
        // Other processes find out when this one has ended.
        abandonedHere.add(idOf(head));
        environment.log.warn(`${file} could not be given up: ${messageOf(thrown)}`);
      }),
  };
}

/** The operations of one kind that are under way, or have died and wait to be mended; what cannot be read is passed over. */
export async function recordsUnderWay(workspace: Workspace, kind: string): Promise<JournalRecord[]> {
  const { repository } = workspace;
  const folder = operationsFolder(repository);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const records = await Promise.all(names.map((name) => read(repository, join(folder, name)).catch(() => undefined)));
  return records
    .filter((record) => record !== undefined && record !== 'empty')
    .filter((record) => record.kind === kind);
}

/**
 * Hands each record whose process has died to `mend`, one process at a time, and removes the record when `mend` has returned.
 * A record that cannot be mended stays, and its problem is given back.
 *
 * @param knows whether `mend` can mend records of a kind; those of other kinds are left alone.
 */
export async function mendRecords(
  workspace: Workspace,
  mend: (record: JournalRecord) => Promise<void>,
  knows: (kind: string) => boolean = () => true,
): Promise<Problem[]> {
  const { environment, repository } = workspace;
  const problems: Problem[] = [];
  for (const name of await readdir(operationsFolder(repository)).catch(() => [])) {
    if (!name.endsWith('.json')) continue;
    const file = join(operationsFolder(repository), name);
    try {
      const seen = await read(repository, file);
      if (seen !== 'empty' && (!seen || !knows(seen.kind) || (await isUnderWay(environment, seen)))) continue;
      await withFileLock(environment, file, async () => {
        const record = await read(repository, file);
        if (record === 'empty') return rm(file, { force: true });
        if (!record || (await isUnderWay(environment, record))) return;
        environment.log.info(`Mending an interrupted ${record.kind} of ${record.key}.`);
        await mend(record);
        await rm(file, { force: true });
      });
    } catch (thrown) {
      problems.push(Problem.is(thrown) ? thrown : notMended(file, thrown));
    }
  }
  return problems;
}

/** Where the journals are. */
export function operationsFolder(repository: Repository): string {
  return join(repository.commonDir, 'worktree-stacks', 'operations');
}

const fileOf = (repository: Repository, key: string): string => join(operationsFolder(repository), `${key}.json`);

/** `empty` is a reservation whose process died, or is about to write: the lock of the file tells which. */
async function read(repository: Repository, file: string): Promise<JournalRecord | 'empty' | undefined> {
  let value: Record<string, unknown> | undefined;
  try {
    value = await readJsonObject(file, 'the journal of an operation');
  } catch (thrown) {
    if (Problem.is(thrown, 'unreadable-file')) return 'empty';
    throw thrown;
  }
  if (value === undefined) return undefined;
  // What is no record says no more than half a one.
  const { kind, key, owner, data } = value;
  return typeof kind === 'string' && typeof key === 'string' && isObject(owner) && isObject(data)
    ? (fromMovable(repository, value) as unknown as JournalRecord)
    : 'empty';
}

/** A record that makes no sense must not keep every command from its work. */
function notMended(file: string, thrown: unknown): Problem {
  return (
    systemProblem(thrown) ??
    new Problem('inconsistent', `What an interrupted operation has left could not be mended: ${messageOf(thrown)}`, {
      file,
      next: `look what is left of it (\`git worktree list\`), then move its record away: ${file}`,
      outcome: 'incomplete',
      cause: thrown,
    })
  );
}
