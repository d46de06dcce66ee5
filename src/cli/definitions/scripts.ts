import type { CommandDefinition } from './definition.ts';

/** The commands that serve scripts and agents. */
export const scriptsCommands: readonly CommandDefinition[] = [
  {
    name: 'clean-tree',
    group: 'For scripts and agents:',
    summary: 'check that nothing is uncommitted, including submodules',
    details: 'Silent and exit code 0 when clean; else the paths and exit code 1. The session files do not count.',
    examples: [['wt clean-tree && just release', '']],
  },
  {
    name: 'add-commit',
    group: 'For scripts and agents:',
    summary: 'stage and commit files, with the message from standard input',
    details: 'Prints the new commit. When nothing is staged afterwards, it prints nothing and that is no failure.',
    words: [{ syntax: '<files...>', description: 'the files to stage', kind: 'file' }],
    examples: [['echo "Fix the login" | wt add-commit src/login.ts', '']],
  },
  {
    name: 'path',
    group: 'For scripts and agents:',
    summary: 'print the path of a project file in a worktree',
    words: [{ syntax: '<file>', description: 'a path relative to the root of the project', kind: 'file' }],
    options: [
      { syntax: '--worktree <name>', description: 'the worktree (default: the current one)', kind: 'worktree' },
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
    summary: 'print the context of the current worktree',
    examples: [['wt state context --json', '']],
  },
  {
    name: 'state begin',
    group: 'For scripts and agents:',
    summary: 'claim the current worktree for a workflow',
    details:
      'Prints the path of the worktree to work in. A run that has ended is taken over; the same run, or your own, is resumed. Where another run is live, ' +
      '`worktree.auto_create` decides: always creates a worktree, prompt asks on a terminal, never stops with exit code 1. ' +
      'A run is known by its session of Claude Code and by a process, which is found among those that have started wt.',
    options: [
      { syntax: '--run-id <id>', description: 'the run (default: a new id)' },
      { syntax: '--work-id <id>', description: 'the ticket or job; a worktree that is created is named after it' },
      { syntax: '--worktree', description: 'go to the worktree of the work or run, or create one' },
      { syntax: '--session-id <id>', description: 'the session (default: that of Claude Code)' },
      { syntax: '--pid <pid>', description: 'the process that the run lives in, such as $$ in a script' },
      { syntax: '--take-over', description: 'begin although another run is live' },
    ],
    examples: [
      ['cd "$(wt state begin --work-id 258)"', 'here, or in a worktree of its own'],
      ['wt state begin --work-id 258 --worktree --json', ''],
    ],
  },
  {
    name: 'state progress',
    group: 'For scripts and agents:',
    summary: 'print or update the progress of the current worktree',
    details: 'It is kept in .claude-state/workflow.json of the worktree, which git ignores.',
    options: [
      { syntax: '--step <number>', description: 'the current step' },
      { syntax: '--complete', description: 'mark the step as complete (default: the current one)' },
      {
        syntax: '--artifact <name=path...>',
        description: 'a file that was produced; an empty path removes it',
        kind: 'file',
      },
      { syntax: '--session-id <id>', description: 'the reporting session (default: that of Claude Code)' },
      { syntax: '--run-id <id>', description: 'the reporting run' },
      { syntax: '--take-over', description: 'report although the run of another session is live; it becomes yours' },
    ],
    examples: [
      ['wt state progress', 'the current progress'],
      ['wt state progress --step 1 --complete --artifact spec=specs/login.md', ''],
    ],
  },
  {
    name: 'state end',
    group: 'For scripts and agents:',
    summary: 'end the workflow that has claimed the current worktree',
    details: 'Ends your own run, or one that is dead; when there is none, nothing happens and that is no failure.',
    options: [
      { syntax: '--run-id <id>', description: 'the run (default: the one of your session or process)' },
      { syntax: '--session-id <id>', description: 'the session (default: that of Claude Code)' },
      { syntax: '--take-over', description: 'end it although it is the live run of another session' },
    ],
    examples: [['wt state end', '']],
  },
  {
    name: 'state cleanup',
    group: 'For scripts and agents:',
    summary: 'remove the state of deleted worktrees',
    options: [{ syntax: '--dry-run', description: 'show what would be removed' }],
    examples: [['wt state cleanup --dry-run', '']],
  },
  {
    name: 'retro',
    group: 'For scripts and agents:',
    summary: 'report how agents worked: denied and unguarded calls, unwatched pull requests, failed hooks',
    details:
      "It reads the log of the hooks and Claude's transcripts. What it names is worth a look, and may well be right as it was.",
    options: [{ syntax: '--since <time>', description: '90m, 12h, 2d, 1w, or a date (default: 7d)' }],
    examples: [['wt retro --since 2d', '']],
  },
  {
    name: 'check-ignore',
    group: 'For scripts and agents:',
    summary: 'check that git ignores the files that wt writes',
    options: [{ syntax: '--fix', description: 'add missing rules' }],
    examples: [['wt check-ignore --fix', '']],
  },
];
