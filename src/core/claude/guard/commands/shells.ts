import { knownText, type Argument, type Texts } from '../shell/argument.ts';
import type { Call, Guard, Rule, RuleGroup } from './rule.ts';
import { isOption } from './options.ts';
import { contentOf, type ShellState } from '../shell/shellState.ts';

/** Commands that run a script: the text after `-c`, a file, or standard input. */
export const shellNames = 'sh bash zsh dash ksh ksh93 mksh ash rbash fish yash posh pdksh csh tcsh nu xonsh elvish';

/** Shells without bash's own builtins; `sh` may be one of them. */
const plainShells = 'sh dash ash posh ksh'.split(' ');

/** Long options of bash that take a value. */
const longWithValue = ['--rcfile', '--init-file'];

/** `sh -c CODE`, `bash FILE`, `… | sh`. */
const shell: Rule = (call, guard) => {
  const { name, words, state } = call;
  let code = false;
  let fromInput = false;
  let at = 0;
  for (; at < words.length; at++) {
    const text = knownText(words[at]!);
    if (text === '--' || text === '-') {
      at++;
      break;
    }
    if (words[at]!.content) runContent(words[at]!, call, guard);
    const attached = /^--commands?(?:=(.*))?$/s.exec(text);
    if (attached !== null) {
      // fish and nushell
      const script = attached[1] ?? words[at + 1]?.text ?? '';
      return inShell(call, undefined, () => guard.script(script, state, { where: `in ${name}` }));
    }
    if (longWithValue.includes(text)) {
      at++;
      if (words[at]?.content) runContent(words[at]!, call, guard);
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
    return inShell(call, zero?.text, () => guard.script(script.text, state, { positional, where: `in ${name} -c` }));
  }
  const [file, ...positional] = rest;
  if (fromInput || file === undefined) return inShell(call, undefined, () => runInput(state, guard, name, rest));
  if (file.content) return runContent(file, { ...call, words: positional }, guard);
  return inShell(call, undefined, () => runFile(knownText(file), positional, call, guard));
};

/** Runs something in a new shell with its own `$0`; what it sets is lost afterwards. */
function inShell<T>({ name, state }: Call, zero: string | undefined, act: () => T): T {
  const { plainShell } = state;
  state.plainShell = plainShell || plainShells.includes(name);
  const result = state.within('subshell', () => {
    if (zero !== undefined) state.assign('0', [zero]);
    return act();
  });
  state.plainShell = plainShell;
  return result;
}

function runInput(state: ShellState, guard: Guard, name: string, positional: readonly Argument[]): Texts | undefined {
  const { input } = state;
  if (input === undefined) return undefined;
  const texts = input.map((text) => {
    state.input = undefined;
    return guard.script(text, state, { positional, where: `on the input of ${name}` });
  });
  state.input = input;
  return texts.length === 1 ? texts[0] : undefined;
}

function runContent(file: Argument, { name, state, words }: Call, guard: Guard): Texts | undefined {
  for (const text of file.content ?? [])
    guard.script(text, state, { positional: words, where: `in a file for ${name}` });
  return undefined;
}

/** Checks a file that runs as a script, if the script itself has written it. */
function runFile(
  path: string,
  positional: readonly Argument[],
  { name, state }: Call,
  guard: Guard,
): Texts | undefined {
  const content = contentOf(path, state);
  for (const text of content ?? []) guard.script(text, state, { positional, where: `in ${path} for ${name}` });
  return undefined;
}

/** `source FILE`, `. FILE`. */
const source: Rule = (call, guard) => {
  const [file, ...positional] = call.words;
  if (file === undefined) return undefined;
  if (file.content) return runContent(file, { ...call, words: positional }, guard);
  return runFile(knownText(file), positional, call, guard);
};

/** `eval WORDS`: the words are one script. */
const evaluate: Rule = ({ words, state }, guard) => {
  const code = words.map(({ text }) => text).join(' ');
  return guard.script(code.replace(/^-- /, ''), state, { where: 'in eval' });
};

/** `trap CODE SIGNAL…`. */
const trap: Rule = ({ words, state }, guard) => {
  const code = words.find(({ text }) => text !== '--');
  if (code !== undefined && !/^-[lpP]/.test(code.text)) guard.script(code.text, state, { where: 'in trap' });
  return undefined;
};

/** `alias NAME=CODE`: the code is checked at once, since it is defined to run. */
const alias: Rule = ({ words, state }, guard) => {
  for (const word of words) {
    const [, name, code] = /^([^=]+)=(.*)$/s.exec(word.text) ?? [];
    if (name === undefined || code === undefined) continue;
    guard.script(code, state, { positional: [], where: `in the alias ${name}` });
    // zsh: a global alias holds anywhere in a command, so it may be only the verb.
    if (words[0]?.text === '-g') guard.script(`git ${code}`, state, { positional: [], where: `in the alias ${name}` });
    // bash reads the body of an alias's here-document after the alias, and runs the lines that the alias holds itself.
    const [, ...lines] = code.split('\n');
    if (code.includes('<<')) guard.script(lines.join('\n'), state, { positional: [], where: `in the alias ${name}` });
    state.aliases.set(name, code);
  }
  return undefined;
};

/** Shells, and the commands of a shell that run a text. */
export const shellGroups: readonly RuleGroup[] = [
  [shellNames, shell],
  ['eval', evaluate],
  ['source .', source],
  ['trap', trap],
  ['alias', alias],
];
