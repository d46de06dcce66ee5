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
  /** A person should look, and has not chosen yet. */
  readonly open: boolean;
  /** It is not in the result because its part of the file stays as ours has it. */
  readonly left: boolean;
  readonly choice: Choice;
  readonly base: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
  readonly result: string | null;
}

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
  /** The counts of entries that are decided or left behind, and of those to review; empty when there are none. */
  readonly decided: string;
  readonly toLookAt: string;
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
  /** The label of an entry to review. */
  readonly lookAt: string;
  readonly decided: string;
  readonly leftBehind: string;
  /** What a section without a heading is called. */
  readonly topSection: string;
}

/** From the editor to its page. */
export type ToPage =
  | { readonly type: 'show'; readonly words: PageLabels; readonly frame: Frame; readonly entries: readonly EntryView[] }
  /** After the first: only the entries that are not as they were. */
  | { readonly type: 'change'; readonly frame: Frame; readonly entries: readonly EntryView[] };

/** From the page to its editor. */
export type FromPage =
  /** The page listens now. */
  | { readonly type: 'ready' }
  | { readonly type: 'choose'; readonly id: string; readonly choice: Choice }
  | { readonly type: 'act'; readonly action: PageAction };

/** The order in which the choices stand, and in which Space goes through them. */
export const choiceOrder: readonly Choice[] = ['merged', 'ours', 'theirs', 'both', 'neither'];
