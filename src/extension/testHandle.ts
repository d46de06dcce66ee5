import type { ExtensionContext, StatusBarItem } from 'vscode';
import type { ContextKeys } from './base/contextKeys.ts';
import type { PullRequestService } from './github/pullRequests.ts';
import type { Repositories } from './repository/repositories.ts';
import type { TasksView } from './views/tasksView.ts';
import type { SessionMergeEditors } from './sessionMerge/provider.ts';
import type { WorktreesView } from './views/worktreesView.ts';

/** What the tests inside the extension host look at, because VS Code's API does not let one see it. Given to nobody else. */
export interface TestHandle {
  readonly context: ExtensionContext;
  readonly repositories: Repositories;
  readonly pullRequests: PullRequestService;
  readonly view: WorktreesView;
  readonly tasks: TasksView;
  readonly keys: ContextKeys;
  readonly statusBar: StatusBarItem;
  readonly sessionMerge: SessionMergeEditors;
}
