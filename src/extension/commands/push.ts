import { commands, l10n, window } from 'vscode';
import { isPushable } from '../../core/github/push/isPushable.ts';
import { planPush, pushBranches } from '../../core/github/publish/pushBranches.ts';
import type { PlannedPush, Pushed } from '../../core/github/push/model.ts';
import { withProgress } from '../base/progress.ts';
import { recheck } from '../push/recheck.ts';
import { pushOptions } from '../push/pushOptions.ts';
import { pushRow, pushedText } from '../push/pushMessages.ts';
import { isRefusal, showRefusal } from '../push/showRefusal.ts';
import { askPreview } from '../quickPicks/pickPreview.ts';
import { branchCount } from '../restack/planMessages.ts';
import { restackFlags } from '../restack/subject.ts';
import type { Services } from '../services/services.ts';
import { resolveTarget, type WorktreeTarget } from '../services/resolveTarget.ts';

/** Whether a worktree has a branch that could be pushed. */
export const canPush = ({ model, worktree }: WorktreeTarget): boolean =>
  !worktree.main && isPushable(worktree, model.state?.snapshot.trunk);

/**
 * Pushes the branch of a worktree, after showing what that does on the remote.
 *
 * @returns what was pushed; `undefined` when the person cancelled, or the push was refused and a message shown.
 */
export function pushCommand(services: Services, argument?: unknown): Promise<Pushed[] | undefined> {
  return push(services, argument, false);
}

/** The same for its whole stack, all branches or none. */
export function pushStackCommand(services: Services, argument?: unknown): Promise<Pushed[] | undefined> {
  return push(services, argument, true);
}

async function push(services: Services, argument: unknown, wholeStack: boolean): Promise<Pushed[] | undefined> {
  const title = wholeStack ? l10n.t('Push Stack') : l10n.t('Push Worktree');
  const placeholder = wholeStack
    ? l10n.t('Select a worktree of the stack to push')
    : l10n.t('Select the worktree to push');
  const target = await resolveTarget(services, argument, { title, placeholder, accept: canPush });
  if (!target) return undefined;
  const { ask } = restackFlags(argument);
  const rewrite =
    typeof argument === 'object' && argument !== null && 'rewrite' in argument && argument.rewrite === true;
  return tryPush(services, title, target, { wholeStack, ask, rewrite });
}

/** How much is pushed, and how. */
export interface PushWish {
  readonly wholeStack: boolean;
  readonly ask: boolean;
  readonly rewrite: boolean;
}

async function tryPush(
  services: Services,
  title: string,
  target: WorktreeTarget,
  how: PushWish,
): Promise<Pushed[] | undefined> {
  try {
    return await planAndPush(services, target, how);
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    // What replaces something is always shown before.
    const retry = ({ rewrite }: { readonly rewrite: boolean }): Promise<unknown> =>
      planAndPush(services, target, { ...how, rewrite, ask: how.ask || rewrite });
    showRefusal(services, title, target, thrown, retry);
    return undefined;
  }
}

/**
 * Plans a push, shows the plan unless `ask` is false, and pushes.
 *
 * @throws PushRefusal and whatever else `pushBranches` throws.
 */
export async function planAndPush(
  services: Services,
  target: WorktreeTarget,
  { wholeStack, ask, rewrite }: PushWish,
): Promise<Pushed[] | undefined> {
  const { model, worktree } = target;
  const plan = await withProgress(l10n.t('Planning the push'), async (progress, signal) => {
    const workspace = await model.workspace();
    const { snapshot, worktrees } = await recheck(workspace, worktree, wholeStack, signal);
    const options = await pushOptions(services, workspace, signal);
    return planPush(workspace, snapshot, worktrees, { ...options, rewrite, progress });
  });
  const moving = plan.filter(({ how }) => how !== 'unchanged');
  if (moving.length > 0 && ask && !(await confirm(target, plan, moving.length))) return undefined;
  const title = l10n.t('Pushing {0}', moving.length === 1 ? (moving[0]?.name ?? '') : branchCount(moving.length));
  const pushed = await withProgress(title, (progress, signal) =>
    model.change(async (workspace) => {
      const { snapshot, worktrees } = await recheck(workspace, worktree, wholeStack, signal);
      const options = await pushOptions(services, workspace, signal);
      return pushBranches(workspace, snapshot, worktrees, { ...options, rewrite, progress });
    }),
  );
  showPushed(services, target, pushed);
  return pushed;
}

async function confirm({ worktree }: WorktreeTarget, plan: readonly PlannedPush[], count: number): Promise<boolean> {
  const label = plan.length === 1 ? l10n.t('Push {0}', worktree.name) : l10n.t('Push {0}', branchCount(count));
  const answer = await askPreview({
    title: plan.length === 1 ? l10n.t('Push {0}?', worktree.name) : l10n.t('Push the stack of {0}?', worktree.name),
    placeholder: l10n.t('Preview: nothing has been pushed yet'),
    actions: [{ label, icon: 'repo-push', value: true }],
    heading: l10n.t('what will happen'),
    rows: plan.map(pushRow),
    otherwise: l10n.t('nothing is pushed'),
    notes: [],
  });
  return typeof answer !== 'string';
}

/**
 * Tells what was pushed, and leads on: a branch without a pull request may want one.
 *
 * @param before a sentence about what was done before that.
 */
export function showPushed(
  services: Services,
  { model, worktree }: WorktreeTarget,
  pushed: readonly Pushed[],
  before?: string,
): void {
  services.pullRequests.renew();
  for (const { name, remote, branch, oid, how } of pushed)
    services.log.info(`${name}: ${how} ${remote}/${branch} ${oid}`);
  const create = l10n.t('Create Draft Pull Request…');
  const buttons = worktree.entry?.pr || pushed.length > 1 ? [] : [create];
  const words = [...(before === undefined ? [] : [before]), pushedText(pushed)].join(' ');
  void window.showInformationMessage(words, ...buttons).then((choice) => {
    if (choice !== create) return;
    const argument = { worktree: worktree.path, repository: model.repository.mainRoot };
    return commands.executeCommand('worktreeStacks.createPullRequest', argument);
  });
}
