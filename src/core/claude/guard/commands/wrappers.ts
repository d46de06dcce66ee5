import { knownText, type Argument, type Texts } from '../shell/argument.ts';
import { assignCodeVariable } from '../shell/codeVariables.ts';
import type { Rule, RuleGroup } from './rule.ts';
import { lookedUp } from './textCommands.ts';
import { hasOption, parseOptions, valuesOf, type OptionShape } from './options.ts';

/**
 * A command that runs another one, given as its arguments. Options that are not listed count as flags. If one has a value after all,
 * the value counts as an unknown command, and the arguments of those are searched for known ones.
 */
interface Wrapper extends OptionShape {
  /** The number of operands before the command: a duration, a lock file, a user. */
  readonly skips?: number;
  /** With one of these options there are no such operands. */
  readonly skipsNoneWith?: readonly string[];
  /** `NAME=value` may come before the command. */
  readonly assigns?: boolean;
  /** Options whose value is a script. */
  readonly code?: readonly string[];
  /** The operands are no command; only the options count, wherever they are. */
  readonly codeOnly?: boolean;
  /** The operands are joined into one script, as in `ssh` and `watch`. */
  readonly joins?: boolean;
  /** With one of these options nothing runs. */
  readonly unless?: readonly string[];
}

const su = {
  short: 'cgGsw',
  long: ['command', 'shell', 'session-command'],
  skips: 1,
  code: ['c', 'command', 'session-command'],
} satisfies Wrapper;

const wrappers: readonly (readonly [names: string, wrapper: Wrapper])[] = [
  [
    'builtin nocorrect noglob - nohup setsid setarch linux32 linux64 chronic unbuffer fakeroot eatmydata dbus-run-session',
    {},
  ],
  [
    'torsocks tsocks proxychains proxychains4 ssh-agent rtk caffeinate arch busybox toybox rlwrap bunx pnpx firejail winpty wsl',
    {},
  ],
  ['pkexec unshare setpriv systemd-inhibit strace ltrace valgrind doppler', {}],
  ['command', { unless: ['v', 'V'] }],
  ['exec', { short: 'a' }],
  ['env', { short: 'uCS', long: ['unset', 'chdir', 'split-string'], assigns: true, code: ['S', 'split-string'] }],
  ['cross-env', { assigns: true }],
  ['cross-env-shell', { assigns: true, joins: true }],
  ['nice', { short: 'n', long: ['adjustment'] }],
  ['ionice', { short: 'cn', long: ['class', 'classdata'] }],
  ['stdbuf', { short: 'ioe', long: ['input', 'output', 'error'] }],
  ['timeout gtimeout', { short: 'ks', long: ['kill-after', 'signal'], skips: 1 }],
  ['time gtime', { short: 'fo', long: ['format', 'output'] }],
  ['sudo', { short: 'ugpChrtTUDR', long: ['user', 'group', 'prompt', 'chdir', 'host', 'chroot'], assigns: true }],
  ['doas', { short: 'uC', assigns: true }],
  ['su', su],
  ['runuser', { ...su, short: 'cgGsuw', long: [...su.long, 'user'], skipsNoneWith: ['u', 'user'] }],
  ['sg', { short: 'c', skips: 1, code: ['c'], joins: true }],
  ['setuidgid envdir faketime chroot chrt taskset repeat perf', { skips: 1 }],
  ['emulate', { short: 'c', skips: 1, code: ['c'] }],
  ['flock', { short: 'wEc', long: ['timeout', 'wait', 'command'], skips: 1, code: ['c', 'command'] }],
  ['script', { short: 'cEIoOTB', long: ['command', 'log-io', 'log-out'], skips: 1, code: ['c', 'command'] }],
  ['xvfb-run', { short: 'enfpsw', long: ['server-num', 'server-args'] }],
  ['sshpass', { short: 'pfdP' }],
  ['watch', { short: 'n', long: ['interval'], joins: true }],
  ['ssh autossh mosh', { short: 'BbcDEeFIiJLlmOopQRSWw', skips: 1, joins: true }],
  ['nix-shell', { long: ['run', 'command'], code: ['run', 'command'], codeOnly: true }],
  ['npx', { short: 'pcw', long: ['package', 'call', 'workspace'], code: ['c', 'call'] }],
];

const wrapped =
  (wrapper: Wrapper): Rule =>
  ({ name, words, state, suspected }, guard) => {
    const runs = (code: Argument, positional: readonly Argument[]): void => {
      // `env -S` has an escape of its own for a blank.
      const given = name === 'env' ? code.text.replaceAll('\\_', ' ') : code.text;
      const text = positional.length === 0 ? given : `${given} "$@"`;
      guard.script(text, state, { positional, where: `in ${name}` });
    };
    const codeOptions = wrapper.code ?? [];
    const read = parseOptions(words, wrapper, wrapper.codeOnly ?? false);
    if (hasOption(read, ...(wrapper.unless ?? []))) return lookedUp({ words });
    // A lone dash is the old spelling of `env -i` or `su -l`.
    let rest = read.operands[0]?.text === '-' ? read.operands.slice(1) : read.operands;
    const codes = valuesOf(read, ...codeOptions);
    for (const code of codes) runs(code, name === 'env' ? rest : []);
    if (codes.length > 0 || wrapper.codeOnly) return undefined;
    if (!hasOption(read, ...(wrapper.skipsNoneWith ?? []))) rest = rest.slice(wrapper.skips ?? 0);
    // Some take the option after the skipped operands: `su USER -c CODE`, `flock FILE -c CODE`.
    const later = parseOptions(rest, wrapper, false);
    const laterCodes = wrapper.skips ? valuesOf(later, ...codeOptions) : [];
    for (const code of laterCodes) runs(code, []);
    if (laterCodes.length > 0) return undefined;
    if (later.operands.length < rest.length && wrapper.skips) rest = later.operands;
    if (wrapper.assigns)
      rest = afterAssignments(rest, (variable, value) => assignCodeVariable(variable, value, state, guard));
    if (!wrapper.joins) return rest.length === 0 ? undefined : guard.command(rest, state, suspected);
    for (const { text } of valuesOf(read, 'o')) {
      const code = /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)[\s=]+(.*)$/is.exec(text)?.[1];
      if (code !== undefined) guard.script(code, state, { positional: [], where: `in ${name}` });
    }
    // Without a command, the shell on the other side reads its input.
    if (rest.length === 0)
      for (const text of state.input ?? []) guard.script(text, state, { where: `on the input of ${name}` });
    guard.script(rest.map(({ text }) => text).join(' '), state, { where: `in ${name}` });
    guard.commandsAmong(rest, state);
    return undefined;
  };

/** All wrappers. */
export const wrapperGroups: readonly RuleGroup[] = wrappers.map(([names, wrapper]) => [names, wrapped(wrapper)]);

/** The words after the leading `NAME=value` ones, each of which is passed to `assign`. */
function afterAssignments(
  words: readonly Argument[],
  assign: (name: string, value: Texts) => void,
): readonly Argument[] {
  const assignment = /^([A-Za-z_]\w*(?:%%|\(\))?)=(.*)$/s;
  const end = words.findIndex((word) => !assignment.test(knownText(word)));
  const count = end < 0 ? words.length : end;
  for (const word of words.slice(0, count)) {
    const match = assignment.exec(knownText(word));
    if (match !== null) assign(match[1]!, [match[2]!]);
  }
  return words.slice(count);
}
