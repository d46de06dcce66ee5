import { messageOf } from '../../core/base/problem.ts';
import type { Snapshot } from '../../core/worktree/model.ts';
import { mustFollow, type LocalBranches } from '../../core/relocation/moves.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';

/** Brings what is written down of moved worktrees up to date, once for each situation: what could not be written is not tried at every refresh. */
export class MoveFollower {
  #last = '';

  /** Never fails; failures are logged. */
  async follow(workspace: Workspace, snapshot: Snapshot, branches: LocalBranches | undefined): Promise<void> {
    if (!mustFollow(snapshot, branches)) return;
    const situation = situationOf(snapshot);
    if (situation === this.#last) return;
    this.#last = situation;
    const { log } = workspace.environment;
    try {
      // Almost never needed, so it is not loaded with the extension.
      const { followMoves } = await import('../../core/relocation/followMoves.ts');
      const { entries, problems } = await followMoves(workspace, snapshot, { branches });
      if (entries.length > 0) log.info(`Followed worktrees that were moved: ${entries.join(', ')}.`);
      for (const problem of problems) log.warn(messageOf(problem));
    } catch (thrown) {
      log.warn(`Worktrees that were moved could not be followed: ${messageOf(thrown)}`);
    }
  }
}

function situationOf({ worktrees, active }: Snapshot): string {
  const places = worktrees.map(({ id, path, branch, condition, entry }) => [
    ...[id, path, branch, condition],
    ...[entry?.id, entry?.path, entry?.branch],
  ]);
  return JSON.stringify([places, active?.path]);
}
