import { l10n, window } from 'vscode';
import type { Problem } from '../../core/base/problem.ts';
import { localized } from '../base/messages.ts';
import { tellFailure } from '../remedies/buttons.ts';
import type { Services } from '../services/services.ts';

/** Shows what keeps a repository from being read as it should, with the buttons that help: the message above the rows can have none. */
export async function showProblems(services: Services): Promise<void> {
  const { models, problem: general } = services.repositories;
  const found = models.flatMap(({ problem, state }) => [...(problem ? [problem] : []), ...(state?.problems ?? [])]);
  const problem = await chosen(general ? [general, ...found] : found);
  if (problem) tellFailure(services, l10n.t('Show Problems'), problem);
}

async function chosen(problems: readonly Problem[]): Promise<Problem | undefined> {
  if (problems.length < 2) return problems[0];
  const items = problems.map((problem) => ({ label: localized(problem.what), problem }));
  return (await window.showQuickPick(items, { placeHolder: l10n.t('Select a problem to see what helps') }))?.problem;
}
