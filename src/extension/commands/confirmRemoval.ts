import { commands, l10n, window } from 'vscode';
import { localized } from '../base/messages.ts';
import { displayPath } from '../../core/base/paths.ts';
import { withSizes, withSum } from '../../core/remove/ignoredLabels.ts';
import { keptForDays } from '../../core/operations/keptFolder.ts';
import type { RemovalObstacle, Removal } from '../../core/remove/inspect.ts';

/** What a person decided: which worktrees go, and whether also against what stands in the way. */
export interface RemovalDecision {
  readonly removals: readonly Removal[];
  readonly force: boolean;
}

/** How many files or commits of an obstacle are named; the log has the rest. */
const shownItems = 5;

/**
 * Says what removing worktrees takes away, what stands in the way and what stays, and asks.
 *
 * @param mainRoot paths inside it are shown relative to it.
 * @param windows for those that this window shows, what becomes of the window.
 * @returns `undefined` when nothing is to be removed.
 */
export async function confirmRemoval(
  removals: readonly Removal[],
  mainRoot: string,
  windows: ReadonlyMap<Removal, string>,
): Promise<RemovalDecision | undefined> {
  const free = removals.filter(({ obstacles }) => obstacles.length === 0);
  const forceable = removals.filter((removal) => mayBeForced(removal, removals));
  const detail = detailOf(removals, mainRoot, windows);
  if (forceable.length === 0) {
    const words = titleOf(
      removals,
      l10n.t('{0} cannot be removed.', nameOf(removals)),
      l10n.t('None of them can be removed.'),
    );
    const [only] = removals.length === 1 ? removals : [];
    const unlock = only?.obstacles.some(({ kind }) => kind === 'locked') ? [l10n.t('Unlock')] : [];
    const choice = await window.showErrorMessage(words, { modal: true, detail }, ...unlock);
    if (only && choice !== undefined) await unlockAndAsk(only, mainRoot);
    return undefined;
  }
  const remove = l10n.t('Remove');
  const removeFree = l10n.t('Remove Only {0}', free.map(({ worktree }) => worktree.name).join(', '));
  const removeAnyway = l10n.t('Remove Anyway');
  const question = titleOf(
    forceable,
    forceable[0]?.adminDirOnly === true
      ? l10n.t('Remove {0}, whose folder cannot be found?', nameOf(forceable))
      : l10n.t('Remove the worktree {0}?', nameOf(forceable)),
    l10n.t('Remove {0} worktrees?', forceable.length),
  );
  const buttons =
    free.length === forceable.length ? [remove] : [...(free.length > 0 ? [removeFree] : []), removeAnyway];
  const choice = await window.showWarningMessage(question, { modal: true, detail }, ...buttons);
  if (choice === undefined) return undefined;
  return choice === removeAnyway ? { removals: forceable, force: true } : { removals: free, force: false };
}

/** Unlocks a worktree, and asks again whether it should go: what else stands in the way is told then. */
async function unlockAndAsk({ worktree: { path } }: Removal, repository: string): Promise<void> {
  const argument = { worktree: path, repository };
  if (await commands.executeCommand('worktreeStacks.unlock', argument))
    await commands.executeCommand('worktreeStacks.cleanup', argument);
}

/** That a folder is out of sight is decided for one worktree at a time. */
function mayBeForced({ obstacles, adminDirOnly }: Removal, all: readonly Removal[]): boolean {
  return obstacles.every((each) => each.forceable) && (!adminDirOnly || all.length === 1);
}

const nameOf = (removals: readonly Removal[]): string => removals[0]?.worktree.name ?? '';
const titleOf = (removals: readonly Removal[], one: string, several: string): string =>
  removals.length === 1 ? one : several;

function detailOf(removals: readonly Removal[], mainRoot: string, windows: ReadonlyMap<Removal, string>): string {
  const blocks = removals.map((removal) => {
    const path = displayPath(mainRoot, removal.worktree.path);
    const lines = linesOf(removal, path, windows.get(removal), mayBeForced(removal, removals));
    return removals.length === 1 ? lines.join('\n') : [`${removal.worktree.name}:`, ...lines].join('\n');
  });
  const backedUp = removals.some((removal) => removal.obstacles.length > 0 && mayBeForced(removal, removals));
  if (backedUp) blocks.push(l10n.t('Remove Anyway first backs up what exists only there, under refs/wt-backup/.'));
  return blocks.join('\n\n');
}

function linesOf(
  { obstacles, branch, dependents, newBase, adminDirOnly, inspected }: Removal,
  path: string,
  window: string | undefined,
  mayGo: boolean,
): string[] {
  const lines = obstacles.flatMap(obstacleLines);
  if (!mayGo) return [...lines, l10n.t('It stays.')];
  lines.push(
    adminDirOnly
      ? l10n.t("Git's record of {0} is dropped; Undo brings it back. What is there is not touched.", path)
      : l10n.t('The folder {0} is deleted.', path),
  );
  if (branch)
    lines.push(
      branch.decision === 'delete'
        ? l10n.t('The branch {0} is deleted: {1}.', branch.name, localized(branch.why))
        : l10n.t('The branch {0} stays: {1}.', branch.name, localized(branch.why)),
    );
  const { kept = [], gone = [] } = inspected?.ignored ?? {};
  if (gone.length > 0) lines.push(l10n.t('Ignored by Git, and deleted for good: {0}.', withSizes(gone)));
  if (kept.length > 0) lines.push(l10n.t('Ignored by Git, and kept for {0} days: {1}.', keptForDays, withSum(kept)));
  if (dependents.length > 0 && newBase !== undefined)
    lines.push(l10n.t('{0} will be based on {1}.', dependents.join(', '), newBase));
  if (window !== undefined) lines.push(window);
  return lines;
}

function obstacleLines({ message: what, items }: RemovalObstacle): string[] {
  const message = localized(what);
  const shown = items.slice(0, shownItems).map((item) => `    ${item}`);
  if (items.length > shownItems) shown.push(l10n.t('    and {0} more', items.length - shownItems));
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return [`⚠ ${sentence}${shown.length > 0 ? ':' : '.'}`, ...shown];
}
