import { isBlank, type Line, type TextLines } from './lines.ts';

/** A run of lines that stays together, and the blank lines after it. All blocks of a file, one after the other, are the file. */
export interface Block {
  /**
   * - `start`: before the first line; only its blank lines may hold something
   * - `entry`: what is merged
   */
  readonly kind: 'start' | 'heading' | 'entry' | 'text';
  readonly lines: readonly Line[];
  readonly blanks: readonly Line[];
}

interface Piece {
  readonly kind: Block['kind'];
  lines: readonly Line[];
  blanks: readonly Line[];
}

/**
 * Builds a merged file from the blocks of ours, in order: each is kept byte for byte, replaced or left out, and new ones are added
 * between them.
 */
export class ResultBuilder {
  readonly #pieces: Piece[] = [];
  readonly #source: TextLines;
  readonly #eol: string;
  readonly #headings = new Set<string>();
  #changed = false;

  /** @param eol the line end of new lines where ours has none. */
  constructor(ours: TextLines, eol: string | undefined) {
    this.#source = ours;
    this.#eol = ours.eol ?? eol ?? '\n';
  }

  keep(block: Block): void {
    this.#pieces.push({ kind: block.kind, lines: block.lines, blanks: block.blanks });
  }

  /** Replaces the lines of a block; those that both have at its start and end stay as they are. */
  replace(block: Block, texts: readonly string[], kind: Block['kind'] = block.kind): void {
    const old = block.lines;
    const shorter = Math.min(old.length, texts.length);
    let head = 0;
    while (head < shorter && old[head]?.text === texts[head]) head += 1;
    let tail = 0;
    while (tail < shorter - head && old.at(-1 - tail)?.text === texts.at(-1 - tail)) tail += 1;
    const middle = texts.slice(head, texts.length - tail);
    if (middle.length > 0 || old.length !== texts.length) this.#changed = true;
    const lines = [...old.slice(0, head), ...this.#new(middle), ...old.slice(old.length - tail)];
    this.#pieces.push({ kind, lines, blanks: block.blanks });
  }

  /** @param next the block after it in ours: blank lines that only separate entries go with it. */
  leaveOut(block: Block, next: Block | undefined): void {
    this.#changed = true;
    const before = this.#pieces.at(-1);
    if (before && next?.kind !== 'entry' && block.blanks.length > before.blanks.length) before.blanks = block.blanks;
  }

  /**
   * Adds an entry after the last block.
   *
   * @param gap the number of blank lines between it and an entry before it.
   * @param followed whether something comes after it in the file.
   */
  add(texts: readonly string[], gap: number, followed: boolean): void {
    this.#changed = true;
    const before = this.#pieces.at(-1);
    const old = before?.blanks ?? [];
    let blanks = old;
    if (before?.kind === 'entry') {
      before.blanks = this.#blank(gap, old);
    } else {
      if (before && before.lines.length > 0) before.blanks = this.#blank(1, old);
      blanks = this.#blank(Math.max(1, old.length - 1), old.slice(1));
    }
    this.#pieces.push({ kind: 'entry', lines: this.#new(texts), blanks: followed ? blanks : [] });
  }

  /** Adds a heading after the last block, unless one with the same key was added before; an entry has to follow it. */
  addHeading({ key, text }: { readonly key: string; readonly text: string }): void {
    if (this.#headings.has(key)) return;
    this.#headings.add(key);
    this.#changed = true;
    const before = this.#pieces.at(-1);
    if (before && before.lines.length > 0 && before.blanks.length === 0) before.blanks = this.#blank(1, []);
    this.#pieces.push({ kind: 'heading', lines: this.#new([text]), blanks: this.#blank(1, []) });
  }

  /** The file; undefined if nothing was changed. A changed one ends with exactly one line end. */
  text(): string | undefined {
    if (!this.#changed) return undefined;
    const lines = this.#pieces.flatMap(({ lines, blanks }) => [...lines, ...blanks]);
    while (lines.length > 0 && isBlank(lines.at(-1)?.text ?? '')) lines.pop();
    return this.#source.bom + lines.map(({ text, end }) => text + (end === '' ? this.#eol : end)).join('');
  }

  #new(texts: readonly string[]): Line[] {
    return texts.map((text) => ({ text, end: this.#eol }));
  }

  #blank(count: number, old: readonly Line[]): Line[] {
    return Array.from({ length: count }, (_, index) => old[index] ?? { text: '', end: this.#eol });
  }
}
