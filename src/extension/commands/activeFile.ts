import { basename, dirname, join } from 'node:path';
import type { Uri } from 'vscode';
import { TabInputCustom, TabInputNotebook, TabInputNotebookDiff, TabInputText, TabInputTextDiff, window } from 'vscode';
import { realPathOf, relativeTo } from '../../core/base/paths.ts';
import { holderOf } from '../../core/worktree/find.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { baseScheme, branchFileOf } from '../repository/baseFiles.ts';
import type { Repositories } from '../repository/repositories.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';

/** A file of a worktree, or of a branch that no working tree has checked out. */
export interface FilePlace {
  readonly model: RepositoryModel;
  readonly worktree: Worktree | undefined;
  /** `undefined` in a worktree without a branch. */
  readonly branch: string | undefined;
  /** Relative to the worktree, with forward slashes. */
  readonly path: string;
}

/** The file that the active editor shows; of a comparison the newer side. */
export function activeUri(): Uri | undefined {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof TabInputText || input instanceof TabInputCustom || input instanceof TabInputNotebook)
    return input.uri;
  if (input instanceof TabInputTextDiff || input instanceof TabInputNotebookDiff) return input.modified;
  return window.activeTextEditor?.document.uri;
}

/** Where a file is in the repositories of this window; `undefined` for one that is in none. */
export async function placeOf({ models }: Repositories, uri: Uri): Promise<FilePlace | undefined> {
  if (uri.scheme === baseScheme) {
    const file = branchFileOf(uri);
    const model = file && models.find(({ repository }) => repository.commonDir === file.commonDir);
    return model && { model, worktree: undefined, branch: file.branch, path: file.path };
  }
  if (uri.scheme !== 'file') return undefined;
  const folder = await realPathOf(dirname(uri.fsPath));
  let found: { place: FilePlace; depth: number } | undefined;
  for (const model of models) {
    const worktree = model.state && (await holderOf(model.state.snapshot, folder));
    if (!worktree) continue;
    const root = await realPathOf(worktree.path);
    // Repositories nest as well: the innermost one is meant.
    if (found && found.depth >= root.length) continue;
    const path = relativeTo(root, join(folder, basename(uri.fsPath)));
    found = { place: { model, worktree, branch: worktree.branch, path }, depth: root.length };
  }
  return found?.place;
}
