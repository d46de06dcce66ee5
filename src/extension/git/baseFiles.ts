import { Uri } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import type { Worktree } from '../../core/worktrees/model.ts';
import type { Repositories } from '../repositories.ts';
import type { RepositoryModel } from '../repositoryModel.ts';

/** The scheme of files as they were in a commit; extension.ts registers who reads them. */
const baseScheme = 'worktree-stacks-base';

/** What the query of such a Uri says; without a commit it is the empty side of a diff. */
interface Query {
  readonly commonDir: string;
  readonly commit: string | undefined;
  readonly path: string;
}

/** The Uri of a file as it was in a commit; its name is the file's, so that the editor knows the language. */
export function baseUri({ repository }: RepositoryModel, commit: string, path: string): Uri {
  return uriWith({ commonDir: repository.commonDir, commit, path });
}

/** The Uri of nothing: the other side of a file that was added or deleted. */
export function emptyUri({ repository }: RepositoryModel, path: string): Uri {
  return uriWith({ commonDir: repository.commonDir, commit: undefined, path });
}

function uriWith(query: Query): Uri {
  return Uri.from({ scheme: baseScheme, path: `/${query.path}`, query: JSON.stringify(query) });
}

/**
 * A file as it was in a commit, from the repositories of this window only. Read here and not by VS Code's git extension, because that does not know
 * the worktrees beside the one that is open.
 */
export async function readBaseFile(repositories: Repositories, uri: Uri): Promise<string> {
  const { commonDir, commit, path } = parseQuery(uri);
  if (commit === undefined) return '';
  await repositories.start();
  const model = repositories.models.find((each) => each.repository.commonDir === commonDir);
  if (!model) throw new Problem('no-repository', `${commonDir} is not open in this window.`);
  const { git } = await model.workspace();
  // The object as it is: `git show` would run a text conversion that the repository configures.
  return git.text(['cat-file', 'blob', `${commit}:${path}`], { cwd: commonDir });
}

function parseQuery(uri: Uri): Query {
  // Anybody can make such a Uri, so nothing that git could take for an option or a range gets through.
  const value = JSON.parse(uri.query) as Partial<Record<keyof Query, unknown>>;
  const { commonDir, commit, path } = value;
  if (
    typeof commonDir !== 'string' ||
    typeof path !== 'string' ||
    (commit !== undefined && !(typeof commit === 'string' && /^[0-9a-f]{40,64}$/.test(commit)))
  ) {
    throw new Problem('usage', `${uri.toString()} names no file of a commit.`);
  }
  return { commonDir, commit, path };
}

/** The commit where a worktree's own commits begin; `undefined` where it has no base. */
export async function mergeBaseOf(model: RepositoryModel, { head, base }: Worktree): Promise<string | undefined> {
  if (!head || !base?.exists) return undefined;
  const { git } = await model.workspace();
  return git.line(['merge-base', base.branch, head], { cwd: model.repository.commonDir });
}
