import type { CommandDefinition } from './definition.ts';

/** The commands that serve scripts and agents. */
export const scriptsCommands: readonly CommandDefinition[] = [
  {
    name: 'clean-tree',
    group: 'For scripts and agents:',
    summary: 'say whether anything is uncommitted, submodules included',
    details: 'Silent and exit code 0 when clean; else the paths and exit code 1. The session files do not count.',
    examples: [['wt clean-tree && just release', '']],
  },
  {
    name: 'add-commit',
    group: 'For scripts and agents:',
    summary: 'stage files and commit them, with the message from standard input',
    details: 'Prints the new commit. When nothing is staged afterwards, it prints nothing and that is no failure.',
    words: [{ syntax: '<files...>', description: 'what to stage', kind: 'file' }],
    examples: [['echo "Fix the login" | wt add-commit src/login.ts', '']],
  },
  {
    name: 'path',
    group: 'For scripts and agents:',
    summary: 'say where a file of the project is in a worktree',
    words: [{ syntax: '<file>', description: 'a path in the project, as seen from its root', kind: 'file' }],
    options: [
      { syntax: '--worktree <name>', description: 'in this one (default: the one you are in)', kind: 'worktree' },
    ],
    examples: [
      ['wt path src/login.ts', ''],
      ['wt path src/login.ts --worktree login-form', ''],
    ],
  },
  {
    name: 'which',
    group: 'For scripts and agents:',
    summary: 'print the name of the worktree that a path belongs to',
    details:
      'The innermost one, where worktrees lie in one another. The path need not exist. Exit code 1 when it is in none.',
    words: [{ syntax: '<path>', description: 'a file or folder, as seen from where you are', kind: 'file' }],
    examples: [
      ['wt which src/login.ts', ''],
      ['wt diff "$(wt which "$file")"', 'the changes of the worktree that a file is in'],
    ],
  },
  {
    name: 'state context',
    group: 'For scripts and agents:',
    summary: 'print the context of the worktree you are in',
    examples: [['wt state context --json', '']],
  },
  {
    name: 'state progress',
    group: 'For scripts and agents:',
    summary: 'print or change how far the work in the worktree you are in has come',
    details: 'It is kept in .claude-state/workflow.json of the worktree, which git ignores.',
    options: [
      { syntax: '--step <number>', description: 'the step that is worked on' },
      { syntax: '--complete', description: 'the step (default: the current one) is complete' },
      {
        syntax: '--artifact <name=path...>',
        description: 'a file that the work has produced; an empty path drops it',
        kind: 'file',
      },
      { syntax: '--session-id <id>', description: 'the session that reports this' },
    ],
    examples: [
      ['wt state progress', 'how far it is'],
      ['wt state progress --step 1 --complete --artifact spec=specs/login.md', ''],
    ],
  },
  {
    name: 'state cleanup',
    group: 'For scripts and agents:',
    summary: 'remove state that was left behind by worktrees that are gone',
    options: [{ syntax: '--dry-run', description: 'only say what there is' }],
    examples: [['wt state cleanup --dry-run', '']],
  },
  {
    name: 'retro',
    group: 'For scripts and agents:',
    summary: 'look back at how agents worked: what was refused or let through, unwatched pull requests, failed hooks',
    details:
      "It reads the log of the hooks and Claude's transcripts. What it names is worth a look, and may well be right as it was.",
    options: [{ syntax: '--since <time>', description: '90m, 12h, 2d, 1w, or a date (default: 7d)' }],
    examples: [['wt retro --since 2d', '']],
  },
  {
    name: 'check-ignore',
    group: 'For scripts and agents:',
    summary: 'say whether git ignores the files that wt writes',
    options: [{ syntax: '--fix', description: 'add the missing rules' }],
    examples: [['wt check-ignore --fix', '']],
  },
];
