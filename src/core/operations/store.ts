import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { writeAtomically } from '../base/atomicFile.ts';
import { withFileLock } from '../base/fileLock.ts';
import { isObject, readJsonObject } from '../base/jsonText.ts';
import { Problem, errorCode, messageOf } from '../base/problem.ts';
import { beganAfter } from '../base/processAge.ts';
import { identityOf, mayBeAlive, type ProcessIdentity } from '../base/processes.ts';
import { makeFolders } from '../base/sharing.ts';
import type { Repository } from '../repository/identity.ts';
import { fromMovable, toMovable } from '../repository/movablePaths.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { deleteKept } from './backups.ts';
import { backupRefs, type Operation } from './operation.ts';
import { operationsMessages } from '../messages/operations.ts';
import { gitMessages } from '../messages/git.ts';
import { type Message, asMessage } from '../messages/message.ts';

/**
 * An operation that is in progress or was interrupted, as `worktree-stacks/operations/<key>.json` has it in the common git directory.
 * That file also reserves the key: only one operation at a time may work on it.
 */
export interface PendingOperation<Data = unknown> {
  readonly kind: string;
  /** What the operation works on: the slug of a worktree, or {@link stackKey}. */
  readonly key: string;
  readonly owner: ProcessIdentity;
  /** ISO 8601. */
  readonly started: string;
  /** All that its kind needs to finish it or roll it back. */
  readonly data: Data;
  /** It is past its commit point; missing where that is not written down. */
  readonly committed?: boolean | undefined;
  /** ISO 8601: somebody is at it, and recovery leaves it alone until then. */
  readonly notBefore?: string | undefined;
  /** A person was asked to do something: when its process ends it waits for that person, and is not rolled back. */
  readonly waits?: boolean | undefined;
}

/** The key of operations on branches: no slug contains such a character, so no worktree has it. */
export const stackKey = '_stack';

/** The process id of an operation that was given up: no process has it. */
export const abandoned = 0;
/** Operations that this process gave up without being able to write that down. */
const abandonedHere = new Set<string>();
const identify = ({ kind, key, started }: Pick<PendingOperation, 'kind' | 'key' | 'started'>): string =>
  [kind, key, started].join('\0');

/** Whether the operation was given up, as opposed to killed: its process had no children any more. */
export function isAbandoned(pending: PendingOperation): boolean {
  return pending.owner.pid === abandoned || abandonedHere.has(identify(pending));
}

/** Whether an operation waits for a person and no process works on it: there is nothing to recover. */
export const isPaused = (pending: PendingOperation): boolean => pending.waits === true && isAbandoned(pending);

/** Whether a living process still works on an operation, or may do so. */
export async function isUnderWay(environment: Workspace['environment'], pending: PendingOperation): Promise<boolean> {
  if (pending.notBefore !== undefined) return environment.now().getTime() < Date.parse(pending.notBefore);
  if (isAbandoned(pending) || !(await mayBeAlive(environment, pending.owner))) return false;
  const { pid, host } = pending.owner;
  return host !== environment.host || !(await beganAfter(environment, pid, pending.started));
}

/** A reserved key, and what is written down of the operation that holds it. */
export interface Reservation<Data> {
  /** What was written last. */
  readonly data: Data;
  /** Writes down what is known now; on disk before this resolves. */
  note(data: Data): Promise<void>;
  /** Writes down that the operation is past its commit point. Never fails. */
  noteCommit(): Promise<void>;
  /** The operation is finished or rolled back: nothing is left to recover. Never fails. */
  close(): Promise<void>;
  /** The operation could be neither finished nor rolled back: the next recovery may try, although this process lives on. Never fails. */
  abandon(): Promise<void>;
  /** The operation waits for a person now; one that is closed already stays so. Never fails. */
  pause(): Promise<void>;
}

/**
 * Reserves a key for an operation against every other process.
 *
 * @param plan gives what is to be written down; called once the key is reserved, since whoever held it before may have changed what was
 *   true. When it throws, the key is free again.
 * @throws Problem `in-use` when an operation on the key is in progress, or was interrupted and not recovered yet; what `plan` throws.
 */
