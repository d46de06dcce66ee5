import { l10n } from 'vscode';
import { clearActive } from '../../core/repository/stateFile.ts';
import type { Services } from '../services/services.ts';
import { resolveModel } from '../services/resolveTarget.ts';

/** Removes the state file, so that no worktree is the active one. */
export async function clearActiveCommand(services: Services, argument?: unknown): Promise<void> {
  const title = l10n.t("Clear Claude's Worktree");
  const model = await resolveModel(services, argument, title, ({ state }) => state?.snapshot.active !== undefined);
  await model?.change(({ environment, repository }) => clearActive(environment, repository));
}
