import { isAbsolute, join, resolve } from 'node:path';
import { updateText } from '../base/atomicFile.ts';
import type { Environment } from '../base/environment.ts';
import { withFileLock } from '../base/fileLock.ts';
import { isObject, readJsonObject } from '../base/jsonText.ts';
import { isWithin, realPathOf, relativeTo } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import type { Repository } from './identity.ts';
import type { PortBlock } from './portBlock.ts';
import { refuseWorktreesElsewhere } from './places.ts';
import type { Message } from '../messages/message.ts';
import { repositoryMessages } from '../messages/repository.ts';

/** Where a worktree is in its life (seed 004): made, worked in, its branch merged. A removed one has no entry. */
export type Lifecycle = 'created' | 'active' | 'merged';

/** A pull request as the registry records it. */
export interface RecordedPullRequest {
  readonly number: number;
  readonly url: string;
  /** Who opened it, where that is somebody else than the person whose worktree it is: its branch is theirs. */
  readonly author?: string;
  readonly [other: string]: unknown;
}

/** What the registry adds to what git knows of a worktree. Keys of other versions and tools are kept. */
export interface RegistryEntry {
  /**
   * The name of git's admin directory of the worktree, below `<common directory>/worktrees`: what the worktree is known by. Missing in
   * entries of earlier versions.
   */
  readonly id?: string;
  /**
   * Where the worktree was when this was written: absolute here, in the file relative to the main root where it lies below it. It only
   * helps to find the worktree again.
   */
  readonly path: string;
  readonly branch: string;
  /** The branch it is based on: trunk or another worktree's branch. */
  readonly base: string;
  readonly pr: RecordedPullRequest | null;
  /** When it was made, ISO 8601. */
  readonly created?: string;
  /** The program that made it. */
  readonly createdBy?: string;
  readonly workId?: string;
  /** The run of the caller's workflow that it was made for, or that runs in it. */
  readonly workflowRunId?: string;
  /** When that run began in it, where it was not made for it; and when it ended. ISO 8601. */
  readonly workflowBegan?: string;
  readonly workflowEnded?: string;
  /** Whether its removal is offered when its work is done, where it was made with an answer to that. */
  readonly autoCleanup?: boolean;
  readonly task?: string;
  readonly composeProject?: string;
  /** The commit of the base after which the branch's own commits begin. */
  readonly baseCommit?: string;
  readonly lastPushed?: unknown;
  readonly lifecycle?: Lifecycle;
  readonly [other: string]: unknown;
}

/** The registry as it was read. */
export interface Registry {
  /** Grows by one with every change; 0 when there is no file yet. */
  readonly revision: number;
  /** The entries by worktree name. */
  readonly worktrees: ReadonlyMap<string, RegistryEntry>;
  /** The ports of worktrees, by the name of git's admin directory: also of those that others made and that have no entry. */
  readonly ports: ReadonlyMap<string, PortBlock>;
}

/** The registry as a change sees it. */
export interface RegistryDraft {
  readonly worktrees: Map<string, RegistryEntry>;
  readonly ports: Map<string, PortBlock>;
}

const formatVersion = 1;

/** The registry's file: seed 002's `stack.json`. */
export function registryFile(repository: Repository): string {
  return join(repository.mainRoot, '.worktrees', 'stack.json');
}

/**
 * Reads the registry; an empty one where there is no file. Needs no lock, since writes are atomic.
 *
 * @throws Problem `unreadable-file` that names the line.
 */
export async function readRegistry(repository: Repository): Promise<Registry> {
  return toRegistry(repository, await readWhole(repository));
}

/**
 * Changes the registry under its lock, so that no update of another process is lost, and writes it atomically. Nothing is
 * written when the change leaves it as it was. A program that writes the file without the lock, such as an editor, loses nothing either.
 *
 * @param change gets the entries as they are now and changes them in place; what it gives is handed on. It is called again when another
 *   program has written the file meanwhile.
 * @throws Problem `unreadable-file` (the file stays as it is), `locked-by-another`, `not-writable`, `outside-repository`.
 */
