import { argument, someArguments, unknownText, knownText, type Argument, type Texts } from '../shell/argument.ts';
import { escaped } from '../shell/escapes.ts';
import type { Call, Guard, Rule, RuleGroup } from './rule.ts';
import { hasOption, parseOptions, valuesOf, type ParsedOptions } from './options.ts';
import { mixes } from './textCommands.ts';

const xargsShape = {
  short: 'adEILnPs',
  long: ['arg-file', 'delimiter', 'max-args', 'max-procs', 'max-lines', 'replace'],
};

/** `xargs [OPTIONS] COMMAND [WORDS]`: the input becomes arguments. */
const xargs: Rule = ({ words, state }, guard) => {
  const read = parseOptions(words, xargsShape, false);
  if (read.operands.length === 0) return state.input;
  const { input } = state;
  const texts = hasOption(read, 'a', 'arg-file') ? undefined : input;
  state.input = undefined;
  for (const call of xargsCalls(read, texts).slice(0, mostCalls)) guard.command(call, state);
  state.input = input;
  return undefined;
};

/** The commands that `xargs` makes of its input; of an unknown one, a single command with unknown arguments. */
function xargsCalls(read: ParsedOptions, texts: Texts | undefined): Argument[][] {
  const { operands } = read;
  const [mark] = [...valuesOf(read, 'I', 'replace').map(knownText), ...(hasOption(read, 'i', 'replace') ? ['{}'] : [])];
  const filled = (item: string): Argument[] =>
    operands.map((word) => ({ ...word, text: word.text.replaceAll(mark!, item) }));
  if (mark !== undefined && mark !== '') {
    const lines = texts?.flatMap((text) => text.split(/[\n\0]/).filter((line) => line.trim() !== ''));
    return (lines ?? [unknownText]).map((line) => filled(line.trim()));
  }
  if (texts === undefined) return [[...operands, someArguments]];
  const [most] = valuesOf(read, 'n', 'max-args', 'L', 'max-lines').map((value) => Number(knownText(value)));
  return texts.flatMap((text) => inGroups(itemsOf(text, read), most).map((items) => [...operands, ...items]));
}

