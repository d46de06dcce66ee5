import { builtinHandlers } from './builtins.ts';
import { carrierHandlers } from './carriers.ts';
import { dashedGit, git } from './gitRules.ts';
import { github } from './githubRules.ts';
import { clientHandlers } from './httpRules.ts';
import { interpreterHandlers } from './interpreters.ts';
import type { Handler } from '../judge.ts';
import { alias, evaluate, powershell, shell, shellNames, source, trap } from './shells.ts';
import { textHandlers } from './textPrograms.ts';
import { wrapperHandlers } from './wrappers.ts';
import { worktreeTool } from './wtRules.ts';

const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...textHandlers,
  ...wrapperHandlers,
  ...carrierHandlers,
  ...interpreterHandlers,
  ...clientHandlers,
  ...builtinHandlers,
  ...shellNames.map((name) => [name, shell] as const),
  ['git', git],
  ['hub', git],
  ['gh', github],
  ['wt', worktreeTool],
  ['wt.js', worktreeTool],
  ['pwsh', powershell],
  ['powershell', powershell],
  ['eval', evaluate],
  ['source', source],
  ['.', source],
  ['trap', trap],
  ['alias', alias],
]);

/** Programs that count wherever they stand among the arguments of a program that is not known. */
const sought: ReadonlySet<string> = new Set([...shellNames, 'pwsh', 'powershell', 'git', 'hub', 'gh', 'wt', 'wt.js']);

/** Who judges a program of this name, if anybody. */
export function handlerOf(name: string): Handler | undefined {
  return handlers.get(name) ?? (name.startsWith('git-') ? dashedGit : undefined);
}

/** Whether the name is looked for among the arguments of programs that may run them. */
export function isSought(name: string): boolean {
  return sought.has(name) || name.startsWith('git-');
}
