import type { ExtensionContext, LogOutputChannel } from 'vscode';
import type { Log } from '../../core/base/log.ts';
import type { Background } from '../base/background.ts';
import type { StopNotices } from '../conflicts/stopNotices.ts';
import type { ContextKeys } from '../base/contextKeys.ts';
import type { PullRequestService } from '../github/pullRequests.ts';
import type { Repositories } from '../repository/repositories.ts';
import type { TasksView } from '../views/tasksView.ts';
import type { SessionMergeEditors } from '../sessionMerge/provider.ts';
import type { WorktreesView } from '../views/worktreesView.ts';

/** What commands work with; composed once in extension.ts. */
export interface Services {
  readonly context: ExtensionContext;
  readonly channel: LogOutputChannel;
  readonly log: Log;
  readonly keys: ContextKeys;
  readonly repositories: Repositories;
  readonly pullRequests: PullRequestService;
  readonly view: WorktreesView;
  /** Tells what waits for a person in a worktree. */
  readonly stops: StopNotices;
  readonly tasks: TasksView;
  readonly background: Background;
  readonly sessionMerge: SessionMergeEditors;
}
