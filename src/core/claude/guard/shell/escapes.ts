/** A text with the backslash escapes of `echo -e` and of printf's format carried out. */
export function escaped(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|c[^]*|([^]))/g,
    (whole, ...groups: unknown[]) => {
      const [hex, short, long, octal, letter] = groups as (string | undefined)[];
      const code = hex ?? short ?? long;
      if (code !== undefined) return codePoint(parseInt(code, 16));
      if (octal !== undefined) return codePoint(parseInt(octal, 8) & 0xff);
      if (letter === undefined) return '';
      return simpleEscapes[letter] ?? whole;
    },
  );
}

const simpleEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

function codePoint(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** What `printf FORMAT VALUES…` prints. The format is used again while there are values left. */
export function formatted(format: string, values: readonly string[]): string {
  let rest = values;
  let text = '';
  for (let round = 0; round < 64; round++) {
    const before = rest.length;
    text += escaped(format.replace(/%%/g, '\uE0FF')).replace(
      /%[-+ #0]*(?:\d+|\*)?(?:\.\d+)?([a-zA-Z(])/g,
      (_, kind: string) => {
        const [value = '', ...others] = rest;
        rest = others;
        if (kind === 'b') return escaped(value);
        return kind === 'c' ? value.slice(0, 1) : value;
      },
    );
    if (rest.length === 0 || rest.length === before) break;
  }
  return text.replaceAll('\uE0FF', '%');
}
