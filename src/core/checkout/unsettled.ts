import { Problem, messageOf } from '../base/problem.ts';
import { checkoutMessages } from '../messages/checkout.ts';

/** A failure after which something is neither done nor as it was before: its pending operation stays, for recovery to finish. */
export class Unsettled extends Problem {
  /** A failure that was not settled. @param problem what is told of it. */
  static of(problem: Problem): Unsettled {
    const { reason, what, nextStep, file, items } = problem;
    return new Unsettled(reason, what, {
      next: nextStep,
      ...(file === undefined ? {} : { file }),
      items,
      outcome: 'incomplete',
      cause: problem,
    });
  }

  /** Some branches have moved, others have not, and neither way could it be brought to an end. */
  static halfMoved(cause: unknown): Unsettled {
    return new Unsettled('inconsistent', checkoutMessages.gitMovedSome(), {
      next: checkoutMessages.seeSpaceDiskMay(),
      items: [messageOf(cause)],
      outcome: 'incomplete',
      cause,
    });
  }
}
