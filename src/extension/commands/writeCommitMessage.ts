import { Uri, commands, l10n, window, workspace } from 'vscode';
import { commitPrompt } from '../../core/texts/commitPrompt.ts';
import { writtenByModel } from '../base/languageModel.ts';
import { withProgress } from '../base/progress.ts';
import { commitBoxOf } from '../git/commitBox.ts';
import { asksFirst, resolveTarget } from '../services/resolveTarget.ts';
import type { Services } from '../services/services.ts';

/**
 * `worktreeStacks.writeCommitMessage`: has a model write a message for what is staged, or for all changes where nothing is, and puts it in the
 * box of the Source Control view for the person to edit. Nothing is committed. Without VS Code's git it opens as a text.
 *
 * @param argument a row, a source control of VS Code, or `{ worktree, ask }`.
 * @returns the message; `undefined` when the person cancels.
 */
export async function writeCommitMessage(services: Services, argument?: unknown): Promise<string | undefined> {
  const target = await resolveTarget(services, rootOf(argument) ?? argument, {
    title: l10n.t('Write Commit Message'),
    placeholder: l10n.t('Select the worktree that has the changes'),
    accept: ({ worktree }) => (worktree.changes?.total ?? 0) > 0,
    none: l10n.t('No worktree has uncommitted changes.'),
  });
  if (!target) return undefined;
  const { model, worktree } = target;
  const box = await commitBoxOf(worktree.path);
  if (box && box.value.trim() !== '' && asksFirst(argument) && !(await mayReplace(worktree.name))) return undefined;
  const message = await withProgress(l10n.t('Writing a commit message for {0}', worktree.name), async (_, signal) => {
    const { git } = await model.workspace();
    const prompt = await commitPrompt(git, worktree.path, { orAll: true, signal });
    return writtenByModel('commit', prompt, signal);
  });
  if (box) {
    box.value = message;
    await commands.executeCommand('workbench.view.scm');
  } else {
    const document = await workspace.openTextDocument({ language: 'git-commit', content: `${message}\n` });
    await window.showTextDocument(document);
  }
  return message;
}

async function mayReplace(name: string): Promise<boolean> {
  const replace = l10n.t('Replace Message');
  const words = l10n.t('The box for the commit message of {0} already has a text.', name);
  return (await window.showWarningMessage(words, replace)) === replace;
}

/** The root of a source control of VS Code, which its own menus pass. */
function rootOf(argument: unknown): Uri | undefined {
  const root =
    typeof argument === 'object' && argument !== null && 'rootUri' in argument ? argument.rootUri : undefined;
  return root instanceof Uri ? root : undefined;
}
