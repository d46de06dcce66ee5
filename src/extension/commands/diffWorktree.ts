import { join } from 'node:path';
import { commands, l10n, window } from 'vscode';
import { diffFromBase } from '../../core/snapshot/diff.ts';
import { withProgress } from '../base/progress.ts';
import type { Services } from '../services/services.ts';
import { uriOf } from '../base/uris.ts';
import { isFolder, sidesOf } from './openChange.ts';
import { requireFolder } from './openWorktree.ts';
import { resolveTarget } from '../services/resolveTarget.ts';

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
  if (!target) return;
  const { model, worktree } = target;
  const uncommitted =
    typeof argument === 'object' && argument !== null && 'uncommitted' in argument && argument.uncommitted === true;
  requireFolder(worktree);
  const { from, base, files } = await withProgress(l10n.t('Comparing {0}', worktree.name), async (_progress, signal) =>
    diffFromBase(await model.workspace(), worktree, { signal, uncommitted }),
  );
  const against = base ?? from.slice(0, 7);
  if (files.length === 0) {
    void window.showInformationMessage(l10n.t('{0} has no changes compared with {1}.', worktree.name, against));
    return;
  }
  const folders = await Promise.all(files.map((change) => isFolder(worktree.path, change)));
  const resources = files
    .filter((_change, index) => !folders[index])
    .map((change) => {
      const { left, right } = sidesOf(target, from, change);
      return [uriOf(join(worktree.path, change.path)), left, right];
    });
  const title = uncommitted
    ? l10n.t('Uncommitted changes in {0}', worktree.name)
    : l10n.t('{0} against {1}', worktree.name, against);
  await commands.executeCommand('vscode.changes', title, resources);
}
