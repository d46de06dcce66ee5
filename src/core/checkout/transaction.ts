import { basename } from 'node:path';
import { Problem } from '../base/problem.ts';
import { asProblem } from '../base/systemFailure.ts';
import type { Conversation } from '../git/conversation.ts';
import { gitProblem } from '../git/gitError.ts';
import { ageOfLock, ageWords, oldLock } from '../git/lockFile.ts';
import { quoted } from '../base/quoted.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Checkout } from './checkout.ts';
import { notRestoredProblem } from './followProblem.ts';
import { followTogether, type FollowedCheckouts } from './followTogether.ts';
import { Unsettled } from './unsettled.ts';
import { backupRefs, type Move } from '../operations/operation.ts';
import { checkoutMessages } from '../messages/checkout.ts';

/**
 * Moves branches and the working trees that have them checked out, all of them or none: git holds the refs locked while the trees
 * follow, and commits only when each of them has. Whatever in a tree is not committed stays as it is. The former tips are kept
 * under `refs/wt-backup/<id>/`, in the same transaction.
 *
 * @param note for the reflogs.
 * @throws Problem as {@link followTogether}, `in-use` when a branch was moved by another process meanwhile: nothing has moved then.
 * @throws Unsettled when only some branches have moved, or a worktree could not be rolled back.
 */
export async function moveTogether(
  workspace: Workspace,
  what: {
    /** Names the backups. */
    readonly id: string;
    readonly moves: readonly Move[];
    /** Branches that do not move yet, but get a backup. */
    readonly keep?: readonly Pick<Move, 'branch' | 'from'>[];
    readonly note: string;
  },
): Promise<void> {
  const { git, repository } = workspace;
  const kept = [...what.moves, ...(what.keep ?? [])];
  if (kept.length === 0) return;
  const args = ['update-ref', '--create-reflog', '-m', what.note, '--stdin'];
  await git.in(repository.commonDir).converse(args, { writes: true }, async (talk) => {
    talk.say(commands(repository.commonDir, what.id, what.moves, kept));
    await expectReply(talk, 'start: ok');
    await expectReply(talk, 'prepare: ok');
    const followed = await followTogether(workspace, what.moves);
    talk.say('commit\n');
    try {
      await expectReply(talk, 'commit: ok');
      const answer = await talk.end();
      if (answer.exitCode !== 0) throw gitProblem(['update-ref'], answer);
    } catch (thrown) {
      await settleRefs(workspace, what.moves, followed, thrown);
    }
    await followed.drop();
  });
}

/**
 * Git did not say that it has moved the branches. What they are at now tells: it renames one file after the other, and the disk may have
 * refused one of them.
 *
 * @throws what was thrown, unless all branches have moved.
 */
async function settleRefs(
  workspace: Workspace,
  moves: readonly Move[],
  followed: FollowedCheckouts,
  thrown: unknown,
): Promise<void> {
  const { git, repository } = workspace;
  const tips = await tipsNow(workspace, moves);
  const moved = moves.filter(({ branch, to }) => tips.get(branch) === to);
  if (moves.length > 0 && moved.length === moves.length) return;
  if (moved.length > 0) {
    const lines = moved.map(({ branch, from, to }) => `update refs/heads/${branch} ${from} ${to}\n`);
    const args = ['update-ref', '-m', 'wt: rolled back', '--stdin'];
    await git.in(repository.commonDir).run(args, { writes: true, input: lines.join('') });
    const now = await tipsNow(workspace, moves);
    // Recovery completes what cannot be rolled back.
    if (moves.some(({ branch, to }) => now.get(branch) === to)) throw Unsettled.halfMoved(thrown);
  }
  const left = await followed.restore();
  if (left.length === 0) throw thrown;
  const problem = notRestoredProblem(asProblem(thrown), left);
  throw left.some(({ again }) => again) ? Unsettled.of(problem) : problem;
}

/** The current tips of the branches of some moves, by name; those that do not exist are left out. */
export async function tipsNow(
  { git, repository }: Workspace,
  moves: readonly Pick<Move, 'branch'>[],
): Promise<Map<string, string>> {
  if (moves.length === 0) return new Map();
  const names = moves.map(({ branch }) => `refs/heads/${branch}`);
  return new Map(await git.in(repository.commonDir).refs(['refname:strip=2', 'objectname'], names));
}

/** The same move the other way round. */
export const reversed = (move: Move): Move => ({ ...move, from: move.to, to: move.from });

function commands(
  commonDir: string,
  id: string,
  moves: readonly Move[],
  kept: readonly Pick<Move, 'branch' | 'from'>[],
): string {
  const lines = [
    ...kept.map(({ branch, from }) => `update ${backupRefs(id)}/${branch} ${from}`),
    ...moves.map(({ branch, from, to }) => `update refs/heads/${branch} ${to} ${from}`),
    ...moves.flatMap(({ worktrees, from }) =>
      worktrees.map((checkout) => `update ${origHead(commonDir, checkout)} ${from}`),
    ),
  ];
  return `start\n${lines.join('\n')}\nprepare\n`;
}

/** The name under which the common repository knows a working tree's own `ORIG_HEAD`. */
function origHead(commonDir: string, { gitDir }: Checkout): string {
  return gitDir === commonDir ? 'ORIG_HEAD' : `worktrees/${basename(gitDir)}/ORIG_HEAD`;
}

async function expectReply(talk: Conversation, expected: string): Promise<void> {
  const line = await talk.line();
  if (line === expected) return;
  const { stderr } = await talk.end();
  const branch = /cannot lock ref 'refs\/heads\/(.+?)'/.exec(stderr)?.[1];
  const lock = /Unable to create '([^']+\.lock)': File exists/.exec(stderr)?.[1];
  if (lock !== undefined) {
    const what =
      branch === undefined ? checkoutMessages.couldNotMoveBranches() : checkoutMessages.couldNotMoveBranch({ branch });
    const age = ageOfLock(lock);
    const old = age === undefined || age < oldLock ? '' : checkoutMessages.oldAge({ age: ageWords(age) });
    throw new Problem('locked-by-another', checkoutMessages.becauseNoneMoved({ what, lock, old }), {
      file: lock,
      next: checkoutMessages.noGitCommand({ lock: quoted(lock) }),
      outcome: 'incomplete',
    });
  }
  throw new Problem(
    'in-use',
    branch === undefined ? checkoutMessages.branchesNotMoved() : checkoutMessages.movedMeanwhileNothing({ branch }),
    { next: checkoutMessages.again(), items: stderr.trim().split('\n').slice(0, 10), outcome: 'incomplete' },
  );
}
