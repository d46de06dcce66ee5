import { readFile, writeFile } from 'node:fs/promises';
import {
  EventEmitter,
  Uri,
  window,
  workspace,
  type CustomDocumentBackup,
  type CustomDocumentBackupContext,
  type CustomDocumentEditEvent,
  type CustomDocumentOpenContext,
  type CustomEditorProvider,
  type WebviewPanel,
} from 'vscode';
import { rm } from '../../core/base/heldFiles.ts';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { Problem } from '../../core/base/problem.ts';
import { watchFiles } from '../git/watch.ts';
import { problemText } from '../base/messages.ts';
import type { SessionMergeHost } from './host.ts';
import type { SessionMergeDocument } from './document.ts';
import type { SavedChoice, SavedChoices } from './savedChoices.ts';
import { showBackup } from './showBackup.ts';
import { sessionMergeType } from './viewType.ts';

/**
 * The session merge editor: VS Code asks it for documents and their pages, and so choices can be undone, are saved, and survive a reload of the
 * window. What reads and merges is loaded with the first document.
 */
export class SessionMergeEditors implements CustomEditorProvider<SessionMergeDocument>, Disposable {
  readonly savedChoices: SavedChoices;
  readonly #host: () => SessionMergeHost;
  readonly #store = new DisposableStore();
  readonly #edited = new EventEmitter<CustomDocumentEditEvent<SessionMergeDocument>>();
  readonly #documents = new Map<string, SessionMergeDocument>();

  /** @param host are asked for when the first document is opened. */
  constructor(savedChoices: SavedChoices, host: () => SessionMergeHost) {
    this.savedChoices = savedChoices;
    this.#host = host;
    this.#store.add(this.#edited);
    this.#store.add(
      window.registerCustomEditorProvider(sessionMergeType, this, {
        supportsMultipleEditorsPerDocument: true,
        webviewOptions: { enableFindWidget: true },
      }),
    );
  }

  get onDidChangeCustomDocument(): EventEmitter<CustomDocumentEditEvent<SessionMergeDocument>>['event'] {
    return this.#edited.event;
  }

  /** The document of a file that is open in this editor. */
  find(uri: Uri): SessionMergeDocument | undefined {
    return this.#documents.get(uri.toString());
  }

  async openCustomDocument(uri: Uri, { backupId }: CustomDocumentOpenContext): Promise<SessionMergeDocument> {
    const { repositories } = this.#host();
    const { SessionMergeDocument: Document } = await import('./document.ts');
    const { locateFile } = await import('./readConflict.ts');
    const store = new DisposableStore();
    const document = new Document(uri, repositories, this.savedChoices, () => {
      store.dispose();
      if (this.find(uri) === document) this.#documents.delete(uri.toString());
    });
    // What has just happened in a terminal, such as the merge itself, may not be in the snapshot yet.
    const located = await locateFile(repositories, uri.fsPath).catch(() => undefined);
    await located?.model.refresh();
    await document.open(backupId === undefined ? undefined : await readBackup(backupId));
    store.add(document.onDidEdit((edit) => this.#edited.fire({ document, ...edit })));
    store.add(repositories.onDidChange(() => void document.reload()));
    // VS Code reports changes outside the window's folders only to explicit watchers.
    const name = uri.path.split('/').at(-1) ?? '';
    store.add(watchFiles(Uri.joinPath(uri, '..'), name, () => void document.reload()));
    this.#documents.set(uri.toString(), document);
    return document;
  }

  async resolveCustomEditor(document: SessionMergeDocument, panel: WebviewPanel): Promise<void> {
    const { connectPage } = await import('./connectPage.ts');
    connectPage(this.#host(), document, panel);
  }

  /** @throws Error whose message VS Code shows: the sentence of the problem with its next step. */
  async saveCustomDocument(document: SessionMergeDocument): Promise<void> {
    try {
      showBackup(await document.save());
    } catch (thrown) {
      throw Problem.is(thrown) ? new Error(problemText(thrown), { cause: thrown }) : thrown;
    }
  }

  async saveCustomDocumentAs(document: SessionMergeDocument, destination: Uri): Promise<void> {
    const text = document.result ?? document.conflict?.looked.text ?? '';
    await workspace.fs.writeFile(destination, new TextEncoder().encode(text));
  }

  revertCustomDocument(document: SessionMergeDocument): Promise<void> {
    return document.revert();
  }

  async backupCustomDocument(
    document: SessionMergeDocument,
    { destination }: CustomDocumentBackupContext,
  ): Promise<CustomDocumentBackup> {
    const file = destination.fsPath;
    await workspace.fs.createDirectory(Uri.joinPath(destination, '..'));
    await writeFile(file, JSON.stringify(document.state()));
    return { id: destination.toString(), delete: () => void rm(file, { force: true }).catch(() => undefined) };
  }

  dispose(): void {
    this.#store.dispose();
  }
}

/** The backup of a window that was closed; `undefined` if it cannot be read. */
async function readBackup(id: string): Promise<SavedChoice | undefined> {
  try {
    return JSON.parse(await readFile(Uri.parse(id).fsPath, 'utf8')) as SavedChoice;
  } catch {
    return undefined;
  }
}
