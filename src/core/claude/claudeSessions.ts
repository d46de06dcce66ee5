import type { Environment } from '../base/environment.ts';
import { runProgram } from '../base/process.ts';

/** A running session, as Claude Code itself lists it. */
export interface ClaudeSession {
  readonly pid: number;
  /** Where it is. */
  readonly cwd: string;
  readonly sessionId: string;
  /** `busy`, `shell`, `idle` or `waiting`; empty where it does not say. */
  readonly status: string;
}

/** How long Claude Code may take to answer, and how long an answer holds; in milliseconds. */
const patience = 5000;
const freshness = 10_000;

/**
 * Asks Claude Code which sessions run. That starts a large process, so an answer is cached for ten seconds. Where Claude Code is not
 * installed, or too old to answer, there are none.
 */
export class SessionLister {
  readonly #environment: Environment;
  readonly #program: string;
  #answer: { readonly sessions: Promise<readonly ClaudeSession[]>; readonly at: number } | undefined;

  /** @param program Claude Code's executable; default `claude` from the PATH. */
  constructor(environment: Environment, program = 'claude') {
    this.#environment = environment;
    this.#program = program;
  }

  /** @param since an answer to a question that was asked before is too old, as when a person wants to know anew. */
  list(since?: Date): Promise<readonly ClaudeSession[]> {
    const now = this.#environment.now().getTime();
    const oldest = Math.max(now - freshness, since?.getTime() ?? 0);
    if (!this.#answer || this.#answer.at < oldest) this.#answer = { sessions: this.#ask(), at: now };
    return this.#answer.sessions;
  }

  async #ask(): Promise<readonly ClaudeSession[]> {
    const { variables, cwd, log } = this.#environment;
    const { stdout, failure } = await runProgram(this.#program, ['agents', '--json'], {
      cwd,
      variables,
      timeout: patience,
    });
    if (failure) log.debug(`claude agents --json: ${failure.message.split('\n')[0] ?? ''}`);
    return failure ? [] : parseSessions(stdout);
  }
}

/** Reads the answer of `claude agents --json`; what is not understood is left out. */
export function parseSessions(text: string): ClaudeSession[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(value)) return [];
  return (value as Partial<Record<keyof ClaudeSession, unknown>>[]).flatMap((each) => {
    if (typeof each?.pid !== 'number' || typeof each.cwd !== 'string' || typeof each.sessionId !== 'string') return [];
    const { pid, cwd, sessionId, status } = each;
    return [{ pid, cwd, sessionId, status: typeof status === 'string' ? status : '' }];
  });
}
