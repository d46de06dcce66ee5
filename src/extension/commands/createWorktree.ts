import { l10n } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import { parseSubject } from '../../core/create/subject.ts';
import { slugOf } from '../../core/repository/slug.ts';
import { withProgress } from '../base/progress.ts';
import { askForCreation, titleOf, type CreationAnswer, type Draft } from '../quickPicks/askCreation.ts';
import type { Failed } from '../quickPicks/createBox.ts';
import { askForWorktree } from '../quickPicks/pickWorktree.ts';
import { remedyButtons } from '../remedies/buttons.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import { resolveModel, wordOf } from '../services/resolveTarget.ts';
import type { Services } from '../services/services.ts';
import { askForChanges } from './carryChanges.ts';
import { makeFrom, type Wanted } from './makeFrom.ts';
import { afterwardsOf, remember, rememberedAfterwards, showCreated, showCreation } from './makeWorktree.ts';
import { openFolder } from './openWorktree.ts';
import { opensInNewWindow } from './rows.ts';

/**
 * Creates a worktree from whatever a person has: a name, a branch, a pull request, an issue or a task. Asks for what the argument does not
 * give.
 *
 * @param argument an object with `name`, `base`, `then`, `branch`, `task`, `changes` (`move`, `copy`, `leave`), `repository` and `stack`,
 *   each optional. The name may be a pull request or an issue, as `wt create` takes it; `stack: true` brings those below a pull request.
 * @returns the path of the worktree.
 */
export async function createWorktreeCommand(services: Services, argument?: unknown): Promise<string | undefined> {
  const model = await resolveModel(services, argument, l10n.t('Create Worktree'));
  if (!model) return undefined;
  const [base, branch] = [wordOf(argument, 'base'), wordOf(argument, 'branch')];
  const task = wordOf(argument, 'task');
  const given = wordOf(argument, 'name');
  const name = given ?? (task === undefined ? undefined : slugOf(task));
  const then = afterwardsOf(wordOf(argument, 'then'));
  if (name === undefined) return createFromBox(services, model, undefined, { text: branch ?? '', base, then });
  const answers = await askForWorktree(model, { name, base, then }, rememberedAfterwards(services.context));
  if (!answers) return undefined;
  // A task names its worktree itself.
  const request = { name: given, base: answers.base, branch, task };
  const withStack = (argument as { stack?: unknown }).stack === true;
  // Whoever names the worktree is a program: it is not asked, and says `changes` where they are to come along.
  const changes = await askForChanges(model, { base: answers.base }, wordOf(argument, 'changes') ?? 'leave');
  if (changes === undefined) return undefined;
  const wanted = { request, withStack, label: name, changes };
  return create(services, model, wanted, { ...answers, isAsked: then === undefined });
}

/** The same from an open pull request, its number or its address. */
export async function createFromPullRequest(services: Services, argument?: unknown): Promise<string | undefined> {
  const model = await resolveModel(
    services,
    argument,
    titleOf('pulls'),
    ({ state }) => state?.sharing === 'pullRequests',
  );
  if (!model) return undefined;
  // Who is not signed in is asked: this is about nothing else.
  await services.pullRequests.open(model);
  const then = afterwardsOf(wordOf(argument, 'then'));
  return createFromBox(services, model, 'pulls', { text: '', base: wordOf(argument, 'base'), then });
}

/** Asks in one box, and again with what was said where it could not be made, until it is made or the person leaves. */
async function createFromBox(
  services: Services,
  model: RepositoryModel,
  only: 'pulls' | undefined,
  given: Draft,
): Promise<string | undefined> {
  const title = titleOf(only);
  let draft: Draft = given;
  let failed: Failed | undefined;
  for (;;) {
    const question = { title, only, then: given.then, last: rememberedAfterwards(services.context) };
    const answer: CreationAnswer | undefined = await askForCreation(services, model, question, draft, failed);
    if (!answer) return undefined;
    const { action, then = question.last } = answer;
    if (action.kind === 'open') {
      const worktree = model.state?.worktrees.find(({ path }) => path === action.path);
      if (worktree) await openFolder(services, { model, worktree }, opensInNewWindow());
      return worktree?.path;
    }
    // What others have begun, and a task, come with work of their own: **Carry Changes To…** is there for the rest.
    const { name = '', task } = action.request;
    const isOwnWork = parseSubject(name).kind === 'text' && task === undefined;
    const changes = await askForChanges(model, action.request, isOwnWork ? undefined : 'leave');
    if (changes === undefined) {
      // Escape at the last question leads back to the first.
      [draft, failed] = [answer, undefined];
      continue;
    }
    try {
      return await create(services, model, { ...action, changes }, { then, isAsked: given.then === undefined });
    } catch (thrown) {
      // What was called off is over; what nobody has foreseen is told as everywhere.
      if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
      services.log.error([`${title}: ${thrown.message}`, ...thrown.items].join('\n'));
      draft = answer;
      failed = failureOf(services, title, thrown, answer);
    }
  }
}

/** What is offered in the box after a failure: the same again, what helps, and the log with git's own words. */
function failureOf(services: Services, title: string, problem: Problem, { action }: CreationAnswer): Failed {
  const others = problem.remedies.filter(({ kind }) => kind !== 'retry');
  const helps = [
    { label: l10n.t('Try Again'), action },
    ...remedyButtons(services, title, others).map(({ label, run }) => ({
      ...{ label, action: { kind: 'run', run } as const },
    })),
  ];
  const showLog = {
    label: l10n.t('Show Log'),
    action: { kind: 'run', run: () => services.channel.show(true) } as const,
  };
  return { problem, helps: problem.items.length === 0 ? helps : [...helps, showLog] };
}

async function create(
  services: Services,
  model: RepositoryModel,
  wanted: Wanted,
  { then, isAsked }: { readonly then: ReturnType<typeof rememberedAfterwards>; readonly isAsked: boolean },
): Promise<string> {
  if (isAsked) await remember(services.context, then);
  const made = await withProgress(l10n.t('Creating worktree {0}', wanted.label), (progress, signal) =>
    makeFrom(services, model, wanted, progress, signal),
  );
  for (const created of made.all) void showCreation(services, model, created);
  await showCreated(services, model, made.asked, then);
  return made.asked.path;
}
