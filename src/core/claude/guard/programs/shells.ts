import { knownText, type Argument, type Texts } from '../shell/argument.ts';
import type { Call, Handler, Judge } from '../judge.ts';
import { isAmong, type Group } from './names.ts';
import { isOption } from './options.ts';
import { fileKey, type Scope } from '../shell/scope.ts';

/** Programs that run a script: the text behind `-c`, a file, or their standard input. */
export const shellNames = 'sh bash zsh dash ksh ksh93 mksh ash rbash fish yash posh pdksh csh tcsh nu xonsh elvish';

/** Shells without bash's own commands; `sh` may be one of them. */
const plainShells = 'sh dash ash posh ksh';

/** Long options of bash that take a value. */
const longWithValue = ['--rcfile', '--init-file'];

/** `sh -c CODE`, `bash FILE`, `… | sh`. */
const shell: Handler = (call, judge) => {
  const { name, words, scope } = call;
  let code = false;
  let fromInput = false;
  let at = 0;
  for (; at < words.length; at++) {
    const text = knownText(words[at]!);
    if (text === '--' || text === '-') {
      at++;
      break;
    }
    if (words[at]!.content) runContent(words[at]!, call, judge);
    const attached = /^--commands?(?:=(.*))?$/s.exec(text);
    if (attached !== null) {
      // fish and nushell
      const script = attached[1] ?? words[at + 1]?.text ?? '';
      return inShell(call, undefined, () => judge.script(script, scope, { where: `in ${name}` }));
    }
    if (longWithValue.includes(text)) {
      at++;
      if (words[at]?.content) runContent(words[at]!, call, judge);
    } else if (text.startsWith('--') || (text === '' && words[at]!.mayVanish)) continue;
    else if (isOption(text)) {
      // bash takes `+c` for `-c`.
      if (text.includes('c')) code = true;
      if (text.includes('s')) fromInput = true;
      // Each of these letters takes one word: `-o pipefail`, `-O extglob`.
      at += text.replace(/[^oO]/g, '').length;
    } else break;
  }
  const rest = words.slice(at);
  if (code) {
    const [script, zero, ...positional] = rest;
    if (script === undefined) return undefined;
    return inShell(call, zero?.text, () => judge.script(script.text, scope, { positional, where: `in ${name} -c` }));
  }
  const [file, ...positional] = rest;
  if (fromInput || file === undefined) return inShell(call, undefined, () => runInput(scope, judge, name, rest));
  if (file.content) return runContent(file, { ...call, words: positional }, judge);
  return inShell(call, undefined, () => runFile(knownText(file), positional, call, judge));
};

/** `pwsh -Command WORDS`, `powershell -EncodedCommand BASE64`: its simple commands are written as in other shells. */
const powershell: Handler = ({ name, words, scope }, judge) => {
  const at = words.findIndex((word) => /^-(?:c|command|e|ec|enc|encodedcommand)$/i.test(knownText(word)));
  if (at < 0) return undefined;
  const rest = words
    .slice(at + 1)
    .map(({ text }) => text)
    .join(' ');
  const encoded = /^-e/i.test(knownText(words[at]!));
  return judge.script(encoded ? Buffer.from(rest, 'base64').toString('utf16le') : rest, scope, {
    where: `in ${name}`,
  });
};

/** Judges what a shell of its own runs: `$0` is what it is told, and what it sets is lost afterwards. */
function inShell<T>({ name, scope }: Call, zero: string | undefined, act: () => T): T {
  const { plainShell } = scope;
  scope.plainShell = plainShell || isAmong(plainShells, name);
  const result = scope.within('subshell', () => {
    if (zero !== undefined) scope.assign('0', [zero]);
    return act();
  });
  scope.plainShell = plainShell;
  return result;
}

function runInput(scope: Scope, judge: Judge, name: string, positional: readonly Argument[]): Texts | undefined {
  const { input } = scope;
  if (input === undefined) return undefined;
  const texts = input.map((text) => {
    scope.input = undefined;
    return judge.script(text, scope, { positional, where: `on the input of ${name}` });
  });
  scope.input = input;
  return texts.length === 1 ? texts[0] : undefined;
}

function runContent(file: Argument, { name, scope, words }: Call, judge: Judge): Texts | undefined {
  for (const text of file.content ?? [])
    judge.script(text, scope, { positional: words, where: `in a file for ${name}` });
  return undefined;
}

/** What a path gives when it is read, for descriptors and files that the script itself filled. */
export function contentOf(path: string, scope: Scope): Texts | undefined {
  const descriptor = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path)?.[1] ?? (path === '/dev/stdin' ? '0' : undefined);
  if (descriptor === undefined) return scope.files.get(fileKey(path));
  return descriptor === '0' ? scope.input : scope.descriptors.get(Number(descriptor));
}

/** Judges a file that is run as a script, if the script itself wrote it. */
export function runFile(
  path: string,
  positional: readonly Argument[],
  { name, scope }: Call,
  judge: Judge,
): Texts | undefined {
  const content = contentOf(path, scope);
  for (const text of content ?? []) judge.script(text, scope, { positional, where: `in ${path} for ${name}` });
  return undefined;
}

/** `source FILE`, `. FILE`. */
const source: Handler = (call, judge) => {
  const [file, ...positional] = call.words;
  if (file === undefined) return undefined;
  if (file.content) return runContent(file, { ...call, words: positional }, judge);
  return runFile(knownText(file), positional, call, judge);
};

/** `eval WORDS`: the words are one script. */
const evaluate: Handler = ({ words, scope }, judge) => {
  const code = words.map(({ text }) => text).join(' ');
  return judge.script(code.replace(/^-- /, ''), scope, { where: 'in eval' });
};

/** `trap CODE SIGNAL…`. */
const trap: Handler = ({ words, scope }, judge) => {
  const code = words.find(({ text }) => text !== '--');
  if (code !== undefined && !/^-[lpP]/.test(code.text)) judge.script(code.text, scope, { where: 'in trap' });
  return undefined;
};

/** `alias NAME=CODE`: what it stands for is judged, since it is defined to be run. */
const alias: Handler = ({ words, scope }, judge) => {
  for (const word of words) {
    const [, name, code] = /^([^=]+)=(.*)$/s.exec(word.text) ?? [];
    if (name === undefined || code === undefined) continue;
    judge.script(code, scope, { positional: [], where: `in the alias ${name}` });
    // zsh: an alias that holds anywhere in a command, and so can be the verb alone.
    if (words[0]?.text === '-g') judge.script(`git ${code}`, scope, { positional: [], where: `in the alias ${name}` });
    // bash looks for the body of an alias's here-document behind the alias, and runs what the alias holds of it.
    const [, ...lines] = code.split('\n');
    if (code.includes('<<')) judge.script(lines.join('\n'), scope, { positional: [], where: `in the alias ${name}` });
    scope.aliases.set(name, code);
  }
  return undefined;
};

/** Shells, and the commands of a shell that run a text. */
export const shellGroups: readonly Group[] = [
  [shellNames, shell],
  ['pwsh powershell', powershell],
  ['eval', evaluate],
  ['source .', source],
  ['trap', trap],
  ['alias', alias],
];
