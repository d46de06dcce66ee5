import { aboutCommands } from './about.ts';
import { activeWorktreeCommands } from './activeWorktree.ts';
import { machinesCommands } from './machines.ts';
import { remoteCommands } from './remote.ts';
import { scriptsCommands } from './scripts.ts';
import { stacksCommands } from './stacks.ts';
import { worktreeLifeCommands } from './worktreeLife.ts';
import { worktreesCommands } from './worktrees.ts';
import type { CommandDefinition } from './definition.ts';

/** Every command, in the order in which help lists them. */
export const catalogue: readonly CommandDefinition[] = [
  ...worktreesCommands,
  ...worktreeLifeCommands,
  ...stacksCommands,
  ...remoteCommands,
  ...activeWorktreeCommands,
  ...scriptsCommands,
  ...aboutCommands,
  ...machinesCommands,
];
