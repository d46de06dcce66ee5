import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { rename } from '../../base/heldFiles.ts';
import type { Environment } from '../../base/environment.ts';
import { withFileLock } from '../../base/fileLock.ts';
import { mayBeAlive, type ProcessIdentity } from '../../base/processes.ts';
import { errorCode } from '../../base/problem.ts';
import {
  activeRunFile,
  processOf,
  readActiveRun,
  removeActiveRun,
  writeActiveRun,
  type ActiveRun,
} from '../../repository/activeRun.ts';
import { stateDir } from '../../repository/context.ts';
import { distinctSlugOf } from '../../repository/slug.ts';
import { ensureStateDirectory } from '../../repository/stateDirectory.ts';
import { readWorkflow, workflowFile } from '../../repository/workflow.ts';
import type { SessionLister } from '../claudeSessions.ts';
import type { Caller } from './caller.ts';
import { runStateOf, type RunState } from './runState.ts';

/** Where a run is claimed, and how its state is found out. */
export interface RunPlace {
  readonly environment: Environment;
  readonly commonDir: string;
  /** The root of the worktree, as git has it. */
  readonly root: string;
  /** As `runStateOf` takes it. */
  readonly lister?: Pick<SessionLister, 'list'>;
}

/** Who wants to begin, end or report, and in whose name. */
export interface RunRequest {
  readonly caller: Caller;
  readonly runId?: string | undefined;
  readonly workId?: string | undefined;
  /** Whoever holds the worktree loses it. */
  readonly takeOver?: boolean;
}

/** A run that keeps another one out. */
export interface Holder {
  readonly run: ActiveRun;
  readonly state: RunState;
}

/** What became of the wish to begin a run. `taken-over`: from a run that had ended without saying so, or by `takeOver`. */
export type Begun =
  | { readonly outcome: 'begun' | 'resumed'; readonly run: ActiveRun }
  | { readonly outcome: 'taken-over'; readonly run: ActiveRun; readonly previous: Holder }
  | { readonly outcome: 'conflict'; readonly holder: Holder };

/**
 * Claims a worktree for a run, under the lock of its file: of two that begin at the same moment one gets it. The run that has it already
 * goes on with it.
 *
 * @throws Problem `unreadable-file`, `not-writable`, `locked-by-another`.
 */
export async function beginRun(place: RunPlace, request: RunRequest): Promise<Begun> {
  const { environment, root } = place;
  await ensureStateDirectory(root);
  return withFileLock(environment, activeRunFile(root), async () => {
    const current = await readActiveRun(root);
    if (current && isSameRun(current, request)) {
      const run = await resumed(environment, current, request);
      if (JSON.stringify(run) !== JSON.stringify(current)) await writeActiveRun(root, run);
      return { outcome: 'resumed', run };
    }
    const holder = current && { run: current, state: await stateOf(place, current) };
    if (holder && holder.state !== 'dead' && !request.takeOver) return { outcome: 'conflict', holder };
    const run = newRun(environment, request);
    await putWorkflowAside(root, run);
    await writeActiveRun(root, run);
    return holder ? { outcome: 'taken-over', run, previous: holder } : { outcome: 'begun', run };
  });
}

/** What became of the wish to end a run; `none`: there was none. */
export type Ended =
  | { readonly outcome: 'none' }
  /** `own`: it was the caller's. */
  | { readonly outcome: 'ended'; readonly run: ActiveRun; readonly own: boolean }
  | { readonly outcome: 'refused'; readonly holder: Holder };

/** Frees a worktree, under the same lock: of one's own run, of one that is dead, or of any with `takeOver`. Problems as {@link beginRun}. */
export async function endRun(place: RunPlace, request: RunRequest): Promise<Ended> {
  const { environment, root } = place;
  if ((await readActiveRun(root)) === undefined) return { outcome: 'none' };
  return withFileLock(environment, activeRunFile(root), async () => {
    const current = await readActiveRun(root);
    if (!current) return { outcome: 'none' };
    const holder = await holderFor(place, current, request);
    if (holder && holder.state !== 'dead' && !request.takeOver) return { outcome: 'refused', holder };
    await removeActiveRun(root);
    return { outcome: 'ended', run: current, own: !holder };
  });
}

/** What the run of a worktree means for somebody who reports progress there. */
export type Reporting =
  | { readonly outcome: 'free'; readonly run: ActiveRun | undefined }
  | { readonly outcome: 'refused'; readonly holder: Holder };

