import { messageOf } from '../../base/problem.ts';
import { cannotDecide, noDecision, type Permission } from '../hookDecision.ts';
import type { HookInput } from '../hookInput.ts';
import { checkAlias } from './commands/gitRules.ts';
import { fromPowerShell } from './commands/windowsSyntax.ts';
import { denial } from './denial.ts';
import { aliasesOf, type AliasLookup } from './gitAliases.ts';
import { ScriptGuard } from './scriptGuard.ts';
import { defaultLimits, GuardBudget, type Limits } from './shell/budget.ts';
import { ShellState } from './shell/shellState.ts';
import { rootFault } from './worktreeRoot.ts';

/** A command that an agent wants to run. */
export interface BashInput {
  readonly command: string;
  /** Whether it is to run as a background task (`run_in_background`). */
  readonly background: boolean;
  /** The branch of the agent's worktree, for the reasons. */
  readonly branch: string;
  /** Where the command starts, an absolute path. */
  readonly cwd: string;
}

/** What a guard needs of the process that it runs in. */
export interface GuardEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** A clock in milliseconds, from any start, that stands still while this process does not run. */
  readonly milliseconds: () => number;
}

/** Aliases of aliases are followed up to this many lookups. */
const mostLookups = 256;

/**
 * Decides on a shell command: `deny` if it would reach a remote with git, write to GitHub, or poll in the foreground, in whatever
 * disguise; else `none`.
 *
 * @param milliseconds a clock, as {@link GuardEnvironment} has it. When the {@link Limits} are exceeded, the rest is searched for keywords.
 */
export async function decideBash(
  input: BashInput,
  milliseconds: () => number,
  gitAlias: AliasLookup,
  limits: Limits = defaultLimits,
): Promise<Permission> {
  const guard = new ScriptGuard(new GuardBudget(milliseconds, limits), input.background);
  guard.check(input.command, new ShellState(input.cwd));
  let lookedUp = 0;
  while (!guard.stopped && guard.unknownVerbs.length > 0) {
    const unknown = guard.unknownVerbs.shift()!;
    if (++lookedUp > mostLookups) return cannotDecide('its git aliases lead too far');
    const alias = await gitAlias(unknown.verb, unknown.directory);
    if (alias !== undefined) checkAlias(unknown, alias, new ShellState(unknown.directory), guard);
  }
  const { violation } = guard;
  return violation === undefined ? noDecision : denial(violation, input.branch);
}

/**
 * Decides on the tool call of a shell tool. Denies it whenever something is wrong.
 *
 * @param worktree the agent's worktree and its branch, as the guard was given them.
 */
export async function guardCommand(
  input: HookInput,
  worktree: { readonly path: string; readonly branch: string },
  environment: GuardEnvironment,
): Promise<Permission> {
  try {
    return await decide(input, worktree, environment);
  } catch (thrown) {
    return cannotDecide(messageOf(thrown));
  }
}

async function decide(
  { tool_name: name, tool_input: tool, cwd }: HookInput,
  { path: worktree, branch }: { readonly path: string; readonly branch: string },
  { variables, milliseconds }: GuardEnvironment,
): Promise<Permission> {
  const fault = rootFault(worktree);
  if (fault !== undefined) return cannotDecide(fault);
  if (branch === '') return cannotDecide('it was started without the branch');
  if (tool === undefined) return cannotDecide('its input is no tool call in JSON');
  // A monitor may watch a socket instead of running a command.
  if (name === 'Monitor' && tool['command'] === undefined && tool['ws'] !== undefined) return noDecision;
  const { command } = tool;
  if (typeof command !== 'string') return cannotDecide('the tool call has no command');
  const background = tool['run_in_background'] === true;
  const script = name === 'PowerShell' ? fromPowerShell(command) : command;
  return decideBash({ command: script, background, branch, cwd: cwd ?? worktree }, milliseconds, aliasesOf(variables));
}
