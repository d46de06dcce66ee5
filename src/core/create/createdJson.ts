import { hooksJson, type HookJson } from '../hooks/hookJson.ts';
import { portNumbers } from '../repository/portBlock.ts';
import type { Created } from './created.ts';
import type { SetupOutcome } from './setup.ts';
import { sharedJson, type SharedJson } from './shared.ts';
import { textOf } from '../messages/message.ts';

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
  readonly task: string | null;
  readonly task_moved: boolean;
  readonly ports: readonly number[] | null;
  readonly copied: readonly string[];
  readonly shared: readonly SharedJson[];
  readonly submodules: readonly string[];
  readonly setup: {
    readonly state: SetupOutcome['state'];
    readonly commands: readonly string[];
    readonly suggested: readonly string[];
    readonly next?: string;
  };
  readonly hooks: readonly HookJson[];
  readonly active: boolean;
  readonly warnings: readonly string[];
  readonly uncommitted: UncommittedJson | null;
}

/** The uncommitted work of the worktree that one was created from. */
export interface UncommittedJson {
  readonly state: 'stays' | 'moved' | 'copied';
  readonly files: readonly string[];
  /** The id of the operation that carried it. */
  readonly operation: string | null;
}

/** What `wt create --json` prints. */
export function toCreatedJson(created: Created, uncommitted?: UncommittedJson): CreatedJson {
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
    task: created.task ?? null,
    task_moved: created.taskMoved,
    ports: created.ports ? portNumbers(created.ports) : null,
    copied: created.copied,
    shared: sharedJson(created.shared),
    submodules: created.submodules,
    setup: { state, commands, suggested, ...(next === undefined ? {} : { next }) },
    hooks: hooksJson(created.hooks),
    active: created.active,
    warnings: created.warnings.map((each) => textOf(each)),
    uncommitted: uncommitted ?? null,
  };
}
