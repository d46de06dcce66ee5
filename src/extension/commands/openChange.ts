import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { commands, l10n, window, type Uri } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import type { ChangedFile } from '../../core/snapshot/diff.ts';
import { baseUri, emptyUri } from '../repository/baseFiles.ts';
import type { Services } from '../services/services.ts';
import { uriOf } from '../base/uris.ts';
import { isNode, type ChangeNode } from '../views/nodes.ts';
import type { WorktreeTarget } from '../services/resolveTarget.ts';
import { verbatim } from '../../core/messages/message.ts';

/** The two sides of a changed file: as it was where the branch began, and as it is on disk; that in which there is none is missing. */
export function sidesOf(
  { model, worktree }: WorktreeTarget,
  from: string,
  { status, path, from: earlier = path }: ChangedFile,
): { left: Uri | undefined; right: Uri | undefined } {
  const { commonDir } = model.repository;
  const isNew = status === 'A' || status === '?';
  const now = (name: string): Uri => uriOf(join(worktree.path, name));
  return {
    left: isNew ? undefined : baseUri(commonDir, from, earlier, now(earlier)),
    right: status === 'D' ? undefined : now(path),
  };
}

/** Whether a change is of a folder: a submodule, or a repository that lies in the worktree. There is no text to compare. */
export async function isFolder(worktreePath: string, { path }: ChangedFile): Promise<boolean> {
  const found = await stat(join(worktreePath, path)).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

/** Opens the diff of a row's file. */
export async function openChange(_services: Services, argument?: unknown): Promise<void> {
  const { parent, change, from } = requireChange(argument);
  if (await isFolder(parent.worktree.path, change)) {
    const message = l10n.t('{0} is a repository of its own: open it to see what changed in it.', change.path);
    void window.showInformationMessage(message);
    return;
  }
  const nothing = emptyUri(parent.model.repository.commonDir, change.path);
  const { left = nothing, right = nothing } = sidesOf(parent, from, change);
  const base = parent.worktree.base?.branch ?? from.slice(0, 7);
  const title = l10n.t('{0} ({1} against {2})', change.path, parent.worktree.name, base);
  await commands.executeCommand('vscode.diff', left, right, title, { preview: true });
}

/** Opens the file of a row as it is on disk. */
export async function openFile(_services: Services, argument?: unknown): Promise<void> {
  const node = isNode(argument, 'conflict') ? argument : requireChange(argument);
  const { path } = node.kind === 'conflict' ? node.file : node.change;
  await commands.executeCommand('vscode.open', uriOf(join(node.parent.worktree.path, path)));
}

function requireChange(argument: unknown): ChangeNode {
  if (isNode(argument, 'change')) return argument;
  throw new Problem('usage', verbatim(l10n.t('Select a changed file in the Worktrees view first.')));
}
