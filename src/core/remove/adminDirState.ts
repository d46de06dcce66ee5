import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readAdministration } from '../worktree/adminDir.ts';
import type { GitOperation } from '../worktree/model.ts';
import type { Message } from '../messages/message.ts';
import { removeMessages } from '../messages/remove.ts';

/** A commit that only a file or a private ref in a worktree's git directory names. */
export interface PrivateCommit {
  /** What it is, as a sentence part: "the changes that a rebase has set aside". */
  readonly what: Message;
  /** The last part of the name of its backup ref. */
  readonly name: string;
  readonly oid: string;
}

/** What git keeps beside a working tree, as far as a removal could lose it. */
export interface AdminDirState {
  /** Why it is locked; empty without a reason; `undefined` when it is not. */
  readonly lockReason: string | undefined;
  readonly operation: GitOperation | undefined;
  /** The branch that the operation took off `HEAD`. */
  readonly heldBranch: string | undefined;
  /** Another git command is writing the index right now, or has died doing so. */
  readonly indexLocked: boolean;
  /** There are repositories of submodules below `modules`. */
  readonly modules: boolean;
  /** There may be refs of the worktree's own: `refs/worktree`, `refs/bisect`, `refs/rewritten`. */
  readonly privateRefs: boolean;
  /** The text of `HEAD`: `ref: refs/heads/<branch>` or a commit's id. */
  readonly head: string;
  /** Commits that operations under way have on record. */
  readonly commits: readonly PrivateCommit[];
}

const pseudoRefs: readonly (readonly [file: string, name: string, what: Message])[] = [
  [join('rebase-merge', 'autostash'), 'autostash', removeMessages.stashedByRebase()],
  [join('rebase-apply', 'autostash'), 'autostash', removeMessages.stashedByRebase()],
  ['MERGE_AUTOSTASH', 'autostash', removeMessages.stashedByMerge()],
  ['MERGE_HEAD', 'merge-head', removeMessages.beingMerged()],
  ['CHERRY_PICK_HEAD', 'cherry-pick-head', removeMessages.beingCherryPicked()],
  ['REVERT_HEAD', 'revert-head', removeMessages.beingReverted()],
];

/** Reads the git directory of a worktree: one listing, and the few files that it calls for. */
export async function readAdminDirState(gitDir: string): Promise<AdminDirState> {
  const [names, administration, refs, lock, head] = await Promise.all([
    readdir(gitDir).catch((): string[] => []),
    readAdministration(gitDir),
    readdir(join(gitDir, 'refs')).catch((): string[] => []),
    textOf(join(gitDir, 'locked')),
    textOf(join(gitDir, 'HEAD')),
  ]);
  const there = new Set(names);
  return {
    lockReason: lock?.trim(),
    operation: administration.operation,
    heldBranch: administration.heldBranch,
    indexLocked: there.has('index.lock'),
    modules: there.has('modules'),
    // With the reftable format all refs of the worktree are in one file.
    privateRefs: there.has('reftable') || ['worktree', 'bisect', 'rewritten'].some((name) => refs.includes(name)),
    head: head?.trim() ?? '',
    commits: await readPseudoRefs(gitDir, there),
  };
}

/** The same, once git commands that are over in a moment have ended. */
export async function readSettledAdminDir(gitDir: string): Promise<AdminDirState> {
  let adminDir = await readAdminDirState(gitDir);
  for (let pause = 20; adminDir.indexLocked && pause < 300; pause *= 2) {
    await delay(pause);
    adminDir = await readAdminDirState(gitDir);
  }
  return adminDir;
}

async function readPseudoRefs(gitDir: string, there: ReadonlySet<string>): Promise<PrivateCommit[]> {
  const commits: PrivateCommit[] = [];
  for (const [file, name, what] of pseudoRefs) {
    if (!there.has(file.split(/[\\/]/)[0] ?? file)) continue;
    const text = (await textOf(join(gitDir, file))) ?? '';
    const oids: readonly string[] = text.match(/\b[0-9a-f]{40,64}\b/g) ?? [];
    oids.forEach((oid, index) => commits.push({ what, name: index === 0 ? name : `${name}-${index + 1}`, oid }));
  }
  return commits;
}

async function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
