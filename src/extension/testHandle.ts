import type { ExtensionContext, StatusBarItem } from 'vscode';
import type { ContextKeys } from './base/contextKeys.ts';
import type { PullRequestService } from './github/pullRequests.ts';
import type { Repositories } from './repository/repositories.ts';
import type { TasksView } from './views/tasksView.ts';
import type { SessionMergeEditors } from './sessionMerge/provider.ts';
import type { WorktreesView } from './views/worktreesView.ts';

/** What host tests inspect because the API of VS Code does not expose it. Exported in test runs only. */
export interface TestHandle {
  readonly context: ExtensionContext;
  readonly repositories: Repositories;
  readonly pullRequests: PullRequestService;
  readonly view: WorktreesView;
  readonly tasks: TasksView;
  readonly keys: ContextKeys;
  readonly statusBar: StatusBarItem;
  /** The status bar item that counts the agents that wait. */
  readonly waitingItem: StatusBarItem;
  readonly sessionMerge: SessionMergeEditors;
}
