import { globbed, isUnknown, knownText, type Argument, type Texts } from '../shell/argument.ts';
import { judgeConfiguration, takeEnvironmentConfiguration } from './gitConfig.ts';
import { gitCodeVerbs } from './gitCode.ts';
import { isGitCommand, remoteVerbs, subcommandsOf } from './gitVerbs.ts';
import type { Call, Handler, Judge } from '../judge.ts';

/** Options of git itself whose value is the next word. */
const withValue = [
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--super-prefix',
  '--attr-source',
  '--config-env',
  '--shallow-file',
];
/** With one of these git prints something and ends. */
const printing = ['--help', '-h', '--version', '-v', '--html-path', '--man-path', '--info-path', '--exec-path'];

/** hub's own commands that write to GitHub; everything else of it is git. */
const hubWrites = ['pull-request', 'fork', 'create', 'delete', 'release', 'issue', 'sync', 'merge', 'gist', 'api'];

interface Globals {
  /** Where the command's name stands; -1 where there is none. */
  readonly at: number;
  /** Whether unknown words stand before it: then any of them may be the command. */
  readonly unsure: boolean;
  readonly directory: string;
}

/** `git [OPTIONS] COMMAND …`. */
export const git: Handler = (call, judge) => {
  takeEnvironmentConfiguration(call.scope, judge);
  const { at, unsure, directory } = readGlobals(call, judge);
  const verb = call.words[at];
  if (verb === undefined || isUnknown(verb)) {
    if (unsure || verb !== undefined) unknownVerb(call, judge);
    return undefined;
  }
  const known = knownText(verb);
  const name = (globbed(known, [...remoteVerbs.keys(), 'remote', 'lfs']) ?? known).toLowerCase();
  const rest = call.words.slice(at + 1);
  judgeVerb(name, rest, { ...call, directory }, judge);
  if (unsure && !isGitCommand(name)) unknownVerb(call, judge);
  return undefined;
};

/** `git-push …`, the programs of git's own folder. */
export const dashedGit: Handler = (call, judge) =>
  git({ ...call, name: 'git', words: [{ text: call.name.slice(4), mayVanish: false }, ...call.words] }, judge);

function readGlobals({ words, scope }: Call, judge: Judge): Globals {
  let unsure = false;
  let { directory } = scope;
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at]!;
    const text = knownText(word);
    if (text === '' && word.mayVanish) unsure = true;
    else if (printing.includes(text)) return { at: -1, unsure: false, directory };
    else if (!text.startsWith('-')) break;
    else if (text.startsWith('--config-env='))
      judgeConfiguration(text.slice('--config-env='.length), 'variable', scope, judge);
    else if (withValue.includes(text)) {
      const value = words[++at];
      if (value === undefined) break;
      if (text === '-C') directory = inside(directory, knownText(value));
      if (text === '-c') judgeConfiguration(value.text, 'value', scope, judge);
      if (text === '--config-env') judgeConfiguration(value.text, 'variable', scope, judge);
    }
  }
  return { at: at < words.length ? at : -1, unsure, directory };
}

function inside(directory: string, path: string): string {
  return path === '' ? directory : /^(?:[/\\]|[A-Za-z]:)/.test(path) ? path : `${directory}/${path}`;
}

function unknownVerb({ name, scope, suspected, words }: Call, judge: Judge): void {
  // A function that is only defined says nothing about its arguments; where it is called they are known.
  if (suspected || scope.positional === undefined) return;
  judge.deny({ offence: 'unknown-verb', words: [name, ...words.slice(0, 2).map(({ text }) => text)] });
}

function judgeVerb(verb: string, words: readonly Argument[], call: Call & { directory: string }, judge: Judge): void {
  const { name, scope, suspected } = call;
  const first = knownText(words[0] ?? { text: '', mayVanish: false });
  // Directly behind the command this is help; further back it may be the value of an option.
  if (first === '--help' || first === '-h') return;
  const offence = remoteVerbs.get(verb);
  if (offence !== undefined) return judge.deny({ offence, words: [name, verb] });
  if (name === 'hub' && hubWrites.includes(verb)) return judge.deny({ offence: 'github', words: [name, verb] });
  const subcommands = subcommandsOf(verb);
  if (subcommands !== undefined) {
    const operands = words.map(knownText).filter((text) => text !== '' && !text.startsWith('-'));
    // Options of `git subtree` come first, and have values.
    const second = (verb === 'subtree' ? operands.find((text) => subcommands.has(text)) : operands[0]) ?? '';
    const found = subcommands.get(second);
    if (found !== undefined) return judge.deny({ offence: found, words: [name, verb, second] });
  }
  gitCodeVerbs.get(verb)?.({ ...call, words }, judge);
  if (isGitCommand(verb)) return;
  const alias = scope.gitAliases.get(verb);
  if (alias !== undefined) judgeAlias(verb, alias, words, call, judge);
  else if (!suspected) judge.lookUp({ verb, words, directory: call.directory });
}

/** Judges what an alias of git stands for, with the arguments that it was given. */
export function judgeAlias(
  verb: string,
  alias: string,
  words: readonly Argument[],
  { scope }: Pick<Call, 'scope'>,
  judge: Judge,
): Texts {
  const code = alias.trimStart().startsWith('!') ? alias.trimStart().slice(1) : `git ${alias}`;
  return judge.script(`${code} "$@"`, scope, { positional: words, where: `in the git alias ${verb}` });
}
