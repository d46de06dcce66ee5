import { worktreeWord, type CommandDefinition } from './definition.ts';

const allWorktrees = { syntax: '--all-worktrees', description: 'all worktrees of the repository, not this one alone' };

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
    options: [
      { syntax: '--generate', description: 'have your own command write the message; you can change it' },
      { syntax: '--yes', description: 'with --generate: use what is written as it is' },
    ],
    examples: [
      ['echo "Fix the login" | wt add-commit src/login.ts', ''],
      ['wt add-commit --generate src/login.ts', 'with a message that your own command writes'],
    ],
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
    name: 'wait',
    group: 'For scripts and agents:',
    summary: 'wait until an agent needs you or is done',
    waits: true,
    details:
      'Prints `<name><TAB>waiting`, `done` or `gone` (ended in the middle of its work) for each worktree whose agents it was about. Exit code 1 when the time is over, or when there is no agent to wait for. ' +
      'It reads what the hooks of the plugin have written down; where there are none, it asks Claude Code.',
    words: [{ ...worktreeWord, syntax: '[name]' }],
    options: [
      { syntax: '--any', description: 'the first agent of the repository that needs you or gets done' },
      { syntax: '--all', description: 'all agents of the repository: until none works any more' },
      { syntax: '--timeout <time>', description: '90s, 10m, 2h (default: never)' },
    ],
    examples: [
      ['wt wait login-form && wt diff login-form', ''],
      ['wt wait --any --timeout 30m', 'the next agent that has something for you'],
      ['wt wait --all && wt list', ''],
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
      { syntax: '--no-worktree', description: 'stop where another run is live, whatever is configured' },
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
    name: 'state db init',
    group: 'For scripts and agents:',
    summary: 'make the database of the current worktree',
    details:
      'It is .claude-state/agentdb.duckdb of the worktree, which git ignores. One that is there is migrated. The database needs an engine; see `wt state db install --help`.',
    options: [allWorktrees],
    examples: [['wt state db init', '']],
  },
  {
    name: 'state db migrate',
    group: 'For scripts and agents:',
    summary: 'bring an earlier database into the present shape',
    details:
      'It adds what the table agent_synchronizations lacks, in one transaction. All rows stay, and so do all other tables. A file that cannot be read, or that another program uses, is named and left as it is.',
    options: [allWorktrees],
    examples: [['wt state db migrate --all-worktrees', '']],
  },
  {
    name: 'state db sync',
    group: 'For scripts and agents:',
    summary: 'write what agents did in the current worktree to its database',
    details:
      'It reads the log of the hooks, the log of operations and the registry, and adds what is no row yet. Makes the database where there is none. Hooks never write it.',
    options: [allWorktrees],
    examples: [['wt state db sync --all-worktrees', '']],
  },
  {
    name: 'state db query',
    group: 'For scripts and agents:',
    summary: 'run one SELECT over what agents did in the current worktree',
    details:
      'The table is agent_synchronizations. A query sees the rows of this worktree only, reads no other files and changes nothing. `-` reads it from standard input.',
    words: [{ syntax: '<sql>', description: 'one SELECT of DuckDB' }],
    options: [allWorktrees, { syntax: '--limit <rows>', description: 'the most rows to print (default: 1000)' }],
    examples: [
      ['wt state db query "DESCRIBE agent_synchronizations"', 'the columns'],
      ['wt state db query "SELECT happened_at, kind, agent, task FROM agent_synchronizations ORDER BY 1"', ''],
      [
        'wt state db query --all-worktrees "SELECT worktree, session_id, kind, count(*) FROM agent_synchronizations GROUP BY ALL"',
        'who did what',
      ],
    ],
  },
  {
    name: 'state db status',
    group: 'For scripts and agents:',
    summary: 'print what there is of the database and its engine',
    options: [allWorktrees],
    examples: [['wt state db status --all-worktrees', '']],
  },
  {
    name: 'state db install',
    group: 'For scripts and agents:',
    summary: 'install the engine of the database, about 70 MB',
    details:
      'Your npm fetches @duckdb/node-api in one fixed version and checks its content. Nothing else of wt needs it. The program `duckdb` on the path does as well. WORKTREE_STACKS_ENGINE names another folder that holds the package, or another program.',
    options: [
      { syntax: '--into <folder>', description: 'where to put it (default: a folder of yours)', kind: 'folder' },
    ],
    examples: [['wt state db install', '']],
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
