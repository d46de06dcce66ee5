import { Problem } from '../base/problem.ts';
import { asProblem } from '../base/systemFailure.ts';

/**
 * The problem of an operation that failed and could not be taken back either, for the moment: its journal stays, and whoever comes next tries
 * again.
 *
 * @param thrown why it failed.
 * @param what what was to be taken back, as a part of a sentence.
 * @param second why that failed.
 */
export function leftBehind(thrown: unknown, what: string, second: unknown): Problem {
  const [first, then] = [asProblem(thrown), asProblem(second)];
  const message = first.message.replace(/; nothing was left behind\.$/, '.');
  return new Problem(first.reason, `${message} ${what} failed too: ${then.message}`, {
    ...(then.file === undefined ? {} : { file: then.file }),
    next: 'run any `wt` command to try that again, such as `wt list`',
    items: [...first.items, ...then.items],
    outcome: 'incomplete',
    cause: thrown,
  });
}
