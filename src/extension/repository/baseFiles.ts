import { EventEmitter, FileSystemError, FileType, Uri, type FileStat, type FileSystemProvider } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import type { Git } from '../../core/git/git.ts';
import type { Repositories } from './repositories.ts';

/** The scheme of files as they were in a commit. */
export const baseScheme = 'worktree-stacks-base';

/** The query of such a Uri. Without a commit and a blob it stands for the empty side of a diff. */
interface Query {
  readonly commonDir: string;
  readonly commit?: string | undefined;
  /** The object itself, such as one side of a conflict, which no commit needs to hold. */
  readonly blob?: string | undefined;
  readonly path: string;
  /** Of which the commit is the tip, where the file is shown as the branch's. */
  readonly branch?: string | undefined;
}

/**
 * The Uri of a file as it was in a commit.
 *
 * @param now the file as it is now: VS Code takes two sides whose paths differ for a file that was renamed.
 */
export function baseUri(commonDir: string, commit: string, path: string, now: Uri): Uri {
  return now.with({ scheme: baseScheme, query: JSON.stringify({ commonDir, commit, path } satisfies Query) });
}

/** The Uri of a file as it is in a branch that no working tree has checked out; the branch stands before its path. */
export function branchFileUri(commonDir: string, commit: string, path: string, branch: string): Uri {
  return uriWith({ commonDir, commit, path, branch });
}

/** Which file of which branch a Uri of {@link branchFileUri} stands for; `undefined` for other ones. */
export function branchFileOf(uri: Uri): { commonDir: string; branch: string; path: string } | undefined {
  const { commonDir, branch, path } = parseQuery(uri);
  return branch === undefined ? undefined : { commonDir, branch, path };
}

/** The Uri of a blob, named like the file that it is a version of. */
export function blobUri(commonDir: string, blob: string, path: string): Uri {
  return uriWith({ commonDir, blob, path });
}

/** The Uri of nothing: the other side of a file that was added or deleted. */
export function emptyUri(commonDir: string, path: string): Uri {
  return uriWith({ commonDir, path });
}

function uriWith(query: Query): Uri {
  const path = query.branch === undefined ? `/${query.path}` : `/${query.branch}/${query.path}`;
  return Uri.from({ scheme: baseScheme, path, query: JSON.stringify(query) });
}

/**
 * Files as they were in a commit, byte for byte, from the repositories of this window only. Read here and not by VS Code's git extension,
 * because that does not know the worktrees beside the one that is open.
 */
export class BaseFiles implements FileSystemProvider {
  readonly onDidChangeFile = new EventEmitter<never>().event;
  readonly #repositories: Repositories;

  constructor(repositories: Repositories) {
    this.#repositories = repositories;
  }

  async stat(uri: Uri): Promise<FileStat> {
    const size = Number(await this.#ask(uri, '0', (git, cwd, object) => git.line(['cat-file', '-s', object], { cwd })));
    // What a commit holds never changes.
    return { type: FileType.File, ctime: 0, mtime: 0, size };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    // The object as it is: `git show` would run a text conversion that the repository configures.
    return this.#ask<Uint8Array>(uri, new Uint8Array(), (git, cwd, object) =>
      git.bytes(['cat-file', 'blob', object], { cwd }),
    );
  }

  watch(): { dispose(): void } {
    return { dispose: () => undefined };
  }

  readDirectory(uri: Uri): never {
    throw FileSystemError.FileNotADirectory(uri);
  }

  createDirectory(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  delete(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  rename(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  async #ask<T>(
    uri: Uri,
    empty: T,
    ask: (git: Git, cwd: string, object: string) => Promise<T | undefined>,
  ): Promise<T> {
    const { commonDir, commit, blob, path } = parseQuery(uri);
    const object = blob ?? (commit === undefined ? undefined : `${commit}:${path}`);
    if (object === undefined) return empty;
    await this.#repositories.start();
    const model = this.#repositories.models.find((each) => each.repository.commonDir === commonDir);
    if (!model) throw FileSystemError.Unavailable(uri);
    try {
      const answer = await ask((await model.workspace()).git, commonDir, object);
      if (answer !== undefined) return answer;
    } catch (thrown) {
      if (!Problem.is(thrown, 'git-failed')) throw thrown;
    }
    throw FileSystemError.FileNotFound(uri);
  }
}

/** Anybody can make such a Uri, so nothing that git could take for an option or a range gets through. */
function parseQuery(uri: Uri): Query {
  const value: unknown = JSON.parse(uri.query);
  const { commonDir, commit, blob, path, branch } = value as Partial<Record<keyof Query, unknown>>;
  const isId = (id: unknown): id is string | undefined =>
    id === undefined || (typeof id === 'string' && /^[0-9a-f]{40,64}$/.test(id));
  if (typeof commonDir !== 'string' || typeof path !== 'string' || !isId(commit) || !isId(blob))
    throw FileSystemError.FileNotFound(uri);
  return { commonDir, commit, blob, path, branch: typeof branch === 'string' ? branch : undefined };
}
