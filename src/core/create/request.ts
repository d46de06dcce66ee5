import type { Message } from '../messages/message.ts';
import type { Tracking } from './createData.ts';

/** A pull request that a worktree is to continue. Its last commit is here already. */
export interface PullToContinue {
  readonly number: number;
  readonly url: string;
  /** The last commit of its branch. */
  readonly commit: string;
  /** What its branch is called. */
  readonly branch: string;
  /** Whose branch that is, where it is in a fork: `owner`, or the name of a fork that has the owner of this repository. */
  readonly fork: string | undefined;
  /** Who opened it, where that is somebody else than the person who asks. */
  readonly author: string | undefined;
  /** The branch that it is to be merged into. */
  readonly base: string;
  /** Where its branch is; `undefined` where it is gone. */
  readonly tracking: Tracking | undefined;
  /** Sentences about what a person may not expect. */
  readonly warnings: readonly Message[];
}

/** What a person asks for when a worktree is to be created. */
export interface CreateRequest {
  /** The worktree's name. May be left out with a work id, or with a task of the session file. */
  readonly name?: string | undefined;
  /** A branch, a worktree's name, a remote branch or a commit to start from; by default the branch that is checked out here. */
  readonly base?: string | undefined;
  /** The branch to use: a new one, an existing one, or a remote one (`x` or `origin/x`). */
  readonly branch?: string | undefined;
  /** A new branch is meant, also where a remote has one of its name. */
  readonly newBranch?: boolean | undefined;
  /** The pull request to continue, which gives name, branch and base where they are not asked for. */
  readonly pull?: PullToContinue | undefined;
  /** What is to be done in it: a task of the session file, by its name, or any text. */
  readonly task?: string | undefined;
  /** The absolute path of a session file to commit on the new branch. */
  readonly sessionFile?: string | undefined;
  readonly workId?: string | undefined;
  /** Whether its removal is offered when its work is done; by default as the team has configured it. */
  readonly autoCleanup?: boolean | undefined;
  /** The run of the caller's workflow that it is created for. */
  readonly workflowRunId?: string | undefined;
  /** `never` leaves the setup commands alone. Default `approved`: they run when the user has approved them. */
  readonly runSetup?: 'approved' | 'never' | undefined;
  /** The program that asks: `wt`, `vscode`, or whoever calls `wt`. */
  readonly createdBy: string;
}
