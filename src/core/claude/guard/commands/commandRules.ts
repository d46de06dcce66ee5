import { builtinGroups } from './builtins.ts';
import { dashedGit, git } from './gitRules.ts';
import { github } from './githubRules.ts';
import { clientGroups } from './httpRules.ts';
import { interpreterGroups } from './interpreters.ts';
import type { Rule, RuleGroup } from './rule.ts';
import { runnerGroups } from './runners.ts';
import { shellGroups, shellNames } from './shells.ts';
import { textGroups } from './textCommands.ts';
import { windowsGroups } from './windowsShells.ts';
import { wrapperGroups } from './wrappers.ts';
import { worktreeTool } from './wtRules.ts';

const groups: readonly RuleGroup[] = [
  ['git hub', git],
  ['gh', github],
  ['wt wt.js', worktreeTool],
  ...textGroups,
  ...builtinGroups,
  ...shellGroups,
  ...wrapperGroups,
  ...windowsGroups,
  ...runnerGroups,
  ...interpreterGroups,
  ...clientGroups,
];
const sought = `git hub gh wt wt.js cmd pwsh powershell ${shellNames}`;

/** The rule for a command of this name, if there is one. */
export function ruleFor(name: string): Rule | undefined {
  // A guard looks up a handful of names in its life: building a map of all of them takes longer.
  const group = groups.find(([names]) => names.split(' ').includes(name));
  return group?.[1] ?? (name.startsWith('git-') ? dashedGit : undefined);
}

/** Whether a command of this name is searched for among the arguments of commands that may run them. */
export function isSought(name: string): boolean {
  return sought.split(' ').includes(name) || name.startsWith('git-');
}
