import { Problem } from '../base/problem.ts';
import type { SetupPlan } from './setup.ts';
import type { Workspace } from './workspace.ts';

/** What a person asks for when a worktree is to be made. */
export interface CreateRequest {
  /** What the worktree is called; may be left out when there is a work id and the location pattern uses it. */
  readonly name?: string | undefined;
  /** A branch, a worktree's name, a remote branch or a commit to start from; by default the branch that is checked out here. */
  readonly base?: string | undefined;
  /** The branch to use: a new one, an existing one, or one of the remote's (`x` or `origin/x`). */
  readonly branch?: string | undefined;
  /** What is to be done in it, for the registry. */
  readonly task?: string | undefined;
  /** The absolute path of a session file to commit on the new branch. */
  readonly sessionFile?: string | undefined;
  readonly workId?: string | undefined;
  /** `never` leaves the setup commands alone. Default `approved`: they run when the user has approved them. */
  readonly runSetup?: 'approved' | 'never' | undefined;
  /** The program that asks: `wt`, `vscode`. */
  readonly createdBy: string;
}

/** What would be made; nothing has been touched. */
export interface CreatePlan {
  readonly name: string;
  readonly slug: string;
  /** Absolute, in the person's spelling of the main root. */
  readonly path: string;
  /** Relative to the main root, with forward slashes. */
  readonly relativePath: string;
  readonly branch: string;
  /** The branch does not exist yet. */
  readonly newBranch: boolean;
  /** The remote branch that a new branch continues, such as `origin/x`; `undefined` for one that starts at its base. */
  readonly fromRemote: string | undefined;
  /** The branch that it stands on. */
  readonly base: string;
  /** The commit of the base after which the branch's own commits begin. */
  readonly baseCommit: string;
  /** The commit that the branch points at, or will. */
  readonly startCommit: string;
  readonly setup: SetupPlan;
  /** Sentences about what a person may not expect. */
  readonly warnings: readonly string[];
}

/**
 * What creating a worktree would do. Reads only, and little: it is called as a person types.
 *
 * @throws Problem for everything that is wrong with the request: `invalid-name`, `taken`, `not-found`, `usage`,
 *   `outside-repository`, `unreadable-file`.
 */
export async function planCreate(
  _workspace: Workspace,
  request: CreateRequest,
  _options: { signal?: AbortSignal | undefined } = {},
): Promise<CreatePlan> {
  throw new Problem('unsupported', `${request.name ?? 'A worktree'} cannot be planned yet.`);
}
