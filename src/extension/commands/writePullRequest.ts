import { l10n, window, workspace, type TextDocument } from 'vscode';
import { titleAndBody } from '../../core/texts/answer.ts';
import { pullRequestPrompt } from '../../core/texts/pullRequestPrompt.ts';
import { writtenByModel } from '../base/languageModel.ts';
import { withProgress } from '../base/progress.ts';
import type { WorktreeTarget } from '../services/resolveTarget.ts';
import type { Services } from '../services/services.ts';
import { keepText } from './pullRequestTexts.ts';

/** The words of a pull request. */
export interface PullRequestWords {
  readonly title: string;
  readonly body: string;
}

/**
 * Has a model write title and description of a pull request, and opens them for the person to edit. A message beside them and the title of the
 * editor have the button that goes on; without it nothing is sent.
 *
 * @param use gets the words as the person has left them; gives what was made of them, `undefined` where nothing was: then they stay open.
 * @throws Problem `text-failed`, `unsupported`, `not-found`, `cancelled`.
 */
export async function writePullRequest(
  services: Services,
  { model, worktree }: WorktreeTarget,
  use: (words: PullRequestWords) => Promise<unknown>,
): Promise<TextDocument> {
  const text = await withProgress(l10n.t('Writing a pull request for {0}', worktree.name), async (_, signal) =>
    writtenByModel('pull-request', await pullRequestPrompt(await model.workspace(), worktree, signal), signal),
  );
  const document = await workspace.openTextDocument({ language: 'markdown', content: `${text}\n` });
  await window.showTextDocument(document);
  const create = l10n.t('Create Draft Pull Request');
  const message = l10n.t(
    'Edit the title (the first line) and the description of the pull request of {0}, then create it.',
    worktree.name,
  );
  const send = keepText(services, document, async () => {
    const words = titleAndBody(document.getText());
    if (words.title !== '') return (await use(words)) !== undefined;
    void window.showWarningMessage(
      l10n.t('The first line is empty, so the pull request has no title: nothing was sent.'),
    );
    return false;
  });
  // Not awaited: the command has ended, and the answer begins the next.
  void window.showInformationMessage(message, create).then((choice) => (choice === create ? send() : undefined));
  return document;
}
