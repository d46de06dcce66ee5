import type { Environment } from '../core/base/environment.ts';
import { sessionStart } from '../core/claude/sessionStart.ts';

/** What a hook prints and how it ends. */
export interface HookResult {
  /** For standard output: JSON for Claude Code, or nothing. */
  readonly output: string;
  /** For standard error, which Claude Code shows when the exit code is not 0. */
  readonly message: string;
  readonly exitCode: 0 | 2;
}

/**
 * Answers a hook event. One that this version does not know lets the session go on, unless it is a guard: a guard that cannot
 * decide must block (exit code 2).
 *
 * @param input what Claude Code wrote to standard input.
 */
export async function answerHook(environment: Environment, event: string, input: string): Promise<HookResult> {
  if (event === 'session-start') {
    const answer = await sessionStart(environment, input);
    return { output: answer ? `${JSON.stringify(answer)}\n` : '', message: '', exitCode: 0 };
  }
  const message = `wt does not know the hook ${JSON.stringify(event)}.`;
  if (event.endsWith('-guard')) {
    return {
      output: '',
      message: `${message} The action was blocked, because nothing guards it. Update Worktree Stacks.\n`,
      exitCode: 2,
    };
  }
  return { output: '', message: `${message}\n`, exitCode: 0 };
}
