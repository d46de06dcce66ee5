import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Uri, commands, l10n, window } from 'vscode';
import { tipsOf } from '../../core/snapshot/trunk.ts';
import { branchFileUri } from '../repository/baseFiles.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Services } from '../services/services.ts';
import { above, below, type StackNeighbours } from './stackNavigation.ts';
import { uriOf } from '../base/uris.ts';
import { activeUri, placeOf, type FilePlace } from './activeFile.ts';

/**
 * Opens the file of the active editor as it is in the base of its branch.
 *
 * @returns what was opened, or the reason why nothing was.
 */
export function sameFileAbove(services: Services, argument?: unknown): Promise<Uri | string | undefined> {
  return openSameFile(services, argument, above);
}

/** The same in a dependent of the branch; asks if there are several. */
export function sameFileBelow(services: Services, argument?: unknown): Promise<Uri | string | undefined> {
  return openSameFile(services, argument, below);
}

async function openSameFile(
  { repositories }: Services,
  argument: unknown,
  step: (state: NonNullable<RepositoryModel['state']>, branch: string) => StackNeighbours,
): Promise<Uri | string | undefined> {
  await repositories.start();
  const uri = argument instanceof Uri ? argument : activeUri();
  if (!uri) return tell(l10n.t('Open a file of a worktree first.'));
  const place = await placeOf(repositories, uri);
  const state = place?.model.state;
  if (!place || !state) return tell(l10n.t('This file is in no worktree of a repository in this window.'));
  if (place.branch === undefined)
    return tell(l10n.t('{0} is in no stack: no branch is checked out there.', place.worktree?.name ?? ''));
  const found = step(state, place.branch);
  if ('none' in found) return tell(found.none);
  const branch = await chosen(place, found.branches);
  if (branch === undefined) return undefined;
  const other = await fileIn(place.model, branch, place.path);
  if (!other) return tell(l10n.t('{0} has no file {1}.', nameOf(place.model, branch), place.path));
  const editor = window.activeTextEditor;
  const selection = editor?.document.uri.toString() === uri.toString() ? editor.selection : undefined;
  await commands.executeCommand('vscode.open', other, { preview: true, ...(selection ? { selection } : {}) });
  return other;
}

async function chosen({ model, path }: FilePlace, branches: readonly string[]): Promise<string | undefined> {
  if (branches.length < 2) return branches[0];
  const items = branches.map((branch) => ({ label: nameOf(model, branch), branch }));
  const placeHolder = l10n.t('Select the dependent branch to open {0} from', path);
  return (await window.showQuickPick(items, { title: l10n.t('Open File in Dependent Branch'), placeHolder }))?.branch;
}

/** The file on disk where a working tree has the branch checked out, else as it is in the branch; `undefined` where it is not. */
async function fileIn(model: RepositoryModel, branch: string, path: string): Promise<Uri | undefined> {
  const { state, repository } = model;
  const worktree = state?.worktrees.find((each) => each.branch === branch && each.condition === 'fine');
  if (worktree) {
    const file = join(worktree.path, path);
    const found = await stat(file).catch(() => undefined);
    return found?.isFile() ? uriOf(file) : undefined;
  }
  const { git, configuration } = await model.workspace();
  const { local, remote } = state?.stacks
    ? tipsOf(state.stacks.state.branches, branch, configuration.stack.remote)
    : { local: undefined, remote: undefined };
  const commit = local ?? remote;
  if (commit === undefined) return undefined;
  const type = await git.in(repository.commonDir).line(['cat-file', '-t', `${commit}:${path}`]);
  return type === 'blob' ? branchFileUri(repository.commonDir, commit, path, branch) : undefined;
}

const nameOf = ({ state }: RepositoryModel, branch: string): string =>
  state?.stacks?.branches.get(branch)?.name ?? branch;

function tell(sentence: string): string {
  void window.showInformationMessage(sentence);
  return sentence;
}
