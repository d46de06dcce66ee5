import { rowMessages } from '../messages/facts.ts';
import type { Message } from '../messages/message.ts';
import { labelOf } from './factLabels.ts';
import type { Fact } from './facts.ts';

/**
 * A fact as a narrow row has it: the telling word comes first, because the end is cut off. What needs no less room is as {@link labelOf}
 * has it.
 */
export function rowLabelOf(fact: Fact): Message {
  switch (fact.kind) {
    case 'operation':
      return fact.operation === 'am' ? labelOf(fact) : rowMessages[fact.operation]();
    case 'restack-stopped':
      return fact.at === undefined ? labelOf(fact) : rowMessages.waitsFor({ branch: fact.at });
    case 'base-gone':
      return rowMessages.baseGone({ base: fact.base });
    case 'predicted': {
      const [branch = '', ...others] = fact.with;
      if (others.length === 0) return rowMessages.predicted({ branch });
      return rowMessages.predictedMore({ branch, more: others.length });
    }
    default:
      return labelOf(fact);
  }
}
