import { l10n, window } from 'vscode';
import { planPush, pushBranches } from '../../core/github/publish/pushBranches.ts';
import type { PlannedPush, Pushed } from '../../core/github/push/model.ts';
import type { BranchPlan, RestackPlan } from '../../core/restack/plan.ts';
import { changesAnything } from '../../core/restack/batch.ts';
import { prepareRestack, type RestackRequest } from '../../core/restack/prepareRestack.ts';
import { restack } from '../../core/restack/restack.ts';
import type { Configuration } from '../../core/repository/configuration.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { withProgress } from '../base/progress.ts';
import { recheck } from '../push/recheck.ts';
import { pushOptions } from '../push/pushOptions.ts';
import { afterMoveText, plannedText } from '../push/pushMessages.ts';
import { isRefusal, showRefusal } from '../push/showRefusal.ts';
import { askPreview } from '../quickPicks/pickPreview.ts';
import { hostFor } from '../restack/pullRequestLookup.ts';
import { branchCount, planRow } from '../restack/planMessages.ts';
import { restackFlags } from '../restack/subject.ts';
import { showRestacked } from '../restack/showRestacked.ts';
import type { Services } from '../services/services.ts';
import { planAndPush, showPushed } from './push.ts';
import { canMove } from './rebase.ts';
import { resolveTarget, type WorktreeTarget } from '../services/resolveTarget.ts';
import { localized } from '../base/messages.ts';

/**
 * Rebases everything in a worktree's stack and pushes what that has moved, after showing both. What stops for a person, or is held back, ends
 * it before the push.
 *
 * @returns what was pushed; `undefined` when nothing was.
 */
export async function rebaseAndPushCommand(services: Services, argument?: unknown): Promise<Pushed[] | undefined> {
  const title = l10n.t('Restack and Push');
  const target = await resolveTarget(services, argument, {
    title,
    placeholder: l10n.t('Select a worktree of the stack to restack and push'),
    accept: canMove,
  });
  if (!target) return undefined;
  try {
    return await rebaseAndPush(services, title, target, restackFlags(argument));
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    showRefusal(services, title, target, thrown, () => rebaseAndPush(services, title, target, { ask: true }));
    return undefined;
  }
}

async function rebaseAndPush(
  services: Services,
  title: string,
  target: WorktreeTarget,
  { ask }: { readonly ask: boolean },
): Promise<Pushed[] | undefined> {
  const { model, worktree } = target;
  const wish: RestackRequest = { worktree, wholeStack: true };
  const both = await withProgress(l10n.t('Planning the rebase and the push'), (progress, signal) =>
    model.change(async (workspace) => {
      const host = await hostFor(services, model, workspace, { signal });
      const plan = await prepareRestack(workspace, wish, { host, tryTrees: true, progress, signal });
      const { snapshot, worktrees } = await recheck(workspace, worktree, true, signal);
      const live = withoutLanded(worktrees, plan);
      const options = await pushOptions(services, workspace, signal);
      const pushes = await planPush(workspace, snapshot, live, { ...options, progress });
      return { plan, pushes, afterRebase: workspace.configuration.stack.afterRebase };
    }),
  );
  const { plan, pushes } = both;
  if (!changesAnything(plan) && pushes.every(({ how }) => how === 'unchanged')) {
    void window.showInformationMessage(l10n.t('Nothing to do: the stack of {0} is rebased and pushed.', worktree.name));
    return [];
  }
  if (ask && !(await confirm(target, both))) return undefined;
  const moving = plan.branches.filter(({ outcome }) => outcome === 'moves').length;
  const done = await withProgress(l10n.t('Rebasing {0}', branchCount(moving)), (progress, signal) =>
    model.change(async (workspace) => {
      const host = await hostFor(services, model, workspace, { signal });
      return restack(workspace, wish, plan, { host, tryTrees: true, progress, signal });
    }),
  );
  const left = done.branches.some(({ outcome }) => outcome === 'held' || outcome === 'waits' || outcome === 'conflict');
  if (done.stop || left) {
    await showRestacked(services, model, l10n.t('Restack {0}', worktree.name), done);
    return undefined;
  }
  for (const { name, from, to } of plan.branches)
    if (from !== to) services.log.info(`${name}: rebased ${from} -> ${to}`);
  try {
    const pushed = await withProgress(l10n.t('Pushing the stack of {0}', worktree.name), (progress, signal) =>
      model.change(async (workspace) => {
        const { snapshot, worktrees } = await recheck(workspace, worktree, true, signal);
        const live = withoutLanded(worktrees, plan);
        const options = await pushOptions(services, workspace, signal);
        return pushBranches(workspace, snapshot, live, { ...options, progress });
      }),
    );
    showPushed(services, target, pushed, moving > 0 ? l10n.t('Rebased {0}.', branchCount(moving)) : undefined);
    return pushed;
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    // The rebase is done; only the push is tried again.
    showRefusal(services, title, target, thrown, ({ rewrite }) =>
      planAndPush(services, target, { wholeStack: true, ask: true, rewrite }),
    );
    return undefined;
  }
}

interface Both {
  readonly plan: RestackPlan;
  readonly pushes: readonly PlannedPush[];
  readonly afterRebase: Configuration['stack']['afterRebase'];
}

async function confirm({ worktree }: WorktreeTarget, { plan, pushes, afterRebase }: Both): Promise<boolean> {
  const byBranch = new Map(pushes.map((planned) => [planned.branch, planned]));
  const stays = plan.branches.find(({ outcome }) => outcome === 'conflict' || outcome === 'held');
  const moving = plan.branches.filter(({ outcome }) => outcome === 'moves').length;
  const pushing = plan.branches.filter((branch) => changes(branch, byBranch.get(branch.branch))).length;
  const pushOnly = l10n.t('Push {0}', branchCount(pushing));
  const label = stays
    ? l10n.t('Rebase {0}, push nothing', branchCount(moving))
    : moving === 0
      ? pushOnly
      : l10n.t('Rebase {0} and push {1}', branchCount(moving), branchCount(pushing));
  const answer = await askPreview({
    title: l10n.t('Restack and push {0}?', worktree.name),
    placeholder: l10n.t('Preview: nothing has been moved or pushed yet'),
    actions: [
      {
        label,
        icon: 'repo-push',
        value: true,
        ...(stays ? { description: l10n.t('{0} needs you first', stays.name) } : {}),
      },
    ],
    heading: l10n.t('what will happen'),
    rows: plan.branches.map((branch) => {
      const row = planRow(branch, 0);
      const planned = byBranch.get(branch.branch);
      if (!planned || stays) return row;
      const words = branch.outcome === 'moves' ? afterMoveText(planned, afterRebase) : plannedText(planned);
      return { ...row, detail: `${row.detail} · ${words}` };
    }),
    otherwise: l10n.t('nothing is moved or pushed'),
    notes: plan.notes.map(localized),
  });
  return typeof answer !== 'string';
}

const changes = ({ outcome }: BranchPlan, planned: PlannedPush | undefined): boolean =>
  planned !== undefined && (outcome === 'moves' || planned.how !== 'unchanged');

/** What was merged is pushed no more. */
function withoutLanded(worktrees: readonly Worktree[], { branches }: RestackPlan): Worktree[] {
  const landed = new Set(branches.filter(({ outcome }) => outcome === 'landed').map(({ branch }) => branch));
  return worktrees.filter(({ branch }) => branch === undefined || !landed.has(branch));
}
