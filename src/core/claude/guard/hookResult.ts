import type { Decision } from './decision.ts';

/** What a hook process is to print, and how it is to end. */
export interface HookResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** The answer as Claude Code reads it: nothing at all leaves the call to the permissions that are in force. */
export function answer(decision: Decision): HookResult {
  if (decision.kind === 'none') return { stdout: '', stderr: '', exitCode: 0 };
  const hookSpecificOutput = {
    hookEventName: 'PreToolUse',
    permissionDecision: decision.kind,
    permissionDecisionReason: decision.reason,
  };
  return { stdout: `${JSON.stringify({ hookSpecificOutput })}\n`, stderr: '', exitCode: 0 };
}

/** The answer of a guard that could not do its work: the call does not go through. */
export function cannotDecide(why: string): Decision {
  return {
    kind: 'deny',
    reason: `The guard could not judge this call (${why}), so it does not let it through. \`wt doctor\` tells what is wrong.`,
  };
}
