import { join } from 'node:path';
import { writeAtomically } from '../base/atomicFile.ts';
import { readJsonObject } from '../base/jsonText.ts';
import { Problem } from '../base/problem.ts';
import type { Repository } from '../repository/identity.ts';

/** The most results to keep for later runs: those of about 200 worktrees. */
const most = 20_000;

/**
 * The results of comparing two commits. Commits never change, and uncommitted files are compared as commits made of their trees, so a
 * result stays valid.
 */
export class PredictionCache {
  #known: Map<string, readonly string[]>;
  #changed = false;

  constructor(known: Iterable<[string, readonly string[]]> = []) {
    this.#known = new Map(known);
  }

  /** Reads what an earlier run has kept; nothing where that cannot be read. */
  static async load(repository: Repository): Promise<PredictionCache> {
    try {
      const value = await readJsonObject(fileOf(repository));
      const pairs = Object.entries(value ?? {}).filter((pair): pair is [string, string[]] => Array.isArray(pair[1]));
      return new PredictionCache(pairs);
    } catch (thrown) {
      if (!Problem.is(thrown)) throw thrown;
      return new PredictionCache();
    }
  }

  /** The files in conflict; `undefined` when the two were not compared yet. */
  get(one: string, other: string): readonly string[] | undefined {
    return this.#known.get(`${one} ${other}`);
  }

  set(one: string, other: string, files: readonly string[]): void {
    this.#known.set(`${one} ${other}`, files);
    this.#changed = true;
  }

  /** The commit that was made of a working tree in this state of its files. */
  commitOf(state: string): string | undefined {
    return this.#known.get(`state ${state}`)?.[0];
  }

  setCommit(state: string, commit: string): void {
    this.#known.set(`state ${state}`, [commit]);
    this.#changed = true;
  }

  /** Forgets the commits of working trees: no branch holds them, and git may have deleted them since. */
  forgetCommits(): void {
    for (const key of this.#known.keys()) if (key.startsWith('state ')) this.#changed = this.#known.delete(key);
  }

  /** Keeps it for later runs. Of two that are kept at once one is lost, and only costs time. */
  async keep(repository: Repository): Promise<void> {
    if (!this.#changed) return;
    this.#known = new Map([...this.#known].slice(-most));
    await writeAtomically(fileOf(repository), JSON.stringify(Object.fromEntries(this.#known)));
    this.#changed = false;
  }
}

// The number changes with the rules, since what other ones gave is no result.
const fileOf = ({ commonDir }: Repository): string => join(commonDir, 'worktree-stacks', 'predictions-2.json');
