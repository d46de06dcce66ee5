import { messageOf } from '../../base/problem.ts';
import { parseHookInput } from '../hookInput.ts';
import { Budget, defaultLimits, type Limits } from './shell/budget.ts';
import { noDecision, denial, type Decision } from './decision.ts';
import { aliasesOf, type AliasLookup } from './gitAliases.ts';
import { answer, cannotDecide, type HookResult } from './hookResult.ts';
import { Scope } from './shell/scope.ts';
import { ScriptJudge } from './scriptJudge.ts';
import { rootFault } from './worktreeRoot.ts';

/** A command that an agent wants to run. */
export interface BashInput {
  readonly command: string;
  /** Whether it is to run as a background task (`run_in_background`). */
  readonly background: boolean;
  /** The branch of the agent's worktree, for the reasons. */
  readonly branch: string;
  /** The agent's worktree, an absolute path. */
  readonly worktree: string;
  /** Where the command starts, an absolute path. */
  readonly cwd: string;
}

/** What a guard needs of the world around it. */
export interface GuardEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** A clock in milliseconds, from any start, that stands still while this process does not run. */
  readonly milliseconds: () => number;
}

/** Aliases that lead to aliases are followed so far. */
const mostLookups = 256;

/**
 * Judges a shell command: `deny` if it would reach a remote with git, write to GitHub, or poll in the foreground, in whatever
 * disguise; `none` otherwise, so that it goes by the permissions that are in force.
 *
 * @param milliseconds a clock, as {@link GuardEnvironment} has it; the work stops when {@link Limits} are exceeded, and what could not be looked at is then judged by its words.
 */
export async function decideBash(
  input: BashInput,
  milliseconds: () => number,
  lookups: AliasLookup,
  limits: Limits = defaultLimits,
): Promise<Decision> {
  const judge = new ScriptJudge(new Budget(milliseconds, limits), input.background);
  judge.judge(input.command, new Scope(input.cwd));
  let lookedUp = 0;
  for (
    let pending = judge.takeUnknownVerbs();
    pending.length > 0 && !judge.stopped;
    pending = judge.takeUnknownVerbs()
  ) {
    for (const unknown of pending) {
      if (++lookedUp > mostLookups) return cannotDecide('its git aliases lead too far');
      const alias = await lookups.gitAlias(unknown.verb, unknown.directory);
      if (alias !== undefined) judge.judgeAlias(unknown, alias, new Scope(unknown.directory));
    }
  }
  const finding = judge.finding();
  return finding === undefined ? noDecision : denial(finding, input.branch);
}

/**
 * The hook `bash-guard <worktree> <branch>`: reads Claude Code's JSON, gives its answer. Whatever is wrong, the call is denied.
 *
 * @param argv the arguments behind the hook's name.
 * @param stdin all of standard input.
 */
export async function runBashGuard(
  argv: readonly string[],
  stdin: string,
  environment: GuardEnvironment,
): Promise<HookResult> {
  try {
    return answer(await decide(argv, stdin, environment));
  } catch (thrown) {
    return answer(cannotDecide(messageOf(thrown)));
  }
}

async function decide(
  argv: readonly string[],
  stdin: string,
  { variables, milliseconds }: GuardEnvironment,
): Promise<Decision> {
  const [worktree = '', branch = ''] = argv;
  const fault = rootFault(worktree);
  if (fault !== undefined) return cannotDecide(fault);
  if (branch === '') return cannotDecide('it was started without the branch');
  const input = parseHookInput(stdin);
  const tool = input?.tool_input;
  if (input === undefined || tool === undefined) return cannotDecide('what it was told is no tool call in JSON');
  // A monitor may watch a socket instead of running a command.
  if (input.tool_name === 'Monitor' && tool['command'] === undefined && tool['ws'] !== undefined) return noDecision;
  const { command } = tool;
  if (typeof command !== 'string') return cannotDecide('the tool call holds no command');
  const background = tool['run_in_background'] === true;
  return decideBash(
    { command, background, branch, worktree, cwd: input.cwd ?? worktree },
    milliseconds,
    aliasesOf(variables),
  );
}
