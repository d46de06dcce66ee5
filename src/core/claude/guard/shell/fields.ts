import { unknownText, type Argument } from './argument.ts';

/** Joins the parts of one word, and splits it at the separators in unquoted expansions. */
export class Fields {
  readonly done: Argument[] = [];
  readonly #separators: string;
  #open: { text: string; unknownOnly: boolean; from?: Argument } | undefined;

  constructor(separators: string) {
    this.#separators = separators;
  }

  /** Adds text that is not split. */
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

  /** Adds the elements of a list, such as `"$@"`: the first joins the text before it, the last the text after it. */
  list(elements: readonly Argument[], quoted: boolean): void {
    elements.forEach((element, index) => {
      if (index > 0) this.close();
      if (!quoted || element.mayVanish) this.split(element.text);
      else this.add(element.text, element);
    });
  }

  /** Ends the current argument. */
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
