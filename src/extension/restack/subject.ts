import { l10n } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import type { RestackRequest } from '../../core/restack/prepareRestack.ts';
import { resolveTarget, type Question } from '../services/resolveTarget.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Services } from '../services/services.ts';
import { isNode, type BranchNode } from '../views/nodes.ts';
import { verbatim } from '../../core/messages/message.ts';

/** What a restack is about: a worktree's branch, or a stacked branch that no working tree has checked out. */
export interface Subject {
  readonly model: RepositoryModel;
  readonly worktree: RestackRequest['worktree'];
}

/** What a keybinding or a test may give beside the worktree. */
export interface RestackFlags {
  /** False skips the preview. */
  readonly ask: boolean;
  /** Ask no remote for news. */
  readonly offline: boolean;
}

/** The branch that a command is about, from its argument or from the person. `undefined` when the person leaves. */
export async function resolveSubject(
  services: Services,
  argument: unknown,
  question: Question,
): Promise<Subject | undefined> {
  return isNode(argument, 'branch') ? subjectOfRow(argument) : resolveTarget(services, argument, question);
}

/**
 * The stacked branch of a row without a worktree.
 *
 * @throws Problem `usage` for the row of a base.
 */
export function subjectOfRow({ model, row }: BranchNode): Subject {
  const { shown, branch } = row;
  if (shown) return { model, worktree: { name: shown.name, branch: shown.branch, main: false } };
  const message =
    branch === undefined
      ? l10n.t('These branches are based on each other in a cycle.')
      : l10n.t('{0} is not a stacked branch, so it was not moved.', branch);
  throw new Problem('usage', verbatim(message), { next: verbatim(l10n.t('choose one of its dependents')) });
}

/** The options in an argument object. */
export function restackFlags(argument: unknown): RestackFlags {
  return { ask: flagOf(argument, 'ask') ?? true, offline: flagOf(argument, 'offline') ?? false };
}

function flagOf(argument: unknown, key: string): boolean | undefined {
  if (typeof argument !== 'object' || argument === null || !(key in argument)) return undefined;
  const value = (argument as Record<string, unknown>)[key];
  return typeof value === 'boolean' ? value : undefined;
}
