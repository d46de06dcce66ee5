import { worktreeWord, type CommandDefinition } from './definition.ts';

/** The commands that choose the active worktree. */
export const activeWorktreeCommands: readonly CommandDefinition[] = [
  {
    name: 'switch',
    group: 'Active worktree:',
    summary: 'make a worktree active: restored Claude sessions continue in it',
    details: 'Prints its folder. A shell that has the completions goes there.',
    words: [worktreeWord],
    options: [{ syntax: '--no-hooks', description: 'do not run hooks' }],
    examples: [['wt switch login-form', '']],
  },
  {
    name: 'cd',
    group: 'Active worktree:',
    summary: 'print the folder of a worktree, and go there in a shell that has the completions',
    details:
      'The active worktree stays what it is. A program cannot change the folder of its shell: `wt completions --install` teaches it to yours.',
    words: [{ ...worktreeWord, syntax: '[name]', description: `${worktreeWord.description} (default: \`@\`)` }],
    examples: [
      ['wt cd login-form', ''],
      ['wt cd', 'the main working tree'],
    ],
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
