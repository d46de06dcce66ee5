import { textOf, type Message } from '../messages/message.ts';
import { reserveOrSay, type PortHolder } from './ports.ts';
import { variablesOf, type Described, type WorktreeVariables } from './variables.ts';
import type { Workspace } from './workspace.ts';

/**
 * The variables for a program that is started in a worktree now ({@link variablesOf}). A worktree without ports gets some here, which is how
 * those that were there before ports were asked for come to theirs. Where none can be had the program runs without.
 *
 * @param warn gets why there are no ports; by default the log does.
 */
export async function programVariables(
  workspace: Workspace,
  worktree: Described & PortHolder,
  warn: (note: Message) => void = (note) => workspace.environment.log.warn(textOf(note)),
): Promise<WorktreeVariables> {
  const [ports, notes] = await reserveOrSay(workspace, worktree);
  for (const note of notes) warn(note);
  return variablesOf(workspace, { ...worktree, ports });
}
