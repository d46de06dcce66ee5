import type { Git } from '../../git/git.ts';
import type { Repository } from '../../repository/identity.ts';
import { fieldsOf } from '../../git/repositoryGit.ts';

/** What became of a commit that was pushed and is not part of its branch any more. */
export interface PushedHistory {
  /** All that the remote has was here, or has the same changes as something that is here. */
  readonly incorporated: boolean;
  /** The branch was rebased since; otherwise it was amended or reset. */
  readonly rebased: boolean;
  /** Commits of the remote that are not here in any form, as lines for a person. */
  readonly foreign: readonly string[];
}

/**
 * Notes in a branch's reflog of what moves it onto another base: git's rebase, also as a part of a pull (`pull --rebase origin main
 * (finish): …`, or only `pull (finish): …` where settings want the rebase), and operations on stacks.
 */
const rebaseNote = /^(?:rebase\b|pull\b.*\(finish\): |wt: )/;

/**
 * Finds out how a branch came to part from what the remote has of it. The reflog tells: the commit was the branch's tip once, and what
 * followed. Reflogs expire, can be off, and are gone after a new clone; so a recorded base that the branch contains and the pushed commit
 * does not says the same, and without both commits are compared by what they change.
 *
 * @param options.pushedByUs the remote has exactly what was pushed last.
 * @param options.baseCommit the commit that the registry has as the base of the branch.
 */
export async function pushedHistory(
  git: Git,
  { commonDir }: Repository,
  branch: string,
  tips: { readonly local: string; readonly remote: string },
  options: {
    readonly pushedByUs: boolean;
    readonly baseCommit: string | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<PushedHistory> {
  const at = { signal: options.signal };
  const both = `${tips.local}...${tips.remote}`;
  const foreign = ['log', '--right-only', '--cherry-pick', '--max-count=20', '--format=%h %s (%an)', both];
  const holds = async (tip: string): Promise<boolean> =>
    options.baseCommit !== undefined && (await git.in(commonDir).isAncestor(options.baseCommit, tip, at));
  const [reflog, others, baseHere, baseThere] = await Promise.all([
    git.in(commonDir).run(['log', '-g', '-z', '--format=%H %gs', `refs/heads/${branch}`, '--'], at),
    git.in(commonDir).text(foreign, at),
    holds(tips.local),
    holds(tips.remote),
  ]);
  const moves = reflog.exitCode === 0 ? fieldsOf(reflog.stdout) : [];
  const place = moves.findIndex((entry) => entry.startsWith(`${tips.remote} `));
  const lines = others.split('\n').filter((line) => line !== '');
  const since = place < 0 ? [] : moves.slice(0, place).map((entry) => entry.slice(entry.indexOf(' ') + 1));
  return {
    incorporated: options.pushedByUs || place >= 0 || lines.length === 0,
    rebased:
      since.some((note) => rebaseNote.test(note)) || (baseHere && !baseThere) || (place < 0 && lines.length === 0),
    foreign: lines,
  };
}

/** The tip that a branch's last rebase left, as its reflog tells; `undefined` when it does not. */
export async function lastRebasedTip(
  git: Git,
  { commonDir }: Repository,
  branch: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const args = ['log', '-g', '-z', '--format=%H %gs', `refs/heads/${branch}`, '--'];
  const answer = await git.in(commonDir).run(args, { signal });
  if (answer.exitCode !== 0) return undefined;
  const entries = fieldsOf(answer.stdout).map((entry) => [entry.slice(0, entry.indexOf(' ')), entry] as const);
  return entries.find(([oid, entry]) => rebaseNote.test(entry.slice(oid.length + 1)))?.[0];
}
