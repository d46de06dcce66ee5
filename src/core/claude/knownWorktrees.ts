import { existsSync, lstatSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { readTextAtOnce } from '../base/plainFile.ts';
import { errorCode } from '../base/problem.ts';
import { plainSlugOf } from '../repository/plainSlug.ts';

/** Of a registry entry what hooks need. */
export interface KnownWorktree {
  readonly name: string;
  /** Git's own name of it; `undefined` in an entry that an older version wrote. */
  readonly id?: string | undefined;
  /** Where it was when the registry was written, an absolute path. */
  readonly path: string;
  readonly branch: string;
  readonly base: string;
  /** The number of its pull request, while that is not known to be merged or closed. */
  readonly pullRequest: number | undefined;
  /** Its work was merged, by what is recorded, as long as the branch is at this commit; empty where only the word is known. */
  readonly mergedAt?: string | undefined;
  /** Where it is in its life; `undefined` for an entry that does not say so. */
  readonly lifecycle: string | undefined;
}

/**
 * The worktrees that a repository's registry names, read without any library: a guard runs at every tool call.
 *
 * @returns `absent` where there is no registry: the repository does not use this product. `broken` where it cannot be read, and where
 *   something else is at its path or at that of its folder (a file, a link to a disk that is not mounted): it may well have one.
 */
export function readKnownWorktrees(mainRoot: string): readonly KnownWorktree[] | 'absent' | 'broken' {
  let text: string;
  try {
    text = readTextAtOnce(`${mainRoot}/.worktrees/stack.json`);
  } catch (thrown) {
    return errorCode(thrown) === 'ENOENT' && isAbsent(`${mainRoot}/.worktrees`) ? 'absent' : 'broken';
  }
  try {
    const { worktrees = {} } = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as {
      worktrees?: Record<string, Partial<Entry> | null>;
    };
    const known: KnownWorktree[] = [];
    for (const [name, entry] of Object.entries(worktrees)) {
      if (typeof entry?.path !== 'string') return 'broken';
      const { id, branch = '', base = '', pr, lifecycle, merged } = entry;
      const path = isAbsolute(entry.path) ? entry.path : join(mainRoot, entry.path);
      const state = typeof pr?.state === 'string' ? pr.state.toLowerCase() : '';
      const open = typeof pr?.number === 'number' && state !== 'merged' && state !== 'closed' ? pr.number : undefined;
      known.push({
        name,
        id: typeof id === 'string' ? id : undefined,
        path,
        branch,
        base,
        pullRequest: open,
        lifecycle,
        mergedAt: lifecycle === 'merged' ? String(merged?.head ?? '') : undefined,
      });
    }
    return known;
  } catch {
    return 'broken';
  }
}

/** Nothing is there, or a folder without a registry; a link that leads nowhere is there. */
function isAbsent(folder: string): boolean {
  try {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found === undefined) return true;
    if (found.isSymbolicLink() && !existsSync(folder)) return false;
    return lstatSync(`${folder}/stack.json`, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

interface Entry {
  readonly id: unknown;
  readonly path: string;
  readonly branch: string;
  readonly base: string;
  readonly pr: { readonly number?: unknown; readonly state?: unknown } | null;
  readonly lifecycle: string;
  readonly merged: { readonly head?: string } | null;
}

/** The prefix of the names of generated agents. */
export const agentPrefix = 'wt-';

/** What the agent of a worktree is called. */
export function agentNameOf(slug: string): string {
  return `${agentPrefix}${slug}`;
}

/**
 * The worktree that an agent or a team-mate is called after, with the prefix of generated agents or without. Generated agents are
 * called by the slug, which the folder shows best: two names may have one slug, and one's name may be the other's slug.
 */
export function worktreeCalled<T extends Pick<KnownWorktree, 'name' | 'path'>>(
  worktrees: readonly T[],
  agent: string,
): T | undefined {
  const words = agent.startsWith(agentPrefix) ? [agent.slice(agentPrefix.length), agent] : [agent];
  const ways: ((each: T, word: string) => boolean)[] = [
    (each, word) => basename(each.path) === word,
    (each, word) => basename(each.path).endsWith(word) && plainSlugOf(each.name) === word,
    (each, word) => each.name === word,
    (each, word) => plainSlugOf(each.name) === word,
    // A slug that would equal another one ends in a hash.
    (each, word) => /-[0-9a-f]{6}$/.test(word) && basename(each.path).endsWith(word),
  ];
  for (const word of words.filter((each) => each !== '')) {
    for (const way of ways) {
      const found = worktrees.find((each) => way(each, word));
      if (found) return found;
    }
  }
  return undefined;
}
