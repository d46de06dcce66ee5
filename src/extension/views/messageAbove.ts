import { sep } from 'node:path';
import { l10n } from 'vscode';
import { problemText } from '../base/messages.ts';
import type { Repositories } from '../repository/repositories.ts';

/** The message above the rows: what could not be read. */
export function messageAbove({ models, problem }: Repositories): string {
  const words = models.flatMap((model) => {
    const problems = [...(model.problem ? [model.problem] : []), ...(model.state?.problems ?? [])];
    // The view is narrow, and the folder of the repository is no news.
    return problems.map((each) => problemText(each).replaceAll(`${model.repository.mainRoot}${sep}`, ''));
  });
  if (problem) words.unshift(problemText(problem));
  const [first = '', ...others] = new Set(words);
  return others.length === 0 ? first : l10n.t('{0} ({1} more in the log)', first, others.length);
}
