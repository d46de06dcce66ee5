import { Problem, stopIfCancelled } from '../base/problem.ts';
import type { GitOptions } from '../git/gitProcess.ts';
import { quoted } from '../base/quoted.ts';
import type { Reservation } from '../operations/store.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { MergeData, MovedSubmodule } from './mergeData.ts';
import type { MergeOptions, MergeSource } from './model.ts';
import type { ReadyTarget } from './target.ts';
import { mergeMessages } from '../messages/merge.ts';
import type { Message } from '../messages/message.ts';

/** A merge that is under way: what all of its steps work with. */
export interface Merging {
  readonly workspace: Workspace;
  readonly source: MergeSource;
  readonly target: ReadyTarget;
  /** What is written down of it. */
  readonly pending: Reservation<MergeData>;
  readonly options: MergeOptions;
}

/** Tells what is done now, and stops here if the person has called it off. */
export function step({ source, options }: Pick<Merging, 'source' | 'options'>, what: Message): void {
  stopIfCancelled(options.signal);
  options.progress?.(mergeMessages.mergingStep({ name: source.name, what }));
}

/** Changes what is written down of a merge; on disk before this resolves. */
export function note({ pending }: Pick<Merging, 'pending'>, change: Partial<MergeData>): Promise<void> {
  return pending.note({ ...pending.data, ...change });
}

/** Writes down what is known of one submodule. */
export function noteMoved({ pending }: Merging, path: string, moved: MovedSubmodule): Promise<void> {
  return note({ pending }, { moved: { ...pending.data.moved, [path]: moved } });
}

/** How git is asked in the target. */
export function reading({ target, options }: Pick<Merging, 'target' | 'options'>): GitOptions {
  return { cwd: target.root, signal: options.signal };
}

/** How git is run where it must not be ended half-way: the signal counts between the steps. */
export function writing({ target }: Merging): GitOptions {
  return { cwd: target.root, writes: true };
}

/** The command that goes on with a merge, as a person types it. */
export function againCommand({ name }: Pick<MergeSource, 'name'>): string {
  return `wt merge ${quoted(name)}`;
}

/** A cancelled merge is not gone: says how to go on. */
export function explainCancel(thrown: unknown, source: MergeSource, targetRoot: string, begun: boolean): unknown {
  if (!Problem.is(thrown, 'cancelled') || !begun) return thrown;
  const again = againCommand(source);
  return new Problem('cancelled', mergeMessages.cancelledMergeBegun({ sourceName: source.name }), {
    next: mergeMessages.goAgainTake({ again, targetRoot }),
    outcome: 'incomplete',
    cause: thrown,
  });
}
