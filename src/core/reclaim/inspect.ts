import { open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import type { Met } from '../base/diskUsage.ts';
import { mountsBelow } from '../base/mounts.ts';
import { isWithin, realPathOf } from '../base/paths.ts';
import { reclaimMessages } from '../messages/reclaim.ts';
import type { Message } from '../messages/message.ts';
import type { LiveSession } from '../remove/liveSessions.ts';
import { rulesFor } from '../repository/ignoreRules.ts';
import { readCopies } from '../trash/changedCopies.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';
import { inTree } from '../worktree/treeState.ts';
import { measureWorktree } from '../worktree/worktreeSize.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { cacheTag, cacheTagText, looksPersonal, outputKind, type OutputKind } from './buildOutput.ts';
import { whyInUse } from './standing.ts';

/** An ignored folder of a worktree that may go. */
export interface OutputFolder {
  /** Relative to the worktree, with a slash at its end. */
  readonly path: string;
  readonly kind: OutputKind;
  /** What its disk gives back, in bytes. */
  readonly bytes: number;
}

/** Something ignored that stays, and why. */
export interface KeptEntry {
  /** Relative to the worktree; a folder with a slash at its end. */
  readonly path: string;
  readonly bytes: number;
  readonly why: Message;
}

/** What could be reclaimed of a worktree. */
export interface Reclaimable {
  readonly worktree: Worktree;
  /** Why nothing of it is reclaimed now; `undefined` when it may be. */
  readonly inUse: Message | undefined;
  /** Build output, the largest first. */
  readonly folders: readonly OutputFolder[];
  readonly kept: readonly KeptEntry[];
  /** The sum of its folders, in bytes. */
  readonly bytes: number;
  /** When something in it changed last, in milliseconds since 1970; `undefined` where that was not looked for. */
  readonly lastChange: number | undefined;
}

/** How worktrees are looked at. */
export interface ReclaimOptions {
  /** Nothing may have changed in a worktree for so long, in milliseconds. */
  readonly idle: number;
  /** Agents that are known to live in it. */
  readonly agents?: readonly LiveSession[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds the build output of a worktree: folders that git ignores, all of them, which hold what a command makes again. Changes nothing.
 *
 * @throws Problem `cancelled`, or git's own.
 */
export async function inspectReclaim(
  workspace: Workspace,
  snapshot: Snapshot,
  worktree: Worktree,
  { idle, agents = [], signal }: ReclaimOptions,
): Promise<Reclaimable> {
  const nothing = { worktree, folders: [], kept: [], bytes: 0, lastChange: undefined };
  const busy = await whyInUse(workspace, worktree, agents);
  if (busy || worktree.gitDir === undefined) return { ...nothing, inUse: busy ?? reclaimMessages.notThere() };
  const { git, environment } = workspace;
  const look = new Look();
  const named = await foldersOfTeam(workspace, worktree, worktree.gitDir, signal);
  const measured = await measureWorktree(git, worktree, {
    all: snapshot.worktrees,
    parts: named,
    signal,
    onMeet: (met) => look.meet(met),
  });
  if (!measured) return { ...nothing, inUse: reclaimMessages.notThere() };
  const { ignored, parts } = measured;
  const lastChange = Math.max(measured.newest, await lastCommit(worktree.gitDir));
  const now = environment.now().getTime();
  const inUse = now - lastChange < idle ? reclaimMessages.changedLately({ when: isoDay(lastChange) }) : undefined;
  const inside = named.filter((each) => ignored.some((entry) => entry.endsWith('/') && each.startsWith(entry)));
  const entries = [...new Set([...ignored, ...inside])].sort();
  const paths = entries.filter((entry) => entry.endsWith('/'));
  const real = await realPathOf(worktree.path);
  const [tracked, copies, mounts] = await Promise.all([
    trackedIn(workspace, worktree.path, worktree.gitDir, paths, signal),
    readCopies(workspace, { path: worktree.path, gitDir: worktree.gitDir }, { ignored: paths }, signal),
    mountsBelow(environment, real),
  ]);
  const folders: OutputFolder[] = [];
  const kept: KeptEntry[] = [];
  for (const path of entries) {
    const absolute = join(worktree.path, path.replace(/\/$/, ''));
    // What the team has named below is a part of its own, and goes with it all the same.
    const all = [
      absolute,
      ...entries
        .filter((other) => other !== path && path.endsWith('/') && other.startsWith(path))
        .map((other) => join(worktree.path, other.slice(0, -1))),
    ];
    const bytes = all.reduce((sum, part) => sum + (parts.get(part) ?? 0), 0);
    const kind = path.endsWith('/') ? await kindOf(absolute, look, named.includes(path)) : undefined;
    const why =
      stays(path, { workspace, worktree, snapshot, tracked, mounts, real }) ??
      (kind === undefined ? reclaimMessages.notKnown() : (look.whyKept(all, kind) ?? whyCopied(path, copies.found)));
    if (why || kind === undefined) kept.push({ path, bytes, why: why ?? reclaimMessages.notKnown() });
    else folders.push({ path, kind, bytes });
  }
  const apart = folders.filter(
    ({ path }) => !folders.some((other) => other.path !== path && path.startsWith(other.path)),
  );
  const bySize = (one: { bytes: number }, other: { bytes: number }): number => other.bytes - one.bytes;
  const sum = apart.reduce((bytes, each) => bytes + each.bytes, 0);
  return { worktree, inUse, folders: apart.sort(bySize), kept: kept.sort(bySize), bytes: sum, lastChange };
}

/** What a walk through a worktree shows of its ignored folders. */
export class Look {
  readonly #names = new Map<string, string[]>();
  readonly #repositories = new Map<string, string>();
  readonly #personal = new Map<string, string>();

  meet({ path, name, part }: Met): void {
    if (part === undefined || path === part) return;
    const depth = dirname(path) === part ? 1 : 2;
    if (depth === 1) this.#names.set(part, [...(this.#names.get(part) ?? []), name]);
    const within = path
      .slice(part.length + 1)
      .split(sep)
      .join('/');
    if (name === '.git') this.#repositories.set(part, dirname(within));
    for (const kind of ['tool', 'built'] as const)
      if (looksPersonal(name, kind, depth)) this.#personal.set(`${kind} ${part}`, within);
  }

  namesIn(folder: string): readonly string[] {
    return this.#names.get(folder) ?? [];
  }

  /** Why a folder stays, for what is in it. @param parts it, and what is counted by itself below it. */
  whyKept(parts: readonly string[], kind: OutputKind): Message | undefined {
    const found = (known: ReadonlyMap<string, string>, key = ''): string | undefined =>
      parts.map((part) => known.get(key + part)).find((path) => path !== undefined);
    const repository = found(this.#repositories);
    if (repository !== undefined) return reclaimMessages.heldRepository({ path: repository });
    const path = found(this.#personal, `${kind} `);
    return path === undefined ? undefined : reclaimMessages.heldPersonal({ path });
  }
}

async function kindOf(folder: string, look: Look, isNamed: boolean): Promise<OutputKind | undefined> {
  const inside = look.namesIn(folder);
  const beside = await readdir(dirname(folder)).catch((): string[] => []);
  const isTagged = inside.includes(cacheTag) && (await isCacheTag(join(folder, cacheTag)));
  return outputKind({ name: basename(folder), beside, inside, isTagged, isNamed });
}

async function isCacheTag(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return false;
  const handle = await open(file).catch(() => undefined);
  try {
    const { buffer } = (await handle?.read(Buffer.alloc(cacheTagText.length))) ?? {};
    return buffer?.toString() === cacheTagText;
  } catch {
    return false;
  } finally {
    await handle?.close();
  }
}

/** The folders that the team has named as build output, relative to the worktree, each with a slash at its end. */
async function foldersOfTeam(
  { configuration, git }: Workspace,
  { path }: Worktree,
  gitDir: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const { reclaim } = configuration;
  if (reclaim.length === 0) return [];
  const exclude = reclaim.flatMap((pattern) => ['--exclude', pattern]);
  const args = ['ls-files', '-z', '--others', '--ignored', '--directory', ...exclude];
  return (await git.nul(inTree({ path, gitDir }, ...args), { cwd: path, signal })).filter((each) => each.endsWith('/'));
}

/** Which of some folders hold files that git tracks. */
async function trackedIn(
  { git }: Workspace,
  path: string,
  gitDir: string,
  folders: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const found: string[] = [];
  // A command line holds only so much.
  for (let start = 0; start < folders.length; start += 200) {
    const some = folders.slice(start, start + 200);
    const args = ['--literal-pathspecs', 'ls-files', '-z', '--', ...some];
    const files = await git.nul(inTree({ path, gitDir }, ...args), { cwd: path, signal });
    found.push(...some.filter((folder) => files.some((file) => file.startsWith(folder))));
  }
  return found;
}

/** Why something ignored stays, whatever it is called. */
function stays(
  path: string,
  about: {
    readonly workspace: Workspace;
    readonly worktree: Worktree;
    readonly snapshot: Snapshot;
    readonly tracked: readonly string[];
    readonly mounts: readonly string[];
    /** The real path of the worktree. */
    readonly real: string;
  },
): Message | undefined {
  const { workspace, worktree, snapshot, tracked, mounts, real } = about;
  const own = rulesFor(workspace.configuration).map(({ beginning }) => beginning);
  if (own.some((beginning) => path.startsWith(beginning) || (path.endsWith('/') && beginning.startsWith(path))))
    return reclaimMessages.oursToKeep();
  if (!path.endsWith('/')) return undefined;
  const absolute = join(worktree.path, path);
  const other = snapshot.worktrees.find((each) => each !== worktree && isWithin(absolute, each.path));
  if (other) return reclaimMessages.heldWorktree({ name: other.name });
  if (mounts.some((place) => isWithin(join(real, path), place))) return reclaimMessages.heldMount();
  return tracked.includes(path) ? reclaimMessages.heldTracked() : undefined;
}

/** What new worktrees get a copy of is somebody's own, whatever it is called. */
function whyCopied(folder: string, copies: readonly string[]): Message | undefined {
  const path = copies.find((each) => each.startsWith(folder))?.slice(folder.length);
  return path === undefined ? undefined : reclaimMessages.heldCopied({ path });
}

/** When `HEAD` last moved, in milliseconds since 1970. */
async function lastCommit(gitDir: string): Promise<number> {
  const all = await Promise.all(
    ['HEAD', join('logs', 'HEAD')].map((file) => stat(join(gitDir, file)).catch(() => undefined)),
  );
  return Math.max(0, ...all.map((found) => found?.mtimeMs ?? 0));
}

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