function itemsOf(text: string, read: ParsedOptions): Argument[] {
  if (text.includes(unknownText))
    return [
      ...text
        .replaceAll(unknownText, ' ')
        .split(/\s+/)
        .filter((item) => item !== '')
        .map(argument),
      someArguments,
    ];
  if (hasOption(read, '0', 'null')) return [argument(text)];
  const [delimiter] = valuesOf(read, 'd', 'delimiter').map((value) => escaped(knownText(value)));
  if (delimiter !== undefined && delimiter !== '') return text.split(delimiter).map((item) => argument(item.trimEnd()));
  // Blanks separate words, except between quotes and after a backslash.
  return [...text.matchAll(/(?:"[^"\n]*"|'[^'\n]*'|\\.|[^\s"'\\])+/gs)].map(([item]) =>
    argument(item.replace(/"([^"]*)"|'([^']*)'|\\(.)/gs, (_, ...parts: string[]) => parts.slice(0, 3).join(''))),
  );
}

function inGroups(items: Argument[], most: number | undefined): Argument[][] {
  if (most === undefined || !(most > 0) || items.length <= most) return [items];
  return Array.from({ length: Math.ceil(items.length / most) }, (_, index) =>
    items.slice(index * most, (index + 1) * most),
  );
}

/** `find … -exec COMMAND … ;` and `fd … -x COMMAND …`. */
const find: Rule = ({ words, state }, guard) => {
  words.forEach(({ text }, index) => {
    if (!/^-(?:exec|execdir|ok|okdir|x|X)$|^--exec(?:-batch)?$/.test(text)) return;
    const rest = words.slice(index + 1);
    const end = rest.findIndex((word) => word.text === ';' || word.text === '+');
    const program = (end < 0 ? rest : rest.slice(0, end)).map((word) => ({
      ...word,
      text: word.text.replaceAll('{}', unknownText),
    }));
    guard.command(program, state);
  });
  return undefined;
};

/** GNU parallel: a command, `:::`, and the arguments to run it with; without a command each argument is one. */
const parallel: Rule = ({ words, state }, guard) => {
  const read = parseOptions(
    words,
    { short: 'jInLNdaP', long: ['jobs', 'delimiter', 'arg-file', 'joblog', 'colsep'] },
    false,
  );
  const end = read.operands.findIndex(({ text }) => /^:::/.test(text));
  const operands = end < 0 ? read.operands : read.operands.slice(0, end);
  const given = end < 0 ? [] : read.operands.slice(end).filter(({ text }) => !/^:::/.test(text));
  const inputs =
    given.length > 0 ? given.map(({ text }) => text) : (state.input?.flatMap((text) => text.split('\n')) ?? []);
  const code = operands.map(({ text }) => text).join(' ');
  for (const input of ['', ...inputs.slice(0, 64)]) {
    const whole = code.includes('{') ? code.replace(/\{[^{}\s]*\}/g, input) : `${code} ${input}`;
    guard.script(whole.trim(), state, { where: 'in parallel' });
  }
  return undefined;
};

/** One input gives at most this many commands. */
const mostCalls = 256;

/** A command that may run any of its arguments in a shell, or all of them as a command. */
const runsAnyArgument: Rule = (call, guard) => {
  eachAsScript(call, guard);
  guard.commandsAmong(call.words, call.state);
  return undefined;
};

function eachAsScript({ name, words, state }: Call, guard: Guard): void {
  for (const { text } of words) {
    const code = /^--?[\w-]+=(.*)$/s.exec(text)?.[1] ?? text;
    if (/\s/.test(code)) guard.script(code, state, { positional: [], where: `for ${name}` });
  }
}

/** Commands that run the value of one of their options; everything else is data. */
const codeOptions: readonly (readonly [names: string, options: RegExp])[] = [
  ['rg', /^--(?:pre|hostname-bin)$/],
  [
    'tar bsdtar gtar',
    /^(?:-[a-zA-Z]*[IF]|--(?:use-compress-program|to-command|checkpoint-action|info-script|rsh-command|new-volume-script))$/,
  ],
  ['rsync', /^(?:-[a-zA-Z]*e|--rsh|--rsync-path)$/],
  ['scp sftp', /^-[So]$/],
  ['sort gsort', /^--compress-program$/],
  ['zip', /^(?:-TT|--unzip-command)$/],
];

/** Checks the value of such an option: `--option=CODE` or the next word. */
const runsOption =
  (options: RegExp): Rule =>
  (call, guard) => {
    call.words.forEach(({ text }, index) => {
      const [, option = text, attached] = /^(--[\w-]+)=(.*)$/s.exec(text) ?? [];
      const code = options.test(option) ? (attached ?? call.words[index + 1]?.text) : undefined;
      // `--checkpoint-action=exec=CODE`, `-o ProxyCommand=CODE`
      if (code !== undefined)
        guard.script(code.replace(/^(?:exec|ProxyCommand|LocalCommand)=/i, ''), call.state, {
          positional: [],
          where: `for ${call.name}`,
        });
    });
    return mixes(call, guard);
  };

/** `at`, `batch`, `crontab -`: they run their input later. */
const later: Rule = ({ name, state }, guard) => {
  for (const text of state.input ?? []) {
    for (const line of text.split('\n')) {
      // The first five fields of a crontab line say when.
      const code = name === 'crontab' ? line.replace(/^\s*(?:@\w+|(?:\S+\s+){4}\S+)\s+/, '') : line;
      guard.script(code, state, { where: `in what ${name} will run` });
    }
  }
  return undefined;
};

const anyArgumentPrograms =
  'tmux screen zellij hyperfine concurrently nodemon chokidar entr watchexec expect xterm gnome-terminal konsole alacritty kitty wezterm foot fzf';

/** Commands that run their arguments or input in other ways than {@link wrapperGroups}. */
export const runnerGroups: readonly RuleGroup[] = [
  ['xargs gxargs', xargs],
  ['find gfind fd fdfind', find],
  ['parallel', parallel],
  ['at batch crontab', later],
  ...codeOptions.map(([names, options]): RuleGroup => [names, runsOption(options)]),
  [anyArgumentPrograms, runsAnyArgument],
];
