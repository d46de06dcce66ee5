import type { ExtensionContext, LogOutputChannel } from 'vscode';
import type { Log } from '../core/base/log.ts';
import type { Background } from './background.ts';
import type { ContextKeys } from './contextKeys.ts';
import type { PullRequests } from './github/pullRequests.ts';
import type { Repositories } from './repositories.ts';
import type { TasksView } from './views/tasksView.ts';
import type { SessionMergeEditors } from './sessionMerge/provider.ts';
import type { WorktreesView } from './views/worktreesView.ts';

/** What commands work with; composed once in extension.ts. */
export interface Services {
  readonly context: ExtensionContext;
  readonly channel: LogOutputChannel;
  readonly log: Log;
  readonly keys: ContextKeys;
  readonly repositories: Repositories;
  readonly pullRequests: PullRequests;
  readonly view: WorktreesView;
  readonly tasks: TasksView;
  readonly background: Background;
  readonly sessionMerge: SessionMergeEditors;
}
