import { l10n } from 'vscode';
import type { MergeEntry } from '../../core/session/model.ts';
import type { PageLabels } from '../../webview/protocol.ts';

/** What the two sides of a merge are called. */
export interface SideNames {
  readonly ours: string;
  readonly theirs: string;
}

/** What happened to an entry, and why it is decided so. */
export interface Story {
  readonly what: string;
  readonly why: string;
}

/** An entry in words: what a person chose, or what the rules decide and why. */
export function storyOf(entry: MergeEntry, names: SideNames): Story {
  return entry.choice === 'merged' ? ruleOf(entry, names) : choiceOf(entry, names);
}

function choiceOf({ choice, ours, theirs }: MergeEntry, names: SideNames): Story {
  const why = l10n.t('your choice');
  const from = (side: string, text: string | undefined): string =>
    text === undefined ? l10n.t('left out, as in {0}', side) : l10n.t('as in {0}', side);
  switch (choice) {
    case 'ours':
      return { what: from(names.ours, ours), why };
    case 'theirs':
      return { what: from(names.theirs, theirs), why };
    case 'both':
      return { what: l10n.t('{0}, then {1}', names.ours, names.theirs), why };
    case 'neither':
      return { what: l10n.t('left out'), why };
    case 'merged':
      return { what: '', why };
  }
}

/** One for each reason of the rules; docs/merging.md has the same table. */
function ruleOf(entry: MergeEntry, names: SideNames): Story {
  const { ours, theirs } = names;
  switch (entry.reason) {
    case 'newInTheirs':
      return { what: l10n.t('from {0}', theirs), why: l10n.t('new there') };
    case 'newButFinished':
      return { what: l10n.t('left out'), why: l10n.t('new in {0}, and finished there', theirs) };
    case 'deletedByOurs':
      return {
        what: l10n.t('stays removed'),
        why:
          entry.theirs === undefined || entry.theirs === entry.base
            ? l10n.t('{0} removed it, {1} left it as it was', ours, theirs)
            : l10n.t('{0} removed it, {1} changed it', ours, theirs),
      };
    case 'deletedByOursButChanged':
      return { what: l10n.t('removed in {0}, changed in {1}', ours, theirs), why: l10n.t('brought back') };
    case 'deletedByOursAndFinished':
      return { what: l10n.t('stays removed'), why: l10n.t('{0} removed it, {1} finished it', ours, theirs) };
    case 'deletedByTheirs':
      return { what: l10n.t('removed'), why: l10n.t('{0} removed it, {1} left it as it was', theirs, ours) };
    case 'deletedByTheirsButChanged':
      return { what: l10n.t('removed in {0}, changed in {1}', theirs, ours), why: l10n.t('kept') };
    case 'onlyInOurs':
      return {
        what: l10n.t('kept'),
        why: entry.base === undefined ? l10n.t('only {0} has it', ours) : l10n.t('{0} no longer has it', theirs),
      };
    case 'onlyTheirsChanged':
      return markOf(entry.theirs) === 'x' && markOf(entry.ours) !== 'x'
        ? { what: l10n.t('done in {0}', theirs), why: l10n.t('{0} still had it open', ours) }
        : { what: l10n.t('changed in {0}', theirs), why: l10n.t('{0} left it as it was', ours) };
    case 'onlyOursChanged':
      return { what: l10n.t('changed in {0}', ours), why: l10n.t('{0} left it as it was', theirs) };
    case 'bothChanged':
      return { what: l10n.t('changed on both'), why: mixtureOf(entry, names) };
    case 'bothChangedAlike':
      return { what: l10n.t('changed on both'), why: l10n.t('in the same way') };
    case 'bothChangedHere':
      return { what: l10n.t('changed on both'), why: mixtureOf(entry, names) };
    case 'leftBehind':
      return { what: l10n.t('left behind'), why: l10n.t('this part stays as in {0}', ours) };
    case 'bothAdded':
      return { what: l10n.t('new on both'), why: mixtureOf(entry, names) };
    case 'renamedByOurs':
      return { what: l10n.t('renamed'), why: l10n.t('{0} gave it another name', ours) };
    case 'renamedByTheirs':
      return { what: l10n.t('renamed'), why: l10n.t('{0} gave it another name', theirs) };
    case 'worktreeFinished':
      return { what: l10n.t('removed'), why: l10n.t('{0} is merged and done', theirs) };
    case 'worktreeStillOpen':
      return { what: l10n.t('back to pending'), why: l10n.t('{0} is merged, and this is still open', theirs) };
    case 'statusAdvanced':
      return { what: l10n.t('further along in {0}', theirs), why: l10n.t('the later status counts') };
    case 'statusKept':
      return { what: l10n.t('as in {0}', ours), why: l10n.t('{0} is not further along', theirs) };
    case 'statusUnknown':
      return {
        what: l10n.t('as in {0}', entry.result === entry.ours ? ours : theirs),
        why: l10n.t('nothing says which status is the later one'),
      };
    case 'archived':
      return entry.result === undefined
        ? { what: l10n.t('left out'), why: l10n.t('{0} has archived it', ours) }
        : { what: l10n.t('complete'), why: l10n.t('{0} has archived it', theirs) };
  }
}

