import { dirname } from 'node:path';
import { realPathOf } from '../core/base/paths.ts';
import { Problem, messageOf } from '../core/base/problem.ts';
import type { LogEntry } from '../core/claude/decisionLog.ts';
import { earlierEntries } from '../core/database/earlierEntries.ts';
import type { Engine } from '../core/database/engine.ts';
import { findEngine } from '../core/database/findEngine.ts';
import { databaseFile, hasDatabase } from '../core/database/ownership.ts';
import type { Prepared } from '../core/database/prepare.ts';
import { syncDatabase, type Synced } from '../core/database/sync.ts';
import { databaseWorktrees, readEvents, type DatabaseWorktree } from '../core/database/worktrees.ts';
import { worktreeId } from '../core/repository/context.ts';
import { readSnapshot } from '../core/snapshot/snapshot.ts';
import type { Snapshot } from '../core/worktree/model.ts';
import type { Workspace } from '../core/worktree/workspace.ts';
import type { CommandLine, CommandOptions, ExitCode } from './command.ts';
import { openWorkspace, requireWorktree } from './context.ts';
import { failureJson, type FailureJson } from './output.ts';
import { bundledPrograms } from './programs.ts';

/** The worktrees whose databases a command is about. */
export interface ChosenDatabases {
  readonly workspace: Workspace;
  readonly all: readonly DatabaseWorktree[];
  /** The one that the person is in, or all. */
  readonly chosen: readonly DatabaseWorktree[];
  /** `--all-worktrees` was said. */
  readonly several: boolean;
}

/** Finds the engine. @throws Problem as `findEngine`. */
export function openEngine({ environment }: CommandLine): Promise<Engine> {
  return findEngine(environment, [dirname(bundledPrograms().wt)]);
}

/** Opens the workspace and finds the worktree that one is in, or all with `--all-worktrees`. @throws Problem as `openWorkspace`. */
export async function chooseDatabases(cli: CommandLine, options: CommandOptions): Promise<ChosenDatabases> {
  const { workspace, location } = await openWorkspace(cli, { tolerant: true });
  const several = options['allWorktrees'] === true;
  const snapshot = await readSnapshot(workspace, { signal: cli.signal, withChanges: false });
  const all = await databaseWorktrees(snapshot);
  if (several) return { workspace, all, chosen: all, several };
  const root = await realPathOf(requireWorktree(location));
  return { workspace, all, chosen: all.filter((each) => each.root === root), several };
}

/** What became of a worktree's database. */
export interface DatabaseResult {
  readonly worktree: string;
  readonly worktree_id: string;
  readonly file: string;
  readonly outcome: Prepared['outcome'] | 'missing' | 'failed';
  readonly columns_added: readonly string[];
  readonly rows_added: number;
  readonly error: FailureJson['error'] | null;
}

/**
 * Does something with each of the chosen databases. With one alone a failure is that of the command; with several it is told,
 * and the others are done all the same.
 */
export async function forEachDatabase(
  cli: CommandLine,
  { chosen, several }: ChosenDatabases,
  work: (one: DatabaseWorktree) => Promise<Synced | undefined>,
): Promise<{ readonly code: ExitCode; readonly results: readonly DatabaseResult[] }> {
  const results: DatabaseResult[] = [];
  let code: ExitCode = 0;
  for (const one of chosen) {
    const known = { worktree: one.name, worktree_id: worktreeId(one.root), file: databaseFile(one.root) };
    const nothing = { columns_added: [], rows_added: 0, error: null };
    try {
      const done = await work(one);
      results.push(
        done
          ? { ...known, ...nothing, outcome: done.outcome, columns_added: done.added, rows_added: done.rows }
          : { ...known, ...nothing, outcome: 'missing' },
      );
    } catch (thrown) {
      if (!several || !Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
      cli.output.report(thrown);
      results.push({ ...known, ...nothing, outcome: 'failed', error: failureJson(thrown).error });
      code = 1;
    }
  }
  return { code, results };
}

/** Which databases are written alongside. */
export interface AlongsideOptions {
  /** The names of the worktrees. Default: all. */
  readonly names?: readonly string[];
  /** Makes the database where there is none. Default false. */
  readonly make?: boolean;
}

/**
 * Writes what happened in worktrees to their databases. Whatever goes wrong, the command that did something else is none the worse: it
 * is only logged.
 */
export async function syncAlongside(
  cli: CommandLine,
  workspace: Workspace,
  snapshot: Snapshot,
  { names, make = false }: AlongsideOptions,
): Promise<void> {
  const { environment, signal } = cli;
  try {
    const all = await databaseWorktrees(snapshot);
    const wanted = all.filter(({ name }) => names?.includes(name) ?? true);
    const there = await Promise.all(
      wanted.map(({ root }) => (make ? Promise.resolve(true) : hasDatabase(root).catch(() => false))),
    );
    const chosen = wanted.filter((_, index) => there[index]);
    if (chosen.length === 0) return;
    const engine = await openEngine(cli);
    const eventsOf = await readEvents(workspace, all);
    for (const one of chosen) {
      await syncDatabase(environment, engine, one, eventsOf(one), { make, signal, patience: 1000 }).catch(
        (thrown: unknown) => environment.log.debug(`[database] ${one.name}: ${messageOf(thrown)}`),
      );
    }
  } catch (thrown) {
    environment.log.debug(`[database] ${messageOf(thrown)}`);
  }
}

/** What the databases still have of the log of the hooks; nothing where there are none that can be read. */
export async function entriesBefore(
  cli: CommandLine,
  snapshot: Snapshot,
  span: { readonly since: Date; readonly before: string },
): Promise<LogEntry[]> {
  try {
    const all = await databaseWorktrees(snapshot);
    const there = await Promise.all(all.map(({ root }) => hasDatabase(root).catch(() => false)));
    if (!there.includes(true)) return [];
    return await earlierEntries(await openEngine(cli), all, { ...span, signal: cli.signal });
  } catch (thrown) {
    if (Problem.is(thrown, 'cancelled')) throw thrown;
    cli.environment.log.debug(`[database] ${messageOf(thrown)}`);
    return [];
  }
}