export async function reserve<Data>(
  { environment, repository }: Workspace,
  kind: string,
  key: string,
  plan: () => Promise<Data>,
): Promise<Reservation<Data>> {
  const file = pendingFile(repository, key);
  await makeFolders(pendingFolder(repository));
  return withFileLock(environment, file, async () => {
    try {
      // Created empty first: its existence reserves the key. A process that dies here leaves an operation that did nothing.
      await (await open(file, 'wx')).close();
    } catch (thrown) {
      if (errorCode(thrown) !== 'EEXIST') throw thrown;
      throw new Problem('in-use', operationsMessages.anotherOperationUnder({ key: JSON.stringify(key) }), {
        file,
        next: gitMessages.tryAgainWhen(),
        outcome: 'incomplete',
      });
    }
    try {
      return await takeOver({ environment, repository }, kind, key, await plan());
    } catch (thrown) {
      await rm(file, { force: true }).catch(() => undefined);
      throw thrown;
    }
  });
}

/**
 * Makes a pending operation this process's, whether or not it was there before. Only for who holds the lock of its {@link pendingFile}.
 *
 * @param waits a person was asked to do something before.
 */
export async function takeOver<Data>(
  { environment, repository }: Pick<Workspace, 'environment' | 'repository'>,
  kind: string,
  key: string,
  data: Data,
  waits?: boolean,
): Promise<Reservation<Data>> {
  const file = pendingFile(repository, key);
  const owner = await identityOf(environment);
  const nobody = { pid: abandoned, host: environment.host };
  let pending: PendingOperation<Data> = {
    ...{ kind, key, owner, started: environment.now().toISOString(), waits, data },
  };
  let closed = false;
  const write = async (change: Partial<PendingOperation<Data>>): Promise<void> => {
    const now = { ...pending, ...change };
    await writeMovable(repository, file, now);
    pending = now;
  };
  const onlyWarn = (what: string) => (thrown: unknown) =>
    environment.log.warn(`${file} could not be ${what}: ${messageOf(thrown)}`);
  const giveUp = (change: Partial<PendingOperation<Data>>): Promise<void> =>
    write({ ...change, owner: nobody }).catch((thrown: unknown) => {
      // Other processes find out when this one has ended.
      abandonedHere.add(identify(pending));
      onlyWarn('given up')(thrown);
    });
  await write({});
  return {
    get data() {
      return pending.data;
    },
    note: (now) => write({ data: now }),
    noteCommit: () => {
      pending = { ...pending, committed: true };
      return write({}).catch(onlyWarn('changed'));
    },
    // A file that cannot be removed soon has a dead owner: recovery finds that nothing is left to do.
    close: () => {
      closed = true;
      return rm(file, { force: true }).catch(onlyWarn('removed'));
    },
    abandon: () => giveUp({}),
    pause: async () => {
      if (!closed) await giveUp({ waits: true });
    },
  };
}

/** The file of the pending operation that holds a key. */
export const pendingFile = (repository: Repository, key: string): string =>
  join(pendingFolder(repository), `${key}.json`);

/** The files of pending operations. */
export async function pendingFiles(repository: Repository): Promise<string[]> {
  const folder = pendingFolder(repository);
  const names = await readdir(folder).catch((): string[] => []);
  return names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
}

/**
 * A pending operation; `undefined` where there is none, `empty` for a reservation whose process died or is about to write: the lock of
 * the file tells which.
 */
export async function readPendingFile(
  repository: Repository,
  file: string,
): Promise<PendingOperation | 'empty' | undefined> {
  try {
    const value = await readJsonObject(file);
    if (value === undefined) return undefined;
    const { kind, key, owner, data } = value;
    const isWhole = typeof kind === 'string' && typeof key === 'string' && isObject(owner) && isObject(data);
    return isWhole ? (fromMovable(repository, value) as unknown as PendingOperation) : 'empty';
  } catch (thrown) {
    if (Problem.is(thrown, 'unreadable-file')) return 'empty';
    throw thrown;
  }
}

/** The operations of one kind that are in progress or were interrupted; those that cannot be read are left out. */
export async function readPending(
  { repository }: Pick<Workspace, 'repository'>,
  kind: string,
): Promise<PendingOperation[]> {
  const files = await pendingFiles(repository);
  const all = await Promise.all(files.map((file) => readPendingFile(repository, file).catch(() => undefined)));
  return all.filter((each) => each !== undefined && each !== 'empty').filter((each) => each.kind === kind);
}

/** Writes an operation to the log, where it can be undone; on disk before this resolves. */
export async function rememberOperation(workspace: Workspace, operation: Operation): Promise<void> {
  await forgetOldOperations(workspace);
  await writeMovable(workspace.repository, finishedFile(workspace.repository, operation.id), operation);
  workspace.environment.log.debug(`[operation] ${operation.title}: ${operation.state}`);
}

