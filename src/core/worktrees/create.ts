import { Problem } from '../base/problem.ts';
import type { Programs } from '../repository/launchers.ts';
import type { CreatePlan, CreateRequest } from './createPlan.ts';
import type { SetupOptions, SetupOutcome } from './setup.ts';
import type { Workspace } from './workspace.ts';

/** A worktree that was made. */
export interface Created extends Pick<
  CreatePlan,
  'name' | 'slug' | 'path' | 'relativePath' | 'branch' | 'base' | 'baseCommit'
> {
  /** When, ISO 8601. */
  readonly created: string;
  /** The git-ignored files that came along, relative to the worktree. */
  readonly copied: readonly string[];
  /** The submodules that were initialised, relative to the worktree. */
  readonly submodules: readonly string[];
  readonly setup: SetupOutcome;
  /** It is the active worktree now. */
  readonly active: boolean;
  readonly warnings: readonly string[];
}

/** The answer of `wt create --json`: seed 003's fields, and what else a script may need. */
export interface CreatedJson {
  readonly success: true;
  readonly path: string;
  readonly absolute_path: string;
  readonly branch: string;
  readonly created_at: string;
  readonly name: string;
  readonly slug: string;
  readonly base: string;
  readonly base_commit: string;
  readonly copied: readonly string[];
  readonly submodules: readonly string[];
  readonly setup: {
    readonly state: SetupOutcome['state'];
    readonly commands: readonly string[];
    readonly suggested: readonly string[];
    readonly next?: string;
  };
  readonly active: boolean;
  readonly warnings: readonly string[];
}

/** What `wt create --json` prints. */
export function toCreatedJson(created: Created): CreatedJson {
  const { state, commands, suggested, next } = created.setup;
  return {
    success: true,
    path: created.relativePath,
    absolute_path: created.path,
    branch: created.branch,
    created_at: created.created,
    name: created.name,
    slug: created.slug,
    base: created.base,
    base_commit: created.baseCommit,
    copied: created.copied,
    submodules: created.submodules,
    setup: { state, commands, suggested, ...(next === undefined ? {} : { next }) },
    active: created.active,
    warnings: created.warnings,
  };
}

/** How a creation is watched and cancelled. */
export interface CreateOptions extends Pick<SetupOptions, 'approveSetup' | 'onSetupOutput' | 'progress' | 'signal'> {
  /** The bundled programs that the launchers start; without them no launcher is written. */
  readonly programs?: Programs | undefined;
}

/**
 * Makes a worktree. It is there complete, or, after a failure or a cancel at any step, not at all.
 *
 * @throws Problem as {@link planCreate}, before anything is touched; `setup-failed`, `git-failed`, `cancelled`, … after
 *   everything was taken back.
 */
export async function createWorktree(
  _workspace: Workspace,
  request: CreateRequest,
  _options: CreateOptions = {},
): Promise<Created> {
  throw new Problem('unsupported', `${request.name ?? 'A worktree'} cannot be created yet.`);
}
