import type { Choice } from '../core/session/model.ts';

// What the session merge editor and its page say to each other. The page knows nothing else of the world: every text that it shows comes from
// the editor in the person's language, and everything that it wants done it asks for.

/** One entry as its row shows it. */
export interface EntryView {
  readonly id: string;
  readonly section: string;
  readonly name: string;
  /** What happened, such as "done in feat-auth". */
  readonly what: string;
  /** Why it is decided so. */
  readonly why: string;
  /** Names the group of those that are decided for the same reason; empty for one to review. */
  readonly group: string;
  /** A person should look, whether or not they have. */
  readonly toReview: boolean;
  /** A person should look, and has not decided yet. */
  readonly open: boolean;
  /** It is not in the result because its part of the file stays as ours has it. */
  readonly left: boolean;
  readonly choice: Choice;
  readonly base: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
  readonly result: string | null;
  /** The result is the person's own text. */
  readonly edited: boolean;
  /** What the sides have written and the result has not. */
  readonly dropped: readonly string[];
}

/** Entries that are decided for the same reason, as the row above them names them. */
export interface EntryGroup {
  readonly key: string;
  /** How many, and what happened: "61 tasks done in feat-auth". */
  readonly what: string;
  readonly why: string;
}

/** Where a person goes among the entries to review. */
export type ReviewStep = 'next' | 'previous';

/** What a person can ask for beside choices. */
export type PageAction = 'accept' | 'openAsText' | 'useFile' | 'useRules' | 'openMergeEditor' | 'close';

/** What stands above the entries when something is the matter. */
export interface PageNotice {
  readonly text: string;
  readonly warning: boolean;
  readonly actions: readonly { readonly action: PageAction; readonly label: string }[];
}

/** Everything but the entries. */
export interface Frame {
  /** Names the conflict; what the page remembers (what is unfolded, where it was scrolled to) is for this one only. */
  readonly key: string;
  readonly title: string;
  readonly subtitle: string;
  /** What can be shown, each with its count: the entries to review, which goes down, and all of them. */
  readonly toReview: string;
  readonly all: string;
  readonly groups: readonly EntryGroup[];
  readonly notice: PageNotice | null;
  readonly canAccept: boolean;
  /** Whether choices can be made: not until it is decided what happens to a file that was edited by hand. */
  readonly canChoose: boolean;
  /** The text that would be written; `null` while there is none. */
  readonly result: string | null;
}

/** The texts of the page that stay the same. */
export interface PageLabels {
  readonly choices: Readonly<Record<Choice, string>>;
  /** What each choice does, for the tooltip. */
  readonly choiceHints: Readonly<Record<Choice, string>>;
  readonly accept: string;
  readonly acceptHint: string;
  readonly entries: string;
  readonly keys: string;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  /** Stands where a side does not have the entry. */
  readonly absent: string;
  readonly result: string;
  readonly resultHint: string;
  /** Said of an entry: {0} its name, {1} what is chosen. */
  readonly choiceFor: string;
  readonly chosen: string;
  /** What an entry is labelled with, by how far it is. */
  readonly toReview: string;
  readonly reviewed: string;
  readonly edited: string;
  readonly decided: string;
  /** Above the buttons that choose what is shown, and on those that go on and back. */
  readonly show: string;
  readonly next: string;
  readonly previous: string;
  /** {0} which of the entries to review, {1} how many there are. */
  readonly position: string;
  readonly toReviewSection: string;
  readonly nothingToReview: string;
  /** Said of the result of an entry: {0} its name. */
  readonly resultOf: string;
  readonly edit: string;
  readonly editHint: string;
  readonly leftOut: string;
  readonly dropped: string;
  readonly markReviewed: string;
  readonly markOpen: string;
  readonly leftBehind: string;
  /** What a section without a heading is called. */
  readonly topSection: string;
}

/** From the editor to its page. */
export type ToPage =
  | { readonly type: 'show'; readonly words: PageLabels; readonly frame: Frame; readonly entries: readonly EntryView[] }
  /** After the first: only the entries that are not as they were. */
  | { readonly type: 'change'; readonly frame: Frame; readonly entries: readonly EntryView[] }
  | { readonly type: 'go'; readonly to: ReviewStep };

/** From the page to its editor. */
export type FromPage =
  /** The page listens now. */
  | { readonly type: 'ready' }
  | { readonly type: 'choose'; readonly id: string; readonly choice: Choice }
  | { readonly type: 'edit'; readonly id: string; readonly text: string }
  | { readonly type: 'review'; readonly id: string; readonly reviewed: boolean }
  | { readonly type: 'act'; readonly action: PageAction };

/** The order in which the choices stand, and in which Space goes through them. */
export const choiceOrder: readonly Choice[] = ['merged', 'ours', 'theirs', 'both', 'neither'];
