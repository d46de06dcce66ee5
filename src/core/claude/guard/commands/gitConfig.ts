import { argument, knownText, type Argument } from '../shell/argument.ts';
import type { Call, Guard } from './rule.ts';
import type { ShellState } from '../shell/shellState.ts';

/** Keys whose value git runs as a command, by the last part of their name; compared in lower case. */
const commandKeys =
  /^(?:pager\..+|.*\.(?:editor|pager|sshcommand|askpass|fsmonitor|hookspath|gitproxy|helper|command|cmd|driver|program|textconv|clean|smudge|process|external|difffilter|browser|path|update|packobjectshook|tool|viewer|receivepack|uploadpack))$/;

/**
 * Checks a setting from `-c`, from `--config-env`, or from the environment.
 *
 * @param text `key=value`, or `key=VARIABLE` if a variable holds the value.
 */
export function checkConfiguration(text: string, holds: 'value' | 'variable', state: ShellState, guard: Guard): void {
  const equals = text.indexOf('=');
  if (equals < 0) return;
  const key = knownText(argument(text.slice(0, equals)));
  const value = text.slice(equals + 1);
  if (holds === 'value') checkSetting(key, value, state, guard);
  else for (const each of state.textsOf(knownText(argument(value)))) checkSetting(key, each, state, guard);
}

/** Checks the settings in `GIT_CONFIG_COUNT` and `GIT_CONFIG_PARAMETERS`. */
export function takeEnvironmentConfiguration(state: ShellState, guard: Guard): void {
  for (const name of [...state.variables.keys()]) {
    if (!name.startsWith('GIT_')) continue;
    const number = /^GIT_CONFIG_KEY_(\d+)$/.exec(name)?.[1];
    if (number !== undefined) {
      for (const key of state.textsOf(name))
        for (const value of state.textsOf(`GIT_CONFIG_VALUE_${number}`)) checkSetting(key, value, state, guard);
    } else if (name === 'GIT_CONFIG_PARAMETERS') {
      for (const text of state.textsOf(name)) {
        for (const [, first = '', value] of text.matchAll(/'([^']*)'(?:='([^']*)')?/g)) {
          checkConfiguration(value === undefined ? first : `${first}=${value}`, 'value', state, guard);
        }
      }
    }
  }
}

/** What the shell runs for the value of a git alias. */
export function aliasCode(value: string): string {
  return value.trimStart().startsWith('!') ? value.trimStart().slice(1) : `git ${value}`;
}

/** Checks one setting, if its value is an alias or a command. */
function checkSetting(key: string, value: string, state: ShellState, guard: Guard): void {
  const name = key.toLowerCase();
  if (name.startsWith('alias.')) {
    const verb = name.slice('alias.'.length).replace(/\.command$/, '');
    state.gitAliases.set(verb, value);
    guard.script(aliasCode(value), state, { positional: [], where: `in the setting ${key}` });
  } else if (commandKeys.test(name)) {
    guard.script(value.trimStart().replace(/^!/, ''), state, { positional: [], where: `in the setting ${key}` });
  }
}

/** `git config KEY VALUE`: code that is stored to run later is checked now. */
export function configCommand({ words, state }: Call, guard: Guard): void {
  const given: Argument[] = [];
  let reads = false;
  for (let at = 0; at < words.length; at++) {
    const text = knownText(words[at]!);
    if (/^(?:-f|--file|--blob|--type|--default|--comment|--value)$/.test(text)) at++;
    else if (/^--(?:get|unset|list|remove-section|rename-section)|^-l$/.test(text)) reads = true;
    else if (!text.startsWith('-')) given.push(words[at]!);
  }
  if (/^(?:set|get|list|unset|edit|rename-section|remove-section)$/.test(given[0]?.text ?? '')) {
    reads ||= given[0]?.text !== 'set';
    given.shift();
  }
  const [key, value] = given;
  if (!reads && key !== undefined && value !== undefined) checkSetting(knownText(key), value.text, state, guard);
}