/** Which part the rules took from which side. */
function mixtureOf({ ours, theirs, result }: MergeEntry, names: SideNames): string {
  if (result === undefined) return l10n.t('left out');
  if (result === ours) return l10n.t('as in {0}', names.ours);
  if (result === theirs) return l10n.t('as in {0}', names.theirs);
  const [mark, text] = [markOf(result), restOf(result)];
  if (mark !== undefined && ours !== undefined && theirs !== undefined) {
    if (mark === markOf(theirs) && text === restOf(ours)) {
      return l10n.t('mark from {0}, text from {1}', names.theirs, names.ours);
    }
    if (mark === markOf(ours) && text === restOf(theirs)) {
      return l10n.t('mark from {0}, text from {1}', names.ours, names.theirs);
    }
  }
  return l10n.t('put together from both');
}

/** The character between the brackets of a task. */
function markOf(entry: string | undefined): string | undefined {
  return /^\s*[-*+] \[(.)\]/u.exec(entry ?? '')?.[1];
}

/** The first line of a task without its mark. */
function restOf(entry: string): string {
  return (entry.split('\n')[0] ?? '').replace(/^(\s*[-*+] )\[.\]/u, '$1').trimEnd();
}

/** The texts of the page that do not depend on the entries. */
export function pageText({ ours, theirs }: SideNames): PageLabels {
  return {
    choices: {
      merged: l10n.t('merged'),
      ours: l10n.t('ours'),
      theirs: l10n.t('theirs'),
      both: l10n.t('both'),
      neither: l10n.t('neither'),
    },
    choiceHints: {
      merged: l10n.t('What the rules decide'),
      ours: l10n.t('As it is in {0}', ours),
      theirs: l10n.t('As it is in {0}', theirs),
      both: l10n.t('As it is in {0}, and as it is in {1} after it', ours, theirs),
      neither: l10n.t('Leave it out'),
    },
    accept: l10n.t('Accept and Stage'),
    acceptHint: l10n.t('Write the result, and tell git that this file is resolved'),
    entries: l10n.t('Entries that the two sides do not have alike'),
    keys: l10n.t(
      'Arrow keys go from entry to entry, Space changes the choice, Enter shows the three versions. Undo and redo are those of the editor.',
    ),
    base: l10n.t('Base: before both'),
    ours: l10n.t('Ours: {0}', ours),
    theirs: l10n.t('Theirs: {0}', theirs),
    absent: l10n.t('not there'),
    result: l10n.t('Result'),
    resultHint: l10n.t('as it would be written'),
    choiceFor: l10n.t('What is taken for {0}'),
    chosen: l10n.t('{0}: {1}'),
    lookAt: l10n.t('to look at'),
    decided: l10n.t('decided'),
    leftBehind: l10n.t('left behind'),
    topSection: l10n.t('Before the first heading'),
  };
}

/** How many entries are decided, left behind, and to review. */
export interface Counts {
  readonly decided: number;
  readonly left: number;
  readonly open: number;
}

/** The counts in words; empty when there are none. */
export function countText({ decided, left, open }: Counts): { readonly decided: string; readonly toLookAt: string } {
  const done =
    left > 0
      ? l10n.t('{0} decided, {1} left behind', decided, left)
      : decided + open > 0
        ? l10n.t('{0} decided', decided)
        : '';
  return { decided: done + (open > 0 ? ',' : ''), toLookAt: open === 0 ? '' : l10n.t('{0} to look at', open) };
}
