import type { Message } from '../messages/message.ts';
import type { Stack } from '../stack/model.ts';
import type { StackState } from '../stack/readStack.ts';
import type { Snapshot } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** What a finding is about, as a word that programs can branch on. */
export type FindingKind =
  | 'registry'
  | 'state-file'
  | 'worktree-missing'
  | 'worktree-moved'
  | 'worktree-unregistered'
  | 'entry'
  | 'branch'
  | 'base'
  | 'stopped'
  | 'lock'
  | 'place'
  | 'poll'
  | 'agents'
  | 'launchers'
  | 'ignore'
  | 'state'
  | 'leftover'
  | 'tracking'
  | 'trash';

/** Something that is not as it should be. */
export interface Finding {
  readonly kind: FindingKind;
  /** Nothing is wrong; a person may want to know it. */
  readonly isInformation?: boolean;
  /** The worktree, branch or file. */
  readonly subject: string;
  /** A sentence: what is wrong. */
  readonly message: Message;
  /** What helps, where {@link repair} does not, without a full stop. */
  readonly next?: Message | undefined;
  /** Puts it right, losing nothing; missing where a person has to decide. Gives a sentence where more was done than one would expect. */
  readonly repair?: (() => Promise<Message | void>) | undefined;
}

/** What the checks are given. */
export interface Examination {
  readonly workspace: Workspace;
  readonly snapshot: Snapshot;
  /** `undefined` when the registry cannot be read. */
  readonly state: (StackState & { readonly stack: Stack }) | undefined;
  readonly signal: AbortSignal | undefined;
}
