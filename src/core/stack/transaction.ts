import { basename } from 'node:path';
import { Problem } from '../base/problem.ts';
import type { Conversation } from '../git/conversation.ts';
import { gitProblem } from '../git/gitError.ts';
import { lockProblem } from '../git/lockFile.ts';
import type { Workspace } from '../worktrees/workspace.ts';
import type { TreePlace } from './busy.ts';
import { followPlace } from './followPlace.ts';
import { backupRefs, type Move } from '../worktrees/operationLog.ts';

/**
 * Moves branches and the working trees that have them checked out, all of them or none: git holds the refs locked while the trees
 * follow, and commits only when each of them has. Whatever in a tree is not committed stays as it is. What the branches were at is kept
 * under `refs/wt-backup/<id>/`, in the same transaction.
 *
 * @param note for the reflogs.
 * @throws Problem `dirty` when a tree cannot follow, `in-use` when a branch has been moved by somebody else meanwhile: nothing has moved
 *   then.
 */
export async function moveTogether(
  workspace: Workspace,
  what: {
    /** Names the backups. */
    readonly id: string;
    readonly moves: readonly Move[];
    /** Branches that do not move yet, and what is to be kept of them. */
    readonly keep?: readonly Pick<Move, 'branch' | 'from'>[];
    readonly note: string;
  },
): Promise<void> {
  const { git, repository } = workspace;
  const kept = [...what.moves, ...(what.keep ?? [])];
  if (kept.length === 0) return;
  const args = [`--git-dir=${repository.commonDir}`, 'update-ref', '--create-reflog', '-m', what.note, '--stdin'];
  await git.converse(args, { cwd: repository.commonDir, writes: true }, async (talk) => {
    talk.say(commands(repository.commonDir, what.id, what.moves, kept));
    await heard(talk, 'start: ok');
    await heard(talk, 'prepare: ok');
    await followAll(workspace, what.moves);
    talk.say('commit\n');
    try {
      await heard(talk, 'commit: ok');
    } catch (thrown) {
      await followAll(workspace, what.moves.map(reversed));
      throw thrown;
    }
    const answer = await talk.end();
    if (answer.exitCode !== 0) throw gitProblem(['update-ref'], answer);
  });
}

/** The same move the other way round. */
export const reversed = (move: Move): Move => ({ ...move, from: move.to, to: move.from });

/**
 * Lets the working trees of a move follow it. Where they have followed already nothing happens.
 *
 * @param together other trees follow at the same time.
 * @throws Problem `dirty` when one cannot.
 */
export async function follow(workspace: Workspace, move: Move, together = false): Promise<void> {
  for (const place of move.worktrees) {
    const answer = await followPlace(workspace, place, { ...move, together });
    if (answer.exitCode === 0) continue;
    throw new Problem('dirty', `${place.path} could not follow ${move.branch}, so nothing was moved.`, {
      next: `commit what is in the way there, or move it away, then run the same again`,
      items: answer.stderr.trim().split('\n').slice(0, 20),
      outcome: 'incomplete',
    });
  }
}

/** When one tree cannot follow, those that have are led back. */
async function followAll(workspace: Workspace, moves: readonly Move[]): Promise<void> {
  const many = moves.length >= 4;
  const done = await Promise.allSettled(moves.map((move) => follow(workspace, move, many)));
  const failed = done.find((each) => each.status === 'rejected');
  if (!failed) return;
  await Promise.all(moves.map((move) => follow(workspace, reversed(move)).catch(() => undefined)));
  throw failed.reason;
}

function commands(
  commonDir: string,
  id: string,
  moves: readonly Move[],
  kept: readonly Pick<Move, 'branch' | 'from'>[],
): string {
  const lines = [
    ...kept.map(({ branch, from }) => `update ${backupRefs(id)}/${branch} ${from}`),
    ...moves.map(({ branch, from, to }) => `update refs/heads/${branch} ${to} ${from}`),
    ...moves.flatMap(({ worktrees, from }) => worktrees.map((place) => `update ${origHead(commonDir, place)} ${from}`)),
  ];
  return `start\n${lines.join('\n')}\nprepare\n`;
}

/** The name under which the common repository knows a working tree's own `ORIG_HEAD`. */
function origHead(commonDir: string, { gitDir }: TreePlace): string {
  return gitDir === commonDir ? 'ORIG_HEAD' : `worktrees/${basename(gitDir)}/ORIG_HEAD`;
}

async function heard(talk: Conversation, expected: string): Promise<void> {
  const line = await talk.line();
  if (line === expected) return;
  const { stderr } = await talk.end();
  const locked = lockProblem(stderr);
  if (locked) throw locked;
  const branch = /cannot lock ref 'refs\/heads\/(.+?)'/.exec(stderr)?.[1];
  throw new Problem(
    'in-use',
    branch === undefined
      ? 'Git could not move the branches; none was moved.'
      : `${branch} was moved meanwhile, so nothing was moved.`,
    { next: 'run the same again', items: stderr.trim().split('\n').slice(0, 10), outcome: 'incomplete' },
  );
}
