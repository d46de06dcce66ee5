import { sep } from 'node:path';
import { isWithin } from '../base/paths.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Changes, Distance } from '../worktree/model.ts';
import type { CachedListing, WatchVersion } from './cachedListing.ts';

/** A status that was read, and what the files that git keeps beside the working tree looked like then. */
interface CachedStatus {
  readonly changes: Changes;
  readonly fingerprint: string;
}

/** A working tree that somebody watches. */
interface Watched {
  /** How many watchers there are. */
  watchers: number;
  version: WatchVersion;
  /** Grows with every invalidation, so that a status that was being read meanwhile is not kept. */
  generation: number;
  known: CachedStatus | undefined;
}

/**
 * The results of earlier snapshots of one repository, so that the next one asks git only for what may have changed. Whoever has one also
 * watches the files: the status of a working tree is served again only while that tree is watched ({@link watch}), no change in it was
 * reported ({@link invalidate}), and git's index, commit and ignore files are unchanged. Unwatched trees are never served from the cache.
 *
 * The list of worktrees and branches is served while git's files have the same fingerprints and no change of them was reported
 * ({@link invalidateList}); the product's own files are read each time.
 */
export class SnapshotCache {
  /** @internal The trees of commits, which never change but where somebody replaces an object. */
  readonly trees = new Map<string, string>();
  readonly #watched = new Map<string, Watched>();
  #distances = new Map<string, Distance>();
  #listing: CachedListing | undefined;
  /** Grows with every invalidation of the list, so that one that was being read meanwhile is not kept. */
  #generation = 0;

  /**
   * Says that from now on every change of a file below a worktree's root will be told by {@link invalidate}.
   *
   * @param root the worktree's path as snapshots give it.
   * @returns lets go of it: nothing known of that tree is served any more.
   */
  watch(root: string): Disposable {
    const watched = this.#watched.get(root) ?? { watchers: 0, version: {}, generation: 0, known: undefined };
    watched.watchers++;
    this.#watched.set(root, watched);
    let ended = false;
    return {
      dispose: () => {
        if (ended) return;
        ended = true;
        watched.watchers--;
        if (watched.watchers === 0) this.#watched.delete(root);
      },
    };
  }

  /**
   * Forgets the status of the innermost watched worktree that holds a path, or without a path everything.
   * Worktrees nest: a file of `.worktrees/x` is no file of the main working tree. Those below the path may have gone with it.
   */
  invalidate(path?: string): void {
    if (path === undefined) {
      for (const watched of this.#watched.values()) forget(watched);
      this.trees.clear();
      this.invalidateList();
      return;
    }
    let holder: [root: string, watched: Watched] | undefined;
    for (const entry of this.#watched) {
      const [root] = entry;
      // Of two that are neither a beginning of the other, as nearly all are, nothing more needs to be asked.
      if (root.length <= path.length ? !isBeginning(root, path) : !isBeginning(path, root)) continue;
      if (isWithin(root, path) && (!holder || root.length > holder[0].length)) holder = entry;
      else if (isWithin(path, root)) entry[1].version = {};
    }
    if (holder) forget(holder[1]);
  }

  /** Forgets which worktrees and branches there are, and in what state git has them. */
  invalidateList(): void {
    this.#generation++;
    this.#listing = undefined;
  }

  /** @internal What the latest list was read from; it is to be proved that it still holds. */
  get cachedListing(): CachedListing | undefined {
    return this.#listing;
  }

  /** @internal To be called before a list is read; what it gives keeps the list unless something was reported meanwhile. */
  listing(): (listing: CachedListing) => void {
    const generation = this.#generation;
    return (listing) => {
      if (this.#generation === generation) this.#listing = listing;
    };
  }

  /** @internal The versions of all watched trees. */
  versions(): Map<string, WatchVersion> {
    return new Map([...this.#watched].map(([root, { version }]) => [root, version]));
  }

  /** @internal The status that was read last, unless a watcher has spoken since: for those who know git's own files to be as then. */
  latest(root: string): Changes | undefined {
    return this.#watched.get(root)?.known?.changes;
  }

  /** @internal The status that still holds, given the fingerprint that the tree has now; one with another fingerprint is forgotten. */
  known(root: string, fingerprint: string): Changes | undefined {
    const watched = this.#watched.get(root);
    if (watched?.known && watched.known.fingerprint !== fingerprint) watched.known = undefined;
    return watched?.known?.changes;
  }

  /** @internal To be called before a status is read; what it gives keeps the status unless something changed meanwhile. */
  reading(root: string, fingerprint: string): (changes: Changes) => void {
    const watched = this.#watched.get(root);
    const generation = watched?.generation;
    return (changes) => {
      if (watched && watched.generation === generation) watched.known = { changes, fingerprint };
    };
  }

  /** @internal How far two commits are apart never changes, so this needs no watcher. */
  distance(pair: string): Distance | undefined {
    return this.#distances.get(pair);
  }

  /** @internal Replaces the distances by those that the latest snapshot needed, so that they do not pile up. */
  keepDistances(distances: Map<string, Distance>): void {
    this.#distances = distances;
  }
}

/** Whether a path may lie below a shorter one, which holds for any that differ only in case or accents, as some disks have it. */
function isBeginning(short: string, long: string): boolean {
  if (long.startsWith(short)) return true;
  if (/[^\x20-\x7e]/.test(short)) return true;
  const ends = long.length === short.length || long[short.length] === sep;
  return ends && long.slice(0, short.length).toLowerCase() === short.toLowerCase();
}

function forget(watched: Watched): void {
  watched.generation++;
  watched.version = {};
  watched.known = undefined;
}