export async function updateRegistry<T>(
  environment: Environment,
  repository: Repository,
  change: (draft: RegistryDraft) => T,
): Promise<T> {
  const file = registryFile(repository);
  await refuseWorktreesElsewhere(repository);
  const update = async (write: (text: string) => void): Promise<T> => {
    const whole = await readWhole(repository);
    const before = toRegistry(repository, whole);
    const draft: RegistryDraft = { worktrees: new Map(before.worktrees), ports: new Map(before.ports) };
    const result = change(draft);
    if (textOf(draft) !== textOf(before)) {
      const stored = await toStored(repository, draft.worktrees);
      const next = {
        ...whole,
        version: whole['version'] ?? formatVersion,
        revision: before.revision + 1,
        worktrees: stored,
        // Nothing is said of ports where none were ever asked for.
        ...(draft.ports.size > 0 || whole['ports'] !== undefined ? { ports: Object.fromEntries(draft.ports) } : {}),
      };
      write(`${JSON.stringify(next, null, 2)}\n`);
    }
    return result;
  };
  return withFileLock(environment, file, () => updateText(file, update));
}

function textOf({ worktrees, ports }: RegistryDraft | Registry): string {
  return JSON.stringify([Object.fromEntries(worktrees), Object.fromEntries(ports)]);
}

async function readWhole(repository: Repository): Promise<Record<string, unknown>> {
  const file = registryFile(repository);
  const whole = (await readJsonObject(file)) ?? {};
  const wrong = (what: Message): Problem =>
    new Problem('unreadable-file', repositoryMessages.leftAsItIs({ file, what }), {
      file,
      line: 1,
      next: repositoryMessages.correctMoveFileAway(),
    });
  const version = whole['version'] ?? formatVersion;
  if (typeof version !== 'number' || version > formatVersion) {
    throw wrong(repositoryMessages.laterRegistry({ version: JSON.stringify(version) }));
  }
  const worktrees = whole['worktrees'] ?? {};
  if (!isObject(worktrees)) throw wrong(repositoryMessages.worktreesNoObject());
  for (const [name, entry] of Object.entries(worktrees)) {
    if (!isObject(entry)) throw wrong(repositoryMessages.entryNoObject({ name: JSON.stringify(name) }));
    for (const key of ['path', 'branch', 'base']) {
      if (typeof entry[key] !== 'string')
        throw wrong(repositoryMessages.entryWithout({ name: JSON.stringify(name), key }));
    }
  }
  if (whole['ports'] !== undefined && !isObject(whole['ports'])) throw wrong(repositoryMessages.portsNoObject());
  return whole;
}

function toRegistry({ mainRoot }: Repository, whole: Record<string, unknown>): Registry {
  const entries = Object.entries((whole['worktrees'] ?? {}) as Record<string, RegistryEntry>);
  return {
    revision: typeof whole['revision'] === 'number' ? whole['revision'] : 0,
    worktrees: new Map(entries.map(([name, entry]) => [name, { ...entry, path: resolve(mainRoot, entry.path) }])),
    ports: new Map(Object.entries((whole['ports'] ?? {}) as Record<string, unknown>).flatMap(toBlock)),
  };
}

/** What is no block, written by hand or by another version, counts as none: the worktree gets a new one. */
function toBlock([id, block]: [string, unknown]): [string, PortBlock][] {
  if (!isObject(block)) return [];
  const { first, count } = block;
  return isPort(first) && isPort(count) ? [[id, { first, count }]] : [];
}

function isPort(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 65_535;
}

/** What lies below the main root is stored relative to it, so that the file is right wherever the repository is seen. */
async function toStored(
  { mainRoot }: Repository,
  worktrees: ReadonlyMap<string, RegistryEntry>,
): Promise<Record<string, RegistryEntry>> {
  const roots = [mainRoot, await realPathOf(mainRoot)];
  const stored = ([name, entry]: [string, RegistryEntry]): [string, RegistryEntry] => {
    const root = roots.find((each) => isWithin(each, entry.path));
    if (root === undefined || !isAbsolute(entry.path)) return [name, entry];
    return [name, { ...entry, path: relativeTo(root, entry.path) || '.' }];
  };
  return Object.fromEntries([...worktrees].map(stored));
}
