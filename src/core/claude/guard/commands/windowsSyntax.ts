/*
 * Scripts of cmd and of PowerShell as bash would write them, as far as a guard needs it: quoting, escapes and variables. What is left of
 * their own syntax (`if (…) { … }`) does not parse then, and is searched for keywords. Linear in the length of the script.
 */

/** Characters that bash would not take as they are. */
const special = /[\\'"`$*?[\]{}~#!();&|<> \t]/;

const literal = (character: string): string => (special.test(character) ? `\\${character}` : character);
const inQuotes = (character: string): string => (/["\\`$]/.test(character) ? `\\${character}` : character);
const verbatim = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The match of a sticky pattern at a position. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** A script of cmd: `^` escapes, `%x%` and `!x!` are variables, `set x=…` assigns, and only double quotes quote. */
export function fromCmd(script: string): string {
  return withoutLoops(script.replaceAll('\r', '').replaceAll('^\n', ''))
    .split('\n')
    .map((line) => (/^\s*(?:::|:\w|@?rem\b)/i.test(line) ? '' : fromCmdLine(line)))
    .join('\n');
}

/** `for %i in (…) do BODY` becomes its body, with an unknown `%i`; `for /f %i in ('CODE') do BODY` runs the code as well. */
function withoutLoops(text: string): string {
  const loop = /\bfor\s(?:[^%\n]{0,200}\s)?%{1,2}\w\s+in\s*\(([^()]*)\)\s*do\b/gi;
  return text.replace(loop, (_, list: string) => {
    const [, quoted, backquoted] = /^\s*(?:'(.*)'|`(.*)`)\s*$/s.exec(list) ?? [];
    const code = quoted ?? backquoted;
    return code === undefined ? '' : `${code} & `;
  });
}

const cmdAssignment = /@?set\s+(?:"(\w+)=([^"&|]*)"?|(\w+)=([^&|]*))/iy;
const cmdVariable = /%(\w+)(?::[^%]*)?%|!(\w+)!|%{1,2}~?(\w)/y;

function fromCmdLine(line: string): string {
  let out = '';
  let isQuoted = false;
  let isStart = true;
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    const assignment = isStart && /[@s]/i.test(character) ? matchAt(cmdAssignment, line, at) : null;
    const variable = /[%!]/.test(character) ? matchAt(cmdVariable, line, at) : null;
    if (assignment !== null) {
      const [whole, one, value, other, text] = assignment;
      out += `${variableOf(one ?? other ?? '')}=${verbatim(value ?? text ?? '')} `;
      at += whole.length - 1;
    } else if (variable !== null) {
      const [whole, percent, bang, loop] = variable;
      out += `\${${variableOf(percent ?? bang ?? loop ?? '')}}`;
      at += whole.length - 1;
      isStart = false;
    } else if (character === '"') {
      isQuoted = !isQuoted;
      isStart = false;
      out += '"';
    } else if (isQuoted) out += inQuotes(character);
    else if (character === '@' && isStart) continue;
    else if (/[\s;,]/.test(character)) out += ' ';
    else if (/[()&|<>]/.test(character)) {
      isStart = !/[)<>]/.test(character);
      out += character;
    } else {
      isStart = false;
      out += literal(character === '^' ? (line[++at] ?? '') : character);
    }
  }
  return isQuoted ? `${out}"` : out;
}

/** Names of variables in cmd have no case; bash has names of its own that are numbers. */
const variableOf = (name: string): string => `cmd_${name.toLowerCase()}`;

const powerShellAssignment = /\$(?:\w+:)?(\w+)[ \t]*=[ \t]*(?=(?:"[^"$`]*"|'[^']*')[ \t]*(?:[;\n]|$))/y;
const singleQuoted = /'((?:[^']|'')*)'/y;
const doubleQuoted = /"((?:[^"`]|`[^]|"")*)"/y;
const hereStart = /@(["'])[ \t]*\n/y;

/** A script of PowerShell: a backtick escapes, `&` calls a command, `@'…'@` quotes lines, and the quotes of typography are quotes. */
export function fromPowerShell(script: string): string {
  const text = script
    .replaceAll('\r', '')
    .replaceAll(/[\u2018-\u201b]/g, "'")
    .replaceAll(/[\u201c-\u201e]/g, '"');
  // Behind these no lines in quotes end: searching anew from each beginning would take long.
  const lastEnds = { "'": text.lastIndexOf("\n'@"), '"': text.lastIndexOf('\n"@') };
  let out = '';
  // Whether a statement begins, and whether the call operator has just been there.
  let isStart = true;
  let isCalled = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    const next = text[at + 1];
    const quoted = /["'@]/.test(character) ? quotedAt(text, at, lastEnds) : undefined;
    const assignment = isStart && character === '$' ? matchAt(powerShellAssignment, text, at) : null;
    if (quoted !== undefined) {
      // At the beginning of a statement it is a value, unless it is called or assigned.
      if (isStart && !isCalled && !/[=(]$/.test(out)) out += 'echo ';
      out += quoted.bash;
      at += quoted.length - 1;
    } else if (assignment !== null) {
      out += `${assignment[1] ?? ''}=`;
      at += assignment[0].length - 1;
      continue;
    } else if (character === '<' && next === '#') {
      const end = text.indexOf('#>', at);
      at = end < 0 ? text.length : end + 1;
      continue;
    } else if (isStart && ((character === '&' && next !== '&') || (character === '.' && /\s/.test(next ?? '')))) {
      isCalled = true;
      continue;
    } else if (character === '`') {
      out += next === '\n' ? ' ' : literal(next ?? '');
      at++;
    } else out += character === '\\' ? '\\\\' : character;
    if (character === ' ' || character === '\t') continue;
    isStart = quoted === undefined && /[;|&({\n=]/.test(character);
    isCalled = false;
  }
  return out;
}

interface Quoted {
  readonly bash: string;
  /** How many characters it was. */
  readonly length: number;
}

/** Where the last lines in quotes end, by the kind of quotes. */
type LastEnds = Readonly<Record<string, number>>;

function quotedAt(text: string, at: number, lastEnds: LastEnds): Quoted | undefined {
  if (text[at] === '@') return hereString(text, at, lastEnds);
  const [single, plain] = matchAt(singleQuoted, text, at) ?? [];
  if (single !== undefined && plain !== undefined)
    return { bash: verbatim(plain.replaceAll("''", "'")), length: single.length };
  const [double, content] = matchAt(doubleQuoted, text, at) ?? [];
  if (double === undefined || content === undefined) return undefined;
  return { bash: expanding(content.replaceAll('""', '`"')), length: double.length };
}

/** `@'`, lines, `'@`. */
function hereString(text: string, at: number, lastEnds: LastEnds): Quoted | undefined {
  const [start, mark] = matchAt(hereStart, text, at) ?? [];
  if (start === undefined || mark === undefined || at > lastEnds[mark]!) return undefined;
  const begin = at + start.length;
  const end = text.indexOf(`\n${mark}@`, begin - 1);
  if (end < 0) return undefined;
  const content = text.slice(begin, end);
  return { bash: mark === '"' ? expanding(content) : verbatim(content), length: end + 3 - at };
}

/** Text in double quotes: variables and `$(…)` stay. */
function expanding(text: string): string {
  const bash = text.replace(/`([^])|["\\]/g, (found, escapedOne: string | undefined) => inQuotes(escapedOne ?? found));
  return `"${bash}"`;
}
