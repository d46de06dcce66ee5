import { l10n, window, workspace } from 'vscode';
import { decisionUri } from '../views/decisionDocuments.ts';
import type { Services } from '../services/services.ts';
import { resolveTarget } from '../services/resolveTarget.ts';

/** Opens what hooks of Claude Code denied, allowed and did in a worktree, as a document. */
export async function showDecisions(services: Services, argument?: unknown): Promise<void> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Show Agent Activity Log'),
    placeholder: l10n.t('Select a worktree'),
    accept: ({ worktree }) => !worktree.main,
  });
  if (!target) return;
  const document = await workspace.openTextDocument(decisionUri(target.model, target.worktree));
  await window.showTextDocument(document, { preview: true });
}
