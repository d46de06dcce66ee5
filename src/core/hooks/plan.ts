import { Problem } from '../base/problem.ts';
import { hooksMessages } from '../messages/hooks.ts';
import type { Message } from '../messages/message.ts';
import { approve, isApproved } from '../repository/approvals.ts';
import type { HookCommand, HookEvent } from '../repository/hookConfiguration.ts';
import { readUserHooks } from '../repository/userHooks.ts';
import type { Programs } from '../repository/launchers.ts';
import type { Progress } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** How hooks are approved, run and watched; the same for every operation that has some. */
export interface HookOptions {
  /** Run none (`--no-hooks`). */
  readonly skipHooks?: boolean | undefined;
  /** Approve those of the team for this user first. */
  readonly approveHooks?: boolean | undefined;
  /** Asked when some of the team's are not approved; giving true approves them. Without it they are not run. */
  readonly askHooks?: ((event: HookEvent, commands: readonly string[]) => Promise<boolean>) | undefined;
  /** Gets what they print, as it comes. */
  readonly onHookOutput?: ((text: string) => void) | undefined;
  /** The bundled programs, which run what goes on in the background; without them everything is waited for. */
  readonly programs?: Pick<Programs, 'wt'> | undefined;
  readonly progress?: Progress | undefined;
  /** Ends the command that runs and everything that it has started. */
  readonly signal?: AbortSignal | undefined;
}

/** A command of an event, and who has configured it. */
export interface PlannedHook extends HookCommand {
  readonly event: HookEvent;
  /** `team`: in `.worktrees.yml`; `user`: in the user's own file. */
  readonly origin: 'team' | 'user';
  /** The user's own need no approval. */
  readonly approved: boolean;
}

/**
 * The commands of an event, those of the team first, and whether each is approved. Runs nothing.
 *
 * @throws Problem `unreadable-file` for the user's own file.
 */
export async function planHooks(workspace: Workspace, event: HookEvent): Promise<PlannedHook[]> {
  const { configuration, environment, repository } = workspace;
  const own = (await readUserHooks(environment))[event];
  const team = configuration.hooks[event].map(async (each): Promise<PlannedHook> => {
    const approved = await isApproved(environment, repository, approvalOf(event, each)).catch((thrown: unknown) => {
      // What was approved cannot be found out: nothing was.
      if (!Problem.is(thrown, 'unreadable-file')) throw thrown;
      return false;
    });
    return { ...each, event, origin: 'team', approved };
  });
  return [
    ...(await Promise.all(team)),
    ...own.map((each) => ({ ...each, event, origin: 'user' as const, approved: true })),
  ];
}

/**
 * The commands of an event that are to run, after the person was asked about those that are not approved. To be called before anything is
 * done, so that nobody waits half-way for an answer.
 *
 * @throws Problem as {@link planHooks}; `unreadable-file`, `not-writable` when an approval cannot be kept; for an event before
 *   something `not-approved` (outcome incomplete) where some stay unapproved.
 */
export async function prepareHooks(
  workspace: Workspace,
  event: HookEvent,
  options: HookOptions,
): Promise<readonly PlannedHook[]> {
  if (options.skipHooks) return [];
  const planned = await planHooks(workspace, event);
  const open = planned.filter(({ approved }) => !approved);
  if (open.length === 0) return planned;
  const commands = open.map(({ run }) => run);
  if (options.approveHooks || (await options.askHooks?.(event, commands))) {
    for (const each of open) await approve(workspace.environment, workspace.repository, approvalOf(event, each));
    return planned.map((each) => ({ ...each, approved: true }));
  }
  if (!event.startsWith('before_')) return planned;
  throw new Problem('not-approved', hooksMessages.stoppedUnapproved({ event, count: open.length }), {
    next: hooksMessages.approveOrSkip(),
    items: commands,
    outcome: 'incomplete',
  });
}

/** As {@link prepareHooks}, for an event after something that is to be done also where its commands cannot be read. */
export async function prepareAfter(
  workspace: Workspace,
  event: HookEvent,
  options: HookOptions,
): Promise<{ readonly planned: readonly PlannedHook[]; readonly notes: readonly Message[] }> {
  try {
    return { planned: await prepareHooks(workspace, event, options), notes: [] };
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return { planned: [], notes: [hooksMessages.notRead({ event, reason: thrown.what })] };
  }
}

/** What is approved of a command: its words, at this event. */
function approvalOf(event: HookEvent, { run }: Pick<HookCommand, 'run'>): string[] {
  return [`hooks.${event}`, run];
}
