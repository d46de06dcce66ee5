import type { Uri } from 'vscode';
import {
  Position,
  Range,
  Selection,
  TextEditorRevealType,
  l10n,
  window,
  workspace,
  type TextDocument,
  type TextEditor,
} from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import type { Services } from '../services/services.ts';
import { uriOf } from '../base/uris.ts';
import { isTaskRow } from '../views/taskNodes.ts';
import { resolveModel } from '../services/resolveTarget.ts';
import { verbatim } from '../../core/messages/message.ts';

/** What a new session file begins with. */
const skeleton = '# Session\n\n## Pending Tasks\n\n- [ ] **Name** — what is to be done\n\n## Worktree Tasks\n';

/** Opens the session file at the line of a task. */
export async function openTask(_services: Services, argument?: unknown): Promise<void> {
  if (!isTaskRow(argument)) throw new Problem('usage', verbatim(l10n.t('Select a task in the Tasks view first.')));
  await openAt(uriOf(argument.file), argument.task.line);
}

/**
 * Opens the session file of the main working tree, at the line that cannot be read, if there is one. Where there is no file, the beginning
 * of one: it is made when the person saves it.
 */
export async function openSessionFile(services: Services, argument?: unknown): Promise<void> {
  const model = await resolveModel(services, argument, l10n.t('Open Session File'));
  if (!model) return;
  const { readTaskFile, taskFilePath } = await import('../../core/tasks/taskFile.ts');
  const repository = await model.workspace();
  const path = taskFilePath(repository);
  if (path === undefined) {
    throw new Problem(
      'unsupported',
      verbatim(l10n.t('A bare repository has no main working tree to hold a session file.')),
    );
  }
  let line = 1;
  let isThere = true;
  try {
    isThere = (await readTaskFile(repository)) !== undefined;
  } catch (thrown) {
    if (!Problem.is(thrown, 'unreadable-file')) throw thrown;
    line = thrown.line ?? 1;
  }
  if (isThere) return void (await openAt(uriOf(path), line));
  const draft = await openAt(uriOf(path).with({ scheme: 'untitled' }), 1);
  if (draft.document.getText() === '') await draft.edit((edit) => edit.insert(new Position(0, 0), skeleton));
}

/** How long an open text may take to notice that its file was changed, in milliseconds. */
const noticing = 5000;

async function openAt(uri: Uri, line: number): Promise<TextEditor> {
  const document = await workspace.openTextDocument(uri);
  if (document.lineCount < line && !document.isDirty) await untilLong(document, line);
  const at = new Position(Math.min(line, document.lineCount) - 1, 0);
  const editor = await window.showTextDocument(document, { selection: new Range(at, at) });
  editor.selection = new Selection(at, at);
  editor.revealRange(new Range(at, at), TextEditorRevealType.InCenterIfOutsideViewport);
  return editor;
}

/** Waits until a text has so many lines: it is open already, and its file has changed a moment ago. */
function untilLong(document: TextDocument, line: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      subscription.dispose();
      resolve();
    };
    const timer = setTimeout(end, noticing);
    const subscription = workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && document.lineCount >= line) end();
    });
  });
}
