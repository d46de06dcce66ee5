import { l10n } from 'vscode';
import type { Restacked } from '../../core/restack/restack.ts';
import { restackAsWished } from '../restack/carryOut.ts';
import { resolveSubject, restackFlags } from '../restack/subject.ts';
import type { Services } from '../services/services.ts';
import { shownBranchOf } from '../repository/stackState.ts';
import type { WorktreeTarget } from '../services/resolveTarget.ts';

/** Puts a worktree's own commits onto what its base is now, after showing what that moves. */
export function rebaseCommand(services: Services, argument?: unknown): Promise<Restacked | undefined> {
  const question = { title: l10n.t('Rebase Worktree'), placeholder: l10n.t('Select the worktree to rebase') };
  return rebase(services, argument, question, false);
}

/** The same for everything in its stack. */
export function rebaseStackCommand(services: Services, argument?: unknown): Promise<Restacked | undefined> {
  const question = { title: l10n.t('Restack'), placeholder: l10n.t('Select a worktree of the stack to restack') };
  return rebase(services, argument, question, true);
}

/** Whether a worktree's branch is in a stack and free to move. */
export function canMove({ model, worktree }: WorktreeTarget): boolean {
  const shown = shownBranchOf(model.state, worktree);
  return shown !== undefined && shown.stopped === undefined;
}

async function rebase(
  services: Services,
  argument: unknown,
  question: { readonly title: string; readonly placeholder: string },
  wholeStack: boolean,
): Promise<Restacked | undefined> {
  const subject = await resolveSubject(services, argument, { ...question, accept: canMove });
  if (!subject) return undefined;
  const { model, worktree } = subject;
  return restackAsWished(services, model, { worktree, wholeStack }, restackFlags(argument));
}
