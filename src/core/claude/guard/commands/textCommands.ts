import {
  anyCharacter,
  anyText,
  anything,
  nothing,
  computedMark,
  opaqueMark,
  unknownText,
  knownText,
  withoutMarks,
  type Argument,
  type Texts,
} from '../shell/argument.ts';
import { concatenated, limited } from '../shell/possibilities.ts';
import { escaped, formatted } from '../shell/escapes.ts';
import type { Call, Rule, RuleGroup } from './rule.ts';
import { isOption } from './options.ts';
import { contentOf, fileKey, type ShellState } from '../shell/shellState.ts';

const echo: Rule = ({ words }) => {
  let at = 0;
  while (at < words.length && /^-[neE]+$/.test(words[at]!.text)) at++;
  const flags = words.slice(0, at).map(({ text }) => text);
  const end = flags.some((flag) => flag.includes('n')) ? '' : '\n';
  const text = words.slice(at).map(printed).join(' ');
  if (!text.includes('\\')) return [text + end];
  // bash shows a backslash as it is unless `-e` is given, other shells and zsh do not.
  return flags.some((flag) => flag.includes('e')) ? [escaped(text) + end] : [text + end, escaped(text) + end];
};

const printf: Rule = ({ words, state }, guard) => {
  let rest = words;
  let variable: string | undefined;
  if (rest[0]?.text === '-v') {
    variable = rest[1]?.text;
    rest = rest.slice(2);
  }
  if (rest[0]?.text === '--') rest = rest.slice(1);
  if (rest.length === 0) return undefined;
  const [format, ...values] = rest.map(printed);
  const text = formatted(format!, values);
  if (variable === undefined) return [text];
  guard.expansion(variable, state);
  state.assign(variable.replace(/\[.*$/s, ''), state.plainShell ? [text, ''] : [text]);
  return [''];
};

/** An argument as text; what a glob expands to is unknown. */
function printed({ text }: Argument): string {
  return text.replaceAll(anyText, unknownText).replaceAll(anyCharacter, unknownText);
}

/** `cat`, and commands that print their input or a part of it. */
function passes({ words, state }: Pick<Call, 'words' | 'state'>): Texts | undefined {
  const operands = words.filter(({ text }) => !isOption(text));
  if (operands.length === 0) return state.input;
  const read = operands.map((operand) =>
    operand.text === '-' ? state.input : (operand.content ?? contentOf(knownText(operand), state)),
  );
  return read.reduce<Texts>((before, texts) => concatenated(before, texts ?? anything), nothing);
}

/** Commands that select or change lines by their arguments: the output may be of the input and the arguments. */
export const mixes: Rule = ({ words, state }) => {
  const operands = words.filter(({ text }) => !text.startsWith('-'));
  const given = operands.map(({ text }) => text).join(' ');
  const read =
    state.input ?? operands.flatMap((operand) => operand.content ?? contentOf(knownText(operand), state) ?? []);
  // Without a known input, it may still print its arguments.
  const mixed = (read.length === 0 ? [''] : read).map((text) => `${computedMark}${text.trimEnd()} ${given}`);
  return limited([...read, ...mixed]);
};

const tee: Rule = ({ words, state }) => {
  for (const word of words) {
    if (state.input === undefined || word.text.startsWith('-')) continue;
    if (word.feed) word.feed(state.input);
    else state.files.set(fileKey(knownText(word)), state.input);
  }
  return state.input;
};

/** The decoded input of a command, if it is known; else a mark that must not run. */
function decoded(call: Pick<Call, 'words' | 'state'>, decode: (text: string) => string): Texts {
  return (passes(call) ?? anything).map((text) => (withoutMarks(text) === text ? decode(text) : opaqueMark));
}

const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('utf8');

const base64: Rule = ({ words, state }) => {
  if (!words.some(({ text }) => /^-[a-zA-Z]*[dD]|^--decode$/.test(text))) {
    return passes({ words, state })?.map((text) =>
      withoutMarks(text) === text ? Buffer.from(text).toString('base64') : unknownText,
    );
  }
  return decoded({ words: words.filter(({ text }) => !/^\d+$/.test(text)), state }, fromBase64);
};

const xxd: Rule = (call) => {
  if (!call.words.some(({ text }) => /^-[a-z]*r/.test(text))) return undefined;
  return decoded(call, (text) => Buffer.from(text.replace(/^[0-9a-f]+:|\s+/gim, ''), 'hex').toString('utf8'));
};

const openssl: Rule = ({ words, state }) => {
  if (!/^(?:base64|enc)$/.test(words[0]?.text ?? '') || !words.some(({ text }) => text === '-d')) return undefined;
  return decoded({ words: [], state }, fromBase64);
};

const unpacks: Rule = () => [opaqueMark];

const rev: Rule = (call) =>
  decoded(call, (text) =>
    text
      .split('\n')
      .map((line) => Array.from(line).reverse().join(''))
      .join('\n'),
  );

const tr: Rule = ({ words, state }) => {
  const [from, to] = words.filter(({ text }) => !text.startsWith('-')).map((word) => characters(knownText(word)));
  const deletes = words.some(({ text }) => /^-[a-z]*d/.test(text));
  if (from === undefined || state.input === undefined) return undefined;
  return state.input.map((text) =>
    Array.from(text, (character) => {
      const at = from.lastIndexOf(character);
      if (at < 0) return character;
      return deletes ? '' : (to?.[Math.min(at, to.length - 1)] ?? character);
    }).join(''),
  );
};

/** The characters of a set as `tr` writes it, ranges and escapes resolved. */
function characters(set: string): string[] {
  return escaped(set)
    .replace(/\[:lower:\]/g, 'a-z')
    .replace(/\[:upper:\]/g, 'A-Z')
    .replace(/([^-])-([^-])/gs, (whole, from: string, to: string) => {
      const [start, end] = [from.charCodeAt(0), to.charCodeAt(0)];
      return end < start || end - start > 256
        ? whole
        : String.fromCharCode(...Array.from({ length: end - start + 1 }, (_, index) => start + index));
    })
    .split('');
}

/** `which git`, `realpath FILE`: the command or path in the arguments. */
export function lookedUp({ words }: Pick<Call, 'words'>): Texts | undefined {
  const operands = words.filter(({ text }) => !text.startsWith('-'));
  return operands.length === 0 ? undefined : [operands.map(({ text }) => `${text}\n`).join('')];
}

/** `sed`: simple replacements are computed. */
export function replacedBySed(words: readonly Argument[], state: ShellState): Texts | undefined {
  const script = words.map(knownText).find((text) => /^s(.).*\1.*\1/s.test(text));
  if (script === undefined || state.input === undefined) return undefined;
  const [, from = '', to = '', flags = ''] = script.split(script[1]!);
  if (!/^[\w\s./-]*$/.test(from) || from === '' || to.includes('\\') || to.includes('&')) return undefined;
  return state.input.map((text) =>
    text
      .split('\n')
      .map((line) => (flags.includes('g') ? line.replaceAll(from, to) : line.replace(from, () => to)))
      .join('\n'),
  );
}

/** Commands that neither run their arguments nor write to a remote, and whose output is followed. */
export const textGroups: readonly RuleGroup[] = [
  ['echo print', echo],
  ['printf', printf],
  ['tee', tee],
  ['base64 gbase64', base64],
  ['xxd', xxd],
  ['openssl', openssl],
  ['rev', rev],
  ['tr', tr],
  [
    'cat bat tac head tail uniq nl fold fmt pv iconv dos2unix unix2dos strings expand unexpand shuf column sponge',
    passes,
  ],
  ['grep egrep fgrep zgrep ag cut jq yq paste join comm envsubst m4', mixes],
  ['base32 basenc uudecode gunzip zcat bunzip2 bzcat xzcat unxz zstdcat gpg age', unpacks],
  ['which whereis basename realpath readlink type', lookedUp],
];
