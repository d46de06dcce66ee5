/** What a guard decides on a tool call: run it without asking, refuse it, or leave it to the permissions in force (`none`). */
export type Permission = { readonly kind: 'allow' | 'deny'; readonly reason: string } | { readonly kind: 'none' };

/** What a hook decides on its event. `hookLog.ts` writes it to the log, `hookAnswer.ts` prints it for Claude Code. */
export type HookDecision = { readonly detail?: string | undefined } & (
  | Permission
  /** An agent may not stop yet, or a task is not done yet. `reason` goes to the log, `message` to the agent. */
  | { readonly kind: 'block'; readonly reason: string; readonly message: string }
  /** A message for the person, and at the start of a session for the model as well. `reason` is for the log. */
  | {
      readonly kind: 'notified';
      readonly reason?: string | undefined;
      readonly systemMessage: string;
      readonly additionalContext?: string | undefined;
    }
  /** Something was carried out. `output` is what Claude Code reads, `message` what the person reads. */
  | { readonly kind: 'done'; readonly output: string; readonly message: string }
  | { readonly kind: 'failed'; readonly reason: string }
);

/** Leaves everything as it is. */
export const noDecision = { kind: 'none' } as const satisfies Permission;

/** Denies a call that a guard could not check. */
export function cannotDecide(why: string): Permission {
  return {
    kind: 'deny',
    reason: `The guard could not check this call (${why}), so it is denied. Run \`wt doctor\` to find the cause.`,
  };
}
