import { FileDecoration, ThemeColor, Uri, l10n, type FileDecorationProvider } from 'vscode';
import { listed } from '../base/messages.ts';
import type { StackInShort } from '../../core/snapshot/facts.ts';

/** The scheme of the Uris of rows that would conflict with others: it gives them our decoration and no other. */
const scheme = 'worktree-stacks-predicted';
/** So many files, and so many worktrees, are named in a tooltip. */
export const namedFiles = 5;
const namedOthers = 6;

type Predicted = StackInShort['predicted'];

/** The Uri of a row. It contains the text of the decoration, so that different conflicts give different decorations. */
export function predictedUri(owner: string, predicted: Predicted): Uri {
  const named = predicted.slice(0, namedOthers);
  const lines = named.map(({ with: other, files }) =>
    l10n.t('Would conflict with {0}: {1}', other, listed(files, namedFiles)),
  );
  if (predicted.length > named.length) lines.push(l10n.t('with {0} more', predicted.length - named.length));
  const files = new Set(predicted.flatMap((each) => each.files)).size;
  return Uri.from({ scheme, path: `/${files}`, query: lines.join('\n'), fragment: owner });
}

/** A badge with the number of files at each row that would conflict with others, which its tooltip names. */
export const predictedDecorations: FileDecorationProvider = {
  provideFileDecoration(uri) {
    if (uri.scheme !== scheme) return undefined;
    const files = Number(uri.path.slice(1));
    const badge = files > 9 ? '9+' : String(files);
    return new FileDecoration(badge, uri.query, new ThemeColor('list.warningForeground'));
  },
};
