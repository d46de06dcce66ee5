/** A command line as bash hands it to a completion function: the words before the cursor, and the one that is being typed. */
export interface BashLine {
  /** Without quotes, the command itself left out. */
  readonly before: readonly string[];
  /** The word at the cursor, without quotes. */
  readonly current: string;
  /** The quote that is open at the cursor. */
  readonly openQuote: string;
}

/** Takes a line apart as bash would, up to the cursor; what is not closed yet is taken as far as it goes. */
export function splitBashLine(line: string): BashLine {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let index = 0; index < line.length; index++) {
    const letter = line[index] ?? '';
    if (quote === '' && /[\s]/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (letter === '\\' && quote !== "'") {
      index++;
      word = (word ?? '') + (line[index] ?? '');
    } else if (quote === '' && (letter === '"' || letter === "'")) {
      quote = letter;
      word ??= '';
    } else if (letter === quote) {
      quote = '';
    } else {
      word = (word ?? '') + letter;
    }
  }
  // Assignments may stand before the command.
  const start = words.findIndex((each) => !/^\w+=/.test(each));
  return { before: start < 0 ? [] : words.slice(start + 1), current: word ?? '', openQuote: quote };
}

/**
 * A candidate as bash puts it in the place of what it holds for the current word: it breaks words at characters of its own, so what
 * is before the last of these must be left out, and it takes the rest literally, so that must be quoted.
 *
 * @param breaks the value of `COMP_WORDBREAKS`.
 */
export function bashReply(candidate: string, { current, openQuote }: BashLine, breaks: string): string {
  const last =
    openQuote === ''
      ? Math.max(...[...current].map((letter, index) => (breaks.includes(letter) ? index : -1)), -1)
      : -1;
  const rest = candidate.slice(last + 1);
  if (openQuote !== '') return rest;
  return rest.replace(/[\s"'`$&|;<>()*?[\]{}\\!#~]/g, '\\$&');
}
