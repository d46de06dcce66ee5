import { join } from 'node:path';
import { EventEmitter, l10n, type CustomDocument, type Uri } from 'vscode';
import { throttle } from '../../core/base/throttle.ts';
import { backUpText, readWorkingText, writeResult } from '../../core/merge/conflictedFile.ts';
import type { Sides } from '../../core/merge/conflictSides.ts';
import { readStages, sameStages } from '../../core/merge/conflictStages.ts';
import { isLeftByGit } from '../../core/merge/leftByGit.ts';
import { mergeSessionText } from '../../core/session/mergeText.ts';
import type { Choice, MergeEntry, MergeOutcome } from '../../core/session/model.ts';
import type { ReviewStep } from '../../webview/protocol.ts';
import type { Repositories } from '../repository/repositories.ts';
import { readConflict, sidesOf, type Conflict } from './readConflict.ts';
import type { Mode, SavedChoice, SavedChoices } from './savedChoices.ts';
import { noWishes, wishesOf, without, type Wishes } from './wishes.ts';

/** One step that can be undone. */
export interface Edit {
  readonly label: string;
  readonly undo: () => void;
  readonly redo: () => void;
}

/**
 * One session file in conflict and the choices that a person made for it: what the editor and every page of it show. The file on disk is written
 * only when it is saved or accepted.
 */
export class SessionMergeDocument implements CustomDocument {
  readonly uri: Uri;
  readonly #repositories: Repositories;
  readonly #savedChoices: SavedChoices;
  readonly #changed = new EventEmitter<void>();
  readonly #edited = new EventEmitter<Edit>();
  readonly #go = new EventEmitter<ReviewStep>();
  readonly #closed: () => void;
  #wishes: Wishes = noWishes;
  #mode: Mode = 'rules';
  #conflict: Conflict | undefined;
  #outcome: MergeOutcome | undefined;
  /** What the rules alone give. */
  #rules: MergeOutcome | undefined;
  #problem: Error | undefined;
  #saved = '';

  /** @param closed is called when no editor shows it any more. */
  constructor(uri: Uri, repositories: Repositories, kept: SavedChoices, closed: () => void) {
    this.uri = uri;
    this.#repositories = repositories;
    this.#savedChoices = kept;
    this.#closed = closed;
  }

  /** Fires when anything that is shown may be another one. */
  get onDidChange(): EventEmitter<void>['event'] {
    return this.#changed.event;
  }

  /** Fires when the person did something that can be undone. */
  get onDidEdit(): EventEmitter<Edit>['event'] {
    return this.#edited.event;
  }

  /** Fires when the person wants the page to go to another entry to review. */
  get onDidAskToGo(): EventEmitter<ReviewStep>['event'] {
    return this.#go.event;
  }

  /** Makes the page that has the focus go to another entry to review. */
  go(to: ReviewStep): void {
    this.#go.fire(to);
  }

  /** `undefined` when the file is not in conflict. */
  get conflict(): Conflict | undefined {
    return this.#conflict;
  }

  get mode(): Mode {
    return this.#mode;
  }

  /** Why it could not be read, when that is so. */
  get problem(): Error | undefined {
    return this.#problem;
  }

  /** The merge with the choices; `undefined` where there is nothing to merge by the rules. */
  get outcome(): MergeOutcome | undefined {
    return this.#outcome;
  }

  /** Something was decided that was neither saved nor reverted. */
  get unsaved(): boolean {
    return JSON.stringify(this.state()) !== this.#saved;
  }

  /** What a person decided, by entry. */
  get choices(): ReadonlyMap<string, Choice> {
    return this.#wishes.choices;
  }

  /** What a person wrote in place of entries. */
  get edits(): ReadonlyMap<string, string> {
    return this.#wishes.edits;
  }

