import { l10n, window } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import { abortInGit, continueInGit, type At, type Continued } from '../../core/merge/continueGit.ts';
import { readUnderWay, type UnderWay } from '../../core/merge/underWay.ts';
import { textOf, verbatim } from '../../core/messages/message.ts';
import { localized, showFailure } from '../base/messages.ts';
import { withProgress } from '../base/progress.ts';
import { actionsOf, type Action } from '../conflicts/actions.ts';
import { asksFirst, resolveTarget, type WorktreeTarget } from '../services/resolveTarget.ts';
import type { Services } from '../services/services.ts';

type Operation = UnderWay['operation'];

/** What is under way in the worktree that a command is for. */
export type TargetUnderWay = WorktreeTarget & { readonly underWay: UnderWay };

/**
 * The worktree that a command is for, and what is under way in it, read anew: whoever began it decides what the command does.
 *
 * @throws Problem `not-found` when there is nothing of that kind under way.
 */
export async function resolveUnderWay(
  services: Services,
  argument: unknown,
  operation: Operation,
  title: string,
): Promise<TargetUnderWay | undefined> {
  const target = await resolveTarget(services, argument, {
    title,
    placeholder: l10n.t('Select a worktree'),
    accept: ({ model, worktree }) => model.state?.underWay.get(worktree.path)?.operation === operation,
  });
  if (!target) return undefined;
  const { model, worktree } = target;
  const underWay = await readUnderWay(await model.workspace(), worktree);
  if (underWay?.operation !== operation)
    throw new Problem('not-found', verbatim(nothingText(operation, worktree.name)), { outcome: 'incomplete' });
  return { ...target, underWay };
}

function nothingText(operation: Operation, name: string): string {
  switch (operation) {
    case 'merge':
      return l10n.t('No merge is in progress in {0}.', name);
    case 'rebase':
      return l10n.t('No rebase is in progress in {0}.', name);
    case 'cherry-pick':
      return l10n.t('No cherry-pick is in progress in {0}.', name);
    case 'revert':
      return l10n.t('No revert is in progress in {0}.', name);
    case 'am':
      return l10n.t('No patches are being applied in {0}.', name);
  }
}

/** Continues what was begun with git, or skips the commit that it has come to, and shows where it has stopped again. */
export async function goOnInGit(
  services: Services,
  target: TargetUnderWay,
  step: 'continue' | 'skip',
  options: { readonly evenIfNothing?: boolean } = {},
): Promise<Continued | undefined> {
  const { model, worktree, underWay } = target;
  const { goOn } = actionsOf(underWay);
  try {
    const done = await withProgress(
      titleIn(goOn, worktree.name),
      () => model.change((workspace) => continueInGit(workspace, placeOf(target), step, options)),
      false,
    );
    if (done.stopped) await services.stops.stopped(model, worktree.path);
    else void window.showInformationMessage(doneText(underWay.operation, worktree.name));
    return done;
  } catch (thrown) {
    if (Problem.is(thrown, 'conflicts')) {
      await services.stops.stopped(model, worktree.path);
    } else if (Problem.is(thrown, 'inconsistent')) {
      // Not awaited: the command has ended, and the answer begins the next.
      void askHow(services, target, localized(thrown.what));
    } else throw thrown;
    return undefined;
  }
}

/** What leads on where nothing is staged: a merge can be committed all the same, a commit be skipped. */
async function askHow(services: Services, target: TargetUnderWay, text: string): Promise<void> {
  const { goOn, abort } = actionsOf(target.underWay);
  const merges = target.underWay.operation === 'merge';
  const first = merges ? l10n.t('Commit Anyway') : l10n.t('Skip Commit');
  try {
    const choice = await window.showWarningMessage(text, first, abort.title);
    if (choice === first) await goOnInGit(services, target, merges ? 'continue' : 'skip', { evenIfNothing: true });
    if (choice === abort.title) await abortTarget(services, target, true);
  } catch (thrown) {
    showFailure(services.channel, goOn.title, thrown);
  }
}

/** Aborts what was begun with git, after asking. */
export async function abortTarget(services: Services, target: TargetUnderWay, ask: boolean): Promise<boolean> {
  const { model, worktree, underWay } = target;
  const { abort } = actionsOf(underWay);
  const detail = l10n.t(
    'The files of {0} become what they were before. What you have changed since then is kept in a backup under refs/wt-backup/.',
    worktree.name,
  );
  const question = l10n.t('{0} in {1}?', abort.title, worktree.name);
  if (ask && (await window.showWarningMessage(question, { modal: true, detail }, abort.title)) !== abort.title)
    return false;
  const { backups } = await withProgress(
    titleIn(abort, worktree.name),
    () => model.change((workspace) => abortInGit(workspace, placeOf(target))),
    false,
  );
  const kept = backups.map(({ what, ref, restore }) => {
    services.log.info(`${textOf(what)} kept in ${ref}; to get it back: ${restore}`);
    return l10n.t('{0} kept in {1}.', localized(what), ref);
  });
  void window.showInformationMessage([abortedText(underWay.operation, worktree.name), ...kept].join(' '));
  return true;
}

/** Continues a cherry-pick, a revert or patches: these only git begins. */
export const continueInGitCommand =
  (operation: Operation) =>
  async (services: Services, argument?: unknown): Promise<Continued | undefined> => {
    const { goOn } = actionsOf({ by: 'git', operation });
    const target = await resolveUnderWay(services, argument, operation, goOn.title);
    return target && goOnInGit(services, target, 'continue');
  };

/** Aborts them, after asking. */
export const abortInGitCommand =
  (operation: Operation) =>
  async (services: Services, argument?: unknown): Promise<boolean | undefined> => {
    const { abort } = actionsOf({ by: 'git', operation });
    const target = await resolveUnderWay(services, argument, operation, abort.title);
    return target && abortTarget(services, target, asksFirst(argument));
  };

function placeOf({ worktree: { name, slug, path, gitDir } }: WorktreeTarget): At {
  if (gitDir === undefined) throw new Problem('not-found', verbatim(l10n.t('The worktree of {0} is gone.', name)));
  return { name, slug, path, gitDir };
}

const titleIn = ({ title }: Action, name: string): string => l10n.t('{0}: {1}', name, title);

function doneText(operation: Operation, name: string): string {
  switch (operation) {
    case 'merge':
      return l10n.t('Committed the merge in {0}.', name);
    case 'rebase':
      return l10n.t('Finished the rebase of {0}.', name);
    case 'cherry-pick':
      return l10n.t('Finished the cherry-pick in {0}.', name);
    case 'revert':
      return l10n.t('Finished the revert in {0}.', name);
    case 'am':
      return l10n.t('Applied the patches in {0}.', name);
  }
}

function abortedText(operation: Operation, name: string): string {
  switch (operation) {
    case 'merge':
      return l10n.t('Aborted the merge in {0}.', name);
    case 'rebase':
      return l10n.t('Aborted the rebase of {0}.', name);
    case 'cherry-pick':
      return l10n.t('Aborted the cherry-pick in {0}.', name);
    case 'revert':
      return l10n.t('Aborted the revert in {0}.', name);
    case 'am':
      return l10n.t('Aborted applying patches in {0}.', name);
  }
}
