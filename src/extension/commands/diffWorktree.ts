import { join } from 'node:path';
import { commands, l10n, window } from 'vscode';
import { diffFromBase, type WorktreeDiff } from '../../core/snapshot/diff.ts';
import { withProgress } from '../base/progress.ts';
import type { Services } from '../services/services.ts';
import { uriOf } from '../base/uris.ts';
import { isFolder, sidesOf } from './openChange.ts';
import { requireFolder } from './openWorktree.ts';
import { resolveTarget, type WorktreeTarget } from '../services/resolveTarget.ts';

/**
 * Opens everything that a worktree changed since it left its base, in one editor.
 *
 * @param argument with `uncommitted: true` only what is not committed.
 */
export async function diffWorktree(services: Services, argument?: unknown): Promise<void> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Compare with Base'),
    placeholder: l10n.t('Select a worktree'),
    accept: ({ worktree }) => worktree.condition === 'fine',
  });
  const uncommitted =
    typeof argument === 'object' && argument !== null && 'uncommitted' in argument && argument.uncommitted === true;
  if (target) await showDiff(target, uncommitted);
}

/** Opens what is not committed in a worktree, in one editor. */
export async function openChanges(services: Services, argument?: unknown): Promise<void> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Open Changes'),
    placeholder: l10n.t('Select a worktree'),
    accept: ({ worktree }) => worktree.condition === 'fine' && (worktree.changes?.total ?? 0) > 0,
    none: l10n.t('No worktree has uncommitted changes.'),
  });
  if (target) await showDiff(target, true);
}

async function showDiff(target: WorktreeTarget, uncommitted: boolean): Promise<void> {
  const { model, worktree } = target;
  requireFolder(worktree);
  const { from, base, files } = await withProgress(l10n.t('Comparing {0}', worktree.name), async (_progress, signal) =>
    diffFromBase(await model.workspace(), worktree, { signal, uncommitted }),
  );
  const against = base ?? from.slice(0, 7);
  if (files.length === 0) {
    const words = uncommitted
      ? l10n.t('{0} has no uncommitted changes.', worktree.name)
      : l10n.t('{0} has no changes compared with {1}.', worktree.name, against);
    void window.showInformationMessage(words);
    return;
  }
  const title = uncommitted ? l10n.t('Uncommitted changes in {0}', worktree.name) : comparison(worktree.name, against);
  await openDiffs(target, { from, files, title });
}

/**
 * Shows what a worktree changed, without a word where that is nothing.
 *
 * @param isWanted asked before it is shown: it may have taken long.
 * @returns whether it is shown.
 */
export async function showChanges(target: WorktreeTarget, isWanted: () => boolean): Promise<boolean> {
  const { model, worktree } = target;
  const { from, base, files } = await diffFromBase(await model.workspace(), worktree);
  if (files.length === 0 || !isWanted()) return false;
  await openDiffs(target, { from, files, title: comparison(worktree.name, base ?? from.slice(0, 7)) });
  return true;
}

const comparison = (name: string, against: string): string => l10n.t('{0} against {1}', name, against);

async function openDiffs(
  target: WorktreeTarget,
  { from, files, title }: Pick<WorktreeDiff, 'from' | 'files'> & { readonly title: string },
): Promise<void> {
  const { worktree } = target;
  const folders = await Promise.all(files.map((change) => isFolder(worktree.path, change)));
  const resources = files
    .filter((_change, index) => !folders[index])
    .map((change) => {
      const { left, right } = sidesOf(target, from, change);
      return [uriOf(join(worktree.path, change.path)), left, right];
    });
  await commands.executeCommand('vscode.changes', title, resources);
}
