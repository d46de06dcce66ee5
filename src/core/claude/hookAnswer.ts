/** What a hook prints and how it ends. */
export interface HookAnswer {
  /** For standard output: JSON for Claude Code, or nothing. */
  readonly output: string;
  /** For standard error: with exit code 2 the model reads it, with 1 the person. */
  readonly message: string;
  /** 2 blocks what was to happen. */
  readonly exitCode: 0 | 1 | 2;
}

/** Nothing to say, nothing to stop. */
export const silence: HookAnswer = { output: '', message: '', exitCode: 0 };

/** Stops what was to happen, and tells the agent why. */
export function block(message: string): HookAnswer {
  return { output: '', message: `${message}\n`, exitCode: 2 };
}

/** An answer in Claude Code's own form. */
export function answerWith(value: object): HookAnswer {
  return { output: `${JSON.stringify(value)}\n`, message: '', exitCode: 0 };
}
