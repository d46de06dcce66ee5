import type { Services } from '../services/services.ts';
import { saveMode } from '../views/viewMode.ts';
import type { ViewMode } from '../views/rows.ts';

/** Shows the worktrees side by side. */
export const viewAsList = (services: Services): Promise<void> => viewAs(services, 'list');

/** Shows each worktree below its base. */
export const viewAsStack = (services: Services): Promise<void> => viewAs(services, 'stack');

async function viewAs({ context, view }: Services, mode: ViewMode): Promise<void> {
  await saveMode(context, mode);
  await view.setMode(mode);
}
