import { join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { readTextIfThere, writeAtomically } from '../base/atomicFile.ts';
import { readJsonObject } from '../base/jsonText.ts';
import type { ProcessIdentity } from '../base/processes.ts';
import { Problem } from '../base/problem.ts';
import { baseMessages } from '../messages/base.ts';
import type { Message } from '../messages/message.ts';
import { repositoryMessages } from '../messages/repository.ts';
import { stateDir } from './context.ts';

/** A workflow that has claimed a worktree (seed 003), as it stands in `.claude-state/.active-run-id`. */
export interface ActiveRun {
  readonly run_id: string;
  /** The ticket or job that it works on. */
  readonly work_id: string | null;
  /** The session of Claude Code that it runs in. */
  readonly session_id: string | null;
  /** The process that it lives in; `null` where none could be found, so that nothing can be checked. */
  readonly pid: number | null;
  /** The kernel's start time of that process where it can be had, which tells reused ids apart. */
  readonly process_started: string | null;
  /** The computer of that process. */
  readonly host: string | null;
  /** The program of that process, for people. */
  readonly program: string | null;
  /** ISO 8601; empty where another tool has written the file and does not say so. */
  readonly started_at: string;
  /** What other tools keep there stays. */
  readonly [other: string]: unknown;
}

/** The longest id of a run or of work, in characters. */
const longestId = 200;

/** The file that names the run of a worktree. */
export function activeRunFile(root: string): string {
  return join(stateDir(root), '.active-run-id');
}

/**
 * The run that has claimed a worktree; `undefined` where none has. A file that holds nothing but an id, as other tools write it, is a
 * run of which nothing else is known.
 *
 * @throws Problem `unreadable-file` that names the line or the field; the file stays as it is.
 */
export async function readActiveRun(root: string): Promise<ActiveRun | undefined> {
  const file = activeRunFile(root);
  const text = (await readTextIfThere(file))?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^[^\s{}[\]"]+$/.test(text)) return toRun({ run_id: text }, file);
  const whole = await readJsonObject(file);
  return whole && toRun(whole, file);
}

/** Writes the run of a worktree. Only under the lock of the file. */
export async function writeActiveRun(root: string, run: ActiveRun): Promise<void> {
  await writeAtomically(activeRunFile(root), `${JSON.stringify(run, null, 2)}\n`);
}

/** Frees a worktree. Only under the lock of the file. */
export async function removeActiveRun(root: string): Promise<void> {
  await rm(activeRunFile(root), { force: true });
}

/** The process of a run, as far as it is known. */
export function processOf({ pid, host, process_started: born }: ActiveRun, here: string): ProcessIdentity | undefined {
  if (pid === null) return undefined;
  return { pid, host: host ?? here, ...(born === null ? {} : { born }) };
}

/**
 * Makes sure that a text can be the id of a run, of work or of a session, and gives it back without the spaces around it.
 *
 * @throws Problem `usage`.
 */
export function checkRunId(text: string): string {
  const id = text.trim();
  if (id !== '' && id.length <= longestId && !/\p{Cc}/u.test(id)) return id;
  throw new Problem('usage', repositoryMessages.noId({ text: JSON.stringify(text) }), {
    next: repositoryMessages.idsOneLine({ longest: longestId }),
  });
}

function toRun(whole: Record<string, unknown>, file: string): ActiveRun {
  const { run_id: id, pid } = whole;
  const wrong = (field: string, what: Message): Problem =>
    new Problem('unreadable-file', repositoryMessages.fieldNotLeft({ file, field, what }), {
      file,
      next: baseMessages.correctMoveFile(),
    });
  if (typeof id !== 'string' || id === '') throw wrong('run_id', repositoryMessages.aText());
  const isProcess = typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0;
  if (pid !== undefined && pid !== null && !isProcess) throw wrong('pid', repositoryMessages.aProcessId());
  const text = (field: string): string | null => {
    const value = whole[field];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  return {
    ...whole,
    run_id: id,
    work_id: text('work_id'),
    session_id: text('session_id'),
    pid: isProcess ? pid : null,
    process_started: text('process_started'),
    host: text('host'),
    program: text('program'),
    started_at: text('started_at') ?? '',
  };
}