  /** What would be written; `undefined` while that is not decided, or where the file has to be resolved as text. */
  get result(): string | undefined {
    if (this.#mode === 'file') return this.#conflict?.looked.text;
    return this.#mode === 'rules' && this.#outcome?.known ? this.#outcome.text : undefined;
  }

  /**
   * Reads the conflict for the first time. Never rejects: what went wrong is in {@link problem}.
   *
   * @param backup the unsaved choices of a window that was closed.
   */
  async open(backup?: SavedChoice): Promise<void> {
    try {
      this.#problem = undefined;
      this.#conflict = await readConflict(this.#repositories, this.uri);
      const key = this.#conflict?.key;
      const ofThis = (kept: SavedChoice | undefined): SavedChoice | undefined => (kept?.key === key ? kept : undefined);
      const saved = ofThis(this.#savedChoices.of(this.uri));
      this.#wishes = wishesOf(saved);
      this.#mergeAnew();
      this.#mode = await this.#modeFor(saved?.mode ?? 'rules');
      this.#saved = JSON.stringify(this.state());
      const unsaved = ofThis(backup);
      if (!unsaved) return;
      this.#wishes = wishesOf(unsaved);
      this.#mode = unsaved.mode;
      this.#merge();
    } catch (thrown) {
      this.#problem = asError(thrown);
    }
  }

  /** Chooses for an entry; what was written in its place goes. */
  choose({ id }: MergeEntry, choice: Choice, label: string): void {
    const { choices, edits } = this.#wishes;
    this.#wish({ choices: new Map(choices).set(id, choice), edits: without(edits, id) }, label);
  }

  /** Takes a person's own lines for an entry; those that the choice gives are no edit. Either way it is reviewed. */
  edit({ id, choice }: MergeEntry, text: string, label: string): void {
    const choices = new Map(this.#wishes.choices).set(id, choice);
    const edits = without(this.#wishes.edits, id);
    const plain = this.#mergeWith({ choices, edits })?.entries.find((each) => each.id === id)?.result ?? '';
    const own = text.trimEnd() !== plain.trimEnd();
    this.#wish({ choices, edits: own ? new Map(edits).set(id, text) : edits }, label);
  }

  /** Marks an entry as reviewed as it is, or to be reviewed again, as the rules have it. */
  review({ id, choice }: MergeEntry, reviewed: boolean, label: string): void {
    const { choices, edits } = this.#wishes;
    if (reviewed) this.#wish({ choices: new Map(choices).set(id, choice), edits }, label);
    else this.#wish({ choices: without(choices, id), edits: without(edits, id) }, label);
  }

  /** Says what is to become of a text that was edited by hand. */
  decide(mode: Exclude<Mode, 'undecided'>): void {
    const before = this.#mode;
    const label = mode === 'file' ? l10n.t('Use the File as It Is') : l10n.t('Start from the Rules');
    this.#do(
      label,
      () => this.#setMode(mode),
      () => this.#setMode(before),
    );
  }

  /**
   * Writes the result, unless the file was changed since it was looked at; a text of somebody's making that is written over is kept before.
   *
   * @returns the ref that keeps it, if one was needed.
   * @throws Problem as `writeResult`.
   */
  async save(): Promise<string | undefined> {
    const { conflict, result } = this;
    if (!conflict) return undefined;
    let ref: string | undefined;
    if (result !== undefined && result !== conflict.looked.text) {
      const workspace = await conflict.model.workspace();
      const { text } = conflict.looked;
      if (text !== undefined && (await this.#isSomebodysWork(text))) {
        ref = await backUpText(workspace, conflict.sides.merged?.slug ?? conflict.kind, text);
      }
      await writeResult(workspace, conflict.looked, result);
      this.#conflict = { ...conflict, looked: { ...conflict.looked, text: result } };
    }
    this.#saved = JSON.stringify(this.state());
    await this.#savedChoices.keep(this.uri, this.state());
    this.#changed.fire();
    return ref;
  }

  /** Forgets the choices that were not saved. */
  async revert(): Promise<void> {
    await this.open();
    this.#changed.fire();
  }

  /** The state to restore the document from. */
  state(): SavedChoice {
    return {
      key: this.#conflict?.key ?? '',
      mode: this.#mode,
      choices: [...this.#wishes.choices],
      edits: [...this.#wishes.edits],
    };
  }

  /** Looks at the index and the file again, and takes in what happened to them meanwhile. Never rejects. */
  readonly reload: () => Promise<void> = throttle(async () => {
    try {
      await this.#reload();
    } catch (thrown) {
      this.#problem = asError(thrown);
      this.#changed.fire();
    }
  });

  dispose(): void {
    this.#closed();
    this.#changed.dispose();
    this.#edited.dispose();
    this.#go.dispose();
  }

  async #reload(): Promise<void> {
    const { conflict } = this;
    // It may be in conflict now, or be readable.
    if (!conflict) return this.revert();
    const { root, path, stages } = conflict.looked;
    const { git } = await conflict.model.workspace();
    const now = (await readStages(git, root, [path])).get(path);
    if (!now || !sameStages(now, stages)) return this.revert();
    const [text, sides] = await Promise.all([readWorkingText(join(root, path)), sidesOf(conflict)]);
    const otherText = text !== conflict.looked.text;
    const otherSides = nameOf(sides) !== nameOf(conflict.sides);
    // Something may have been saved while this was read.
    if ((!otherText && !otherSides) || this.#conflict !== conflict) return;
    this.#conflict = { ...conflict, looked: { ...conflict.looked, text } };
    // They decide which side is ours, and which worktree's entry is done with.
    if (otherSides) this.#conflict = (await readConflict(this.#repositories, this.uri)) ?? this.#conflict;
    if (otherSides) this.#mergeAnew();
    if (otherText) this.#mode = await this.#modeFor(this.#mode);
    this.#changed.fire();
  }

  /** The mode after a look at the text on disk: if it was edited, a person has to decide what happens to it. */
  async #modeFor(wanted: Mode): Promise<Mode> {
    const text = this.#conflict?.looked.text;
    const { ours, theirs } = this.#conflict?.versions ?? {};
    // One of the sides has no such file: there are no entries to choose from.
    if (ours === undefined || theirs === undefined) return 'file';
    if (text === undefined || !(await this.#isSomebodysWork(text))) return 'rules';
    return wanted === 'file' ? 'file' : 'undecided';
  }

  async #isSomebodysWork(text: string): Promise<boolean> {
    const { conflict } = this;
    if (!conflict || text === this.#outcome?.text) return false;
    const { model, worktree, path, versions } = conflict;
    // What the rules alone give may stand there as well: `wt merge` and `wt resolve` write it.
    if (text === this.#rules?.text) return false;
    const kept = this.#savedChoices.of(this.uri);
    if (kept?.key === conflict.key && text === this.#mergeWith(wishesOf(kept))?.text) return false;
    const { git, repository } = await model.workspace();
    const at = { root: worktree.path, gitDir: worktree.gitDir ?? repository.commonDir, path };
    return !(await isLeftByGit(git, at, versions, text));
  }

  #do(label: string, redo: () => void, undo: () => void): void {
    redo();
    this.#edited.fire({ label, undo, redo });
  }

  #wish(after: Wishes, label: string): void {
    const before = this.#wishes;
    this.#do(
      label,
      () => this.#setWishes(after),
      () => this.#setWishes(before),
    );
  }

  #setWishes(wishes: Wishes): void {
    this.#wishes = wishes;
    this.#merge();
    this.#changed.fire();
  }

  #setMode(mode: Mode): void {
    this.#mode = mode;
    this.#changed.fire();
  }

  #mergeAnew(): void {
    this.#rules = this.#mergeWith(noWishes);
    this.#merge();
  }

  #merge(): void {
    const { choices, edits } = this.#wishes;
    this.#outcome = choices.size + edits.size === 0 ? this.#rules : this.#mergeWith(this.#wishes);
  }

  #mergeWith(wishes: Wishes): MergeOutcome | undefined {
    if (!this.#conflict) return undefined;
    const { kind, versions, sides } = this.#conflict;
    const { base, ours, theirs } = versions;
    if (ours === undefined || theirs === undefined) return undefined;
    if (sides.operation === 'revert') {
      const unknown = l10n.t('a revert takes entries out again, and the rules keep them');
      return { known: false, unknown, text: ours, entries: [] };
    }
    const replayed = sides.operation === 'rebase';
    const input = { kind, ours, theirs, replayed, slug: sides.merged?.slug, ...wishes };
    const outcome = mergeSessionText({ ...input, base });
    // A base with conflict markers is git's own mixture of several bases, and worth nothing.
    const mixed = !outcome.known && outcome.unknown?.includes(' of the base: ');
    return mixed ? mergeSessionText({ ...input, base: undefined }) : outcome;
  }
}

/** What of the sides is shown or decides something. */
function nameOf({ operation, ours, theirs, merged, next }: Sides): string {
  return JSON.stringify([operation, ours, theirs, merged?.slug, next]);
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
