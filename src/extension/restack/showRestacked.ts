import { commands, l10n, window } from 'vscode';
import { listed, localized, withNext } from '../base/messages.ts';
import { outdatedBases } from '../../core/github/pr/outdatedBases.ts';
import type { Stop } from '../../core/operations/operation.ts';
import type { BranchPlan } from '../../core/restack/plan.ts';
import type { Restacked } from '../../core/restack/restack.ts';
import { remedyButtons } from '../remedies/buttons.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Services } from '../services/services.ts';
import { branchCount } from './planMessages.ts';
import { remediesOf, textOf } from '../../core/messages/message.ts';

/**
 * Tells what a restack has done, with a button that takes it back; where it has stopped, what is in conflict and how to go on.
 *
 * @param words what was asked for: "Rebase feat-auth onto main".
 * @param retry asks for the same again, once what held a branch back is out of the way.
 */
export async function showRestacked(
  services: Services,
  model: RepositoryModel,
  words: string,
  done: Restacked,
  retry?: () => unknown,
): Promise<void> {
  const { branches, operation, stop, notes } = done;
  for (const plan of branches) services.log.info(`${words}: ${logLine(plan)}`);
  const own = operation?.notes ?? [];
  for (const note of [...notes, ...own]) services.log.info(`${words}: ${textOf(note)}`);
  if (stop) return showStopped(services, model, stop, movedOf(operation, branches));
  const held = branches.filter(({ outcome }) => outcome === 'held' || outcome === 'waits');
  const known = await model.workspace();
  const [outdated, ...others] = await outdatedBases(
    known,
    branches.map(({ branch }) => branch),
  );
  const sentences = [
    doneText(words, done),
    ...held.map(heldText),
    ...own.map(localized),
    ...[outdated, ...others].flatMap((each) =>
      each
        ? l10n.t(
            'Pull request #{0} is into {1} on GitHub; its branch is based on {2} now.',
            each.number,
            each.into,
            each.base,
          )
        : [],
    ),
  ];
  const steps = held.flatMap(({ next }) => (next ? remediesOf(next) : []));
  const buttons = remedyButtons(services, words, steps, retry);
  const undo = l10n.t('Undo');
  const update = l10n.t('Update Pull Requests');
  const showLog = l10n.t('Show Details');
  const show = held.length > 0 || own.length > 0 ? window.showWarningMessage : window.showInformationMessage;
  // Not awaited: the command has ended, and the answer begins the next.
  void show(
    sentences.join(' '),
    ...buttons.map(({ label }) => label),
    ...(operation ? [undo] : []),
    ...(outdated ? [update] : []),
    showLog,
  ).then((choice) => {
    if (choice === showLog) services.channel.show(true);
    const button = buttons.find(({ label }) => label === choice);
    if (button) return button.run();
    if (choice === update)
      return commands.executeCommand('worktreeStacks.stackPullRequests', {
        ...place(model),
        worktree: outdated?.name,
      });
    if (choice === undo)
      return commands.executeCommand('worktreeStacks.undo', {
        ...place(model),
        operation: operation?.id,
        ask: false,
      });
  });
}

/** What waits for a person is no failure: the row shows it, and buttons lead to what is in conflict and on from there. */
export async function showStopped(
  services: Services,
  model: RepositoryModel,
  stop: Stop,
  moved: readonly string[],
): Promise<void> {
  const { name, path, files, unsigned } = stop;
  services.log.info(`The rebase has stopped in ${path}: ${files.join(', ')}`);
  await services.view.show(path, { expand: true, select: true });
  const open = files.length === 1 ? l10n.t('Open Conflict') : l10n.t('Open First Conflict');
  const goOn = l10n.t('Continue');
  const abort = l10n.t('Abort');
  const terminal = l10n.t('Open Terminal');
  const key = unsigned === true && files.length === 0;
  const sentences = [
    key ? l10n.t('The commits of {0} could not be signed.', name) : conflictWords(name, files),
    ...(moved.length === 0 ? [] : [l10n.t('Rebased so far: {0}.', listed(moved))]),
    key
      ? l10n.t('Unlock your key, then continue.')
      : l10n.t('Resolve and stage it below {0} in the Worktrees view, then continue.', name),
  ];
  const argument = { worktree: path, ...place(model) };
  void window
    .showWarningMessage(sentences.join(' '), ...(key ? [terminal] : files.length > 0 ? [open] : []), goOn, abort)
    .then((choice) => {
      if (choice === open) return openFirstConflict(services, path);
      if (choice === terminal) return commands.executeCommand('worktreeStacks.openInTerminal', argument);
      if (choice === goOn) return commands.executeCommand('worktreeStacks.continueRebase', argument);
      if (choice === abort) return commands.executeCommand('worktreeStacks.abortRebase', argument);
    });
}

/** The branches that an operation has moved, or that are known to have moved. */
export function movedOf(operation: Restacked['operation'], branches: readonly BranchPlan[]): string[] {
  const names = new Map(branches.map(({ branch, name }) => [branch, name]));
  return (operation?.moves ?? []).map(({ branch }) => names.get(branch) ?? branch);
}

/** The first file in conflict, in the editor that its row opens. */
async function openFirstConflict({ view }: Services, path: string): Promise<void> {
  const row = view.find(path);
  const conflict = row && (await view.getChildren(row)).find(({ kind }) => kind === 'conflict');
  if (conflict) await commands.executeCommand('worktreeStacks.openConflict', conflict);
}

function conflictWords(name: string, files: readonly string[]): string {
  if (files.length === 0) return l10n.t('The rebase stopped in {0}.', name);
  return files.length === 1
    ? l10n.t('{0} has a conflict in {1}.', name, files[0] ?? '')
    : l10n.t('{0} has {1} conflicts: {2}.', name, files.length, listed(files));
}

function doneText(words: string, { branches, operation }: Restacked): string {
  const moves = operation?.moves ?? [];
  const [bottom] = moves;
  if (!bottom) return l10n.t('{0}: nothing to move.', words);
  const plan = branches.find(({ branch }) => branch === bottom.branch);
  const onto = plan?.baseLabel ?? plan?.base;
  const count = branchCount(moves.length);
  const moved = operation?.kind === 'move';
  if (onto === undefined) return moved ? l10n.t('Moved {0}.', count) : l10n.t('Rebased {0}.', count);
  return moved ? l10n.t('Moved {0} onto {1}.', count, onto) : l10n.t('Rebased {0} onto {1}.', count, onto);
}

function heldText({ name, outcome, why: cause, files, next }: BranchPlan): string {
  const why = cause ? localized(cause) : '';
  if (outcome === 'waits') return l10n.t('{0} waits: {1}.', name, why);
  const reason = files.length === 0 ? why : `${why} (${listed(files)})`;
  return withNext(l10n.t('{0} was not moved: {1}.', name, reason), next);
}

function logLine({ name, outcome, from, to, why, files }: BranchPlan): string {
  const moved = outcome === 'moves' ? ` ${from} -> ${to}` : '';
  const about = [...(why === undefined ? [] : [textOf(why)]), ...files];
  return `${name} ${outcome}${moved}${about.length === 0 ? '' : ` (${about.join(', ')})`}`;
}

const place = (model: RepositoryModel): { readonly repository: string } => ({ repository: model.repository.mainRoot });
