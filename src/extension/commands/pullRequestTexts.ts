import { Uri, commands, l10n, window, workspace, type TextDocument } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import { verbatim } from '../../core/messages/message.ts';
import type { Services } from '../services/services.ts';

/** The texts that are open for a person to edit, with what makes a pull request of each. Gives whether one was made. */
const texts = new Map<TextDocument, () => Promise<boolean>>();

/**
 * Keeps a text as that of a pull request until it is sent or closed: the title of its editor has the button that sends it, since a
 * message beside it does not wait for as long as a person writes.
 *
 * @param send gives whether a pull request was made; the text stays open where not.
 * @returns sends it.
 */
export function keepText(
  services: Services,
  document: TextDocument,
  send: () => Promise<boolean>,
): () => Promise<void> {
  let isSending = false;
  const sendOnce = async (): Promise<boolean> => {
    if (isSending) return false;
    isSending = true;
    try {
      return await send();
    } finally {
      isSending = false;
    }
  };
  texts.set(document, sendOnce);
  const closing = workspace.onDidCloseTextDocument(() => forget());
  const forget = (): void => {
    for (const each of texts.keys()) if (each.isClosed) texts.delete(each);
    if (!texts.has(document)) closing.dispose();
    services.keys.setPullRequestTexts([...texts.keys()].map(({ uri }) => uri));
  };
  forget();
  return () => sendText(document);
}

/**
 * `worktreeStacks.sendPullRequest`: makes a pull request of the text that was written for it, and closes that.
 *
 * @param argument the Uri of the text; by default the one in front.
 */
export async function sendPullRequest(_: Services, argument?: unknown): Promise<void> {
  const uri = argument instanceof Uri ? argument : window.activeTextEditor?.document.uri;
  const document = [...texts.keys()].find((each) => each.uri.toString() === uri?.toString());
  if (document) return sendText(document);
  throw new Problem('not-found', verbatim(l10n.t('The editor in front holds no text for a pull request.')), {
    next: verbatim(l10n.t('have one written from the question before a draft pull request is created')),
    outcome: 'incomplete',
  });
}

async function sendText(document: TextDocument): Promise<void> {
  if (!(await texts.get(document)?.()) || document.isClosed) return;
  await window.showTextDocument(document);
  await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
}
