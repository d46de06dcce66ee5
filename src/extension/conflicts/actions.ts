import { l10n } from 'vscode';
import type { UnderWay } from '../../core/merge/underWay.ts';

/** A button and the command that it runs. */
export interface Action {
  readonly title: string;
  readonly command: string;
}

/** How what is under way goes on and how it is aborted, by who began it: neither refuses, once nothing is in conflict. */
export function actionsOf({ by, operation }: Pick<UnderWay, 'by' | 'operation'>): {
  readonly goOn: Action;
  readonly abort: Action;
} {
  switch (operation) {
    case 'merge':
      return {
        goOn:
          by === 'git'
            ? { title: l10n.t('Commit Merge'), command: 'worktreeStacks.commitMerge' }
            : { title: l10n.t('Continue Merge'), command: 'worktreeStacks.continueMerge' },
        abort: { title: l10n.t('Abort Merge'), command: 'worktreeStacks.abortMerge' },
      };
    case 'rebase':
      return {
        goOn: { title: l10n.t('Continue Rebase'), command: 'worktreeStacks.continueRebase' },
        abort: { title: l10n.t('Abort Rebase'), command: 'worktreeStacks.abortRebase' },
      };
    case 'cherry-pick':
      return {
        goOn: { title: l10n.t('Continue Cherry-Pick'), command: 'worktreeStacks.continueCherryPick' },
        abort: { title: l10n.t('Abort Cherry-Pick'), command: 'worktreeStacks.abortCherryPick' },
      };
    case 'revert':
      return {
        goOn: { title: l10n.t('Continue Revert'), command: 'worktreeStacks.continueRevert' },
        abort: { title: l10n.t('Abort Revert'), command: 'worktreeStacks.abortRevert' },
      };
    case 'am':
      return {
        goOn: { title: l10n.t('Continue Applying Patches'), command: 'worktreeStacks.continuePatches' },
        abort: { title: l10n.t('Abort Applying Patches'), command: 'worktreeStacks.abortPatches' },
      };
  }
}

/** "1 conflict in src/a.ts", or how many there are and the first of them. */
export function conflictsText(files: readonly string[], list: (files: readonly string[]) => string): string {
  const [first = ''] = files;
  return files.length === 1
    ? l10n.t('1 conflict in {0}', first)
    : l10n.t('{0} conflicts in {1}', files.length, list(files));
}
