import type { HookDecision } from './hookDecision.ts';

/** What a hook prints and how it exits. */
export interface HookAnswer {
  /** For standard output: JSON for Claude Code, or nothing. */
  readonly output: string;
  /** For standard error: with exit code 2 the model reads it, with 1 the person. */
  readonly message: string;
  /** 2 blocks what was about to happen. */
  readonly exitCode: 0 | 1 | 2;
}

/** The answer that says nothing and stops nothing. */
export const silence: HookAnswer = { output: '', message: '', exitCode: 0 };

/** Blocks what was about to happen, and gives the agent the reason. */
export function block(message: string): HookAnswer {
  return { output: '', message: `${message}\n`, exitCode: 2 };
}

/** A decision in the form that Claude Code reads. */
export function answerOf(decision: HookDecision): HookAnswer {
  switch (decision.kind) {
    case 'none':
      return silence;
    case 'allow':
    case 'deny':
      return json({
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: decision.kind,
          permissionDecisionReason: decision.reason,
        },
      });
    case 'block':
      return block(decision.message);
    case 'notified': {
      const { systemMessage, additionalContext } = decision;
      if (additionalContext === undefined) return json({ systemMessage });
      // Only the start of a session gives the model something to read.
      return json({ systemMessage, hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext } });
    }
    case 'done':
      return { output: decision.output, message: decision.message, exitCode: 0 };
    case 'failed':
      return { output: '', message: `${decision.reason}\n`, exitCode: 1 };
  }
}

function json(value: object): HookAnswer {
  return { output: `${JSON.stringify(value)}\n`, message: '', exitCode: 0 };
}
