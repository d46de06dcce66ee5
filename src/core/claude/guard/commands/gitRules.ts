import { argument, globbed, isUnknown, knownText, type Argument } from '../shell/argument.ts';
import type { ShellState } from '../shell/shellState.ts';
import { aliasCode, checkConfiguration, takeEnvironmentConfiguration } from './gitConfig.ts';
import { gitCodeVerbs } from './gitCode.ts';
import { isGitCommand, remoteVerbs, subcommandsOf } from './gitVerbs.ts';
import type { Call, Rule, Guard, UnknownVerb } from './rule.ts';

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
/** With one of these git prints something and exits. */
const printing = ['--help', '-h', '--version', '-v', '--html-path', '--man-path', '--info-path', '--exec-path'];

/** hub's own commands that write to GitHub; everything else of it is git. */
const hubWrites = ['pull-request', 'fork', 'create', 'delete', 'release', 'issue', 'sync', 'merge', 'gist', 'api'];

interface Globals {
  /** The position of the command's name; -1 if there is none. */
  readonly at: number;
  /** Whether there are unknown words before it, any of which may be the command. */
  readonly unsure: boolean;
  readonly directory: string;
}

/** `git [OPTIONS] COMMAND …`. */
export const git: Rule = (call, guard) => {
  takeEnvironmentConfiguration(call.state, guard);
  const { at, unsure, directory } = readGlobals(call, guard);
  const verb = call.words[at];
  if (verb === undefined || isUnknown(verb)) {
    if (unsure || verb !== undefined) unknownVerb(call, guard);
    return undefined;
  }
  const known = knownText(verb);
  const name = (globbed(known, [...remoteVerbs.keys(), 'remote', 'lfs']) ?? known).toLowerCase();
  const rest = call.words.slice(at + 1);
  checkVerb(name, rest, { ...call, directory }, guard);
  if (unsure && !isGitCommand(name)) unknownVerb(call, guard);
  return undefined;
};

/** `git-push …`: the executables in git's own folder. */
export const dashedGit: Rule = (call, guard) =>
  git({ ...call, name: 'git', words: [argument(call.name.slice(4)), ...call.words] }, guard);

function readGlobals({ words, state }: Call, guard: Guard): Globals {
  let unsure = false;
  let { directory } = state;
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at]!;
    const text = knownText(word);
    if (text === '' && word.mayVanish) unsure = true;
    else if (printing.includes(text)) return { at: -1, unsure: false, directory };
    else if (!text.startsWith('-')) break;
    else if (text.startsWith('--config-env='))
      checkConfiguration(text.slice('--config-env='.length), 'variable', state, guard);
    else if (withValue.includes(text)) {
      const value = words[++at];
      if (value === undefined) break;
      if (text === '-C') directory = inside(directory, knownText(value));
      if (text === '-c') checkConfiguration(value.text, 'value', state, guard);
      if (text === '--config-env') checkConfiguration(value.text, 'variable', state, guard);
    }
  }
  return { at: at < words.length ? at : -1, unsure, directory };
}

function inside(directory: string, path: string): string {
  return path === '' ? directory : /^(?:[/\\]|[A-Za-z]:)/.test(path) ? path : `${directory}/${path}`;
}

function unknownVerb({ name, state, suspected, words }: Call, guard: Guard): void {
  // The arguments of a function are only known where it is called.
  if (suspected || state.positional === undefined) return;
  guard.deny({ kind: 'unknown-verb', words: [name, ...words.slice(0, 2).map(({ text }) => text)] });
}

function checkVerb(verb: string, words: readonly Argument[], call: Call & { directory: string }, guard: Guard): void {
  const { name, state, suspected } = call;
  const first = knownText(words[0] ?? argument(''));
  // Directly after the command this asks for help; further back it may be the value of an option.
  if (first === '--help' || first === '-h') return;
  const kind = remoteVerbs.get(verb);
  if (kind !== undefined) return guard.deny({ kind, words: [name, verb] });
  if (name === 'hub' && hubWrites.includes(verb)) return guard.deny({ kind: 'github', words: [name, verb] });
  const subcommands = subcommandsOf(verb);
  if (subcommands !== undefined) {
    const operands = words.map(knownText).filter((text) => text !== '' && !text.startsWith('-'));
    // Options of `git subtree` come first, and have values.
    const second = (verb === 'subtree' ? operands.find((text) => subcommands.has(text)) : operands[0]) ?? '';
    const found = subcommands.get(second);
    if (found !== undefined) return guard.deny({ kind: found, words: [name, verb, second] });
  }
  gitCodeVerbs.get(verb)?.({ ...call, words }, guard);
  if (isGitCommand(verb)) return;
  const alias = state.gitAliases.get(verb);
  if (alias !== undefined) checkAlias({ verb, words }, alias, state, guard);
  else if (!suspected) guard.lookUp({ verb, words, directory: call.directory });
}

/** Checks the expansion of a git alias, with the arguments of the call. */
export function checkAlias(
  { verb, words }: Pick<UnknownVerb, 'verb' | 'words'>,
  alias: string,
  state: ShellState,
  guard: Guard,
): void {
  guard.script(`${aliasCode(alias)} "$@"`, state, { positional: words, where: `in the git alias ${verb}` });
}
