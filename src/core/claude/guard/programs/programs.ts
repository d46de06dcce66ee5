import { builtinGroups } from './builtins.ts';
import { carrierGroups } from './carriers.ts';
import { dashedGit, git } from './gitRules.ts';
import { github } from './githubRules.ts';
import { clientGroups } from './httpRules.ts';
import { interpreterGroups } from './interpreters.ts';
import type { Handler } from '../judge.ts';
import { isAmong, type Group } from './names.ts';
import { shellGroups, shellNames } from './shells.ts';
import { textGroups } from './textPrograms.ts';
import { wrapperGroups } from './wrappers.ts';
import { worktreeTool } from './wtRules.ts';

const groups: readonly Group[] = [
  ['git hub', git],
  ['gh', github],
  ['wt wt.js', worktreeTool],
  ...textGroups,
  ...builtinGroups,
  ...shellGroups,
  ...wrapperGroups,
  ...carrierGroups,
  ...interpreterGroups,
  ...clientGroups,
];

/** Who judges a program of this name, if anybody. */
export function handlerOf(name: string): Handler | undefined {
  return groups.find(([names]) => isAmong(names, name))?.[1] ?? (name.startsWith('git-') ? dashedGit : undefined);
}

/** Whether the name is looked for among the arguments of programs that may run them. */
export function isSought(name: string): boolean {
  return isAmong('git hub gh wt wt.js pwsh powershell', name) || isAmong(shellNames, name) || name.startsWith('git-');
}
