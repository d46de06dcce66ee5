import { readFile, rm, writeFile } from 'node:fs/promises';
import {
  EventEmitter,
  RelativePattern,
  Uri,
  l10n,
  window,
  workspace,
  type CustomDocumentBackup,
  type CustomDocumentBackupContext,
  type CustomDocumentEditEvent,
  type CustomDocumentOpenContext,
  type CustomEditorProvider,
  type WebviewPanel,
} from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { Problem } from '../../core/base/problem.ts';
import { wordsOf } from '../messages.ts';
import type { Services } from '../services.ts';
import type { SessionMergeDocument } from './document.ts';
import type { KeptChoices } from './keptChoices.ts';
import { type Kept } from './keptChoices.ts';
import { sessionMergeType } from './viewType.ts';

/**
 * The session merge editor: VS Code asks it for documents and their pages, and so choices can be undone, are saved, and survive a reload of the
 * window. What reads and merges is loaded with the first document.
 */
export class SessionMergeEditors implements CustomEditorProvider<SessionMergeDocument>, Disposable {
  readonly kept: KeptChoices;
  readonly #services: () => Services;
  readonly #store = new DisposableStore();
  readonly #edited = new EventEmitter<CustomDocumentEditEvent<SessionMergeDocument>>();
  readonly #documents = new Map<string, SessionMergeDocument>();

  /** @param services are asked for when the first document is opened. */
  constructor(workspaceState: KeptChoices, services: () => Services) {
    this.kept = workspaceState;
    this.#services = services;
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
    const { repositories } = this.#services();
    const { SessionMergeDocument: Document } = await import('./document.ts');
    const { locateFile } = await import('./readConflict.ts');
    const store = new DisposableStore();
    const document = new Document(uri, repositories, this.kept, () => {
      store.dispose();
      if (this.find(uri) === document) this.#documents.delete(uri.toString());
    });
    // What has only just happened in a terminal may not be in the snapshot yet, such as the merge itself.
    const located = await locateFile(repositories, uri.fsPath).catch(() => undefined);
    await located?.model.refresh();
    await document.open(backupId === undefined ? undefined : await readBackup(backupId));
    store.add(document.onDidEdit((edit) => this.#edited.fire({ document, ...edit })));
    store.add(repositories.onDidChange(() => void document.reload()));
    // Of a worktree outside of the window's folders, VS Code tells changes only when it is asked to.
    const name = uri.path.split('/').at(-1) ?? '';
    const watcher = store.add(workspace.createFileSystemWatcher(new RelativePattern(Uri.joinPath(uri, '..'), name)));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      store.add(event(() => void document.reload()));
    this.#documents.set(uri.toString(), document);
    return document;
  }

  async resolveCustomEditor(document: SessionMergeDocument, panel: WebviewPanel): Promise<void> {
    const { connectPage } = await import('./connectPage.ts');
    connectPage(this.#services(), document, panel);
  }

  /** @throws Error whose message VS Code shows: the sentence of the problem with its next step. */
  async saveCustomDocument(document: SessionMergeDocument): Promise<void> {
    try {
      tellKept(await document.save());
    } catch (thrown) {
      throw Problem.is(thrown) ? new Error(wordsOf(thrown), { cause: thrown }) : thrown;
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

/** Says where a text is that was written over, when one was. */
export function tellKept(ref: string | undefined): void {
  if (ref === undefined) return;
  const words = l10n.t('What was edited by hand is kept: `git cat-file blob {0}` prints it.', ref);
  void window.showInformationMessage(words);
}

/** What was kept when the window was closed; one that cannot be read is none. */
async function readBackup(id: string): Promise<Kept | undefined> {
  try {
    return JSON.parse(await readFile(Uri.parse(id).fsPath, 'utf8')) as Kept;
  } catch {
    return undefined;
  }
}
