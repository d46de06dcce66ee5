import type { CommandDefinition } from './definition.ts';

/** The commands that are for machines: help does not list them. */
export const machinesCommands: readonly CommandDefinition[] = [
  {
    name: 'hook',
    summary: 'answer a hook of Claude Code; reads its JSON from standard input',
    words: [
      { syntax: '<event>', description: 'session-start, guard, file-guard, bash-guard, teammate-idle, …' },
      { syntax: '[args...]', description: "a guard's worktree and branch" },
    ],
  },
  {
    name: 'merge-driver',
    summary: 'merge one session file for git; run by git after `wt setup --merge-driver`',
    words: [
      { syntax: '<kind>', description: 'session, learnings or jobs' },
      { syntax: '<base>', description: 'a file with the common ancestor; an empty one stands for none', kind: 'file' },
      { syntax: '<ours>', description: 'a file with our version; the result is written over it', kind: 'file' },
      { syntax: '<theirs>', description: 'a file with their version', kind: 'file' },
    ],
    options: [
      { syntax: '--slug <slug>', description: 'the worktree that is merged: its worktree tasks are done with' },
      { syntax: '--marker-size <number>', description: 'how long the marks of a conflict are' },
      { syntax: '--path <path>', description: 'the file in the repository' },
      { syntax: '--theirs-label <label>', description: 'what git calls theirs' },
    ],
  },
  {
    name: 'complete',
    summary: 'print what could come next on a command line; asked by the completion scripts',
    words: [
      { syntax: '<shell>', description: 'bash, zsh, fish or powershell' },
      { syntax: '[words...]', description: 'bash: the line up to the cursor; else the words after `wt`' },
    ],
  },
  {
    name: 'delete-trash',
    summary: 'delete a trash folder; started in the background by cleanup',
    words: [{ syntax: '<folder>', description: 'the folder' }],
  },
  {
    name: 'run-hook',
    summary: 'run a hook in the background; started by the command that it belongs to',
    words: [{ syntax: '<id>', description: 'the kept run' }],
  },
];
