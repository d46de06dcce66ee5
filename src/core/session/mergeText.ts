import { mergeJobs } from './mergeJobs.ts';
import { mergeLearnings } from './mergeLearnings.ts';
import { mergeSession } from './mergeSession.ts';
import type { MergeInput, MergeOutcome, SessionKind } from './model.ts';

const merges: Record<SessionKind, (input: MergeInput) => MergeOutcome> = {
  session: mergeSession,
  learnings: mergeLearnings,
  jobs: mergeJobs,
};

/**
 * Merges the three versions of a session file by the rules in docs/merging.md. Pure, never throws, takes time in proportion to the
 * length of the texts. Outside the entries that change, the result is ours byte for byte: byte order mark, line ends, spaces.
 */
export function mergeSessionText(input: MergeInput): MergeOutcome {
  return merges[input.kind](input);
}
