import type { Message } from '../messages/message.ts';
import { execMessages } from '../messages/exec.ts';
import type { Worktree } from '../worktree/model.ts';
import type { EndSignal } from '../base/processSignals.ts';
import type { CommandEnd, RunningCommand } from './runCommand.ts';
import type { ExecTarget } from './targets.ts';

/** What became of a command in one worktree. */
export interface ExecResult {
  readonly worktree: Worktree;
  /** How it ended; `undefined` where it was not started. */
  readonly end: CommandEnd | undefined;
  /** Why it was not started, or could not be. */
  readonly why?: Message;
}

/** Whether a command ran in a worktree and succeeded there. */
export const hasPassed = ({ end }: ExecResult): boolean => end?.exitCode === 0;

/** How a command is run in several worktrees. */
export interface ExecPlan {
  /** At most so many at the same time. */
  readonly jobs: number;
  /** After a failure nothing more is started. */
  readonly stopsAtFailure: boolean;
  readonly start: (worktree: Worktree) => RunningCommand;
}

/**
 * A command in several worktrees: in their order, each after the one that it is based on. What was told to stop starts nothing more, and
 * passes the signal on to everything that runs; the second signal kills.
 */
export class RunInWorktrees {
  readonly #targets: readonly ExecTarget[];
  readonly #plan: ExecPlan;
  readonly #results = new Map<ExecTarget, ExecResult>();
  readonly #running = new Set<RunningCommand>();
  #stopped: EndSignal | undefined;
  #failed: string | undefined;

  constructor(targets: readonly ExecTarget[], plan: ExecPlan) {
    this.#targets = targets;
    this.#plan = plan;
  }

  /** The signal that has stopped it. */
  get stopped(): EndSignal | undefined {
    return this.#stopped;
  }

  /** Stops all that runs, and starts nothing more. */
  stop(signal: EndSignal): void {
    const second = this.#stopped !== undefined;
    this.#stopped ??= signal;
    for (const each of this.#running) each.signal(second ? 'SIGKILL' : signal);
  }

  /** Runs all of them; gives the results in the order of the targets. */
  async run(): Promise<ExecResult[]> {
    const waiting = [...this.#targets];
    const busy = new Set<Promise<void>>();
    for (;;) {
      while (busy.size < this.#plan.jobs) {
        this.#giveUp(waiting);
        const at = waiting.findIndex((target) => this.#isReady(target, waiting));
        const [next] = at < 0 ? [] : waiting.splice(at, 1);
        if (!next) break;
        const run: Promise<void> = this.#runOne(next).finally(() => busy.delete(run));
        busy.add(run);
      }
      if (busy.size === 0) break;
      await Promise.race(busy);
    }
    return this.#targets.flatMap((target) => this.#results.get(target) ?? []);
  }

  /** Whether the one below it has ended. */
  #isReady({ after }: ExecTarget, waiting: readonly ExecTarget[]): boolean {
    if (after === undefined) return true;
    const below = this.#targets.find(({ worktree }) => worktree.name === after);
    return below === undefined || (this.#results.has(below) && !waiting.includes(below));
  }

  async #runOne(target: ExecTarget): Promise<void> {
    const { worktree, problem } = target;
    if (problem) return this.#note(target, { worktree, end: undefined, why: problem.what });
    const running = this.#plan.start(worktree);
    this.#running.add(running);
    const end = await running.ended;
    this.#running.delete(running);
    this.#note(target, { worktree, end, ...(end.problem ? { why: end.problem.what } : {}) });
  }

  #note(target: ExecTarget, result: ExecResult): void {
    this.#results.set(target, result);
    if (!hasPassed(result)) this.#failed ??= target.worktree.name;
  }

  /** Takes out what is not run any more. */
  #giveUp(waiting: ExecTarget[]): void {
    const failed = this.#plan.stopsAtFailure ? this.#failed : undefined;
    const why =
      this.#stopped !== undefined
        ? execMessages.notAfterSignal()
        : failed === undefined
          ? undefined
          : execMessages.notAfterFailure({ name: failed });
    if (!why) return;
    for (const target of waiting.splice(0)) {
      this.#results.set(target, { worktree: target.worktree, end: undefined, why });
    }
  }
}
