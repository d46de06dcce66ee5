import type { Memento, Uri } from 'vscode';
import type { Choice } from '../../core/session/model.ts';

/**
 * What is written: what the rules and the choices give, the file as somebody edited it by hand, or nothing until the person has chosen.
 */
export type Mode = 'rules' | 'file' | 'undecided';

/** The choices that a person made for one conflict. */
export interface SavedChoice {
  /** The conflict that it was decided for. */
  readonly key: string;
  readonly mode: Mode;
  readonly choices: readonly (readonly [string, Choice])[];
  /** What they wrote in place of entries. */
  readonly edits?: readonly (readonly [string, string])[];
}

/** How many conflicts are remembered: those of the past are of no use, and a workspace lives long. */
const most = 50;
const place = 'sessionMerge';
const textPlace = 'sessionMerge.asText';

/**
 * What was decided for conflicts, and which of them a person wants to see as text, by the file's Uri. SavedChoice with the workspace, so
 * that choices survive when the file is opened as text, and when the editor or the window is closed.
 */
export class SavedChoices {
  readonly #memento: Memento;

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  of(uri: Uri): SavedChoice | undefined {
    return this.#read<SavedChoice>(place)[uri.toString()];
  }

  async keep(uri: Uri, kept: SavedChoice | undefined): Promise<void> {
    await this.#write(place, uri, kept);
  }

  /** Whether a person chose to see this conflict as text. */
  isText(uri: Uri, key: string): boolean {
    return this.#read<string>(textPlace)[uri.toString()] === key;
  }

  /** @param key the conflict to show as text; `undefined` lets the editor open automatically again. */
  async setText(uri: Uri, key: string | undefined): Promise<void> {
    await this.#write(textPlace, uri, key);
  }

  #read<T>(where: string): Readonly<Record<string, T>> {
    return this.#memento.get<Readonly<Record<string, T>>>(where, {});
  }

  async #write<T>(where: string, uri: Uri, value: T | undefined): Promise<void> {
    const others = Object.entries(this.#read<T>(where)).filter(([name]) => name !== uri.toString());
    if (value === undefined && others.length === Object.keys(this.#read(where)).length) return;
    const entries = value === undefined ? others : [...others, [uri.toString(), value] as const];
    await this.#memento.update(where, Object.fromEntries(entries.slice(-most)));
  }
}