/** Removes an operation from the log. */
export async function forgetOperation({ repository }: Workspace, id: string): Promise<void> {
  await rm(finishedFile(repository, id), { force: true });
}

/** An operation in the log by its id; `undefined` when there is none, or it cannot be read. */
export async function readOperation({ repository }: Workspace, id: string): Promise<Operation | undefined> {
  try {
    const value = await readJsonObject(finishedFile(repository, id));
    if (value === undefined) return undefined;
    const operation = withMessages(fromMovable(repository, value));
    return isOperation(operation) ? operation : undefined;
  } catch (thrown) {
    if (!Problem.is(thrown, 'unreadable-file')) throw thrown;
    return undefined;
  }
}

/** Earlier versions wrote notes as sentences. */
function withMessages(value: Record<string, unknown>): Record<string, unknown> {
  const { notes } = value;
  if (!Array.isArray(notes)) return value;
  return { ...value, notes: (notes as readonly (Message | string)[]).map(asMessage) };
}

function isOperation(value: Record<string, unknown>): value is Record<string, unknown> & Operation {
  const texts = ['id', 'kind', 'title', 'started', 'state'].every((key) => typeof value[key] === 'string');
  const lists = ['moves', 'entries'].every((key) => Array.isArray(value[key]) && value[key].every(isObject));
  return value['version'] === 1 && texts && lists && Array.isArray(value['remaining']);
}

/** All operations in the log, the latest first. Those that cannot be read are left out. */
export async function readOperations(workspace: Workspace): Promise<Operation[]> {
  const ids = (await finishedIds(workspace.repository)).sort().reverse();
  const all = await Promise.all(ids.map((id) => readOperation(workspace, id)));
  return all.filter((each) => each !== undefined);
}

/** How long operations and their backups are kept, in days. */
const daysKept = 30;
const day = 24 * 60 * 60 * 1000;

/** Removes operations older than thirty days from the log, with their backups; those that wait for a person stay. */
export async function forgetOldOperations(workspace: Workspace): Promise<void> {
  const { git, environment, repository } = workspace;
  const oldest = environment.now().getTime() - daysKept * day;
  const firstDay = new Date(oldest).toISOString().slice(0, 10).replaceAll('-', '');
  // The ids tell, so that nothing is read most of the time.
  if (!(await finishedIds(repository)).some((id) => /^\d{8}-/.test(id) && id.slice(0, 8) < firstDay)) return;
  const old = (await readOperations(workspace)).filter(
    ({ started, state }) => Date.parse(started) < oldest && state !== 'stopped',
  );
  if (old.length === 0) return;
  const patterns = old.flatMap(({ id, removal }) => [`${backupRefs(id)}/`, removal?.logged ?? []].flat());
  const door = git.in(repository.commonDir);
  const refs = await door.text(['for-each-ref', '--format=delete %(refname)', ...patterns]);
  if (refs !== '') await door.text(['update-ref', '--stdin'], { writes: true, input: refs });
  for (const { id } of old) {
    await deleteKept(repository, id);
    await forgetOperation(workspace, id);
  }
}

/** Where pending operations are. */
export const pendingFolder = ({ commonDir }: Repository): string => join(commonDir, 'worktree-stacks', 'operations');
/** Where the log is. */
export const finishedFolder = ({ commonDir }: Repository): string => join(commonDir, 'worktree-stacks', 'log');
const finishedFile = (repository: Repository, id: string): string => join(finishedFolder(repository), `${id}.json`);

async function finishedIds(repository: Repository): Promise<string[]> {
  const names = await readdir(finishedFolder(repository)).catch((): string[] => []);
  return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
}

/** Writes down a pending operation; on disk before this resolves. */
export async function writePending(repository: Repository, pending: PendingOperation): Promise<void> {
  await makeFolders(pendingFolder(repository));
  await writeMovable(repository, pendingFile(repository, pending.key), pending);
}

/** Changes what is written down of a pending operation whose process has died: that it is past its commit point, or waits for a person. */
export function notePending(
  repository: Repository,
  file: string,
  pending: PendingOperation,
  change: Pick<PendingOperation, 'committed'> | { readonly waits: true },
): Promise<void> {
  const owner = 'waits' in change ? { ...pending.owner, pid: abandoned } : pending.owner;
  return writeMovable(repository, file, { ...pending, ...change, owner });
}

function writeMovable(repository: Repository, file: string, value: object): Promise<void> {
  return writeAtomically(file, `${JSON.stringify(toMovable(repository, value), null, 2)}\n`);
}
