import type { Texts } from '../shell/argument.ts';
import type { Judge } from '../judge.ts';
import type { Scope, Value } from '../shell/scope.ts';

/** Variables whose value some program runs as a command: git's, the shell's, and those of pagers and editors. */
const commandVariables = (): RegExp =>
  /^(?:GIT_(?:EDITOR|SEQUENCE_EDITOR|PAGER|SSH|SSH_COMMAND|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND|MERGETOOL|DIFFTOOL\w*)|GH_(?:EDITOR|PAGER|BROWSER)|GLAMOUR_STYLE|EDITOR|VISUAL|FCEDIT|PAGER|MANPAGER|BROWSER|SSH_ASKPASS|SUDO_ASKPASS|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|RSYNC_RSH|CVS_RSH|MAKEFLAGS_SHELL)$/;
/** Variables whose value the shell expands, substitutions included. */
const promptVariables = (): RegExp => /^PS[0-4]$/;

/** Sets a variable, and judges its value where some program would run it. */
export function assignCodeVariable(name: string, values: readonly Value[], scope: Scope, judge: Judge): void {
  scope.assign(name, values);
  if (commandVariables().test(name)) {
    for (const text of textsAmong(values)) judge.script(text, scope, { positional: [], where: `in ${name}` });
  } else if (name.startsWith('BASH_FUNC_')) {
    // A function that bash takes over from its environment.
    for (const text of textsAmong(values)) judge.script(`function_from_environment ${text}`, scope);
  } else if (promptVariables().test(name)) {
    for (const text of textsAmong(values)) judge.expansion(text, scope);
  }
}

function textsAmong(values: readonly Value[]): Texts {
  return values.filter((value) => typeof value === 'string');
}
