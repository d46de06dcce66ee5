import type { Services } from '../services.ts';
import { keepMode } from '../views/viewMode.ts';
import type { ViewMode } from '../views/worktreesView.ts';

/** Shows the worktrees side by side. */
export const viewAsList = (services: Services): Promise<void> => viewAs(services, 'list');

/** Shows each worktree below the one that it stands on. */
export const viewAsStack = (services: Services): Promise<void> => viewAs(services, 'stack');

async function viewAs({ context, keys, view }: Services, mode: ViewMode): Promise<void> {
  await keepMode(context, keys, mode);
  await view.setMode(mode);
}
