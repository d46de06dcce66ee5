import { EventEmitter, Uri, env, l10n, workspace, type TextDocumentContentProvider } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { Repositories } from '../repository/repositories.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';

/** The scheme of the documents that show what hooks decided. */
const decisionScheme = 'worktree-stacks-decisions';

/** As much of the end of the log as is read, in bytes. */
const looked = 2 * 1024 * 1024;

/** The Uri of the document about a worktree. */
export function decisionUri({ repository }: RepositoryModel, { name, slug }: Worktree): Uri {
  const query = JSON.stringify({ commonDir: repository.commonDir, worktree: name });
  return Uri.from({ scheme: decisionScheme, path: `/${l10n.t('Agent Activity in {0}', slug)}`, query });
}

/** Read-only documents with the decisions of Claude Code's hooks in a worktree. They follow the log while they are open. */
export class DecisionDocuments implements TextDocumentContentProvider, Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = new EventEmitter<Uri>();
  readonly #repositories: Repositories;

  constructor(repositories: Repositories) {
    this.#repositories = repositories;
    this.#store.add(this.#changed);
    this.#store.add(workspace.registerTextDocumentContentProvider(decisionScheme, this));
    this.#store.add(
      repositories.onDidChange(() => {
        for (const { uri } of workspace.textDocuments) if (uri.scheme === decisionScheme) this.#changed.fire(uri);
      }),
    );
  }

  get onDidChange(): EventEmitter<Uri>['event'] {
    return this.#changed.event;
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    await this.#repositories.start();
    const { commonDir, worktree } = JSON.parse(uri.query) as { commonDir?: unknown; worktree?: unknown };
    const known = this.#repositories.models.some(({ repository }) => repository.commonDir === commonDir);
    if (!known || typeof commonDir !== 'string' || typeof worktree !== 'string')
      return l10n.t('The repository of this worktree is not open in this window.');
    const [{ readLog }, { decisionText }] = await Promise.all([
      import('../../core/claude/decisionLog.ts'),
      import('../claude/decisionText.ts'),
    ]);
    const entries = await readLog(commonDir, { lastBytes: looked });
    return decisionText(
      worktree,
      entries.filter((entry) => entry.worktree === worktree),
      env.language,
    );
  }

  dispose(): void {
    this.#store.dispose();
  }
}
