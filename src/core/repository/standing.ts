import { isObject } from '../base/jsonText.ts';
import type { Lifecycle, RegistryEntry } from './registry.ts';

/**
 * What is known of the work of a branch: `merged`, with a pull request that is `open`, `queued` or `closed`, or none of it. `unproven`: its
 * pull request was merged, but nothing here has shown that the work is in its base.
 */
export type Standing = 'merged' | 'unproven' | 'open' | 'queued' | 'closed' | undefined;

/** What proves that the work of a branch was merged; the key `merged` of a registry entry. */
export interface MergedRecord {
  /** The branch's last commit that was merged: with commits after it the branch is not merged any more. */
  readonly head: string;
  /** A commit of the base that holds it, where that is known. */
  readonly commit?: string | undefined;
  /** The base that was seen to hold it. Without one, as older versions and other tools write it, it is only somebody's word. */
  readonly into?: string | undefined;
  /** For a pull request: its number. */
  readonly pr?: number | undefined;
  /** What `lifecycle` said before. */
  readonly before?: Lifecycle | undefined;
}

/** Reads the record of an entry; `undefined` when there is none, or none that can be read. */
export function mergedRecordOf(entry: RegistryEntry | undefined): MergedRecord | undefined {
  const value = entry?.['merged'];
  if (!isObject(value)) return undefined;
  const { head, commit, into, pr, before } = value;
  if (typeof head !== 'string') return undefined;
  return {
    head,
    ...(typeof commit === 'string' ? { commit } : {}),
    ...(typeof into === 'string' ? { into } : {}),
    ...(typeof pr === 'number' ? { pr } : {}),
    ...(before === 'created' || before === 'active' ? { before } : {}),
  };
}

/** What the registry says of an entry's pull request, in lower case: other tools write GitHub's own words. */
export function pullRequestState(entry: RegistryEntry | undefined): Exclude<Standing, 'unproven'> {
  const state = entry?.pr?.['state'];
  const word = typeof state === 'string' ? state.toLowerCase() : undefined;
  return word === 'merged' || word === 'queued' || word === 'closed' ? word : entry?.pr ? 'open' : undefined;
}

/**
 * What the registry knows of the work of an entry's branch. It is `merged` only by a record that says in what it was seen, and only while
 * the branch is at the commit that was merged.
 *
 * @param tip the branch's last commit now, where it is known.
 */
export function standingOf(entry: RegistryEntry | undefined, tip: string | undefined): Standing {
  const state = pullRequestState(entry);
  const isThere = isAtMerge(entry, tip);
  if (entry?.lifecycle === 'merged' && isThere && mergedRecordOf(entry)?.into !== undefined) return 'merged';
  if (state !== 'merged') return state;
  return isThere ? 'unproven' : undefined;
}

/** The stage of life that holds now: the recorded one, corrected by what {@link standingOf} says. */
export function lifecycleOf(entry: RegistryEntry | undefined, tip: string | undefined): Lifecycle | undefined {
  if (standingOf(entry, tip) === 'merged') return 'merged';
  return entry?.lifecycle === 'merged' ? 'active' : entry?.lifecycle;
}

function isAtMerge(entry: RegistryEntry | undefined, tip: string | undefined): boolean {
  const head = mergedRecordOf(entry)?.head ?? entry?.pr?.['headCommit'];
  return tip === undefined || typeof head !== 'string' || head === tip;
}

/** An entry whose work was merged. */
export function withMerged(entry: RegistryEntry, merged: MergedRecord): RegistryEntry {
  const before = entry.lifecycle === 'merged' ? mergedRecordOf(entry)?.before : entry.lifecycle;
  return { ...entry, lifecycle: 'merged', merged: { ...merged, ...(before === undefined ? {} : { before }) } };
}

/** An entry whose work is not merged any more, or was not merged after all. */
export function withoutMerged(entry: RegistryEntry): RegistryEntry {
  const rest: { -readonly [key in keyof RegistryEntry]: RegistryEntry[key] } = { ...entry };
  delete rest['merged'];
  if (entry.lifecycle === 'merged') rest.lifecycle = mergedRecordOf(entry)?.before ?? 'active';
  return rest;
}

/** Whether the run of a workflow that worked in a worktree has ended, and no other one has begun since. */
export function hasEndedRun(entry: RegistryEntry | undefined): boolean {
  return entry?.workflowEnded !== undefined;
}
