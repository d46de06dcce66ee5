import { chdir } from 'node:process';
import { standsIn } from '../core/lifecycle/autoCleanup.ts';
import type { Worktree } from '../core/worktree/model.ts';
import type { Workspace } from '../core/worktree/workspace.ts';
import type { CommandLine } from './command.ts';

/** What a command goes on with. */
interface Place {
  readonly cli: CommandLine;
  readonly workspace: Workspace;
}

/**
 * Leaves the worktrees that are to be removed, for the main root, where the shell follows: it goes there itself once its folder is gone, so that
 * nobody has to leave by hand first.
 */
export async function leaveFirst(
  cli: CommandLine,
  workspace: Workspace,
  worktrees: readonly Worktree[],
): Promise<Place> {
  const { environment, shell } = cli;
  const { mainRoot } = workspace.repository;
  const inside = await Promise.all(
    worktrees.map(async (each) => (await shell.standsIn(each.path)) || (await standsIn(environment.cwd, each))),
  );
  if (!shell.follows || !inside.includes(true)) return { cli, workspace };
  chdir(mainRoot);
  const there = { ...environment, cwd: mainRoot };
  return { cli: { ...cli, environment: there }, workspace: { ...workspace, environment: there } };
}