/**
 * Finds out whether the caller may report progress. With `takeOver` the run of another goes on as the caller's.
 *
 * Problems as {@link beginRun}.
 */
export async function reportTo(place: RunPlace, request: RunRequest): Promise<Reporting> {
  const { environment, root } = place;
  const current = await readActiveRun(root);
  const holder = current && (await holderFor(place, current, request));
  // What a dead one has begun may be gone on with by anybody; it is its run no more.
  if (!holder) return { outcome: 'free', run: current };
  if (holder.state === 'dead') return { outcome: 'free', run: undefined };
  if (!request.takeOver) return { outcome: 'refused', holder };
  const run = await withFileLock(environment, activeRunFile(root), async () => {
    const now = await readActiveRun(root);
    if (now) await writeActiveRun(root, { ...now, ...callerFields(environment, request.caller) });
    return now;
  });
  return { outcome: 'free', run };
}

/** The run, where it is somebody else's. */
async function holderFor(place: RunPlace, run: ActiveRun, request: RunRequest): Promise<Holder | undefined> {
  const own = request.runId === undefined ? isOwn(run, request.caller) : run.run_id === request.runId;
  return own ? undefined : { run, state: await stateOf(place, run) };
}

function stateOf({ environment, commonDir, lister }: RunPlace, run: ActiveRun): Promise<RunState> {
  return runStateOf(environment, commonDir, run, lister);
}

/** A run is known by its id; without one it is the caller's own, unless that is for other work. */
function isSameRun(current: ActiveRun, { runId, workId, caller }: RunRequest): boolean {
  if (runId !== undefined) return current.run_id === runId;
  const sameWork = workId === undefined || current.work_id === null || current.work_id === workId;
  return sameWork && isOwn(current, caller);
}

/** Whether a run is the caller's: by its session, by its client, or by a process that the caller descends from. */
export function isOwn(run: ActiveRun, { sessionId, process, isClient, ancestors }: Caller): boolean {
  const { session_id: session } = run;
  if (session !== null && session === sessionId) return true;
  const isOf = (one: ProcessIdentity | undefined): boolean => one !== undefined && isProcessOf(run, one);
  // A client that was cleared goes on with another session.
  if (session !== null && sessionId !== undefined) return isClient && isOf(process);
  return isOf(process) || ancestors.some(isOf);
}

function isProcessOf({ pid, host, process_started: started }: ActiveRun, one: ProcessIdentity): boolean {
  return pid === one.pid && host === one.host && started === (one.born ?? null);
}

/** The run as it goes on: whoever resumes it stands for it where its own process has ended. */
async function resumed(environment: Environment, run: ActiveRun, { caller, workId }: RunRequest): Promise<ActiveRun> {
  const owner = processOf(run, environment.host);
  const stays = owner?.host === environment.host && (await mayBeAlive(environment, owner));
  return {
    ...run,
    ...(stays ? {} : callerFields(environment, caller)),
    work_id: workId ?? run.work_id,
  };
}

function newRun(environment: Environment, { caller, runId, workId }: RunRequest): ActiveRun {
  return {
    run_id: runId ?? randomUUID(),
    work_id: workId ?? null,
    ...callerFields(environment, caller),
    started_at: environment.now().toISOString(),
  };
}

type CallerFields = Pick<ActiveRun, 'session_id' | 'pid' | 'process_started' | 'host' | 'program'>;

function callerFields(environment: Environment, { sessionId, process, program }: Caller): CallerFields {
  return {
    session_id: sessionId ?? null,
    pid: process?.pid ?? null,
    process_started: process?.born ?? null,
    host: environment.host,
    program: program ?? null,
  };
}

/** The progress of an earlier run is not that of a new one, unless both are for the same work. It is kept under its run's name. */
async function putWorkflowAside(root: string, { run_id: id, work_id: work }: ActiveRun): Promise<void> {
  const { run_id: before, work_id: workBefore } = await readWorkflow({ root, branch: '' });
  if (typeof before !== 'string' || before === id || (work !== null && workBefore === work)) return;
  try {
    await rename(workflowFile(root), join(stateDir(root), `workflow-${distinctSlugOf(before)}.json`));
  } catch (thrown) {
    if (errorCode(thrown) !== 'ENOENT') throw thrown;
  }
}
