import type { Message } from '../messages/message.ts';
import { sessionReasons } from '../messages/session.ts';
import type { MergeReason } from './model.ts';

/** What the two sides of a merge are called: the names of their branches. */
export interface SideNames {
  readonly ours: string;
  readonly theirs: string;
}

/** The names of sides that nothing tells the branches of. */
export const unnamedSides: SideNames = { ours: 'ours', theirs: 'theirs' };

/** Why an entry is decided as it is, with the names of the two branches. */
export function reasonMessage(reason: MergeReason, { ours, theirs }: SideNames): Message {
  return sessionReasons[reason]({ ours, theirs });
}
