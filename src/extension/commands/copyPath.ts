import { env, l10n } from 'vscode';
import type { Services } from '../services/services.ts';
import { resolveTarget } from '../services/resolveTarget.ts';

/** Puts the absolute path of a worktree on the clipboard. */
export async function copyPath(services: Services, argument?: unknown): Promise<void> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Copy Path'),
    placeholder: l10n.t('Select a worktree'),
  });
  if (target) await env.clipboard.writeText(target.worktree.path);
}
