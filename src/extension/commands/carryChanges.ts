import { l10n, window } from 'vscode';
import { carry, type Carried } from '../../core/carry/carry.ts';
import { samePath } from '../../core/base/paths.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { localized } from '../base/messages.ts';
import { withProgress } from '../base/progress.ts';
import { askChoice } from '../quickPicks/steps.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import { resolveTarget, wordOf } from '../services/resolveTarget.ts';
import type { Services } from '../services/services.ts';
import { canCarry, canTake } from '../views/offers.ts';
import { descriptionOf } from '../views/worktreeItem.ts';

/** Uncommitted work that a new worktree gets, as the person has chosen. */
export interface ChangesToCarry {
  readonly from: Worktree;
  readonly mode: 'move' | 'copy';
}

/** Carries what is not committed in a worktree to another one; asks which of the two ways, and where to, unless the argument says so. */
export async function carryChangesCommand(services: Services, argument?: unknown): Promise<Carried | undefined> {
  const title = l10n.t('Carry Changes');
  const source = await resolveTarget(services, argument, {
    title,
    placeholder: l10n.t('Select the worktree whose changes to carry'),
    accept: ({ worktree }) => canCarry(worktree),
    none: l10n.t('No worktree has changes to carry.'),
  });
  if (!source) return undefined;
  const { model, worktree: from } = source;
  const to = await askWhereTo(services, model, from, title, wordOf(argument, 'to'));
  if (!to) return undefined;
  const mode =
    modeOf(wordOf(argument, 'changes')) ??
    (await askHow(title, l10n.t('Carry the changes of {0} to {1}', from.name, to.name), false));
  if (mode === undefined || mode === 'leave') return undefined;
  const progress = l10n.t('Carrying changes to {0}', to.name);
  const carried = await withProgress(progress, (_, signal) =>
    model.change((workspace) => carry(workspace, { from, to, mode }, { signal })),
  );
  showCarried(services, carried);
  return carried;
}

/**
 * Asks what becomes of the uncommitted work of the worktree that a new one is created from: of the one that has the base checked out, or that
 * the window shows.
 *
 * @param given the answer, where a program gives it: `move`, `copy` or `leave`.
 * @returns `leave` where there is none; `undefined` when the person left.
 */
export async function askForChanges(
  model: RepositoryModel,
  created: { readonly base?: string | undefined },
  given: string | undefined,
): Promise<ChangesToCarry | 'leave' | undefined> {
  const from = originOf(model, created.base);
  if (!from || given === 'leave') return 'leave';
  const placeholder = l10n.t('{0} has uncommitted changes. Select what happens to them', from.name);
  const mode = modeOf(given) ?? (await askHow(l10n.t('Create Worktree'), placeholder, true));
  return mode === undefined || mode === 'leave' ? mode : { from, mode };
}

/** Tells what came along; what stays where it is is a warning. */
export function showCarried(services: Services, { from, to, files, notes }: Carried): void {
  services.log.info(`${from}: ${files.length} files carried to ${to}`);
  if (notes.length > 0) void window.showWarningMessage(notes.map((each) => `${localized(each)}.`).join(' '));
  const words =
    files.length === 1
      ? l10n.t('Carried 1 file from {0} to {1}.', from, to)
      : l10n.t('Carried {0} files from {1} to {2}.', files.length, from, to);
  void window.setStatusBarMessage(words, 5000);
}

function originOf({ state }: RepositoryModel, base: string | undefined): Worktree | undefined {
  const all = state?.worktrees.filter(canCarry) ?? [];
  const isOpen = ({ path }: Worktree): boolean => state?.here.some((each) => samePath(each, path)) === true;
  return all.find(({ branch, name }) => branch === base || name === base) ?? all.find(isOpen);
}

const modeOf = (word: string | undefined): 'move' | 'copy' | undefined =>
  word === 'move' || word === 'copy' ? word : undefined;

async function askHow(
  title: string,
  placeholder: string,
  mayLeave: boolean,
): Promise<'move' | 'copy' | 'leave' | undefined> {
  const items = [
    { label: l10n.t('Move Changes'), description: l10n.t('they are gone from where they were'), mode: 'move' as const },
    { label: l10n.t('Copy Changes'), description: l10n.t('they are in both worktrees'), mode: 'copy' as const },
    ...(mayLeave ? [{ label: l10n.t('Leave Them Here'), mode: 'leave' as const }] : []),
  ];
  const answer = await askChoice({ title, placeholder, items }, { step: 0, totalSteps: 0 });
  return typeof answer === 'string' ? undefined : answer.value.mode;
}

async function askWhereTo(
  services: Services,
  model: RepositoryModel,
  from: Worktree,
  title: string,
  given: string | undefined,
): Promise<Worktree | undefined> {
  if (given !== undefined) {
    const argument = { worktree: given, repository: model.repository.mainRoot };
    return (await resolveTarget(services, argument, { title, placeholder: '' }))?.worktree;
  }
  const others = (model.state?.worktrees ?? []).filter((each) => each.path !== from.path && canTake(each));
  const items = others.map((worktree) => ({ label: worktree.name, description: descriptionOf(worktree), worktree }));
  const placeholder = l10n.t('Select the worktree that gets the changes of {0}', from.name);
  const answer = await askChoice({ title, placeholder, items }, { step: 0, totalSteps: 0 });
  return typeof answer === 'string' ? undefined : answer.value.worktree;
}
