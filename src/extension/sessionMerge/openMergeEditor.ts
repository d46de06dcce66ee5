import { join } from 'node:path';
import { samePlace } from '../../core/base/paths.ts';
import { commands, extensions, type Uri } from 'vscode';
import type { Git } from '../../core/git/git.ts';
import type { Stage, Unmerged } from '../../core/git/unmerged.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { readUnmerged } from '../../core/git/unmerged.ts';
import { blobUri, emptyUri } from '../repository/baseFiles.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { SessionMergeHost } from './host.ts';
import { uriOf } from '../base/uris.ts';
import { locateFile, sidesOf } from './readConflict.ts';
import { sideLabels } from './sideLabels.ts';

/**
 * VS Code's own merge editor. Its git uses the same command; `git.openMergeEditor` looks for a file of a worktree that lies in its main
 * working tree in that one, and does not find it.
 */
const mergeEditor = '_open.mergeEditor';

/** The part of the API of VS Code's own git extension that is used here. */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

interface GitApi {
  getRepository(uri: Uri): { readonly rootUri: Uri } | null;
  openRepository(root: Uri): Promise<unknown>;
  /** The Uri of a file as it is in a commit or, with `:1` to `:3`, on one side of its conflict. */
  toGitUri(uri: Uri, ref: string): Uri;
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
  const workspace = await model.workspace();
  const labels = await sideLabels(workspace.git, worktree, await sidesOf({ model, worktree, path: file.path }));
  const current = { uri: sideOf(ours), ...labels.current };
  const incoming = { uri: sideOf(theirs), ...labels.incoming };
  // As in VS Code's git, the left side is that of the other branch, also while a rebase has the sides swapped.
  const [input1, input2] = replays(worktree) ? [current, incoming] : [incoming, current];
  try {
    const api = await makeKnownToGit(uriOf(worktree.path));
    const base = api ? await gitBase(workspace.git, api, worktree, file) : sideOf(file.base);
    await commands.executeCommand(mergeEditor, { base, input1, input2, output });
  } catch (thrown) {
    // The markers are in the file, so an ordinary editor does as well.
    log.warn(`VS Code's merge editor could not be opened: ${String(thrown)}`);
    await commands.executeCommand('vscode.open', output);
  }
}

/**
 * The base as VS Code's git names it. The button Complete Merge is its own, and it shows that for its own Uris alone; also where there is no
 * base: the empty tree has no file, which it shows as an empty one.
 */
async function gitBase(git: Git, api: GitApi, worktree: Worktree, file: Unmerged): Promise<Uri> {
  const output = uriOf(join(worktree.path, file.path));
  if (file.base) return api.toGitUri(output, ':1');
  const empty = await git.text(['hash-object', '-t', 'tree', '--stdin'], { cwd: worktree.path });
  return api.toGitUri(output, empty.trim());
}

/** Opens a worktree in VS Code's Git extension, which does not discover worktrees itself; `undefined` where that is turned off. */
async function makeKnownToGit(root: Uri): Promise<GitApi | undefined> {
  const extension = extensions.getExtension<GitExtension>('vscode.git');
  const git = extension && (extension.isActive ? extension.exports : await extension.activate());
  if (!git?.enabled) return undefined;
  const api = git.getAPI(1);
  // It takes the repository around a worktree for the worktree's own, as long as it does not know that.
  const isKnown = async (): Promise<boolean> => {
    const known = api.getRepository(root)?.rootUri.fsPath;
    return known !== undefined && (await samePlace(known, root.fsPath));
  };
  if (await isKnown()) return api;
  await api.openRepository(root);
  return (await isKnown()) ? api : undefined;
}

/** Whether the branch's own commits are the incoming side: they are put on top of something else. */
function replays({ operation }: Worktree): boolean {
  return operation === 'rebase' || operation === 'am';
}
