import { worktreeWord, type CommandDefinition } from './definition.ts';

/** Offered where one goes somewhere. Of the two words for it the one that other tools have too. */
const mainOne = { value: '^', description: 'the main working tree' };

/** The commands that choose the active worktree. */
export const activeWorktreeCommands: readonly CommandDefinition[] = [
  {
    name: 'switch',
    group: 'Active worktree:',
    summary: 'make a worktree active: restored Claude sessions continue in it',
    details:
      'Prints its folder; a shell that has `wt shell-init` goes there. Without a name you pick it: with fzf where that is on the path, else from a list with a search. ' +
      '`-` is the one that was switched from, however often, `^` the main one; where the repository is bare, that of its trunk. Nothing changes where nothing is picked, and the exit code is 130 then.',
    words: [
      {
        ...worktreeWord,
        syntax: '[name]',
        description: `${worktreeWord.description}, \`-\` for the one before (default: pick it)`,
        also: [mainOne],
      },
    ],
    options: [
      { syntax: '--no-hooks', description: 'do not run hooks' },
      { syntax: '--no-cd', description: 'leave the shell where it is' },
    ],
    examples: [
      ['wt switch login-form', ''],
      ['wt switch', 'pick one'],
      ['wt switch -', 'and back'],
      ['wt switch ^', 'to the main working tree'],
    ],
  },
  {
    name: 'cd',
    group: 'Active worktree:',
    summary: 'print the folder of a worktree, and go there in a shell that has `wt shell-init`',
    details:
      'The active worktree stays what it is. A program cannot change the folder of its shell: `wt shell-init --install` teaches it to yours.',
    words: [
      {
        ...worktreeWord,
        syntax: '[name]',
        description: `${worktreeWord.description} (default: \`@\`)`,
        also: [mainOne],
      },
    ],
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
