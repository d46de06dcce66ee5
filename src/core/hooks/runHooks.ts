import { basename } from 'node:path';
import { isThere } from '../base/isThere.ts';
import { startInBackground } from '../base/process.ts';
import { Problem, whatOf } from '../base/problem.ts';
import { quoted } from '../base/quoted.ts';
import { createMessages } from '../messages/create.ts';
import { hooksMessages } from '../messages/hooks.ts';
import { textOf, type Message } from '../messages/message.ts';
import { configurationFile } from '../repository/configuration.ts';
import type { HookEvent } from '../repository/hookConfiguration.ts';
import { userConfigurationFile } from '../repository/userHooks.ts';
import { programVariables } from '../worktree/programVariables.ts';
import type { PortHolder } from '../worktree/ports.ts';
import type { Described, WorktreeVariables } from '../worktree/variables.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { beginRun, outputFile, type KeptRun } from './keptRuns.ts';
import type { HookOptions, PlannedHook } from './plan.ts';
import { runOne, type RunEnd } from './runOne.ts';

/** The worktree that commands run for, and where. */
export interface HookPlace {
  readonly worktree: Pick<Described, 'name' | 'slug'>;
  /** `undefined` where there is none. */
  readonly folder: string | undefined;
  readonly variables: WorktreeVariables;
}

/** What became of a command. `started`: it runs in the background; `unapproved` and `skipped`: it was not run. */
export interface HookResult {
  readonly event: HookEvent;
  readonly command: string;
  readonly origin: PlannedHook['origin'];
  readonly state: RunEnd['state'] | 'started' | 'unapproved' | 'skipped';
  readonly exitCode: number | undefined;
  /** The file with what it printed; `undefined` where it was not run. */
  readonly output: string | undefined;
}

/** What became of the commands of an event, and what the person should know of it. */
export interface HookReport {
  readonly results: readonly HookResult[];
  readonly notes: readonly Message[];
}

/** Where nothing is to run. */
export const nothingRan: HookReport = { results: [], notes: [] };

/** The variables that the commands of a worktree get: those of every program in it. Asked for while it is there. */
export async function placeOf(
  workspace: Workspace,
  worktree: Described & PortHolder,
  options: HookOptions,
  folder: string | undefined = worktree.path,
): Promise<HookPlace> {
  const warn = (note: Message): void => options.onHookOutput?.(`${textOf(note)}\n`);
  return { worktree, folder, variables: await programVariables(workspace, worktree, warn) };
}

/**
 * Runs the commands before something, one after the other. The first that fails stops it.
 *
 * @throws Problem `hook-failed` (outcome incomplete) with what to do; `cancelled`.
 */
export async function runBefore(
  workspace: Workspace,
  planned: readonly PlannedHook[],
  place: HookPlace,
  options: HookOptions,
): Promise<HookReport> {
  const missing = await missingFolder(planned, place);
  if (missing) return missing;
  const results: HookResult[] = [];
  for (const [index, hook] of planned.entries()) {
    const { end, result } = await run(workspace, hook, index, place, options);
    results.push(result);
    if (end.state === 'passed') continue;
    if (end.state === 'cancelled') throw Problem.cancelled();
    const { event, run: command } = hook;
    const file = hook.origin === 'team' ? configurationFile : userConfigurationFile(workspace.environment);
    throw new Problem('hook-failed', hooksMessages.stopped({ event, command, how: howOf(hook, end) }), {
      next: end.state === 'timed-out' ? hooksMessages.longerOrSkip({ file }) : hooksMessages.correctOrSkip(),
      items: end.lastLines,
      outcome: 'incomplete',
    });
  }
  return { results, notes: [] };
}

/** Runs the commands after something that is done, whatever becomes of them: each goes on where the one before has failed. */
export async function runAfter(
  workspace: Workspace,
  planned: readonly PlannedHook[],
  place: HookPlace,
  options: HookOptions,
): Promise<HookReport> {
  const missing = await missingFolder(planned, place);
  if (missing) return missing;
  const results: HookResult[] = [];
  const notes: Message[] = [];
  for (const [index, hook] of planned.entries()) {
    if (!hook.approved) {
      results.push(notRun(hook, 'unapproved'));
      continue;
    }
    try {
      const done = await (hook.background && options.programs ? start : runTelling)(
        workspace,
        hook,
        index,
        place,
        options,
      );
      results.push(done.result);
      notes.push(...done.notes);
      if (done.result.state === 'cancelled') break;
    } catch (thrown) {
      if (!Problem.is(thrown)) throw thrown;
      notes.push(hooksMessages.notRead({ event: hook.event, reason: whatOf(thrown) }));
    }
  }
  return { results, notes: [...notes, ...unapprovedNotes(planned, place)] };
}

