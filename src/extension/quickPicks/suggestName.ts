import { ThemeIcon, l10n, window, type QuickInputButton, type QuickPick, type QuickPickItem } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { Problem } from '../../core/base/problem.ts';
import { asProblem } from '../../core/base/systemFailure.ts';
import { namePrompt } from '../../core/texts/namePrompt.ts';
import { hasModel, writtenByModel } from '../base/languageModel.ts';
import { problemText } from '../base/messages.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';

/**
 * Adds a button to the box for a name, which puts a short name of what was typed there, for the person to change. Only where VS Code has a
 * model; the box does not wait for that.
 *
 * @param onName the text in the box is another one.
 * @returns gives up what a model writes.
 */
export function offerName({ state }: RepositoryModel, pick: QuickPick<QuickPickItem>, onName: () => void): Disposable {
  const store = new DisposableStore();
  const leaving = new AbortController();
  store.add({ dispose: () => leaving.abort() });
  const button: QuickInputButton = {
    iconPath: new ThemeIcon('sparkle'),
    tooltip: l10n.t('Make a Short Name of What Is Typed'),
  };
  void hasModel().then((has) => {
    if (has && !leaving.signal.aborted) pick.buttons = [...pick.buttons, button];
  });
  const others = (state?.worktrees ?? []).filter(({ main }) => !main).map(({ name }) => name);
  store.add(
    pick.onDidTriggerButton(async (pressed) => {
      if (pressed !== button || !pick.enabled) return;
      const typed = pick.value.trim();
      if (typed === '') {
        pick.prompt = l10n.t('Type what is to be done first; the name is made of that.');
        return;
      }
      pick.busy = true;
      pick.enabled = false;
      const name = await nameFor(typed, others, leaving.signal);
      if (leaving.signal.aborted) return;
      pick.enabled = true;
      pick.busy = false;
      if (name === undefined) return;
      pick.value = name;
      onName();
    }),
  );
  return store;
}

/** A name for what was typed; `undefined` where a model gave none, which is told. */
async function nameFor(typed: string, others: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  try {
    return await writtenByModel('name', namePrompt(typed, others), signal);
  } catch (thrown) {
    if (!Problem.is(thrown, 'cancelled')) void window.showWarningMessage(problemText(asProblem(thrown)));
    return undefined;
  }
}
