import { sep } from 'node:path';
import { l10n } from 'vscode';
import type { Problem } from '../../core/base/problem.ts';
import { problemText } from '../base/messages.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Repositories } from '../repository/repositories.ts';
import { restacksOf } from '../repository/stackState.ts';

/** What a problem of a repository says above the rows: the view is narrow, and the folder of the repository is no news. */
export function problemAbove({ repository }: RepositoryModel, problem: Problem): string {
  return problemText(problem).replaceAll(`${repository.mainRoot}${sep}`, '');
}

/** The message above the rows: what could not be read, else how many branches need a restack. */
export function messageAbove({ models, problem }: Repositories): string {
  const words = models.flatMap((model) => {
    const problems = [...(model.problem ? [model.problem] : []), ...(model.state?.problems ?? [])];
    return problems.map((each) => problemAbove(model, each));
  });
  if (problem) words.unshift(problemText(problem));
  const [first = restackText(models), ...others] = new Set(words);
  return others.length === 0 ? first : l10n.t('{0} ({1} more in the log)', first, others.length);
}

/** The button for it is in the title of the view, and on the row where each stack begins. */
function restackText(models: readonly RepositoryModel[]): string {
  const count = models
    .flatMap(({ state }) => [...restacksOf(state).values()])
    .reduce((sum, stack) => sum + stack.count, 0);
  // One alone is told by its row.
  return count < 2 ? '' : l10n.t('{0} branches need a restack.', count);
}
