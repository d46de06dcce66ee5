import type { CommandDefinition } from './definition.ts';

/** The commands that are about `wt` itself. */
export const aboutCommands: readonly CommandDefinition[] = [
  {
    name: 'doctor',
    group: 'About wt:',
    summary: 'find and repair inconsistencies',
    details:
      'Registry, bases, missing folders, stale markers and locks, agents, launchers of hooks, ignore rules. Exit code 1 when something is left.',
    options: [{ syntax: '--fix', description: 'repair what can be repaired without losing work' }],
    examples: [
      ['wt doctor', 'report only'],
      ['wt doctor --fix', ''],
    ],
  },
  {
    name: 'schema',
    group: 'About wt:',
    summary: "print the JSON schema of a command's --json output",
    words: [{ syntax: '[command...]', description: 'the command (default: list all schemas)', kind: 'command' }],
    examples: [
      ['wt schema list', ''],
      ['wt schema failure', 'the output of a command that fails'],
    ],
  },
  {
    name: 'completions',
    group: 'About wt:',
    summary: 'print the completion script of a shell',
    words: [{ syntax: '<shell>', description: 'bash, zsh or fish', kind: 'shell' }],
    examples: [
      ['source <(wt completions bash)', 'in ~/.bashrc'],
      ['source <(wt completions zsh)', 'in ~/.zshrc, after compinit'],
      ['wt completions fish | source', 'in ~/.config/fish/config.fish'],
    ],
  },
];
