import { Problem, messageOf } from '../base/problem.ts';

/** A failure after which something is neither done nor as it was before: its pending operation stays, for recovery to finish. */
export class Unsettled extends Problem {
  /** A failure that was not settled. @param problem what is told of it. */
  static of(problem: Problem): Unsettled {
    const { reason, message, next, file, items } = problem;
    return new Unsettled(reason, message, {
      ...(next === undefined ? {} : { next }),
      ...(file === undefined ? {} : { file }),
      items,
      outcome: 'incomplete',
      cause: problem,
    });
  }

  /** Some branches have moved, others have not, and neither way could it be brought to an end. */
  static halfMoved(cause: unknown): Unsettled {
    return new Unsettled('inconsistent', 'Git has moved some of the branches and could not move the others.', {
      next: 'see that there is space on the disk and that you may write to the repository; the next `wt` command completes it',
      items: [messageOf(cause)],
      outcome: 'incomplete',
      cause,
    });
  }
}
