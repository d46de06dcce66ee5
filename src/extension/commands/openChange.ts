import { join } from 'node:path';
import { commands, l10n, type Uri } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import type { ChangedFile } from '../../core/worktrees/diff.ts';
import { baseUri, emptyUri } from '../git/baseFiles.ts';
import type { Services } from '../services.ts';
import { uriOf } from '../uris.ts';
import { isNode, type ChangeNode } from '../views/nodes.ts';
import type { Target } from './targets.ts';

/** The two sides of a changed file: as it was where the branch began, and as it is on disk. */
export function sidesOf(
  { model, worktree }: Target,
  from: string,
  change: ChangedFile,
): { readonly left: Uri; readonly right: Uri } {
  const isNew = change.status === 'A' || change.status === '?';
  return {
    left: isNew ? emptyUri(model, change.path) : baseUri(model, from, change.from ?? change.path),
    right: change.status === 'D' ? emptyUri(model, change.path) : uriOf(join(worktree.path, change.path)),
  };
}

/** Opens the diff of a row's file. */
export async function openChange(_services: Services, argument?: unknown): Promise<void> {
  const { parent, change, from } = requireChange(argument);
  // A file without line counts that git tracks is binary: there is nothing to compare as text.
  const binary = change.added === undefined && change.status !== '?' && change.status !== 'U';
  const { left, right } = sidesOf(parent, from, change);
  if (binary && change.status !== 'D') {
    await commands.executeCommand('vscode.open', right);
    return;
  }
  const base = parent.worktree.base?.branch ?? from.slice(0, 7);
  await commands.executeCommand(
    'vscode.diff',
    left,
    right,
    l10n.t('{0} ({1} against {2})', change.path, parent.worktree.name, base),
    { preview: true },
  );
}

/** Opens the file of a row as it is on disk. */
export async function openFile(_services: Services, argument?: unknown): Promise<void> {
  const { parent, change } = requireChange(argument);
  await commands.executeCommand('vscode.open', uriOf(join(parent.worktree.path, change.path)));
}

function requireChange(argument: unknown): ChangeNode {
  if (isNode(argument, 'change')) return argument;
  throw new Problem('usage', l10n.t('This is done on a changed file in the Worktrees view.'));
}
