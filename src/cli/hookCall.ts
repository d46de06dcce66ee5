import type { Environment } from '../core/base/environment.ts';
import type { HookDecision } from '../core/claude/hookDecision.ts';
import type { HookInput } from '../core/claude/hookInput.ts';
import type { FoundRoot } from '../core/claude/mainRoot.ts';
import type { Scope } from '../core/claude/scope.ts';
import type { Programs } from '../core/repository/launchers.ts';

/** What the process that answers hooks provides. */
export interface HookHost {
  readonly environment: Environment;
  /** Our version. */
  readonly version: string;
  readonly commands: Programs;
  /** Loads what most hooks do without. */
  readonly lazy: () => Promise<LazyHandlers>;
}

/** One hook event. */
export interface HookCall {
  readonly host: HookHost;
  readonly input: HookInput;
  /** The arguments after the event's name. */
  readonly args: readonly string[];
}

/** The scope of an event that belongs to a worktree. */
export type WorktreeScope = Extract<Scope, { kind: 'worktree' }>;

/** What hooks need rarely and what takes long to load: git, YAML, locks (`hookHandlersLazy.ts`). */
export interface LazyHandlers {
  decideTask(environment: Environment, input: HookInput, scope: Scope): Promise<HookDecision | undefined>;
  createForClaude(call: HookCall): Promise<HookDecision>;
  removeForClaude(call: HookCall): Promise<HookDecision>;
  /** Records that somebody works in a worktree that was only created so far, and makes its folder of state. */
  beginWork(
    environment: Environment,
    root: FoundRoot,
    at: { readonly path: string; readonly name?: string | undefined },
  ): Promise<void>;
  /** Makes the registry, the state file, the generated agents and the launchers match where the worktrees are now. */
  updateAgents(environment: Environment, root: FoundRoot, commands: Programs): Promise<void>;
}
