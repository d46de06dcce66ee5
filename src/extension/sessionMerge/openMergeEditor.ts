import { join } from 'node:path';
import { commands, extensions, l10n, type Uri } from 'vscode';
import type { Stage, Unmerged } from '../../core/git/unmerged.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { readUnmerged } from '../../core/git/unmerged.ts';
import { blobUri, emptyUri } from '../repository/baseFiles.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { SessionMergeHost } from './host.ts';
import { uriOf } from '../base/uris.ts';
import { locateFile } from './readConflict.ts';

/**
 * VS Code's own merge editor. Its git uses the same command; `git.openMergeEditor` looks for a file of a worktree that lies in its main
 * working tree in that one, and does not find it.
 */
const mergeEditor = '_open.mergeEditor';

/** The part of the API of VS Code's own git extension that is used here. */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): {
    getRepository(uri: Uri): { readonly rootUri: Uri } | null;
    openRepository(root: Uri): Promise<unknown>;
  };
}

/** Where a file is. */
interface Place {
  readonly model: RepositoryModel;
  readonly worktree: Worktree;
}

/** Opens a file in VS Code's own merge editor if it is in conflict, and else as it is. */
export async function openFileInMergeEditor(host: SessionMergeHost, uri: Uri): Promise<void> {
  const { model, worktree, path } = await locateFile(host.repositories, uri.fsPath);
  const file = (await readUnmerged((await model.workspace()).git, worktree.path)).find((each) => each.path === path);
  if (file) await openMergeEditor(host, { model, worktree }, file);
  else await commands.executeCommand('vscode.open', uri);
}

/** Opens a conflict in VS Code's own merge editor; as text where one side has deleted the file. */
export async function openMergeEditor(
  { log }: SessionMergeHost,
  { model, worktree }: Place,
  file: Unmerged,
): Promise<void> {
  const { ours, theirs } = file;
  const output = uriOf(join(worktree.path, file.path));
  if (!ours || !theirs) return void (await commands.executeCommand('vscode.open', output));
  const { commonDir } = model.repository;
  const sideOf = (stage: Stage | undefined): Uri =>
    stage ? blobUri(commonDir, stage.oid, file.path) : emptyUri(commonDir, file.path);
  const names = namesOf(worktree);
  const current = { uri: sideOf(ours), title: l10n.t('Current'), description: names.current };
  const incoming = { uri: sideOf(theirs), title: l10n.t('Incoming'), description: names.incoming };
  // As in VS Code's git, the left side is that of the other branch, also while a rebase has the sides swapped.
  const [input1, input2] = replays(worktree) ? [current, incoming] : [incoming, current];
  try {
    // Without it the button that completes the merge would do nothing.
    await makeKnownToGit(uriOf(worktree.path));
    await commands.executeCommand(mergeEditor, { base: sideOf(file.base), input1, input2, output });
  } catch (thrown) {
    // The markers are in the file, so an ordinary editor does as well.
    log.warn(`VS Code's merge editor could not be opened: ${String(thrown)}`);
    await commands.executeCommand('vscode.open', output);
  }
}

/** Opens a worktree in VS Code's Git extension, which does not discover worktrees itself. */
async function makeKnownToGit(root: Uri): Promise<void> {
  const extension = extensions.getExtension<GitExtension>('vscode.git');
  const git = extension && (extension.isActive ? extension.exports : await extension.activate());
  if (!git?.enabled) return;
  const api = git.getAPI(1);
  // It takes the repository around a worktree for the worktree's own, as long as it does not know that.
  if (api.getRepository(root)?.rootUri.fsPath !== root.fsPath) await api.openRepository(root);
}

/** Whether the branch's own commits are the incoming side: they are put on top of something else. */
function replays({ operation }: Worktree): boolean {
  return operation === 'rebase' || operation === 'am';
}

/** What the two sides are called, as far as that is certain. */
function namesOf(worktree: Worktree): { current?: string; incoming?: string } {
  const { branch, base } = worktree;
  if (!replays(worktree)) return branch === undefined ? {} : { current: branch };
  return {
    ...(base === undefined ? {} : { current: base.branch }),
    ...(branch === undefined ? {} : { incoming: branch }),
  };
}