/** Runs a run that another process has begun, as the process in the background does. */
export async function goOnWith(workspace: Workspace, begun: KeptRun): Promise<RunEnd> {
  return runOne(workspace, await beginRun(workspace.environment, workspace.repository, begun), {});
}

async function missingFolder(planned: readonly PlannedHook[], { folder }: HookPlace): Promise<HookReport | undefined> {
  const [first] = planned;
  if (!first) return nothingRan;
  if (folder !== undefined && (await isThere(folder))) return undefined;
  return {
    results: planned.map((each) => notRun(each, 'skipped')),
    notes: [hooksMessages.folderMissing({ event: first.event, folder: folder ?? '' })],
  };
}

function notRun({ event, run: command, origin }: PlannedHook, state: 'unapproved' | 'skipped'): HookResult {
  return { event, command, origin, state, exitCode: undefined, output: undefined };
}

function unapprovedNotes(planned: readonly PlannedHook[], { worktree }: HookPlace): Message[] {
  const open = planned.filter(({ approved }) => !approved);
  const [first] = open;
  if (!first) return [];
  const { event } = first;
  const { name } = worktree;
  return [
    hooksMessages.notApproved({ event, count: open.length, commands: open.map((each) => each.run) }),
    hooksMessages.nextIs({ next: hooksMessages.approveAfter({ word: quoted(name), name, event }) }),
  ];
}

async function begin(workspace: Workspace, hook: PlannedHook, index: number, place: HookPlace): Promise<KeptRun> {
  const { event, origin, run: command, timeout, background } = hook;
  const { name, slug } = place.worktree;
  return beginRun(workspace.environment, workspace.repository, {
    ...{ event, origin, run: command, timeout, background, name, slug },
    id: `${slug}.${event}.${index + 1}`,
    folder: place.folder ?? '',
    variables: { ...place.variables, WT_HOOK: event },
  });
}

async function run(
  workspace: Workspace,
  hook: PlannedHook,
  index: number,
  place: HookPlace,
  options: HookOptions,
): Promise<{ readonly end: RunEnd; readonly result: HookResult }> {
  const { event, run: command, origin } = hook;
  options.progress?.(hooksMessages.running({ event, command }));
  const begun = await begin(workspace, hook, index, place);
  const end = await runOne(workspace, begun, options);
  const output = outputFile(workspace.repository, begun.id);
  return { end, result: { event, command, origin, state: end.state, exitCode: end.exitCode, output } };
}

type Told = Pick<HookReport, 'notes'> & { readonly result: HookResult };

async function runTelling(...[workspace, hook, index, place, options]: Parameters<typeof run>): Promise<Told> {
  const { end, result } = await run(workspace, hook, index, place, options);
  if (end.state === 'passed') return { result, notes: [] };
  const { event, run: command, origin } = hook;
  const file = origin === 'team' ? configurationFile : basename(userConfigurationFile(workspace.environment));
  const failed = hooksMessages.failedAfter({ event, command, how: howOf(hook, end), output: result.output ?? '' });
  return { result, notes: [failed, ...(end.state === 'timed-out' ? [hooksMessages.moreTime({ file })] : [])] };
}

async function start(...[workspace, hook, index, place, options]: Parameters<typeof run>): Promise<Told> {
  const { environment, repository } = workspace;
  const { event, run: command, origin } = hook;
  const begun = await begin(workspace, hook, index, place);
  const output = outputFile(repository, begun.id);
  const args = [options.programs?.wt ?? '', '-C', repository.mainRoot, 'run-hook', begun.id];
  // Where an editor's own runtime runs us it is to be plain Node.
  const variables = { ...environment.variables, ELECTRON_RUN_AS_NODE: '1' };
  startInBackground(environment.runtime, args, repository.mainRoot, variables);
  return {
    result: { event, command, origin, state: 'started', exitCode: undefined, output },
    notes: [hooksMessages.inBackground({ command, output })],
  };
}

function howOf({ timeout }: PlannedHook, { state, exitCode: code, trouble }: RunEnd): Message {
  if (trouble) return hooksMessages.notStarted({ reason: trouble.what });
  if (state === 'timed-out') return hooksMessages.timedOut({ seconds: timeout / 1000 });
  if (state === 'cancelled') return hooksMessages.calledOff();
  return code === undefined ? createMessages.endedBySignal() : createMessages.failedWithCode({ code });
}
