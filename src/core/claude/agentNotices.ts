import { join } from 'node:path';
import { writeAtomically } from '../base/atomicFile.ts';
import type { Environment } from '../base/environment.ts';
import { withFileLock } from '../base/fileLock.ts';
import { isObject, readJsonObject } from '../base/jsonText.ts';
import { Problem } from '../base/problem.ts';

/** Something to notify a person of: a wait of an agent, or the end of its work. */
export interface Notice {
  /** What it is about: the same for all waits of an agent. */
  readonly key: string;
  /** When it began, ISO 8601; `undefined` where nobody has written that down. */
  readonly from: string | undefined;
  /** The latest event that belongs to it; a later one begins another. */
  readonly until: string | undefined;
}

/** What all windows of a repository have done about its agents. */
export interface AgentNotices {
  /** The agents, by {@link Notice.key}, of which nobody wants to be notified any more. */
  readonly muted: ReadonlySet<string>;
  /** Up to when the work in a worktree was reviewed, by its name, ISO 8601. */
  readonly reviewed: ReadonlyMap<string, string>;
}

/** An entry of the file; `at` is when it was made, and lets it be forgotten some day. */
interface Entry {
  readonly at: string;
  /** Up to when it holds; empty for a notice that nobody knows the time of. */
  readonly until: string;
}

type Kind = 'told' | 'muted' | 'reviewed';
type File = Readonly<Record<Kind, ReadonlyMap<string, Entry>>>;

const kinds: readonly Kind[] = ['told', 'muted', 'reviewed'];
/** So long an entry is kept, in milliseconds. */
const memory = 30 * 24 * 60 * 60_000;

/** Reads what was done about the agents of a repository. A file that cannot be read counts as empty: it is only a memory. */
export async function readNotices(commonDir: string): Promise<AgentNotices> {
  const { muted, reviewed } = await read(fileOf(commonDir));
  return {
    muted: new Set(muted.keys()),
    reviewed: new Map([...reviewed].map(([name, { until }]) => [name, until])),
  };
}

/**
 * Claims notices for this window: of several windows that ask at once one gets each, and nobody gets it a second time.
 *
 * @param over keys of what is over, where no time tells a later one from it.
 * @returns those that this window is to show.
 * @throws Problem `not-writable`, `locked-by-another`: nobody can tell then whether another window shows them.
 */
export async function claimNotices(
  environment: Environment,
  commonDir: string,
  wanted: readonly Notice[],
  over: readonly string[] = [],
): Promise<readonly Notice[]> {
  const isStale = ({ told }: File): boolean => over.some((key) => told.get(key)?.until === '');
  const isCovered = ({ told }: File, { key, until }: Notice): boolean =>
    told.has(key) && (until ?? '') <= (told.get(key)?.until ?? '');
  // As a rule there is nothing to do, and nothing is locked then.
  const before = await read(fileOf(commonDir));
  if (!isStale(before) && wanted.every((each) => isCovered(before, each))) return [];
  return change(environment, commonDir, (file, at) => {
    const told = new Map(file.told);
    for (const key of over) if (told.get(key)?.until === '') told.delete(key);
    const claimed = wanted.filter(({ key, from }) => {
      const known = told.get(key);
      return !known || (from ?? '') > known.until;
    });
    for (const { key, until = '' } of wanted) {
      const known = told.get(key)?.until ?? '';
      told.set(key, { at, until: until > known ? until : known });
    }
    return { file: { ...file, told }, result: claimed };
  });
}

/**
 * Notifies nobody of an agent any more.
 *
 * @throws Problem `not-writable`, `locked-by-another`.
 */
export async function muteNotices(environment: Environment, commonDir: string, key: string): Promise<void> {
  await change(environment, commonDir, (file, at) => {
    const muted = new Map(file.muted).set(key, { at, until: '' });
    return { file: { ...file, muted }, result: undefined };
  });
}

/**
 * Remembers that the work in a worktree was reviewed.
 *
 * @param until the moment up to which, ISO 8601.
 * @throws Problem `not-writable`, `locked-by-another`.
 */
export async function markReviewed(
  environment: Environment,
  commonDir: string,
  name: string,
  until: string,
): Promise<void> {
  await change(environment, commonDir, (file, at) => {
    const reviewed = new Map(file.reviewed).set(name, { at, until });
    return { file: { ...file, reviewed }, result: undefined };
  });
}

async function change<T>(
  environment: Environment,
  commonDir: string,
  make: (file: File, at: string) => { readonly file: File; readonly result: T },
): Promise<T> {
  const path = fileOf(commonDir);
  return withFileLock(environment, path, async () => {
    const now = environment.now();
    const { file, result } = make(await read(path), now.toISOString());
    const oldest = new Date(now.getTime() - memory).toISOString();
    const kept = kinds.map((kind) => [kind, Object.fromEntries([...file[kind]].filter(([, { at }]) => at > oldest))]);
    await writeAtomically(path, `${JSON.stringify({ version: 1, ...Object.fromEntries(kept) }, null, 2)}\n`);
    return result;
  });
}

const fileOf = (commonDir: string): string => join(commonDir, 'worktree-stacks', 'agent-notices.json');

async function read(path: string): Promise<File> {
  try {
    const value = await readJsonObject(path);
    const of = (kind: Kind): ReadonlyMap<string, Entry> =>
      new Map(Object.entries(isObject(value?.[kind]) ? value[kind] : {}).filter(isEntry));
    return { told: of('told'), muted: of('muted'), reviewed: of('reviewed') };
  } catch (thrown) {
    if (!Problem.is(thrown)) throw thrown;
    return { told: new Map(), muted: new Map(), reviewed: new Map() };
  }
}

function isEntry(pair: [string, unknown]): pair is [string, Entry] {
  const [, value] = pair;
  return isObject(value) && typeof value['at'] === 'string' && typeof value['until'] === 'string';
}
