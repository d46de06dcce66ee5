import { l10n } from 'vscode';
import { withProgress } from '../base/progress.ts';
import { askForWorktree, type WorktreeAnswers } from '../quickPicks/pickWorktree.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Services } from '../services/services.ts';
import { askForChanges } from './carryChanges.ts';
import {
  afterwardsOf,
  makeWorktree,
  remember,
  rememberedAfterwards,
  showCreated,
  showCreation,
} from './makeWorktree.ts';
import { resolveModel, wordOf } from '../services/resolveTarget.ts';

/**
 * Creates a worktree, and asks for what the argument does not give.
 *
 * @param argument an object with `name`, `base`, `then`, `branch`, `task`, `changes` (`move`, `copy`, `leave`) and `repository`, each optional.
 * @returns the path of the worktree.
 */
export async function createWorktreeCommand(services: Services, argument?: unknown): Promise<string | undefined> {
  const model = await resolveModel(services, argument, l10n.t('Create Worktree'));
  if (!model) return undefined;
  const given: Partial<WorktreeAnswers> = {
    ...optional('name', wordOf(argument, 'name')),
    ...optional('base', wordOf(argument, 'base')),
    ...optional('branch', wordOf(argument, 'branch')),
    ...optional('then', afterwardsOf(wordOf(argument, 'then'))),
  };
  const answers = await askForWorktree(model, given, rememberedAfterwards(services.context));
  if (!answers) return undefined;
  const changes = await changesFor(model, answers, argument);
  if (changes === undefined) return undefined;
  if (given.then === undefined) await remember(services.context, answers.then);

  const request = {
    name: answers.name,
    base: answers.base,
    branch: answers.branch,
    newBranch: answers.newBranch,
    task: wordOf(argument, 'task'),
  };
  const created = await withProgress(l10n.t('Creating worktree {0}', answers.name), (progress, signal) =>
    makeWorktree(services, model, request, progress, signal, changes),
  );
  void showCreation(services, model, created);
  await showCreated(services, model, created, answers.then);
  return created.path;
}

/** Whoever names the worktree in the argument is a program: it is not asked, and says `changes` where they are to come along. */
async function changesFor(
  model: RepositoryModel,
  answers: WorktreeAnswers,
  argument: unknown,
): ReturnType<typeof askForChanges> {
  const given = wordOf(argument, 'changes');
  return given === undefined && wordOf(argument, 'name') !== undefined ? 'leave' : askForChanges(model, answers, given);
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]: Value });
}
