import { argument, knownText, type Argument } from '../shell/argument.ts';
import type { Call, Judge } from '../judge.ts';
import type { Scope } from '../shell/scope.ts';

/** Keys whose value git runs as a command, by the last part of their name; compared in lower case. */
const commandKeys = (): RegExp =>
  /^(?:pager\..+|.*\.(?:editor|pager|sshcommand|askpass|fsmonitor|hookspath|gitproxy|helper|command|cmd|driver|program|textconv|clean|smudge|process|external|difffilter|browser|path|update|packobjectshook|tool|viewer|receivepack|uploadpack))$/;

/**
 * Judges a setting that is given with `-c` or `--config-env`, or through the environment.
 *
 * @param text `key=value`, or `key=VARIABLE` where the value is to be taken from a variable.
 */
export function judgeConfiguration(text: string, holds: 'value' | 'variable', scope: Scope, judge: Judge): void {
  const equals = text.indexOf('=');
  if (equals < 0) return;
  const key = knownText(argument(text.slice(0, equals)));
  const value = text.slice(equals + 1);
  if (holds === 'value') judgeSetting(key, value, scope, judge);
  else for (const each of scope.textsOf(knownText(argument(value)))) judgeSetting(key, each, scope, judge);
}

/** Settings that `GIT_CONFIG_COUNT` and `GIT_CONFIG_PARAMETERS` bring along. */
export function takeEnvironmentConfiguration(scope: Scope, judge: Judge): void {
  for (const name of [...scope.variables.keys()]) {
    if (!name.startsWith('GIT_')) continue;
    const number = /^GIT_CONFIG_KEY_(\d+)$/.exec(name)?.[1];
    if (number !== undefined) {
      for (const key of scope.textsOf(name))
        for (const value of scope.textsOf(`GIT_CONFIG_VALUE_${number}`)) judgeSetting(key, value, scope, judge);
    } else if (name === 'GIT_CONFIG_PARAMETERS') {
      for (const text of scope.textsOf(name)) {
        for (const [, first = '', value] of text.matchAll(/'([^']*)'(?:='([^']*)')?/g)) {
          judgeConfiguration(value === undefined ? first : `${first}=${value}`, 'value', scope, judge);
        }
      }
    }
  }
}

/** Judges one setting: an alias by what it stands for, a command by what it runs. */
function judgeSetting(key: string, value: string, scope: Scope, judge: Judge): void {
  const name = key.toLowerCase();
  if (name.startsWith('alias.')) {
    const verb = name.slice('alias.'.length).replace(/\.command$/, '');
    scope.gitAliases.set(verb, value);
    const code = value.trimStart().startsWith('!') ? value.trimStart().slice(1) : `git ${value}`;
    judge.script(code, scope, { positional: [], where: `in the setting ${key}` });
  } else if (commandKeys().test(name)) {
    judge.script(value.trimStart().replace(/^!/, ''), scope, { positional: [], where: `in the setting ${key}` });
  }
}

/** `git config KEY VALUE`: what is stored to be run later is judged now. */
export function configCommand({ words, scope }: Call, judge: Judge): void {
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
  if (!reads && key !== undefined && value !== undefined) judgeSetting(knownText(key), value.text, scope, judge);
}
