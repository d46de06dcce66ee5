import { l10n } from 'vscode';
import { withProgress } from '../progress.ts';
import { askForWorktree } from '../quickPicks/pickWorktree.ts';
import type { Services } from '../services.ts';
import {
  afterwardsOf,
  makeWorktree,
  remember,
  rememberedAfterwards,
  showCreated,
  tellCreated,
  type Afterwards,
} from './makeWorktree.ts';
import { resolveModel, wordOf } from './resolveTarget.ts';

/** What a keybinding or a test may give; what is missing is asked for. */
export interface CreateArgument {
  readonly name?: string;
  readonly base?: string;
  readonly then?: Afterwards;
  readonly branch?: string;
  readonly task?: string;
  /** The name or the main root of a repository of this window. */
  readonly repository?: string;
}

/** Makes a worktree: asks for its name, its base and what to do then. Gives the path of the worktree. */
export async function createWorktreeCommand(services: Services, argument?: unknown): Promise<string | undefined> {
  const model = await resolveModel(services, argument, l10n.t('Create Worktree'));
  if (!model) return undefined;
  const given: CreateArgument = {
    ...optional('name', wordOf(argument, 'name')),
    ...optional('base', wordOf(argument, 'base')),
    ...optional('then', afterwardsOf(wordOf(argument, 'then'))),
  };
  const answers = await askForWorktree(model, given, rememberedAfterwards(services.context));
  if (!answers) return undefined;
  if (given.then === undefined) await remember(services.context, answers.then);

  const request = {
    name: answers.name,
    base: answers.base,
    branch: wordOf(argument, 'branch'),
    task: wordOf(argument, 'task'),
  };
  const created = await withProgress(l10n.t('Creating worktree {0}', answers.name), (progress, signal) =>
    makeWorktree(services, model, request, progress, signal),
  );
  void tellCreated(services, created);
  await showCreated(services, model, created, answers.then);
  return created.path;
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]: Value });
}
