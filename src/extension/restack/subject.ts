import { l10n } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import type { RestackWish } from '../../core/stack/restack.ts';
import { resolveTarget, type Question } from '../commands/resolveTarget.ts';
import type { RepositoryModel } from '../repositoryModel.ts';
import type { Services } from '../services.ts';
import { isNode, type BranchNode } from '../views/nodes.ts';

/** What a restack is about: a worktree's branch, or a stacked branch that no working tree has checked out. */
export interface Subject {
  readonly model: RepositoryModel;
  readonly worktree: RestackWish['worktree'];
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
 * @throws Problem `usage` for a row of what stacks stand on.
 */
export function subjectOfRow({ model, row }: BranchNode): Subject {
  const { shown, branch } = row;
  if (shown) return { model, worktree: { name: shown.name, branch: shown.branch, main: false } };
  const message =
    branch === undefined
      ? l10n.t('These branches stand on one another in a ring.')
      : l10n.t('{0} is no stacked branch, so it stays where it is.', branch);
  throw new Problem('usage', message, { next: l10n.t('choose one of the branches below it') });
}

/** What an argument object says of how. */
export function restackFlags(argument: unknown): RestackFlags {
  return { ask: flagOf(argument, 'ask') ?? true, offline: flagOf(argument, 'offline') ?? false };
}

function flagOf(argument: unknown, key: string): boolean | undefined {
  if (typeof argument !== 'object' || argument === null || !(key in argument)) return undefined;
  const value = (argument as Record<string, unknown>)[key];
  return typeof value === 'boolean' ? value : undefined;
}
