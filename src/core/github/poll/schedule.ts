import type { Clock } from '../clock.ts';
import type { Budget } from '../client.ts';

/** The time between polls, in milliseconds. */
export const pace = { pending: 15_000, idle: 60_000, unfocused: 300_000, longest: 900_000 } as const;
/** The most of GitHub's points that one poll may use in an hour: a fifth of what there are. */
const pointsAnHour = 1_000;
/** Below this part of what there are in an hour nothing is asked until they are full again. */
const reserve = 0.1;

/** What the time of the next poll depends on. */
export interface PollSituation {
  /** Checks have not ended, or a merge is under way. */
  readonly pending: boolean;
  /** Somebody is looking at the answers; a command always is. */
  readonly focused: boolean;
  /** Polls that failed one after the other. */
  readonly failures: number;
  /** Queries that one poll takes. */
  readonly queries: number;
  readonly budget: Budget | undefined;
}

/** How long to wait until the next poll, in milliseconds: a fifth more or less by chance, so that many do not ask in step. */
export function nextPoll(clock: Clock, { pending, focused, failures, queries, budget }: PollSituation): number {
  const usual = !focused ? pace.unfocused : pending ? pace.pending : pace.idle;
  const affordable = (queries * 3_600_000) / pointsAnHour;
  const wait = Math.max(usual, affordable) * 2 ** Math.min(failures, 10);
  const jittered = Math.min(wait, pace.longest) * (0.8 + 0.4 * clock.random());
  if (!budget || budget.remaining >= budget.limit * reserve) return jittered;
  // Everybody's budget is full again at the same moment.
  return Math.max(jittered, budget.resetAt - clock.now() + 10_000 * clock.random());
}
