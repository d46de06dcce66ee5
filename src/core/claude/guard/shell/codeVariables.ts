import type { Texts } from './argument.ts';
import type { Evaluator } from './evaluator.ts';
import type { ShellState, Value } from './shellState.ts';

/** Variables whose value is run as a command: git's, the shell's, and those of pagers and editors. */
const commandVariables =
  /^(?:GIT_(?:EDITOR|SEQUENCE_EDITOR|PAGER|SSH|SSH_COMMAND|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND|MERGETOOL|DIFFTOOL\w*)|GH_(?:EDITOR|PAGER|BROWSER)|GLAMOUR_STYLE|EDITOR|VISUAL|FCEDIT|PAGER|MANPAGER|BROWSER|SSH_ASKPASS|SUDO_ASKPASS|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|RSYNC_RSH|CVS_RSH|MAKEFLAGS_SHELL)$/;
/** Variables whose value the shell expands, substitutions included. */
const promptVariables = /^PS[0-4]$/;

/** Sets a variable, and checks its value if something would run it. */
export function assignCodeVariable(
  name: string,
  values: readonly Value[],
  state: ShellState,
  evaluator: Evaluator,
): void {
  state.assign(name, values);
  if (commandVariables.test(name)) {
    for (const text of textsAmong(values)) evaluator.script(text, state, { positional: [], where: `in ${name}` });
  } else if (name.startsWith('BASH_FUNC_')) {
    // Bash imports such a function from its environment.
    for (const text of textsAmong(values)) evaluator.script(`function_from_environment ${text}`, state);
  } else if (promptVariables.test(name)) {
    for (const text of textsAmong(values)) evaluator.expansion(text, state);
  }
}

function textsAmong(values: readonly Value[]): Texts {
  return values.filter((value) => typeof value === 'string');
}
