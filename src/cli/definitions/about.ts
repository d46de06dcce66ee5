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
    summary: 'complete commands, options, worktrees and branches in a shell',
    details:
      'Prints the script of the shell. With it `wt switch` and `wt cd` also change the folder of the shell, where they are typed. --install writes it to a file ' +
      'of its own, and loads that from .bashrc (.bash_profile on macOS) or .zshrc or the profile of PowerShell, of which a copy is kept beside it; fish needs no such line. It says which files it has changed.',
    words: [
      {
        syntax: '[shell]',
        description: 'bash, zsh, fish, powershell or pwsh (default with --install: the one in $SHELL)',
        kind: 'shell',
      },
    ],
    options: [
      { syntax: '--install', description: 'have the shell load it whenever it starts' },
      { syntax: '--uninstall', description: 'take that away again' },
    ],
    examples: [
      ['wt completions --install', 'for your shell'],
      ['source <(wt completions bash)', 'in ~/.bashrc'],
      ['source <(wt completions zsh)', 'in ~/.zshrc, after compinit'],
      ['wt completions fish | source', 'in ~/.config/fish/config.fish'],
      ['wt completions powershell | Out-String | Invoke-Expression', 'in $PROFILE'],
    ],
  },
];
