import {
  InputBoxValidationSeverity,
  ThemeIcon,
  l10n,
  type InputBoxValidationMessage,
  type QuickPickItem,
} from 'vscode';
import { Problem, messageOf } from '../../core/base/problem.ts';
import { resolveRequest, type ResolvedRequest } from '../../core/create/resolveRequest.ts';
import { problemText, localized } from '../base/messages.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import { askBase, likelyBase } from './pickBase.ts';
import { askChoice, askText, runSteps, type Position, type InputStep } from './steps.ts';

/** What is done with a new worktree. */
export type Afterwards = 'window' | 'here' | 'terminal' | 'claude' | 'stay';

/** The answers of a person. */
export interface WorktreeAnswers {
  readonly name: string;
  readonly base: string;
  readonly then: Afterwards;
}

/**
 * Asks what a new worktree is to be: its name, its base, and what to do with it then. What is given is not asked for.
 *
 * @param last what was done with the last one; it comes first.
 * @returns `undefined` when the person left.
 */
export async function askForWorktree(
  model: RepositoryModel,
  given: Partial<WorktreeAnswers>,
  last: Afterwards,
): Promise<WorktreeAnswers | undefined> {
  let { name, base, then } = given;
  const title = l10n.t('Create Worktree');
  const steps: InputStep[] = [];
  if (given.name === undefined) {
    steps.push(async (position) => {
      const answer = await askName(model, title, name ?? '', base ?? likelyBase(model), position);
      if (typeof answer === 'string') return answer;
      name = answer.value;
      return 'next';
    });
  }
  if (given.base === undefined) {
    steps.push(async (position) => {
      const answer = await askBase(model, title, name ?? '', base, position);
      if (typeof answer === 'string') return answer;
      base = answer.value;
      return 'next';
    });
  }
  if (given.then === undefined) {
    steps.push(async (position) => {
      const items = afterwardsItems(then ?? last);
      const placeholder = l10n.t('Select what to do after creating {0}', name ?? '');
      const answer = await askChoice({ title, placeholder, items }, position);
      if (typeof answer === 'string') return answer;
      then = answer.value.then;
      return 'next';
    });
  }
  if (!(await runSteps(steps)) || name === undefined || base === undefined || then === undefined) return undefined;
  return { name, base, then };
}

function askName(
  model: RepositoryModel,
  title: string,
  value: string,
  base: string | undefined,
  position: Position,
): ReturnType<typeof askText> {
  return askText(
    {
      title,
      prompt: l10n.t('Name the worktree. Its branch and folder get the same name.'),
      placeholder: l10n.t('feat-auth'),
      value,
      judge: async (text, signal) => {
        try {
          return validationOf(
            await resolveRequest(await model.workspace(), { name: text, base, createdBy: 'vscode' }, signal),
          );
        } catch (thrown) {
          if (Problem.is(thrown, 'cancelled')) return undefined;
          return {
            message: Problem.is(thrown) ? problemText(thrown) : messageOf(thrown),
            severity: InputBoxValidationSeverity.Error,
          };
        }
      },
      passes: (validation) => validation !== undefined && validation.severity !== InputBoxValidationSeverity.Error,
    },
    position,
  );
}

/** What would be made, as it is typed. */
function validationOf({
  branch,
  newBranch,
  fromRemote,
  relativePath,
  warnings,
}: ResolvedRequest): InputBoxValidationMessage {
  const what =
    fromRemote === undefined
      ? newBranch
        ? l10n.t('New branch {0} in {1}', branch, relativePath)
        : l10n.t('Existing branch {0} in {1}', branch, relativePath)
      : l10n.t('Branch {0}, continuing {1}, in {2}', branch, fromRemote, relativePath);
  return warnings.length === 0
    ? { message: what, severity: InputBoxValidationSeverity.Info }
    : { message: `${what}. ${warnings.map(localized).join(' ')}`, severity: InputBoxValidationSeverity.Warning };
}

function afterwardsItems(first: Afterwards): (QuickPickItem & { readonly then: Afterwards })[] {
  const items: (QuickPickItem & { readonly then: Afterwards })[] = [
    { then: 'window', label: l10n.t('Open in a new window'), iconPath: new ThemeIcon('empty-window') },
    { then: 'here', label: l10n.t('Open in this window'), iconPath: new ThemeIcon('window') },
    { then: 'terminal', label: l10n.t('Open a terminal in it'), iconPath: new ThemeIcon('terminal') },
    { then: 'claude', label: l10n.t('Start Claude in it'), iconPath: new ThemeIcon('sparkle') },
    {
      then: 'stay',
      label: l10n.t('Stay here'),
      description: l10n.t('nothing is opened'),
      iconPath: new ThemeIcon('list-tree'),
    },
  ];
  return items.sort((one, other) => Number(other.then === first) - Number(one.then === first));
}
