import { Problem } from '../base/problem.ts';
import { tipsNow } from '../checkout/transaction.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { History } from '../stack/history.ts';
import { lostFiles } from './keepContent.ts';
import type { BranchPlan } from './plan.ts';
import { restackMessages } from '../messages/restack.ts';

/**
 * Checks that everything is as planned: each branch at its new commit, on its new base, with as many own commits, and with the same
 * difference to its base.
 *
 * @throws Problem `git-failed` that names the others; it can be undone.
 */
export async function verify(workspace: Workspace, plans: readonly BranchPlan[]): Promise<void> {
  const { git, repository } = workspace;
  const moved = plans.filter(({ outcome, onto }) => outcome === 'moves' && onto !== undefined);
  if (moved.length === 0) return;
  const tips = await tipsNow(workspace, moved);
  const tipOf = (branch: string): string => tips.get(branch) ?? '';
  const oids = moved.flatMap(({ branch, to, onto = to }) => [to, onto, tipOf(branch)]);
  const history = await History.read(git, repository.commonDir, oids);
  const shown = moved.map(({ branch, from, shownSince = from, to, onto = to }) => ({
    ...{ since: shownSince, from, onto, to: tipOf(branch) || to },
  }));
  const lost = await lostFiles(git, repository.commonDir, shown);
  const wrong = moved.filter(({ branch, to, onto = to, commits }, index) => {
    const stands = history.isAncestor(onto, to) && history.own(to, [onto]).length === commits;
    // It may have got a commit in the meantime.
    return !stands || !history.isAncestor(to, tipOf(branch)) || (lost[index] ?? []).length > 0;
  });
  if (wrong.length === 0) return;
  throw new Problem('git-failed', restackMessages.notAsPlanned({ wrong: wrong.map(({ name }) => name).join(', ') }), {
    next: restackMessages.undoRollsBack(),
  });
}
