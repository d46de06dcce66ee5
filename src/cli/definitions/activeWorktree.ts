import { worktreeWord, type CommandDefinition } from './definition.ts';

/** The commands that choose the active worktree. */
export const activeWorktreeCommands: readonly CommandDefinition[] = [
  {
    name: 'switch',
    group: 'Active worktree:',
    summary: 'make a worktree active: restored Claude sessions continue in it',
    words: [worktreeWord],
    examples: [['wt switch login-form', '']],
  },
  {
    name: 'active',
    group: 'Active worktree:',
    summary: 'print the path of the active worktree',
    options: [{ syntax: '--clear', description: 'clear it' }],
    examples: [
      ['cd "$(wt active)"', 'go there'],
      ['wt active --clear', ''],
    ],
  },
];
