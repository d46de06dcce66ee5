import type { Programs } from '../repository/launchers.ts';
import type { PortBlock } from '../repository/portBlock.ts';
import type { CreatePlan } from './plan.ts';
import type { WorkToCarry } from './workToCarry.ts';
import type { HookOptions } from '../hooks/plan.ts';
import type { HookResult } from '../hooks/runHooks.ts';
import type { SetupOptions, SetupOutcome } from './setup.ts';
import type { SharedPath } from './shared.ts';
import type { Message } from '../messages/message.ts';

/** A worktree that was created. */
export interface Created extends Pick<
  CreatePlan,
  'name' | 'slug' | 'path' | 'relativePath' | 'branch' | 'fromRemote' | 'base' | 'baseCommit' | 'task'
> {
  /** The task was moved to the worktree tasks of the session file. */
  readonly taskMoved: boolean;
  /** When, ISO 8601. */
  readonly created: string;
  /** Its ports; `undefined` without any. */
  readonly ports: PortBlock | undefined;
  /** The git-ignored files that were copied, relative to the worktree. */
  readonly copied: readonly string[];
  /** The git-ignored folders and files that are shared with the main working tree. */
  readonly shared: readonly SharedPath[];
  /** The submodules that were initialised, relative to the worktree. */
  readonly submodules: readonly string[];
  readonly setup: SetupOutcome;
  /** What became of the commands that run after a creation. */
  readonly hooks: readonly HookResult[];
  /** It is the active worktree now. */
  readonly active: boolean;
  readonly warnings: readonly Message[];
}

/** How a creation is watched and cancelled. */
export interface CreateOptions
  extends Pick<SetupOptions, 'approveSetup' | 'onSetupOutput' | 'progress' | 'signal'>, Omit<HookOptions, 'programs'> {
  /** The bundled programs that the launchers start; without them no launcher is written. */
  readonly programs?: Programs | undefined;
  /** What comes along. */
  readonly work?: WorkToCarry | undefined;
}
