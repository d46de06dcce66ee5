/** One word expands to at most this many. */
const mostWords = 64;

/**
 * The words that brace expansion makes of one word's source text, quotes left as they are: `g{i,o}t` gives `git` and `got`. As in
 * bash, it comes before every other expansion and works on the text alone. `undefined` if there are too many.
 */
export function braceExpanded(word: string): string[] | undefined {
  const pending = [word];
  const done: string[] = [];
  while (pending.length > 0) {
    if (pending.length + done.length > mostWords) return undefined;
    const text = pending.shift()!;
    const brace = firstBrace(text);
    if (brace === undefined) done.push(text);
    else pending.unshift(...brace.choices.map((choice) => text.slice(0, brace.start) + choice + text.slice(brace.end)));
  }
  return done;
}

interface Brace {
  readonly start: number;
  /** The position after the closing brace. */
  readonly end: number;
  readonly choices: readonly string[];
}

function firstBrace(text: string): Brace | undefined {
  for (let at = 0; at < text.length; at = afterAtom(text, at)) {
    if (text[at] !== '{') continue;
    const brace = braceAt(text, at);
    if (brace !== undefined) return brace;
  }
  return undefined;
}

function braceAt(text: string, start: number): Brace | undefined {
  const cuts: number[] = [];
  let depth = 0;
  for (let at = start; at < text.length; at = afterAtom(text, at)) {
    if (text[at] === '{') depth++;
    else if (text[at] === ',' && depth === 1) cuts.push(at);
    else if (text[at] === '}' && --depth === 0) {
      const inside = text.slice(start + 1, at);
      if (cuts.length === 0) {
        const choices = sequence(inside);
        return choices === undefined ? undefined : { start, end: at + 1, choices };
      }
      const bounds = [start, ...cuts, at];
      return {
        start,
        end: at + 1,
        choices: bounds.slice(1).map((bound, index) => text.slice(bounds[index]! + 1, bound)),
      };
    }
  }
  return undefined;
}

/** The position after one character, one quoted part, or one expansion, in which braces and commas mean nothing. */
function afterAtom(text: string, at: number): number {
  const character = text[at];
  if (character === '\\') return at + 2;
  if (character === "'" || character === '"' || character === '`') return closing(text, at + 1, character, character);
  if (character === '$' && text[at + 1] === '{') return closing(text, at + 2, '}', '{');
  if ((character === '$' || character === '<' || character === '>') && text[at + 1] === '(')
    return closing(text, at + 2, ')', '(');
  return at + 1;
}

/** The position after the character that closes what was opened before `at`. */
function closing(text: string, at: number, close: string, open: string): number {
  let depth = 1;
  while (at < text.length) {
    if (text[at] === '\\' && close !== "'") at++;
    else if (text[at] === close) {
      if (--depth === 0) return at + 1;
    } else if (text[at] === open) depth++;
    at++;
  }
  return at;
}

function sequence(inside: string): string[] | undefined {
  const numbers = /^(-?\d{1,6})\.\.(-?\d{1,6})(?:\.\.(-?\d{1,6}))?$/.exec(inside);
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,6}))?$/.exec(inside);
  const found = numbers ?? letters;
  if (found === null) return undefined;
  const [from, to] = [found[1]!, found[2]!].map((end) => (numbers ? Number(end) : end.charCodeAt(0))) as [
    number,
    number,
  ];
  const step = Math.abs(Number(found[3] ?? 1)) || 1;
  const count = Math.min(Math.floor(Math.abs(to - from) / step) + 1, mostWords + 1);
  return Array.from({ length: count }, (_, index) => {
    const value = from + Math.sign(to - from) * step * index;
    return numbers ? String(value) : String.fromCharCode(value);
  });
}
