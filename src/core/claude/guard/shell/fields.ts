import { unknownText, type Argument } from './argument.ts';

/** Puts the parts of one word together, and takes it apart again where an unquoted expansion holds separators. */
export class Fields {
  readonly done: Argument[] = [];
  readonly #separators: string;
  #open: { text: string; unknownOnly: boolean; from?: Argument } | undefined;

  constructor(separators: string) {
    this.#separators = separators;
  }

  /** Adds text that stays one with its neighbours. */
  add(text: string, from?: Argument): void {
    const open = (this.#open ??= { text: '', unknownOnly: false });
    open.text += text;
    open.unknownOnly = false;
    if (from !== undefined) open.from = from;
  }

  /** Adds the text of an unquoted expansion. */
  split(text: string): void {
    for (const character of text) {
      if (this.#separators.includes(character)) this.close();
      else if (this.#open !== undefined) {
        this.#open.text += character;
        this.#open.unknownOnly &&= character === unknownText;
      } else this.#open = { text: character, unknownOnly: character === unknownText };
    }
  }

  /** Adds the elements of a list, such as `"$@"`: the first joins what is before it, the last what comes behind. */
  list(elements: readonly Argument[], quoted: boolean): void {
    elements.forEach((element, index) => {
      if (index > 0) this.close();
      if (!quoted || element.mayVanish) this.split(element.text);
      else this.add(element.text, element);
    });
  }

  /** Ends the argument that is being put together. */
  close(): void {
    if (this.#open === undefined) return;
    const { text, unknownOnly, from } = this.#open;
    this.done.push({
      text,
      mayVanish: unknownOnly,
      ...(from?.content === undefined ? {} : { content: from.content }),
      ...(from?.feed === undefined ? {} : { feed: from.feed }),
    });
    this.#open = undefined;
  }
}
