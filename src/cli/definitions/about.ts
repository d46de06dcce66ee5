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
    name: 'shell-init',
    aliases: ['completions'],
    group: 'About wt:',
    summary:
      'have a shell follow to the worktree that is made or chosen, and complete commands, options, worktrees and branches',
    details:
      'Prints the script of the shell. With it the shell goes to the worktree that `wt create`, `wt switch` or `wt cd` leads to, and out of one that is removed. The program ' +
      'tells its function the folder through a file, and nothing is evaluated; what it prints, its exit code and the terminal stay as they are. `command wt` leaves the shell where it is. --install writes it to a file ' +
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
      ['wt shell-init --install', 'for your shell'],
      ['eval "$(wt shell-init bash)"', 'in ~/.bashrc'],
      ['eval "$(wt shell-init zsh)"', 'in ~/.zshrc, after compinit'],
      ['wt shell-init fish | source', 'in ~/.config/fish/config.fish'],
      ['wt shell-init pwsh | Out-String | Invoke-Expression', 'in $PROFILE'],
    ],
  },
];
