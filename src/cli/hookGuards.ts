import type { Environment } from '../core/base/environment.ts';
import { isWithin } from '../core/base/paths.ts';
import type { HookDecision } from '../core/claude/decisionLog.ts';
import { runBashGuard } from '../core/claude/guard/bashGuard.ts';
import { runFileGuard } from '../core/claude/guard/fileGuard.ts';
import { shellTools } from '../core/claude/guardedTools.ts';
import { answerWith, silence, type HookAnswer } from '../core/claude/hookAnswer.ts';
import { parseHookInput, type HookInput } from '../core/claude/hookInput.ts';
import { noteInLog } from '../core/claude/hookLog.ts';
import { scopeOf, scopeOfAgent, type Scope } from '../core/claude/scope.ts';
import { shellWord } from '../core/base/quoted.ts';
import { processorTime } from './processorTime.ts';

/** What a guard is asked with. */
export interface GuardCall {
  readonly environment: Environment;
  /** The arguments behind the hook's name: the worktree, and for a shell guard its branch. */
  readonly args: readonly string[];
  /** What Claude Code wrote to standard input. */
  readonly text: string;
}

/** A decision on a tool call. */
interface Judged {
  readonly decision: HookDecision;
  readonly reason: string | undefined;
}

/** The hook `file-guard <worktree>`, as generated agents start it. */
export async function guardFile(call: GuardCall): Promise<HookAnswer> {
  return guardFor(call, ([path = '']) => runFileGuard([path], call.text));
}

/** The hook `bash-guard <worktree> <branch>`, as generated agents start it. */
export async function guardBash(call: GuardCall): Promise<HookAnswer> {
  return guardFor(call, (args) => runBashGuard(args, call.text, worldOf(call.environment)));
}

/**
 * The guard of the plugin, which is asked at every tool call of every session: it finds out which worktree the call belongs to and
 * judges it as that one's own guards would. A call that belongs to none is left alone.
 */
export async function guardAny({ environment, text }: GuardCall): Promise<HookAnswer> {
  const input = parseHookInput(text);
  const scope = await scopeOf(input ?? {}, foldersOf(environment));
  if (scope.kind === 'none') return silence;
  if (scope.kind === 'unreadable') {
    const reason = `The guard cannot tell which worktree this belongs to, because ${scope.root.mainRoot}/.worktrees/stack.json cannot be read, so it does not let it through. Tell the person you work for; \`wt list\` says what is wrong there.`;
    return conclude(environment, input, scope, { decision: 'deny', reason });
  }
  if (scope.kind === 'lost') return denyLost(environment, input, scope);
  const { path, branch, name } = scope.worktree;
  const result = isShell(input)
    ? await runBashGuard([path, branch === '' ? name : branch], text, worldOf(environment))
    : await runFileGuard([path], text);
  return conclude(environment, input, scope, asJudgedFor(scope, judgedIn(result.stdout), environment));
}

/** @param run judges for arguments like those that the hook was started with. */
async function guardFor(
  { environment, args, text }: GuardCall,
  run: (args: readonly string[]) => Promise<{ stdout: string }>,
): Promise<HookAnswer> {
  const input = parseHookInput(text);
  const [path = '', branch = ''] = args;
  const scope = await scopeOfAgent({ path, branch }, input ?? {}, foldersOf(environment));
  if (scope.kind === 'lost') return denyLost(environment, input, scope);
  const [, ...others] = args;
  const { stdout } = await run(scope.kind === 'worktree' ? [scope.worktree.path, ...others] : args);
  return conclude(environment, input, scope, judgedIn(stdout));
}

function denyLost(
  environment: Environment,
  input: HookInput | undefined,
  scope: Extract<Scope, { kind: 'lost' }>,
): Promise<HookAnswer> {
  const reason = `The guard cannot tell which worktree this belongs to, because ${scope.why}, so it does not let it through. Tell the person you work for: \`git worktree repair ${shellWord(scope.repair)}\`, run in the main working tree, puts it right where the repository or the worktree was moved.`;
  return conclude(environment, input, scope, { decision: 'deny', reason });
}

const isShell = (input: HookInput | undefined): boolean => shellTools.includes(input?.tool_name ?? '');

function worldOf({ variables }: Environment): Parameters<typeof runBashGuard>[2] {
  return { variables, milliseconds: processorTime };
}

/** Where the session of a hook is and was started. */
export function foldersOf({ cwd, variables }: Environment): Parameters<typeof scopeOf>[1] {
  return { cwd, projectDir: variables['CLAUDE_PROJECT_DIR'] || undefined };
}

function judgedIn(stdout: string): Judged {
  if (stdout === '') return { decision: 'none', reason: undefined };
  const { hookSpecificOutput: said } = JSON.parse(stdout) as {
    hookSpecificOutput: { permissionDecision: 'allow' | 'deny'; permissionDecisionReason: string };
  };
  return { decision: said.permissionDecision, reason: said.permissionDecisionReason };
}

/**
 * A session that is only there because of its folder may be a person's own: it goes on being asked about edits, and one that was
 * started elsewhere and has walked in is told how to get out.
 */
function asJudgedFor(scope: Extract<Scope, { kind: 'worktree' }>, judged: Judged, { variables }: Environment): Judged {
  if (scope.by === 'agent') return judged;
  if (judged.decision === 'allow') return { decision: 'none', reason: undefined };
  const startedIn = variables['CLAUDE_PROJECT_DIR'];
  if (judged.decision !== 'deny' || !startedIn || isWithin(scope.root.worktreeRoot, startedIn)) return judged;
  return {
    ...judged,
    reason: `${judged.reason ?? ''} (This session stands in the worktree ${scope.worktree.name}. If that is not where you work, change back to ${startedIn} first.)`,
  };
}

async function conclude(
  environment: Environment,
  input: HookInput | undefined,
  scope: Scope,
  judged: Judged,
): Promise<HookAnswer> {
  await noteInLog(environment, input ?? {}, scope, judged);
  const { decision, reason } = judged;
  if (decision !== 'allow' && decision !== 'deny') return silence;
  return answerWith({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: decision, permissionDecisionReason: reason },
  });
}
