import { l10n } from 'vscode';
import type { BranchPlan, RestackPlan } from '../../core/restack/plan.ts';
import type { RestackRequest } from '../../core/restack/prepareRestack.ts';
import { askPreview, type PreviewAction } from '../quickPicks/pickPreview.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import { branchCount, planRow, wishText } from './planMessages.ts';
import { localized } from '../base/messages.ts';

/**
 * Shows what a restack would do to each branch, and asks.
 *
 * @returns the plan that is to be carried out: all of it, or only what git can do by itself; `undefined` when the person leaves.
 */
export async function confirmRestack(
  model: RepositoryModel,
  wish: RestackRequest,
  plan: RestackPlan,
): Promise<RestackPlan | undefined> {
  const words = wishText(wish, plan);
  const answer = await askPreview({
    title: `${words}?`,
    placeholder: l10n.t('Preview: nothing has changed yet'),
    actions: actionsFor(wish, plan),
    heading: l10n.t('what will happen'),
    rows: plan.branches.map((branch) => planRow(branch, uncommittedIn(model, branch))),
    notes: plan.notes.map(localized),
  });
  return typeof answer === 'string' ? undefined : answer.value;
}

function actionsFor(wish: RestackRequest, plan: RestackPlan): PreviewAction<RestackPlan>[] {
  const { branches } = plan;
  const clean = branches.filter(({ outcome, entry }) => outcome === 'moves' || (outcome === 'current' && entry));
  const conflict = branches.find(({ outcome }) => outcome === 'conflict');
  const all = actionText(wish, branchCount(clean.length));
  const icon = wish.move ? 'arrow-swap' : 'check';
  if (!conflict) return [{ label: all, icon, value: plan }];
  if (clean.length === 0) {
    const label = actionText(wish, conflict.name);
    const description = conflict.unsigned
      ? l10n.t('stops so that you can unlock your key')
      : l10n.t('stops so that you can resolve conflicts');
    return [{ label, description, icon, value: plan }];
  }
  return [
    {
      label: all,
      description: conflict.unsigned
        ? l10n.t('then stops in {0} so that you can unlock your key', conflict.name)
        : l10n.t('then stops in {0} so that you can resolve conflicts', conflict.name),
      icon,
      value: plan,
    },
    {
      label: wish.wholeStack ? l10n.t('Restack Clean Branches Only') : l10n.t('Rebase Clean Branches Only'),
      description: l10n.t('{0} will not move', conflict.name),
      icon: 'filter',
      value: { ...plan, branches: branches.filter(({ outcome }) => outcome !== 'conflict' && outcome !== 'waits') },
    },
  ];
}

/** The action in the same word as the title above it. */
function actionText({ move, wholeStack }: RestackRequest, what: string): string {
  if (move) return l10n.t('Move {0}', what);
  return wholeStack ? l10n.t('Restack {0}', what) : l10n.t('Rebase {0}', what);
}

/** Files with uncommitted work in the worktrees of a branch, as last read. */
function uncommittedIn({ state }: RepositoryModel, { checkouts }: BranchPlan): number {
  const paths = new Set(checkouts.map(({ path }) => path));
  const holders = (state?.worktrees ?? []).filter((each) => paths.has(each.path));
  return holders.reduce((sum, { changes }) => sum + (changes?.total ?? 0), 0);
}
