import { ThemeIcon, l10n, type QuickPickItem } from 'vscode';
import { parseSubject } from '../../core/create/subject.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import { askBase } from './pickBase.ts';
import { askChoice, runSteps, type Answer, type InputStep, type Position } from './steps.ts';

/** What is done with a new worktree. */
export type Afterwards = 'window' | 'here' | 'terminal' | 'claude' | 'stay';

/** What is known of a new worktree. */
export interface GivenWorktree {
  readonly name: string;
  readonly base: string | undefined;
  readonly then: Afterwards | undefined;
}

/** The answers of a person. */
export interface WorktreeAnswers extends GivenWorktree {
  readonly then: Afterwards;
}

/**
 * Asks what is not known of a new worktree that has a name: its base, and what to do with it then. A pull request has a base.
 *
 * @param last what was done with the last one; it comes first.
 * @returns `undefined` when the person left.
 */
export async function askForWorktree(
  model: RepositoryModel,
  given: GivenWorktree,
  last: Afterwards,
): Promise<WorktreeAnswers | undefined> {
  const { name } = given;
  let { base, then } = given;
  const title = l10n.t('Create Worktree');
  const steps: InputStep[] = [];
  if (given.base === undefined && parseSubject(name).kind === 'text') {
    steps.push(async (position) => {
      const answer = await askBase(model, title, name, base, position);
      if (typeof answer === 'string') return answer;
      base = answer.value;
      return 'next';
    });
  }
  if (given.then === undefined) {
    steps.push(async (position) => {
      const answer = await askAfterwards(title, name, then ?? last, position);
      if (typeof answer === 'string') return answer;
      then = answer.value;
      return 'next';
    });
  }
  if (!(await runSteps(steps)) || then === undefined) return undefined;
  return { name, base, then };
}

/**
 * Asks what to do with a new worktree.
 *
 * @param first what is offered first.
 */
export async function askAfterwards(
  title: string,
  name: string,
  first: Afterwards,
  position: Position,
): Promise<Answer<Afterwards>> {
  const items = afterwardsItems(first);
  const placeholder = l10n.t('Select what to do after creating {0}', name);
  const answer = await askChoice({ title, placeholder, items }, position);
  return typeof answer === 'string' ? answer : { value: answer.value.then };
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
