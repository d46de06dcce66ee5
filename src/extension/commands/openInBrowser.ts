import { l10n, window } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import { verbatim } from '../../core/messages/message.ts';
import { reservePorts } from '../../core/worktree/ports.ts';
import { urlsOf } from '../../core/worktree/urls.ts';
import { resolveTarget, type WorktreeTarget } from '../services/resolveTarget.ts';
import type { Services } from '../services/services.ts';
import { openUrl } from './openPullRequest.ts';

/** Opens what runs in a worktree in the browser, at an address that the team has configured. @returns the address. */
export async function openInBrowserCommand(services: Services, argument?: unknown): Promise<string | undefined> {
  const title = l10n.t('Open in Browser');
  const target = await resolveTarget(services, argument, {
    title,
    placeholder: l10n.t('Select the worktree to open in the browser'),
    accept: ({ worktree }) => worktree.urls.length > 0,
  });
  if (!target) return undefined;
  const urls = await addressesOf(target);
  const items = urls.flatMap(({ name, url }) => (url === undefined ? [] : [{ label: name, description: url, url }]));
  if (items.length === 0) {
    throw new Problem('not-found', verbatim(l10n.t('{0} has no address to open.', target.worktree.name)), {
      next: verbatim(l10n.t('add one to `urls` in .worktrees.yml')),
      remedies: [{ kind: 'openSettings' }],
      outcome: 'incomplete',
    });
  }
  const placeHolder = l10n.t('Select the address to open');
  const choice = items.length === 1 ? items[0] : await window.showQuickPick(items, { title, placeHolder });
  if (choice) await openUrl(choice.url);
  return choice?.url;
}

/** A worktree that has no ports yet gets them now. */
async function addressesOf({ model, worktree }: WorktreeTarget): Promise<readonly (typeof worktree.urls)[number][]> {
  if (worktree.urls.every(({ url }) => url !== undefined)) return worktree.urls;
  return model.change(async (workspace) => {
    const ports = await reservePorts(workspace, worktree);
    return urlsOf(workspace.configuration, { ...worktree, ports });
  });
}
