import { posix } from 'node:path';
import {
  FileDecoration,
  ThemeColor,
  TreeItemCollapsibleState,
  Uri,
  l10n,
  type FileDecorationProvider,
  type TreeItem,
} from 'vscode';
import type { ChangedFile } from '../../core/snapshot/diff.ts';
import type { ChangeNode } from './nodes.ts';

/** The scheme of the Uris of changed files in our tree: it gives them an icon by their name, and our own decoration and no other. */
const scheme = 'worktree-stacks-change';

/**
 * The Uri of a row for a file of a worktree.
 *
 * @param owner the id of the worktree's row: the same file may be changed in several.
 */
export function changeUri(path: string, status: ChangedFile['status'], owner: string): Uri {
  return Uri.from({ scheme, path: posix.join('/', path), query: status, fragment: owner });
}

/** The row of a changed file: its name, its folder, and a letter for the kind of change. */
export function changeItem({ id, change, parent }: ChangeNode): TreeItem {
  const folder = posix.dirname(change.path);
  return {
    id,
    label: posix.basename(change.path),
    description: folder === '.' ? '' : folder,
    resourceUri: changeUri(change.path, change.status, parent.id),
    contextValue: `change;${change.status === 'D' ? 'gone' : 'there'}`,
    collapsibleState: TreeItemCollapsibleState.None,
    tooltip: `${change.path}\n${changeText(change)}`,
    accessibilityInformation: { label: `${change.path}, ${changeText(change)}`, role: 'treeitem' },
    command: { command: 'worktreeStacks.openChange', title: l10n.t('Open Changes') },
  };
}

function changeText({ status, from, added, deleted }: ChangedFile): string {
  const words = statusText(status, from);
  return added === undefined || deleted === undefined
    ? words
    : l10n.t('{0}, lines: {1} added, {2} removed', words, added, deleted);
}

function statusText(status: ChangedFile['status'], from: string | undefined): string {
  switch (status) {
    case 'A':
      return l10n.t('added');
    case 'M':
      return l10n.t('modified');
    case 'D':
      return l10n.t('deleted');
    case 'R':
      return l10n.t('renamed from {0}', from ?? '');
    case 'C':
      return l10n.t('copied from {0}', from ?? '');
    case 'T':
      return l10n.t('its type changed');
    case 'U':
      return l10n.t('in conflict');
    case '?':
      return l10n.t('untracked');
  }
}

/** The colours that VS Code's own git uses for the same. */
const colours: Readonly<Record<ChangedFile['status'], string>> = {
  A: 'gitDecoration.addedResourceForeground',
  M: 'gitDecoration.modifiedResourceForeground',
  D: 'gitDecoration.deletedResourceForeground',
  R: 'gitDecoration.renamedResourceForeground',
  C: 'gitDecoration.addedResourceForeground',
  T: 'gitDecoration.modifiedResourceForeground',
  U: 'gitDecoration.conflictingResourceForeground',
  '?': 'gitDecoration.untrackedResourceForeground',
};

/** Decorates the rows of changed files as VS Code's own git does. */
export const changeDecorations: FileDecorationProvider = {
  provideFileDecoration(uri) {
    const colour = uri.scheme === scheme ? colours[uri.query as ChangedFile['status']] : undefined;
    if (colour === undefined) return undefined;
    // An untracked file is a U in VS Code's git, and a conflict is an exclamation mark.
    const badge = uri.query === '?' ? 'U' : uri.query === 'U' ? '!' : uri.query;
    return new FileDecoration(badge, undefined, new ThemeColor(colour));
  },
};
