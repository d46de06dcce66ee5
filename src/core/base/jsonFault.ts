const blanks = /[ \t\n\r]*/y;
const token =
  /[{}[\],:]|"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Wanted = 'value' | 'item' | 'key' | 'first key' | 'colon' | 'next';

/**
 * Where in a text JSON ends to be JSON: the offset of the first thing that must not be there, the text's length when it only
 * ends too early, `undefined` when nothing is wrong. `JSON.parse` says so in some engines and for some faults only.
 */
export function jsonFaultAt(text: string): number | undefined {
  const open: ('{' | '[')[] = [];
  let wanted: Wanted = 'value';
  for (let at = 0; ; at = token.lastIndex) {
    blanks.lastIndex = at;
    blanks.exec(text);
    token.lastIndex = blanks.lastIndex;
    if (token.lastIndex === text.length) return wanted === 'next' && open.length === 0 ? undefined : text.length;
    const word = token.exec(text)?.[0];
    const next: Wanted | undefined = word === undefined ? undefined : after(wanted, word, open);
    if (next === undefined) return blanks.lastIndex;
    wanted = next;
  }
}

/** What is wanted after a token where something was wanted; `undefined` when the token must not be there. */
function after(wanted: Wanted, word: string, open: ('{' | '[')[]): Wanted | undefined {
  const close = (bracket: '{' | '['): Wanted | undefined => (open.pop() === bracket ? 'next' : undefined);
  switch (wanted) {
    case 'first key':
    case 'key':
      if (word === '}' && wanted === 'first key') return close('{');
      return word.startsWith('"') ? 'colon' : undefined;
    case 'colon':
      return word === ':' ? 'value' : undefined;
    case 'next':
      if (word === ',' && open.length > 0) return open.at(-1) === '{' ? 'key' : 'value';
      if (word === '}') return close('{');
      return word === ']' ? close('[') : undefined;
    case 'item':
    case 'value':
      if (word === '{' || word === '[') {
        open.push(word);
        return word === '{' ? 'first key' : 'item';
      }
      if (word === ']' && wanted === 'item') return close('[');
      return /^[}\],:]$/.test(word) ? undefined : 'next';
  }
}
