import { samePath } from '../../core/base/paths.ts';
import { Uri, l10n, window, type QuickPickItem } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import { findWorktree } from '../../core/worktree/find.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Services } from './services.ts';
import type { WorktreesView } from '../views/worktreesView.ts';
import { descriptionOf, iconOf } from '../views/worktreeItem.ts';
import { focusedRow } from './focusedRow.ts';
import { isNode, type Node } from '../views/nodes.ts';
import { rowFactsOf } from '../views/rowFacts.ts';
import { verbatim } from '../../core/messages/message.ts';

/** A worktree, and the repository that it is of. */
export interface WorktreeTarget {
  readonly model: RepositoryModel;
  readonly worktree: Worktree;
}

/** The question to ask when the argument names no worktree. */
export interface Question {
  readonly title: string;
  readonly placeholder: string;
  /** The worktrees that can be chosen; by default every one. */
  readonly accept?: (target: WorktreeTarget) => boolean;
  /** What is told where there is none, and nothing would help: there is nothing to do. */
  readonly none?: string;
}

/** The repositories of this window that could be read. Waits for the first scan. */
export async function readyModels({ repositories }: Services): Promise<readonly RepositoryModel[]> {
  await repositories.start();
  const models = repositories.models.filter((model) => model.state);
  if (models.length > 0) return models;
  if (repositories.state === 'untrusted') {
    throw new Problem('unsupported', verbatim(l10n.t('This folder is not trusted, so no command runs in it.')), {
      next: verbatim(l10n.t('trust the folder if you trust its authors')),
    });
  }
  throw (
    repositories.problem ??
    new Problem('no-repository', verbatim(l10n.t('There is no Git repository in this window.')), {
      next: verbatim(l10n.t('open a folder that has one')),
    })
  );
}

/**
 * The repository that a command is for. Asks when there are several and the argument names none; `undefined` when the person cancels.
 *
 * @param accept those that the command has something to do in; where it has in none, every one can be chosen and the command says so.
 */
export async function resolveModel(
  services: Services,
  argument: unknown,
  title: string,
  accept: (model: RepositoryModel) => boolean = () => true,
): Promise<RepositoryModel | undefined> {
  if (isNode(argument, 'repository') || isNode(argument, 'worktree')) return argument.model;
  const models = await readyModels(services);
  const wanted = wordOf(argument, 'repository');
  if (wanted !== undefined) {
    const found = models.find(({ repository }) => repository.name === wanted || samePath(repository.mainRoot, wanted));
    if (!found)
      throw new Problem('not-found', verbatim(l10n.t('This window has no repository named {0}.', wanted)), {
        items: models.map((model) => model.repository.name),
      });
    return found;
  }
  const possible = models.some(accept) ? models.filter(accept) : models;
  if (possible.length === 1) return possible[0];
  const items = possible.map((model) => ({
    label: model.repository.name,
    description: model.repository.mainRoot,
    model,
  }));
  return (await window.showQuickPick(items, { title, placeHolder: l10n.t('Select a repository') }))?.model;
}

/** The row that is selected in the view, for `{ from: 'selection' }`: key bindings get no row as their argument. */
export function selectedNode(view: WorktreesView, argument: unknown): Node | undefined {
  return wordOf(argument, 'from') === 'selection' ? view.tree.selection[0] : undefined;
}

/** The worktree that a command is for, from its argument or from the person; `undefined` when the person cancels. */
export async function resolveTarget(
  services: Services,
  argument: unknown,
  question: Question,
): Promise<WorktreeTarget | undefined> {
  if (wordOf(argument, 'from') === 'focus') {
    const row = await focusedRow(services.view);
    return row?.kind === 'worktree' ? { model: row.model, worktree: row.worktree } : undefined;
  }
  const selected = selectedNode(services.view, argument);
  if (selected) return resolveTarget(services, selected, question);
  if (isNode(argument, 'worktree')) return { model: argument.model, worktree: argument.worktree };
  if (isNode(argument, 'change') || isNode(argument, 'conflict'))
    return { model: argument.parent.model, worktree: argument.parent.worktree };
  const word =
    argument instanceof Uri ? argument.fsPath : typeof argument === 'string' ? argument : wordOf(argument, 'worktree');
  if (word !== undefined) return named(services, word, argument);
  return pickTarget(services, question);
}

async function named(services: Services, word: string, argument: unknown): Promise<WorktreeTarget> {
  const repository = wordOf(argument, 'repository');
  let failure: Problem | undefined;
  for (const model of await readyModels(services)) {
    if (
      repository !== undefined &&
      repository !== model.repository.name &&
      !samePath(repository, model.repository.mainRoot)
    )
      continue;
    // What was made a moment ago elsewhere may not be on the screen yet.
    await model.refresh();
    const snapshot = model.state?.snapshot;
    if (!snapshot) continue;
    try {
      return { model, worktree: await findWorktree(snapshot, word, model.repository.mainRoot) };
    } catch (thrown) {
      if (!Problem.is(thrown)) throw thrown;
      failure ??= thrown;
    }
  }
  throw failure ?? new Problem('not-found', verbatim(l10n.t('There is no worktree named {0}.', word)));
}

async function pickTarget(
  services: Services,
  { title, placeholder, accept = () => true, none }: Question,
): Promise<WorktreeTarget | undefined> {
  const models = await readyModels(services);
  const items = models.flatMap((model) =>
    (model.state?.worktrees ?? [])
      .filter((worktree) => accept({ model, worktree }))
      .map((worktree) => targetItem(model, worktree, models.length > 1)),
  );
  if (items.length === 0 && none !== undefined) {
    void window.showInformationMessage(none);
    return undefined;
  }
  if (items.length === 0)
    throw new Problem('not-found', verbatim(l10n.t('No worktree is available for this command.')), {
      remedies: [{ kind: 'createWorktree' }],
    });
  return window.showQuickPick(items, { title, placeHolder: placeholder, matchOnDescription: true });
}

/** A worktree as a pick shows it: the same facts as in the tree. */
export function targetItem(
  model: RepositoryModel,
  worktree: Worktree,
  withRepository: boolean,
): QuickPickItem & WorktreeTarget {
  const facts = rowFactsOf(model.state, worktree);
  return {
    model,
    worktree,
    label: worktree.name,
    iconPath: iconOf(worktree, facts),
    description: [...(withRepository ? [model.repository.name] : []), descriptionOf(worktree, facts)].join(' · '),
  };
}

/** Whether a command asks before it acts; `{ ask: false }` says that the person was asked already. */
export function asksFirst(argument: unknown): boolean {
  return typeof argument !== 'object' || argument === null || (argument as { ask?: unknown }).ask !== false;
}

/** A string property of an untrusted argument object. */
export function wordOf(argument: unknown, key: string): string | undefined {
  if (typeof argument !== 'object' || argument === null || !(key in argument)) return undefined;
  const value = (argument as Record<string, unknown>)[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
