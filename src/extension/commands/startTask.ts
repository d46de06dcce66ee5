import { l10n, window } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import type { ListedTask } from '../../core/session/tasks.ts';
import { slugOf } from '../../core/repository/slug.ts';
import type { Created } from '../../core/create/created.ts';
import { withProgress } from '../base/progress.ts';
import { askBase, likelyBase } from '../quickPicks/pickBase.ts';
import { askForWorktree, type Afterwards } from '../quickPicks/pickWorktree.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Services } from '../services/services.ts';
import { isTaskRow, type TaskRow } from '../views/taskNodes.ts';
import {
  afterwardsOf,
  makeWorktree,
  rememberedAfterwards,
  remember,
  showCreated,
  showCreation,
} from './makeWorktree.ts';
import { resolveModel, wordOf } from '../services/resolveTarget.ts';
import { verbatim } from '../../core/messages/message.ts';
import { localized } from '../base/messages.ts';
import type { Progress } from '../../core/worktree/model.ts';

/** Tasks of one repository that are to be started, and what is known of how. */
interface Start {
  readonly model: RepositoryModel;
  readonly tasks: readonly string[];
  readonly base: string | undefined;
  readonly then: Afterwards | undefined;
}

/** The same, with everything known. */
interface Settled extends Start {
  readonly base: string;
  readonly then: Afterwards;
}

/** Starts tasks in worktrees of their own; gives the paths of the worktrees. */
export function startTask(services: Services, argument?: unknown, selected?: unknown): Promise<string[]> {
  return start(services, l10n.t('Start Task in a Worktree'), argument, selected, undefined);
}

/** The same, with Claude in each. */
export function startTaskWithClaude(services: Services, argument?: unknown, selected?: unknown): Promise<string[]> {
  return start(services, l10n.t('Start Task in a Worktree with Claude'), argument, selected, 'claude');
}

async function start(
  services: Services,
  title: string,
  argument: unknown,
  selected: unknown,
  then: Afterwards | undefined,
): Promise<string[]> {
  const paths: string[] = [];
  for (const each of await startsOf(services, title, argument, selected, then)) {
    const settled = await ask(services, title, each);
    if (!settled) break;
    paths.push(...(await makeAll(services, settled)));
  }
  return paths;
}

/** From the rows that are selected, from an argument object, or from a question. */
async function startsOf(
  services: Services,
  title: string,
  argument: unknown,
  selected: unknown,
  then: Afterwards | undefined,
): Promise<Start[]> {
  const rows = (Array.isArray(selected) && selected.includes(argument) ? selected : [argument]).filter(isTaskRow);
  if (rows.length > 0) {
    const byModel = new Map<RepositoryModel, TaskRow[]>();
    for (const row of rows.filter(isStartable)) byModel.set(row.model, [...(byModel.get(row.model) ?? []), row]);
    return [...byModel].map(([model, those]) => ({
      model,
      tasks: those.map(({ task }) => task.name),
      base: undefined,
      then,
    }));
  }
  const model = await resolveModel(services, argument, title);
  if (!model) return [];
  const given = tasksOf(argument);
  const tasks = given.length > 0 ? given : await pick(services, model, title);
  const how = { base: wordOf(argument, 'base'), then: then ?? afterwardsOf(wordOf(argument, 'then')) };
  return tasks.length === 0 ? [] : [{ model, tasks, ...how }];
}

/** One that is in a worktree already, or finished, may be selected along with others; it is passed over. */
function isStartable({ parent, worktree }: TaskRow): boolean {
  return parent.group === 'pending' || (parent.group === 'inWorktrees' && worktree === undefined);
}

function tasksOf(argument: unknown): string[] {
  if (typeof argument !== 'object' || argument === null || !('task' in argument)) return [];
  return [argument.task].flat().filter((task): task is string => typeof task === 'string' && task !== '');
}

async function pick({ tasks: view }: Services, model: RepositoryModel, title: string): Promise<string[]> {
  await view.boards.read();
  const { board, problem } = view.boards.states.get(model) ?? {};
  if (problem) throw problem;
  if (!board || board.pending.length === 0) {
    throw new Problem(
      'not-found',
      verbatim(l10n.t('There is no pending task in {0}.', board?.relative ?? model.repository.name)),
      {
        next: verbatim(l10n.t('add one below “## Pending Tasks”')),
      },
    );
  }
  const items = board.pending.map(({ name, detail }: ListedTask) => ({ label: name, description: detail }));
  const placeHolder = l10n.t('Select the tasks to start, each in its own worktree');
  const chosen = await window.showQuickPick(items, { title, placeHolder, canPickMany: true, matchOnDescription: true });
  return (chosen ?? []).map(({ label }) => label);
}

/** Asks for what is missing: the base, and for a single task what to do then. `undefined` when the person leaves. */
async function ask(
  { context }: Services,
  title: string,
  { model, tasks, base, then }: Start,
): Promise<Settled | undefined> {
  const [task] = tasks;
  if (tasks.length === 1 && task !== undefined) {
    const answers = await askForWorktree(model, { name: slugOf(task), base, then }, rememberedAfterwards(context));
    if (answers?.base === undefined) return undefined;
    if (then === undefined) await remember(context, answers.then);
    return { model, tasks, base: answers.base, then: answers.then };
  }
  if (base !== undefined) return { model, tasks, base, then: then ?? 'stay' };
  const what = l10n.t('each of the {0} worktrees', tasks.length);
  const answer = await askBase(model, title, what, likelyBase(model), { step: 1, totalSteps: 1 });
  return typeof answer === 'string' ? undefined : { model, tasks, base: answer.value, then: then ?? 'stay' };
}

/** One after the other; one that fails does not keep the others from being made, a cancel does. */
async function makeAll(services: Services, { model, tasks, base, then }: Settled): Promise<string[]> {
  const made: Created[] = [];
  const failed: Problem[] = [];
  const title =
    tasks.length === 1
      ? l10n.t('Starting {0}', tasks[0] ?? '')
      : l10n.t('Starting {0} tasks in worktrees', tasks.length);
  await withProgress(title, async (progress, signal) => {
    for (const [index, task] of tasks.entries()) {
      const step: Progress = (now) =>
        progress(
          tasks.length === 1 || now === undefined
            ? now
            : verbatim(l10n.t('{0} of {1}: {2}', index + 1, tasks.length, localized(now))),
        );
      try {
        made.push(await makeWorktree(services, model, { task, base }, step, signal));
      } catch (thrown) {
        if (!Problem.is(thrown) || thrown.reason === 'cancelled' || tasks.length === 1) throw thrown;
        services.log.error(`${task}: ${thrown.message}`);
        failed.push(thrown);
      }
    }
  });
  await services.tasks.boards.read();
  for (const created of made) {
    void showCreation(services, model, created);
    await showCreated(services, model, created, then);
  }
  const [first] = failed;
  if (first) throw notAll(first, failed, tasks.length);
  return made.map(({ path }) => path);
}

function notAll(first: Problem, failed: readonly Problem[], count: number): Problem {
  const message = l10n.t('{0} of {1} tasks were not started: {2}', failed.length, count, localized(first.what));
  return new Problem(first.reason, verbatim(message), {
    next: first.nextStep,
    items: failed.map(({ what }) => localized(what)),
    outcome: 'incomplete',
  });
}
