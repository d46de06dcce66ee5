import {
  InputBoxValidationSeverity,
  ThemeIcon,
  l10n,
  type InputBoxValidationMessage,
  type QuickPickItem,
} from 'vscode';
import { Problem, messageOf } from '../../core/base/problem.ts';
import { branchesIn, branchesOfName } from '../../core/create/branchOfName.ts';
import { resolveRequest, type ResolvedRequest } from '../../core/create/resolveRequest.ts';
import { readRemoteBranches } from '../../core/git/refs.ts';
import { problemText, localized } from '../base/messages.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import { askBase, askBranch, likelyBase, type BaseQuestion } from './pickBase.ts';
import { nameSuggestion } from './suggestName.ts';
import {
  askChoice,
  askText,
  runSteps,
  type Answer,
  type InputStep,
  type Position,
  type TextQuestion,
} from './steps.ts';

/** What is done with a new worktree. */
export type Afterwards = 'window' | 'here' | 'terminal' | 'claude' | 'stay';

/** The answers of a person. */
export interface WorktreeAnswers {
  readonly name: string;
  readonly base: string;
  readonly then: Afterwards;
  /** The branch to use, where it is not a new one that follows from the name. */
  readonly branch: string | undefined;
  /** A new branch is meant, also where remotes have one of its name. */
  readonly newBranch: boolean | undefined;
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
  let { name, base, then, branch, newBranch } = given;
  const title = l10n.t('Create Worktree');
  const steps: InputStep[] = [];
  if (given.name === undefined) {
    steps.push(async (position) => {
      const asked = { name: name ?? '', branch: given.branch };
      const answer = await askName(model, { title, base: base ?? likelyBase(model), position }, asked);
      if (typeof answer === 'string') return answer;
      ({ name, branch, newBranch } = answer.value);
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
  return { name, base, then, branch, newBranch };
}

/** The name of a new worktree, and the branch to use where that is no new one. */
type Named = Pick<WorktreeAnswers, 'name' | 'branch'> & Partial<Pick<WorktreeAnswers, 'newBranch'>>;

/** How the question for a name is asked. */
interface NameQuestion {
  readonly title: string;
  readonly base: string | undefined;
  readonly position: Position;
}

/** Asks for a name, and where a branch is called like it, or the person wants one that exists, for the branch. */
async function askName(model: RepositoryModel, question: NameQuestion, asked: Named): Promise<Answer<Named>> {
  const { title, base, position } = question;
  let { name, branch } = asked;
  const suggest = await nameSuggestion(model);
  for (;;) {
    const typed = await askText({ ...nameQuestion(model, question, { name, branch }), suggest }, position);
    if (typed === 'pressed') {
      const chosen = await askBranch(model, title, { ...position, step: 2 }, freeBranches(model));
      if (chosen === 'left') return 'left';
      if (chosen === 'back') continue;
      branch = chosen.value;
      name = await shortNameOf(model, branch);
      continue;
    }
    if (typeof typed === 'string') return typed;
    name = typed.value.trim();
    if (branch !== undefined) return { value: { name, branch } };
    const found = await branchesOfName(await model.workspace(), { name, base, createdBy: 'vscode' });
    if (!found) return { value: { name, branch: undefined } };
    if (!found.areRemote) return { value: { name, branch: found.branches[0] } };
    const meant = await askRemote(title, name, found.branches, position);
    if (meant !== 'back') return meant;
  }
}

/** Which of the branches of remotes that are called like the worktree is meant, if one is. */
async function askRemote(
  title: string,
  name: string,
  branches: readonly string[],
  position: Position,
): Promise<Answer<Named>> {
  const items: (QuickPickItem & Named)[] = [
    ...branches.map((branch) => ({
      ...{ name, branch, label: l10n.t('Continue {0}', branch), iconPath: new ThemeIcon('cloud') },
    })),
    {
      ...{ name, branch: undefined, newBranch: true },
      ...{ label: l10n.t('Start a new branch'), iconPath: new ThemeIcon('git-branch') },
    },
  ];
  const placeholder = l10n.t('Several remotes have a branch {0}', name);
  // With a way back to the name, which is the first question.
  return askChoice({ title, placeholder, items }, { ...position, step: Math.max(2, position.step) });
}

/** The branches that a new worktree can check out. */
function freeBranches({ state }: RepositoryModel): BaseQuestion {
  const taken = new Set((state?.worktrees ?? []).map(({ branch }) => branch));
  return {
    placeholder: l10n.t('Select a branch to check out in a new worktree'),
    offers: (branch) => !taken.has(branch),
  };
}

async function shortNameOf(model: RepositoryModel, branch: string): Promise<string> {
  const { git } = await model.workspace();
  const remotes = (await readRemoteBranches(git, model.repository.commonDir)).oids;
  return remotes.has(`refs/remotes/${branch}`) ? branch.replace(/^[^/]+\//, '') : branch;
}

function nameQuestion(
  model: RepositoryModel,
  { title, base }: NameQuestion,
  { name: value, branch }: Named,
): TextQuestion {
  const resolve = async (name: string, from: string | undefined, signal: AbortSignal): Promise<ResolvedRequest> =>
    resolveRequest(await model.workspace(), { name, base, branch: from, createdBy: 'vscode' }, signal);
  return {
    title,
    prompt:
      branch === undefined
        ? l10n.t('Name the worktree. Its branch and folder are named after it.')
        : l10n.t('Name of the worktree for the branch {0}.', branch),
    placeholder: l10n.t('feat-auth'),
    value,
    whenEmpty: l10n.t('Enter a name for the worktree.'),
    button: { iconPath: new ThemeIcon('git-branch'), tooltip: l10n.t('From Existing Branch…') },
    judge: async (text, signal) => {
      try {
        return validationOf(await resolve(text, branch, signal));
      } catch (thrown) {
        if (Problem.is(thrown, 'cancelled')) return undefined;
        const meant = Problem.is(thrown) ? branchesIn(thrown) : undefined;
        if (meant) {
          const message = meant.areRemote
            ? l10n.t('{0} exist. Press Enter to choose one, or to start a new branch.', meant.branches.join(', '))
            : l10n.t('The branch {0} exists. Press Enter to check it out in a new worktree.', meant.branches[0]);
          return { message, severity: InputBoxValidationSeverity.Info };
        }
        return {
          message: Problem.is(thrown) ? problemText(thrown) : messageOf(thrown),
          severity: InputBoxValidationSeverity.Error,
        };
      }
    },
    passes: (validation) => validation !== undefined && validation.severity !== InputBoxValidationSeverity.Error,
  };
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
