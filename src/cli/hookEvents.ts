import { recordActivity } from '../core/claude/activity.ts';
import { hasState } from '../core/claude/hasState.ts';
import { hasDrifted, launcherIsDead } from '../core/claude/agentDrift.ts';
import { activeReminder } from '../core/claude/activeReminder.ts';
import { checkCommand } from '../core/claude/commandCheck.ts';
import { answerOf, block, silence, type HookAnswer } from '../core/claude/hookAnswer.ts';
import type { HookDecision } from '../core/claude/hookDecision.ts';
import { parseHookInput } from '../core/claude/hookInput.ts';
import { logDecision } from '../core/claude/hookLog.ts';
import { readKnownWorktrees, type KnownWorktree } from '../core/claude/knownWorktrees.ts';
import type { Scope } from '../core/claude/scope.ts';
import { teammateIdle } from '../core/claude/teammateIdle.ts';
import { verifiedLocation } from '../core/claude/worktreeLocation.ts';
import type { HookCall, HookHost } from './hookCall.ts';
import { agentScope, decideCommand, decideFile, decideToolCall, sessionScope } from './hookGuards.ts';

/** How one hook event is answered. */
interface Hook {
  /** The worktree that the event belongs to. Default: the one of the session or agent that it names. */
  readonly scope?: (call: HookCall) => Promise<Scope>;
  /** Decides on the event; `undefined` when it does not concern us, so that not even the log mentions it. */
  readonly decide: (call: HookCall, scope: Scope) => Promise<HookDecision | undefined>;
  /** What else is to do once the decision is in the log. */
  readonly afterwards?: (call: HookCall, scope: Scope) => Promise<void>;
  /** Claude Code must not go on when this hook fails. */
  readonly mustSucceed?: boolean;
}

/** Every event, by our name for it: the plugin and the generated agents run `hook <name>`. */
const hooks: Readonly<Record<string, Hook>> = {
  guard: { decide: decideToolCall },
  'file-guard': { scope: agentScope, decide: decideFile },
  'bash-guard': { scope: agentScope, decide: decideCommand },
  'session-start': { decide: startSession, afterwards: settle },
  'teammate-idle': { decide: ({ host, input }, scope) => teammateIdle(host.environment, input, scope) },
  'task-completed': {
    decide: async ({ host, input }, scope) => (await host.lazy()).decideTask(host.environment, input, scope),
  },
  'worktree-create': { decide: async (call) => (await call.host.lazy()).createForClaude(call), mustSucceed: true },
  'worktree-remove': { decide: async (call) => (await call.host.lazy()).removeForClaude(call), mustSucceed: true },
  activity: {
    decide: ({ host, input }, scope) => recordActivity(host.environment, input, scope),
    afterwards: async (call, scope) => {
      if (call.input.hook_event_name === 'SubagentStart') await settle(call, scope);
    },
  },
};

/**
 * Answers a hook event: parses the input, decides, logs the decision, and gives the answer to print. A session goes on whatever fails,
 * except in a guard: a guard that cannot decide blocks.
 *
 * @param args the arguments after the event's name.
 * @param text what Claude Code wrote to standard input.
 */
export async function answerHook(
  host: HookHost,
  event: string,
  args: readonly string[],
  text: string,
): Promise<HookAnswer> {
  const hook = knowsHook(event) ? hooks[event] : undefined;
  if (!hook) {
    const message = `wt does not know the hook ${JSON.stringify(event)}.`;
    if (!isGuard(event)) return { ...silence, message: `${message}\n` };
    return block(`${message} The action was blocked, because nothing guards it. Update Worktree Stacks.`);
  }
  try {
    const call = { host, args, input: parseHookInput(text) };
    const scope = await (hook.scope ?? sessionScope)(call);
    const decision = await hook.decide(call, scope);
    if (decision === undefined) return silence;
    // The first worktree of a repository brings the registry, and with it the log.
    const logged = hook.mustSucceed && !scope.root ? await sessionScope(call) : scope;
    await logDecision(host.environment, call.input, logged, decision);
    await hook.afterwards?.(call, scope);
    return answerOf(decision);
  } catch (thrown) {
    return failure(event, thrown);
  }
}

/** Whether there is a hook of this name. */
export const knowsHook = (event: string): boolean => Object.hasOwn(hooks, event);

/** Whether a hook decides on a tool call, also one of a newer version. */
export const isGuard = (event: string): boolean => event === 'guard' || event.endsWith('-guard');

/** The answer of a hook that has failed. */
export function failure(event: string, thrown: unknown): HookAnswer {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (isGuard(event)) return block(`The action was blocked, because its guard failed: ${message}`);
  const exitCode = hooks[event]?.mustSucceed ? 1 : 0;
  return { ...silence, message: `The hook ${event} failed: ${message}\n`, exitCode };
}

async function startSession({ host, input }: HookCall, scope: Scope): Promise<HookDecision> {
  const { environment, version } = host;
  const reminder = await activeReminder(environment, input.cwd);
  const complaint = scope.root ? await checkCommand(environment, version, true) : undefined;
  const detail = input.source;
  if (!reminder && complaint === undefined) return { kind: 'none', detail };
  const systemMessage = [reminder?.systemMessage, complaint].filter((text) => text !== undefined).join('\n');
  return { kind: 'notified', ...reminder, systemMessage, reason: complaint, detail };
}

/**
 * Updates what the start of work changes: the worktree's state folder and lifecycle, and agents that no longer match their worktrees. A failure is
 * logged and does not disturb the session.
 */
async function settle({ host }: HookCall, scope: Scope): Promise<void> {
  const { environment } = host;
  if (scope.root === undefined) return;
  try {
    const { root } = scope;
    const { path, name, lifecycle } = workplaceOf(scope);
    if (path !== undefined && (lifecycle === 'created' || !hasState(path))) {
      await (await host.lazy()).beginWork(environment, root, { path, name });
    }
    const known = readKnownWorktrees(root.mainRoot);
    if (typeof known !== 'object') return;
    const located = known.map((each) => ({ ...each, path: verifiedLocation(each, root) ?? each.path }));
    if ((await hasDrifted(root.mainRoot, located)) || (await launcherIsDead(root.mainRoot))) {
      await (await host.lazy()).updateAgents(environment, root, host.commands);
    }
  } catch (thrown) {
    environment.log.warn(`hook: ${String(thrown)}`);
  }
}

/** The worktree that work begins in, registered or not; nothing for the main working tree. */
function workplaceOf(scope: Scope): Partial<Pick<KnownWorktree, 'path' | 'name' | 'lifecycle'>> {
  if (scope.kind === 'worktree') return scope.worktree;
  const { root } = scope;
  return scope.kind === 'none' && root && root.id !== undefined ? { path: root.worktreeRoot } : {};
}
