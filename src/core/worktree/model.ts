import type { Problem } from '../base/problem.ts';
import type { Repository } from '../repository/identity.ts';
import type { PortBlock } from '../repository/portBlock.ts';
import type { RegistryEntry } from '../repository/registry.ts';
import type { ActiveWorktree } from '../repository/stateFile.ts';
import type { WorktreeUrl } from './urls.ts';
import type { Message } from '../messages/message.ts';

/** A git operation that has been begun in a worktree and not ended. */
export type GitOperation = 'rebase' | 'am' | 'merge' | 'cherry-pick' | 'revert' | 'bisect';

/**
 * What there is where the worktree should be: `fine`; `moved`: its folder, whose `.git` names git's admin directory of it at a place that
 * is gone, so that git works in it only after `git worktree repair <path>`; `missing`: no folder; `empty`: a folder without a `.git`;
 * `broken`: a `.git` that leads nowhere; `foreign`: the working tree of another repository or of another worktree.
 */
export type Condition = 'fine' | 'moved' | 'missing' | 'empty' | 'broken' | 'foreign';

/** How many paths differ from the last commit, by kind; a path counts once in each kind that it is. */
export interface Changes {
  /** All paths. */
  readonly total: number;
  readonly staged: number;
  readonly unstaged: number;
  readonly untracked: number;
  readonly conflicts: number;
  /** Submodules with changes of their own, tracked or untracked. */
  readonly submodules: number;
}

/** How far two branches are apart, in commits. */
export interface Distance {
  readonly ahead: number;
  readonly behind: number;
}

/** The base of a worktree's branch. */
export interface Base {
  readonly branch: string;
  /** Recorded in the registry; otherwise the trunk is assumed. */
  readonly recorded: boolean;
  /** There is such a branch, here or on the remote. */
  readonly exists: boolean;
  /** Commits on the branch that are not on its base, and the other way round; `undefined` when unknown. */
  readonly distance: Distance | undefined;
}

/** One working tree of a repository, linked or main, as git, the disk and the registry together describe it. */
export interface Worktree {
  /** What the user typed for it; for one made by another tool the name of its folder; for the main working tree its branch. */
  readonly name: string;
  readonly slug: string;
  /** The name of git's admin directory, which the worktree is known by; `undefined` for the main working tree. */
  readonly id: string | undefined;
  /**
   * The absolute path where the folder was found; below or beside a main root that was reached through a link, spelled through that
   * link as well.
   */
  readonly path: string;
  readonly main: boolean;
  readonly bare: boolean;
  /** The branch, also while a rebase of it is under way; `undefined` when detached. */
  readonly branch: string | undefined;
  /** The commit that is checked out; `undefined` before the first one. */
  readonly head: string | undefined;
  /** `undefined` for the main working tree, for the trunk itself, and when detached. */
  readonly base: Base | undefined;
  readonly upstream:
    { readonly name: string; readonly gone: boolean; readonly distance: Distance | undefined } | undefined;
  /** `undefined` while not known, and when there is no working tree to look at. */
  readonly changes: Changes | undefined;
  readonly operation: GitOperation | undefined;
  readonly condition: Condition;
  /** Git works in the folder, but has another path on record: it was moved by hand, or the whole repository was. */
  readonly staleLink: boolean;
  /** Why it is locked; empty when no reason was given; `undefined` when it is not. */
  readonly lockReason: string | undefined;
  /** It has a sparse checkout: only some of its files are to be there. */
  readonly sparse: boolean;
  readonly active: boolean;
  /** Other worktrees that have the same branch checked out. */
  readonly sharesBranchWith: readonly string[];
  /** The last commit's time, in seconds since 1970, and the first line of its message. */
  readonly lastCommit: { readonly time: number; readonly subject: string } | undefined;
  /** The git directory of this worktree; `undefined` when git's record of it cannot be found. */
  readonly gitDir: string | undefined;
  readonly entry: RegistryEntry | undefined;
  /** The ports that it has on record, as far as they hold under the settings of today. */
  readonly ports: PortBlock | undefined;
  /** What runs in it, by the addresses that the team has configured. */
  readonly urls: readonly WorktreeUrl[];
  /** Why its state could not be read, when that is so. */
  readonly trouble: string | undefined;
}

/** Everything there is to know of a repository's worktrees at one moment. Never changes; the next moment is a new one. */
export interface Snapshot {
  readonly repository: Repository;
  /** The trunk, which stacks are based on. */
  readonly trunk: string | undefined;
  /** The main working tree first, then the others in git's order. */
  readonly worktrees: readonly Worktree[];
  readonly active: ActiveWorktree | undefined;
  /** Files that could not be read. What could be read is in the snapshot all the same. */
  readonly problems: readonly Problem[];
}

/**
 * Tells what a long operation does now, such as "Copying 3 ignored files". `undefined`: another program may be asking for something, so
 * nothing is to be drawn over that.
 */
export type Progress = (step: Message | undefined) => void;
