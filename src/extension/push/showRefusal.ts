import { commands, l10n, window } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import { PushRefusal } from '../../core/github/push/pushRefusal.ts';
import { localized, problemText } from '../base/messages.ts';
import { tellFailure } from '../remedies/buttons.ts';
import type { Services } from '../services/services.ts';
import type { WorktreeTarget } from '../services/resolveTarget.ts';

/** How a push can be tried once more. */
export type Retry = (again: { readonly rewrite: boolean }) => Promise<unknown>;

/**
 * Tells why a push was refused, with the button that its cause asks for. What git, hooks and the server said is in the log.
 *
 * @param title the command's, for failures that are no refusal.
 */
export function showRefusal(
  services: Services,
  title: string,
  target: WorktreeTarget,
  thrown: unknown,
  retry: Retry,
): void {
  if (!(thrown instanceof PushRefusal)) {
    tellFailure(services, title, thrown, () => retry({ rewrite: false }));
    return;
  }
  services.log.warn([`${title}: ${thrown.message}`, ...thrown.items].join('\n'));
  const action = actionFor(thrown, target, retry);
  const showLog = l10n.t('Show Output');
  const buttons = [...(action ? [action.label] : []), showLog];
  void window.showWarningMessage(textFor(thrown), ...buttons).then(async (choice) => {
    if (choice === showLog) services.channel.show(true);
    if (!action || choice !== action.label) return;
    try {
      await action.run();
    } catch (again) {
      showRefusal(services, title, target, again, retry);
    }
  });
}

/** The next step is a button if there is one, and otherwise that of the problem. */
function textFor(refusal: PushRefusal): string {
  return ['foreign', 'closed', 'contained', 'queued', 'rule', 'server-hook', 'hook', 'no-access', 'other'].includes(
    refusal.refusal,
  )
    ? problemText(refusal)
    : localized(refusal.what);
}

function actionFor(
  { refusal, worktree }: PushRefusal,
  { model, worktree: asked }: WorktreeTarget,
  retry: Retry,
): { readonly label: string; readonly run: () => Thenable<unknown> } | undefined {
  const argument = { worktree: worktree ?? asked.name, repository: model.repository.mainRoot };
  switch (refusal) {
    case 'changed':
    case 'approved':
    case 'anothers':
    case 'policy':
    case 'closed':
      return { label: l10n.t('Force Push with Lease…'), run: () => retry({ rewrite: true }) };
    case 'raced':
    case 'offline':
      return { label: l10n.t('Try Again'), run: () => retry({ rewrite: false }) };
    case 'foreign':
      return {
        label: l10n.t('Rebase Worktree…'),
        run: () => commands.executeCommand('worktreeStacks.rebase', argument),
      };
    case 'merged':
      return {
        label: l10n.t('Remove Worktree…'),
        run: () => commands.executeCommand('worktreeStacks.cleanup', argument),
      };
    case 'queued':
    case 'contained':
    case 'rule':
    case 'server-hook':
    case 'hook':
    case 'no-access':
    case 'other':
      return undefined;
  }
}

/** Whether something that was thrown is for {@link showRefusal}, and no cancellation. */
export function isRefusal(thrown: unknown): thrown is PushRefusal {
  return Problem.is(thrown) && thrown instanceof PushRefusal;
}
