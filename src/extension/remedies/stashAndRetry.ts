import { commands, l10n, window } from 'vscode';
import { restoreStash, stashChanges, type Stash, type Unstashed } from '../../core/checkout/stash.ts';
import { listed, localized } from '../base/messages.ts';
import { withProgress } from '../base/progress.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import { resolveTarget, type WorktreeTarget } from '../services/resolveTarget.ts';
import type { Services } from '../services/services.ts';

/**
 * Stashes what is not committed in a worktree, does something again that it was in the way of, and brings it back. The stash has a name
 * that says what it is from, and is kept until everything is back.
 *
 * @param word the worktree.
 * @param title what is done again: "Rebase Stack".
 * @throws Problem where it could not be stashed: nothing else is done then.
 */
export async function stashAndRetry(
  services: Services,
  word: string,
  title: string,
  retry: () => unknown,
): Promise<void> {
  const target = await resolveTarget(services, { worktree: word }, { title, placeholder: '' });
  const checkout = target && checkoutOf(target);
  if (!checkout) return;
  const { model, worktree } = target;
  const time = new Date().toISOString().slice(0, 19).replace('T', ' ');
  const name = `Worktree Stacks: ${worktree.name} before “${title}”, ${time}`;
  const stash = await withProgress(
    l10n.t('Stashing the changes in {0}', worktree.name),
    (_, signal) => model.change((workspace) => stashChanges(workspace, checkout, name, signal)),
    false,
  );
  try {
    await retry();
  } finally {
    if (stash) await bringBack(services, target, stash);
  }
}

/** What waits for the end of an operation: the restack that was done again has stopped for a person. */
const waiting = new Set<{ readonly target: WorktreeTarget; readonly stash: Stash }>();

/** Brings back what waits for the end of an operation in a repository, now that one has ended. */
export async function restoreWaiting(services: Services, model: RepositoryModel): Promise<void> {
  for (const each of [...waiting]) {
    if (each.target.model !== model) continue;
    waiting.delete(each);
    await bringBack(services, each.target, each.stash);
  }
}

/** Brings a stash back, and tells where it is when that cannot be done. */
async function bringBack(services: Services, target: WorktreeTarget, stash: Stash): Promise<void> {
  const checkout = checkoutOf(target);
  if (!checkout) return;
  const { name } = target.worktree;
  const restored = await target.model.change((workspace) => restoreStash(workspace, checkout, stash));
  services.log.info(`${name}: the stash “${stash.name}” (${stash.oid}): ${restored.state}`);
  if (restored.state === 'restored') {
    void window.setStatusBarMessage(l10n.t('Restored your changes in {0}.', name), 5000);
    return;
  }
  if (restored.state === 'waits') waiting.add({ target, stash });
  const again = l10n.t('Restore Changes');
  const open = l10n.t('Open Changes');
  const buttons = { kept: [again, open], waits: [], conflicts: [open], unstaged: [open] }[restored.state];
  // Not awaited: what was to be done is done, and the answer begins the next.
  void window.showWarningMessage(textOf(restored, name, stash), ...buttons).then((choice) => {
    if (choice === again) return bringBack(services, target, stash);
    if (choice === open)
      return commands.executeCommand('worktreeStacks.diff', { worktree: target.worktree.path, uncommitted: true });
  });
}

function textOf(restored: Exclude<Unstashed, { state: 'restored' }>, name: string, stash: Stash): string {
  switch (restored.state) {
    case 'unstaged':
      return l10n.t(
        'Your changes in {0} are restored, but nothing is staged any more. The stash “{1}” still has what was.',
        name,
        stash.name,
      );
    case 'conflicts':
      return l10n.t(
        'Your changes in {0} are restored with conflicts: {1}. The stash “{2}” still has them as they were.',
        name,
        listed(restored.files),
        stash.name,
      );
    case 'waits':
      return l10n.t(
        'Your changes in {0} are restored when this has ended: {1}. Until then they are in the stash “{2}”.',
        name,
        localized(restored.why),
        stash.name,
      );
    case 'kept':
      return l10n.t(
        'Your changes in {0} are not restored yet: {1}. They are in the stash “{2}”.',
        name,
        localized(restored.why).replace(/\.$/, ''),
        stash.name,
      );
  }
}

function checkoutOf({ worktree: { path, gitDir } }: WorktreeTarget): { path: string; gitDir: string } | undefined {
  return gitDir === undefined ? undefined : { path, gitDir };
}
