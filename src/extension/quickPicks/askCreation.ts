import { l10n } from 'vscode';
import { readBranches, readRemoteBranches } from '../../core/git/refs.ts';
import { OpenPullsReader } from '../github/openPullsReader.ts';
import { pullRequestOf } from '../repository/pullRequestState.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import { tellFailure } from '../remedies/buttons.ts';
import type { Services } from '../services/services.ts';
import type { Known } from './createOffers.ts';
import { askWhat, type BoxAnswer, type BoxSources, type Failed } from './createBox.ts';
import { askBase } from './pickBase.ts';
import { askAfterwards, type Afterwards } from './pickWorktree.ts';
import { runSteps } from './steps.ts';

/** What a person has said of a new worktree; it is asked for again with it when it could not be made. */
export interface Draft {
  readonly text: string;
  /** The base that was chosen. */
  readonly base: string | undefined;
  /** What is done with it then, where that is known. */
  readonly then: Afterwards | undefined;
}

/** What a new worktree is to be, or which one is gone on with. */
export interface CreationAnswer extends Draft {
  readonly action: BoxAnswer['action'];
}

/** How the questions are asked. */
export interface CreationQuestion {
  readonly title: string;
  readonly only: 'pulls' | undefined;
  /** What is done with it then is known and not asked for. */
  readonly then: Afterwards | undefined;
  /** What was done with the last one. */
  readonly last: Afterwards;
}

/**
 * Asks for a new worktree: in one box what it is made of, then what to do with it.
 *
 * @param draft what was said before.
 * @param failed why that could not be made.
 * @returns `undefined` when the person left.
 */
export async function askForCreation(
  services: Services,
  model: RepositoryModel,
  question: CreationQuestion,
  draft: Draft,
  failed: Failed | undefined,
): Promise<CreationAnswer | undefined> {
  const { title, only } = question;
  const pulls = new OpenPullsReader(services, model);
  try {
    const sources: BoxSources = {
      ...{ model, pulls, known: await readKnown(services, model) },
      tell: (thrown) => tellFailure(services, title, thrown),
    };
    let { text, base, then } = draft;
    let trouble = failed;
    let action: BoxAnswer['action'] | undefined;
    const what = async (position: { step: number; totalSteps: number }): Promise<'next' | 'back' | 'left'> => {
      for (;;) {
        const answer = await askWhat(sources, { title, text, base, only, failed: trouble }, position);
        if (typeof answer === 'string') return answer;
        trouble = undefined;
        if ('value' in answer) {
          ({ text, action } = answer.value);
          return 'next';
        }
        text = answer.otherBase;
        // With a way back to the box.
        const chosen = await askBase(model, title, text, base, { ...position, step: 2 });
        if (chosen === 'left') return 'left';
        if (chosen !== 'back') base = chosen.value;
      }
    };
    const afterwards = async (position: { step: number; totalSteps: number }): Promise<'next' | 'back' | 'left'> => {
      if (action?.kind !== 'create') return 'next';
      const answer = await askAfterwards(title, action.label, then ?? question.last, position);
      if (typeof answer === 'string') return answer;
      then = answer.value;
      return 'next';
    };
    const steps = question.then === undefined ? [what, afterwards] : [what];
    if (!(await runSteps(steps)) || !action) return undefined;
    return { text, base, then: question.then ?? then, action };
  } finally {
    pulls.dispose();
  }
}

async function readKnown({ tasks }: Services, model: RepositoryModel): Promise<Omit<Known, 'pulls'>> {
  const { git } = await model.workspace();
  const { commonDir } = model.repository;
  const [local, remote] = await Promise.all([
    readBranches(git, commonDir),
    readRemoteBranches(git, commonDir),
    tasks.boards.read(),
  ]);
  const { state } = model;
  return {
    branches: [...local.values()].sort((one, other) => other.committed - one.committed),
    remotes: [...remote.oids.keys()].map((ref) => ref.replace(/^refs\/remotes\//, '')),
    tasks: tasks.boards.states.get(model)?.board?.pending ?? [],
    worktrees: (state?.worktrees ?? []).map((worktree) => {
      const { name, path, branch, condition } = worktree;
      return { name, path, branch, canOpen: condition === 'fine', pull: pullRequestOf(state, worktree)?.number };
    }),
  };
}

/** The title of the questions, by what they are for. */
export const titleOf = (only: 'pulls' | undefined): string =>
  only === 'pulls' ? l10n.t('Create Worktree from Pull Request') : l10n.t('Create Worktree');
