import { sep } from 'node:path';
import { l10n } from 'vscode';
import type { Problem } from '../../core/base/problem.ts';
import { problemText } from '../base/messages.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Repositories } from '../repository/repositories.ts';

/** What a problem of a repository says above the rows: the view is narrow, and the folder of the repository is no news. */
export function problemAbove({ repository }: RepositoryModel, problem: Problem): string {
  return problemText(problem).replaceAll(`${repository.mainRoot}${sep}`, '');
}

/** The message above the rows: what could not be read. */
export function messageAbove({ models, problem }: Repositories): string {
  const words = models.flatMap((model) => {
    const problems = [...(model.problem ? [model.problem] : []), ...(model.state?.problems ?? [])];
    return problems.map((each) => problemAbove(model, each));
  });
  if (problem) words.unshift(problemText(problem));
  const [first = '', ...others] = new Set(words);
  return others.length === 0 ? first : l10n.t('{0} ({1} more in the log)', first, others.length);
}
