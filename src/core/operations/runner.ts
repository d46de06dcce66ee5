import { Problem } from '../base/problem.ts';
import { isDiskFull } from '../base/diskSpace.ts';
import { asProblem } from '../base/systemFailure.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Progress } from '../worktree/model.ts';
import type { Batch, KindName, Operation, RemovedWorktree, ReverseOperation } from './operation.ts';
import { rememberOperation, type Reservation } from './store.ts';
import { operationsMessages } from '../messages/operations.ts';
import { textOf, type Message } from '../messages/message.ts';

/** What finishing an operation gives. */
export interface Outcome {
  /** What the log remembers, so that it can be undone; `undefined` for operations that the log does not hold. */
  readonly operation: Operation | undefined;
  /** It could not be finished yet, and stays pending. */
  readonly remains?: boolean | undefined;
  /** Something of it still waits for a person, so that it stays pending. */
  readonly waits?: boolean;
}

/** An operation that is to be undone or redone. */
export interface Reversed<Logged extends Operation = Operation> {
  readonly kind: 'undo' | 'redo';
  /** The operation that is reversed: for a redo the undo of {@link of}. */
  readonly last: Operation;
  /** The operation that is undone or done again. */
  readonly of: Logged;
}

/** How one operation is undone or redone: checked, and nothing has been touched. */
export interface Inverse {
  /** The branches that move, and what the registry says then. */
  readonly batch?: Batch | undefined;
  /** The worktree that comes back, and its dependents that are based on its branch again. */
  readonly restore?: { readonly removal: RemovedWorktree; readonly repointed: readonly string[] } | undefined;
  /**
   * Carries it out.
   *
   * @param operation the undo or redo, as the log is to hold it.
   * @throws Problem when something has changed since it was planned: nothing has been touched then.
   */
  run(workspace: Workspace, operation: ReverseOperation, options: ReverseOptions): Promise<Operation>;
}

/** How an undo or a redo runs. */
export interface ReverseOptions {
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A kind of operation, as recovery needs it. `Data` is written down before the first step; whoever finds it later has nothing else.
 * All methods can be called again after a process died in them.
 */
export interface OperationKind<Data, Done extends Outcome = Outcome> {
  readonly name: KindName;
  /** What it does to what, as the part of a sentence: "Creating .worktrees/x". */
  describe(data: Data): Message | string;
  /** Its git processes may outlive it: recovery waits for them. */
  readonly startsGit?: boolean;
  /** What proves its commit goes while it is finished, so that the commit is written down first. */
  readonly notesCommit?: boolean;
  /** Whether it got past its commit point, by what is there: from then on it is finished, before it is rolled back. */
  isCommitted(workspace: Workspace, data: Data): Promise<boolean>;
  /** Whether it waits for a person, by what is there, although it did not come to say so: then it is not rolled back. */
  waits?(workspace: Workspace, data: Data): Promise<boolean>;
  finish(workspace: Workspace, data: Data): Promise<Done>;
  rollBack(workspace: Workspace, data: Data): Promise<void>;
  /**
   * Works out how one that the log holds is undone or redone; missing for kinds that the log does not hold.
   *
   * @throws Problem with what is in the way, and what to do.
   */
  inverse?(workspace: Workspace, reversed: Reversed, signal?: AbortSignal): Promise<Inverse>;
}

/** What the process that began an operation does, phase by phase. */
export interface Phases<Data, Done extends Outcome> {
  /** Everything that can be rolled back. */
  readonly prepare?: (reservation: Reservation<Data>) => Promise<void>;
  /** The step after which it is finished, whatever happens. When it fails it has not happened. */
  readonly commit?: (reservation: Reservation<Data>) => Promise<void>;
  /** Instead of the kind's, where this process knows more than what is written down. */
  readonly finish?: (data: Data) => Promise<Done>;
  /** Likewise. Gives the failure to report; throws `failure` itself where only recovery can roll back. */
  readonly rollBack?: (data: Data, failure: unknown) => Promise<unknown>;
  /** A failure leaves it to a person, who can go on with it. What cannot stay as it is rolls back and closes the reservation itself. */
  readonly pauses?: boolean;
  /** Runs what leads to the commit point, or what follows it: to try it again, or to explain its failure. */
  readonly attempt?: <T>(phase: 'commit' | 'finish', steps: () => Promise<T>) => Promise<T>;
}

/**
 * Runs an operation: reserve, prepare, commit point, finish. A failure before the commit point rolls back; after it, recovery finishes
 * what this process could not. Killed at any moment, recovery does the same.
 *
 * @param reserveKey as `reserve` does it.
 * @throws Problem whatever reserving and the phases throw.
 */
export async function runOperation<Data, Done extends Outcome>(
  workspace: Workspace,
  kind: OperationKind<Data, Done>,
  reserveKey: () => Promise<Reservation<Data>>,
  phases: Phases<Data, Done>,
): Promise<Done> {
  const { attempt = (_, steps) => steps() } = phases;
  const reservation = await attempt('commit', async () => {
    const reserved = await reserveKey();
    await commit(workspace, kind, reserved, phases);
    return reserved;
  });
  try {
    const done = await attempt('finish', async () => {
      const { data } = reservation;
      const outcome = await (phases.finish ? phases.finish(data) : kind.finish(workspace, data));
      if (outcome.operation) await rememberOperation(workspace, outcome.operation);
      return outcome;
    });
    await (done.waits ? reservation.pause() : reservation.close());
    workspace.environment.log.debug(`[operation] ${textOf(kind.describe(reservation.data))}: finished`);
    return done;
  } catch (thrown) {
    await (phases.pauses ? reservation.pause() : reservation.abandon());
    throw thrown;
  }
}

async function commit<Data, Done extends Outcome>(
  workspace: Workspace,
  kind: OperationKind<Data, Done>,
  reservation: Reservation<Data>,
  phases: Phases<Data, Done>,
): Promise<void> {
  const { log } = workspace.environment;
  const planned = reservation.data;
  const told = textOf(kind.describe(planned));
  log.debug(`[operation] ${told}: reserved`);
  try {
    await phases.prepare?.(reservation);
    await phases.commit?.(reservation);
    if (kind.notesCommit) await reservation.noteCommit();
    log.debug(`[operation] ${told}: committed`);
  } catch (thrown) {
    if (phases.pauses) {
      await reservation.pause();
      throw thrown;
    }
    let failure = thrown;
    try {
      if (phases.rollBack) failure = await phases.rollBack(planned, thrown);
      else await kind.rollBack(workspace, planned);
      await reservation.close();
    } catch (second) {
      await reservation.abandon();
      // A full disk is reported as such: there may be a way to make room.
      if (second !== thrown && !isDiskFull(thrown)) throw leftBehind(thrown, second);
    }
    throw failure;
  }
}

/** The problem of an operation that failed and could not be rolled back either, for the moment: recovery tries again. */
function leftBehind(thrown: unknown, second: unknown): Problem {
  const [first, then] = [asProblem(thrown), asProblem(second)];
  return new Problem(first.reason, operationsMessages.rollingBackFailed({ what: first.whatElse, then: then.what }), {
    ...(then.file === undefined ? {} : { file: then.file }),
    next: operationsMessages.anyWtCommand(),
    items: [...first.items, ...then.items],
    outcome: 'incomplete',
    cause: thrown,
  });
}
