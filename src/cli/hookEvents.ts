import type { Environment } from '../core/base/environment.ts';
import { hasDrifted, launcherIsDead } from '../core/claude/agentDrift.ts';
import { recordActivity } from '../core/claude/activity.ts';
import { checkCommand } from '../core/claude/commandCheck.ts';
import { answerWith, block, silence, type HookAnswer } from '../core/claude/hookAnswer.ts';
import { parseHookInput, type HookInput } from '../core/claude/hookInput.ts';
import { noteInLog } from '../core/claude/hookLog.ts';
import { readKnownWorktrees } from '../core/claude/knownWorktrees.ts';
import { scopeOf, type Scope } from '../core/claude/scope.ts';
import { sessionStart } from '../core/claude/sessionStart.ts';
import { teammateIdle } from '../core/claude/teammateIdle.ts';
import { foundPlace } from '../core/claude/worktreePlace.ts';
import type { Programs } from '../core/repository/launchers.ts';
import { foldersOf, guardAny, guardBash, guardFile } from './hookGuards.ts';
import type * as slowHooks from './hookHandlersLazy.ts';

/** The program that answers hooks. */
export interface HookHost {
  readonly environment: Environment;
  /** Our version. */
  readonly version: string;
  readonly programs: Programs;
  /** Loads what most hooks do without. */
  readonly slow: () => Promise<typeof slowHooks>;
}

/** One hook event. */
interface HookCall {
  readonly host: HookHost;
  readonly input: HookInput;
  readonly text: string;
  readonly args: readonly string[];
}

type Handler = (call: HookCall) => Promise<HookAnswer>;

const handlers: Readonly<Record<string, Handler>> = {
  'file-guard': ({ host: { environment }, args, text }) => guardFile({ environment, args, text }),
  'bash-guard': ({ host: { environment }, args, text }) => guardBash({ environment, args, text }),
  guard: ({ host: { environment }, args, text }) => guardAny({ environment, args, text }),
  'session-start': startSession,
  'teammate-idle': async (call) => teammateIdle(call.host.environment, call.input, await scopeFor(call)),
  'task-completed': async (call) =>
    (await call.host.slow()).taskCompleted(call.host.environment, call.input, await scopeFor(call)),
  'worktree-create': async (call) => {
    const { createForClaude } = await call.host.slow();
    return noted(call, () => createForClaude(call.host.environment, call.input, call.host.programs));
  },
  'worktree-remove': async (call) => {
    const { removeForClaude } = await call.host.slow();
    return noted(call, () => removeForClaude(call.host.environment, call.input, call.host.programs));
  },
  activity: async (call) => {
    const scope = await scopeFor(call);
    const answer = await recordActivity(call.host.environment, call.input, scope);
    if (call.input.hook_event_name === 'SubagentStart') await settle(call, scope);
    return answer;
  },
};

/** Events whose hook must not be taken for done when it failed. */
const mustSucceed: ReadonlySet<string> = new Set(['worktree-create', 'worktree-remove']);

/**
 * Answers a hook event. Whatever goes wrong, a session goes on, unless the hook is a guard: a guard that cannot decide blocks.
 *
 * @param event our name of it, as the plugin and the generated agents give it.
 * @param args what they give behind it.
 * @param text what Claude Code wrote to standard input.
 */
export async function answerHook(
  host: HookHost,
  event: string,
  args: readonly string[],
  text: string,
): Promise<HookAnswer> {
  const handler = knowsHook(event) ? handlers[event] : undefined;
  if (!handler) {
    const message = `wt does not know the hook ${JSON.stringify(event)}.`;
    if (!isGuard(event)) return { ...silence, message: `${message}\n` };
    return block(`${message} The action was blocked, because nothing guards it. Update Worktree Stacks.`);
  }
  try {
    return await handler({ host, args, text, input: parseHookInput(text) ?? {} });
  } catch (thrown) {
    return failure(event, thrown);
  }
}

/** Whether there is an answer to a hook of this name. */
export const knowsHook = (event: string): boolean => Object.hasOwn(handlers, event);

/** How a hook ends that has failed itself. */
export function failure(event: string, thrown: unknown): HookAnswer {
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  if (isGuard(event)) return block(`The action was blocked, because its guard failed: ${words}`);
  return { ...silence, message: `The hook ${event} failed: ${words}\n`, exitCode: mustSucceed.has(event) ? 1 : 0 };
}

/** Whether a hook decides over a tool call. */
export const isGuard = (event: string): boolean => event === 'guard' || event.endsWith('-guard');

function scopeFor({ host, input }: Pick<HookCall, 'host' | 'input'>): Promise<Scope> {
  return scopeOf(input, foldersOf(host.environment));
}

/** Writes down what became of a worktree that Claude Code wanted made or removed. */
async function noted(call: HookCall, act: () => Promise<HookAnswer>): Promise<HookAnswer> {
  const before = await scopeFor(call);
  const answer = await act();
  const scope = before.root ? before : await scopeFor(call);
  await noteInLog(call.host.environment, call.input, scope, {
    decision: answer.exitCode === 0 ? 'done' : 'failed',
    reason: answer.exitCode === 0 ? undefined : answer.message.trimEnd(),
    detail: call.input.name ?? call.input.worktree_path,
  });
  return answer;
}

async function startSession(call: HookCall): Promise<HookAnswer> {
  const { environment, version } = call.host;
  const [reminder, scope] = await Promise.all([sessionStart(environment, call.text), scopeFor(call)]);
  const known = scope.root !== undefined;
  const complaint = known ? await checkCommand(environment, version, true) : undefined;
  await noteInLog(environment, call.input, scope, {
    decision: reminder || complaint !== undefined ? 'told' : 'none',
    reason: complaint,
    detail: call.input.source,
  });
  await settle(call, scope);
  if (complaint === undefined) return reminder ? answerWith(reminder) : silence;
  const systemMessage = reminder ? `${reminder.systemMessage}\n${complaint}` : complaint;
  return answerWith({ ...reminder, systemMessage });
}

/**
 * What the start of work leaves to do once in a while: the worktree is worked in from now on, and agents that have drifted are mended
 * for the sessions to come. That it fails is no reason to disturb a session.
 */
async function settle({ host }: HookCall, scope: Scope): Promise<void> {
  const { environment } = host;
  if (scope.root === undefined) return;
  try {
    if (scope.kind === 'worktree' && scope.worktree.lifecycle === 'created') {
      await (await host.slow()).beginWork(environment, scope);
    }
    const { root } = scope;
    const known = readKnownWorktrees(root.mainRoot);
    if (typeof known !== 'object') return;
    const placed = known.map((each) => ({ ...each, path: foundPlace(each, root) ?? each.path }));
    if ((await hasDrifted(root.mainRoot, placed)) || (await launcherIsDead(root.mainRoot))) {
      await (await host.slow()).mendAgents(environment, root, host.programs);
    }
  } catch (thrown) {
    environment.log.warn(`hook: ${String(thrown)}`);
  }
}
