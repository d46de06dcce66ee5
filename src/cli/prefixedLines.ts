/** How much of a line without an end is held back, in bytes; a longer one is broken. */
const longestLine = 64 * 1024;
const lineFeed = 0x0a;

/**
 * Puts a prefix before each line of a program's output, which comes in pieces. Only whole lines are given away, so that those of several
 * programs can be mixed; the bytes of a line stay as they are.
 */
export class PrefixedLines {
  readonly #prefix: Buffer;
  #held: Buffer[] = [];
  #heldBytes = 0;

  constructor(prefix: string) {
    this.#prefix = Buffer.from(prefix);
  }

  /** The lines that a further piece completes, with their prefixes; empty where it completes none. */
  push(piece: Buffer): Buffer {
    const parts: Buffer[] = [];
    let start = 0;
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, start)) {
      parts.push(this.#prefix, ...this.#held, piece.subarray(start, end + 1));
      this.#held = [];
      this.#heldBytes = 0;
      start = end + 1;
    }
    if (start < piece.length) {
      this.#held.push(piece.subarray(start));
      this.#heldBytes += piece.length - start;
    }
    while (this.#heldBytes >= longestLine) parts.push(this.#breakLine());
    return Buffer.concat(parts);
  }

  /** What is left at the end of the output: its last line, where that has no end. */
  rest(): Buffer {
    if (this.#heldBytes === 0) return Buffer.alloc(0);
    const line = Buffer.concat([this.#prefix, ...this.#held, Buffer.from('\n')]);
    this.#held = [];
    this.#heldBytes = 0;
    return line;
  }

  /** The beginning of a line that is too long, as a line of its own; no character is cut in two. */
  #breakLine(): Buffer {
    const line = Buffer.concat(this.#held);
    let end = longestLine;
    while (end > longestLine - 4 && ((line[end] ?? 0) & 0xc0) === 0x80) end--;
    const rest = line.subarray(end);
    this.#held = rest.length > 0 ? [rest] : [];
    this.#heldBytes = rest.length;
    return Buffer.concat([this.#prefix, line.subarray(0, end), Buffer.from('\n')]);
  }
}
