import { l10n } from 'vscode';
import type { MergeEntry } from '../../core/session/model.ts';
import type { SideNames } from '../../core/session/reasonMessage.ts';
import { markOf, restOf } from './taskMark.ts';

/** What happened to an entry, and why it is decided so. */
export interface Story {
  readonly what: string;
  readonly why: string;
}

/** An entry in words: what a person chose, or what the rules decide and why. */
export function storyOf(entry: MergeEntry, names: SideNames): Story {
  if (entry.edited) return { what: l10n.t('edited'), why: l10n.t('your text') };
  return entry.choice === 'merged' ? ruleOf(entry, names) : choiceOf(entry, names);
}

/** Entries that the rules decide for the same reason, in words: "61 tasks done in checkout". */
export function groupText(entries: readonly MergeEntry[], { what, why }: Story): Story {
  const count = entries.length;
  const tasks = entries.every(({ ours, theirs }) => markOf(ours ?? theirs) !== undefined);
  if (tasks) return { what: count === 1 ? l10n.t('1 task {0}', what) : l10n.t('{0} tasks {1}', count, what), why };
  return { what: count === 1 ? l10n.t('1 entry {0}', what) : l10n.t('{0} entries {1}', count, what), why };
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

/** What the rules decide, whatever a person chose: one for each reason; docs/merging.md has the same table. */
export function ruleOf(entry: MergeEntry, names: SideNames): Story {
  const { ours, theirs } = names;
  switch (entry.reason) {
    case 'newInTheirs':
      return { what: l10n.t('new in {0}', theirs), why: l10n.t('{0} never had it', ours) };
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
      return { what: l10n.t('changed in both'), why: mixtureOf(entry, names) };
    case 'bothChangedAlike':
      return { what: l10n.t('changed in both'), why: l10n.t('in the same way') };
    case 'bothChangedHere':
      return { what: l10n.t('changed in both'), why: mixtureOf(entry, names) };
    case 'leftBehind':
      return { what: l10n.t('left behind'), why: l10n.t('this part stays as in {0}', ours) };
    case 'bothAdded':
      return { what: l10n.t('new in both'), why: mixtureOf(entry, names) };
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
