import { ThemeIcon, l10n, window } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import { namePrompt } from '../../core/texts/namePrompt.ts';
import { hasModel, writtenByModel } from '../base/languageModel.ts';
import { problemText } from '../base/messages.ts';
import { asProblem } from '../../core/base/systemFailure.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { TextSuggestion } from './steps.ts';

/** A button that makes a short name of what was typed; `undefined` where VS Code has no model. */
export async function nameSuggestion({ state }: RepositoryModel): Promise<TextSuggestion | undefined> {
  if (!(await hasModel())) return undefined;
  return {
    button: { iconPath: new ThemeIcon('sparkle'), tooltip: l10n.t('Make a Short Name of What Is Typed') },
    run: async (typed, signal) => {
      if (typed.trim() === '') {
        void window.showInformationMessage(l10n.t('Type what is to be done first; the name is made of that.'));
        return undefined;
      }
      const others = (state?.worktrees ?? []).filter(({ main }) => !main).map(({ name }) => name);
      try {
        return await writtenByModel('name', namePrompt(typed, others), signal);
      } catch (thrown) {
        if (!Problem.is(thrown, 'cancelled')) void window.showWarningMessage(problemText(asProblem(thrown)));
        return undefined;
      }
    },
  };
}
