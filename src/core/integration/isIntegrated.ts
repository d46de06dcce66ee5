import type { Message } from '../messages/message.ts';
import { Problem } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import { CommitQueries } from './commitQueries.ts';
import { resolvedAt } from './resolvedAt.ts';
import { integrationMessages } from '../messages/integration.ts';

/**
 * How the work of a branch got into a base: `ancestor`: its last commit is in it, which is also so for a branch without commits
 * of its own; `patches`: each of its commits is in it by content (a rebase merge); `squash`: all of them together are one commit
 * of it; `content`: merging it would add nothing, now or at some commit since, or a reported merge commit resolved the lines
 * that both changed.
 */
export type IntegrationKind = 'ancestor' | 'patches' | 'squash' | 'content';

/** The answer to the question whether the work of a branch is in a base. */
export type Integration =
  | {
      readonly state: 'yes';
      readonly how: IntegrationKind;
      /** A commit in the history of the base that holds the work: what proves it. */
      readonly commit: string;
    }
  | {
      readonly state: 'no';
      /** It was there once, and was reverted, at least partly. */
      readonly reverted?: RevertedWork | undefined;
    }
  | {
      readonly state: 'unknown';
      /** Why, as a sentence. */
      readonly why: Message;
    };

/** Work that a base had once and does not have now. */
export interface RevertedWork {
  /** The commit that had it. */
  readonly commit: string;
  /** The files in which something of it is missing now. */
  readonly files: readonly string[];
}

/** Reported merges: commits to check first, which prove nothing by themselves. Commits that are not here are ignored. */
export interface MergeHints {
  /** Commits that may have been merged instead of the branch's last one, such as the head of a pull request. */
  readonly heads?: readonly (string | undefined)[] | undefined;
  /** Commits of the base that may have brought the work there. */
  readonly commits?: readonly (string | undefined)[] | undefined;
}

/** A branch and a base. */
export interface IntegrationQuestion {
  /** The branch, or anything else that names a commit. */
  readonly branch: string;
  /** Likewise; a remote's branch is `origin/main`. */
  readonly into: string;
  /** The commit before the branch's first own one, if it is based on another branch, whose commits need not be in the base. */
  readonly since?: string | undefined;
  readonly hints?: MergeHints | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Whether the work of a branch is in a base now, proven by local commits, patches or content: fetch before to know about a remote. Work
 * that the branch undid itself is in no base. Work that the base had and reverted is not in it: a revert, or a file that it deleted later;
 * lines that it has changed since count as integrated.
 *
 * @throws Problem `not-found` when one of the two does not exist, `cancelled`.
 */
export async function isIntegrated(
  git: Git,
  commonDir: string,
  { branch, into, since: began, hints = {}, signal }: IntegrationQuestion,
): Promise<Integration> {
  const queries = new CommitQueries(git, commonDir, signal);
  const [tip, target] = await queries.commits(branch, into);
  try {
    // After a rebase by hand the recorded start is meaningless.
    const since = began !== undefined && (await queries.isAncestor(began, tip)) ? began : undefined;
    const answer = await decide(queries, { tip, target, since, hints });
    if (answer.state !== 'no' || answer.reverted) return answer;
    return (await throughHead(queries, { tip, target, since, hints })) ?? answer;
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return { state: 'unknown', why: thrown.what };
  }
}

interface Comparison {
  readonly tip: string;
  readonly target: string;
  readonly since: string | undefined;
  readonly hints: MergeHints;
}

async function decide(queries: CommitQueries, { tip, target, since, hints }: Comparison): Promise<Integration> {
  if (await queries.isAncestor(tip, target)) return decideAncestor(queries, tip, target, since);
  const [base, merges] = await Promise.all([
    since ?? queries.mergeBase(tip, target),
    queries.hasMerges(target, tip, since),
  ]);
  if (base === undefined) {
    if (await queries.isShallow()) return { state: 'unknown', why: integrationMessages.historyHereCut() };
    return { state: 'no' };
  }
  const yes = async (how: IntegrationKind, commit: string | undefined): Promise<Integration> => {
    const proof = commit ?? target;
    // What trunk has that was merged into the branch is not the branch's own.
    const from = merges && since !== undefined ? ((await queries.mergeBase(tip, target)) ?? base) : base;
    const files = proof === target ? [] : await queries.missingFrom(from, tip, target);
    if (files.length === 0) return { state: 'yes', how, commit: proof };
    return { state: 'no', reverted: { commit: proof, files } };
  };
  // A merge may hold the solution of a conflict, which comparing the other commits does not see.
  const picked = merges ? undefined : await queries.picked(target, tip, since);
  if (picked !== undefined) return yes('patches', picked);
  const own = await queries.describe(base, tip);
  if (own.same) return merges ? yes('content', undefined) : { state: 'no' };
  const squash = await queries.picked(target, await queries.squashed(base, own.tree));
  if (squash !== undefined) return yes('squash', squash);
  const left = since === undefined ? base : await queries.mergeBase(tip, target);
  const held = left === undefined ? undefined : await queries.heldAt(left, tip, target, hints.commits ?? []);
  if (held !== undefined) return yes('content', held);
  const edited = await resolvedAt(queries, merges ? (left ?? base) : base, tip, target, hints.commits ?? []);
  return edited === undefined ? { state: 'no' } : yes('content', edited);
}

/** The commits of the branch are in the base; only a revert can have removed their work. */
async function decideAncestor(
  queries: CommitQueries,
  tip: string,
  target: string,
  since: string | undefined,
): Promise<Integration> {
  const yes: Integration = { state: 'yes', how: 'ancestor', commit: tip };
  if (tip === target || tip === since) return yes;
  const plain = since !== undefined && !(await queries.hasMerges(since, tip));
  const from = plain ? since : await queries.mergedFrom(tip, target);
  if (from === undefined || from === tip) return yes;
  const files = await queries.missingFrom(from, tip, target);
  return files.length === 0 ? yes : { state: 'no', reverted: { commit: tip, files } };
}

/** Checks another commit with all of the branch's work, such as the head of a pull request, instead of the branch. */
async function throughHead(
  queries: CommitQueries,
  { tip, target, since, hints }: Comparison,
): Promise<Integration | undefined> {
  const heads = new Set((hints.heads ?? []).flatMap((head) => (head === undefined || head === tip ? [] : [head])));
  for (const head of await queries.existing(heads)) {
    const merges = await queries.hasMerges(head, tip, since);
    const has =
      (await queries.isAncestor(tip, head)) || (!merges && (await queries.picked(head, tip, since)) !== undefined);
    if (!has) continue;
    const from = since !== undefined && (await queries.isAncestor(since, head)) ? since : undefined;
    const answer = await decide(queries, { tip: head, target, since: from, hints });
    if (answer.state !== 'no' || answer.reverted) return answer;
  }
  return undefined;
}
