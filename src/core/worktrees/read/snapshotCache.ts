import { isWithin } from '../../base/paths.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Changes, Distance } from '../model.ts';

/** A status that was read, and what the files that git keeps beside the working tree looked like then. */
interface Known {
  readonly changes: Changes;
  readonly stamp: string;
}

/** A working tree that somebody watches. */
interface Watched {
  /** How many watchers there are. */
  watchers: number;
  /** Grows with every invalidation, so that a status that was being read meanwhile is not kept. */
  generation: number;
  known: Known | undefined;
}

/**
 * What earlier snapshots of one repository found out, so that the next one asks git only for what may have changed. Whoever
 * keeps one also watches the files: the status of a working tree is served again only while that tree is watched
 * ({@link watch}), nothing in it was reported ({@link invalidate}), and git's index, commit and ignore files are as they were.
 * Without a watcher's word nothing is ever served.
 */
export class SnapshotCache {
  readonly #watched = new Map<string, Watched>();
  #distances = new Map<string, Distance>();

  /**
   * Says that from now on every change of a file below a worktree's root will be told by {@link invalidate}.
   *
   * @param root the worktree's path as snapshots give it.
   * @returns lets go of it: nothing known of that tree is served any more.
   */
  watch(root: string): Disposable {
    const watched = this.#watched.get(root) ?? { watchers: 0, generation: 0, known: undefined };
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
   * Forgets the status of the innermost watched worktree that holds a path, or without a path that of every worktree.
   * Worktrees nest: a file of `.worktrees/x` is no file of the main working tree.
   */
  invalidate(path?: string): void {
    if (path === undefined) {
      for (const watched of this.#watched.values()) forget(watched);
      return;
    }
    let holder: [root: string, watched: Watched] | undefined;
    for (const entry of this.#watched) {
      if (isWithin(entry[0], path) && (!holder || entry[0].length > holder[0].length)) holder = entry;
    }
    if (holder) forget(holder[1]);
  }

  /** @internal The status that still holds, given the stamp that the tree has now. */
  known(root: string, stamp: string): Changes | undefined {
    const known = this.#watched.get(root)?.known;
    return known?.stamp === stamp ? known.changes : undefined;
  }

  /** @internal To be called before a status is read; what it gives keeps the status unless something changed meanwhile. */
  reading(root: string, stamp: string): (changes: Changes) => void {
    const watched = this.#watched.get(root);
    const generation = watched?.generation;
    return (changes) => {
      if (watched && watched.generation === generation) watched.known = { changes, stamp };
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

function forget(watched: Watched): void {
  watched.generation++;
  watched.known = undefined;
}
