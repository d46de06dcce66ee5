import { worktreeWord, type CommandDefinition } from './definition.ts';

/** The commands that make and show worktrees, and work in them. */
export const worktreesCommands: readonly CommandDefinition[] = [
  {
    name: 'create',
    aliases: ['new'],
    group: 'Worktrees:',
    summary: 'create a worktree with its own branch',
    details:
      'Prints the path of the new worktree. For a task of the session file the name follows from the task, the task moves to the worktree ' +
      'tasks, and the new branch gets a session file for it alone. Git-ignored files that the team has named (`.env*` by default) come along, submodules are ' +
      'initialized, and approved setup commands are run. A failure at any step is rolled back.',
    words: [
      {
        syntax: '[name]',
        description:
          'its name; branch and folder are named after it. Or a pull request or an issue: `pr:12`, `issue:12`, `#12` or an address. ' +
          'Optional with a task or a work id',
        kind: 'subject',
      },
    ],
    options: [
      {
        syntax: '--base <branch>',
        short: '-b',
        description: 'the base branch (default: the current one)',
        kind: 'branch',
      },
      {
        syntax: '--branch <branch>',
        description: 'the branch: a new one, one that exists, or one of a remote (default: the configured pattern)',
        kind: 'branch',
      },
      { syntax: '--stack', description: 'of a pull request: with those below it' },
      { syntax: '--new-branch', description: 'start a new branch, also where a remote has one of its name' },
      {
        syntax: '--task <task>',
        description: 'a task of the session file, or any text if a name is given; may be repeated',
        kind: 'task',
        repeats: true,
      },
      {
        syntax: '--session <file>',
        description: 'commit this file as the session file of the new branch',
        kind: 'file',
      },
      {
        syntax: '--work-id <id>',
        description: 'the ticket or job it belongs to; without a name or a task it is the name as well',
      },
      {
        syntax: '--workflow-run-id <id>',
        description: 'the workflow run it belongs to; also recorded in the tracking file',
      },
      { syntax: '--created-by <program>', description: 'the program that creates it (default: wt)' },
      {
        syntax: '--auto-cleanup',
        description: 'offer its removal when its work is done, whatever the team has configured',
      },
      { syntax: '--no-auto-cleanup', description: 'never offer that' },
      { syntax: '--no-setup', description: 'do not run setup commands' },
      { syntax: '--no-hooks', description: 'do not run hooks' },
      { syntax: '--generate', description: 'have your own command write a name for the task; you can change it' },
      { syntax: '--yes', description: 'with --generate: use what is written as it is' },
      { syntax: '--no-cd', description: 'leave the shell where it is' },
      {
        syntax: '--with-changes',
        description:
          'bring the uncommitted work of the worktree you are in along; `--with-changes=copy` leaves it there as well',
      },
      { syntax: '--copy-changes', description: 'the same as `--with-changes=copy`' },
    ],
    examples: [
      ['wt create login-form', 'on a new branch from where you are'],
      ['wt create login-api -b login-form', 'on top of another worktree'],
      ['wt create pr:12 --stack', 'from a pull request, and those below it'],
      ['wt create --task "Fix login"', 'for a task of agents/session.md'],
      ['wt create login-form --with-changes', 'and what is not committed here goes there'],
      ['cd "$(wt create --work-id 42)"', 'for ticket 42, called by it, and go there'],
    ],
  },
  {
    name: 'adopt',
    group: 'Worktrees:',
    summary: 'record the base of worktrees that other programs have made; they stay where they are',
    details:
      'A worktree of git, of an editor or of an agent is listed, pushed and removed like any other. With its base recorded it is part of a stack ' +
      'as well, and gets an agent of its own. The base is what its history shows, with what git noted when the branch was made; where that does not decide, ' +
      'the command asks, or says what to choose from.',
    words: [{ ...worktreeWord, syntax: '[name...]' }],
    options: [
      { syntax: '--all', description: 'all that are not recorded yet' },
      { syntax: '--base <branch>', short: '-b', description: 'their base', kind: 'branch' },
    ],
    examples: [
      ['wt adopt', 'the worktree you are in'],
      ['wt adopt agent-7 -b login-form', 'on top of another worktree'],
      ['wt adopt --all', 'all of them'],
    ],
  },
  {
    name: 'list',
    aliases: ['ls'],
    group: 'Worktrees:',
    summary: 'list the worktrees and their state',
    details:
      'On a terminal a table, the latest activity first; piped, the same facts without color and uncut. Fields of `--porcelain` ' +
      'that are empty stay empty: a detached worktree has no branch.',
    options: [
      { syntax: '--stack', description: 'sort them by stack' },
      { syntax: '--size', description: 'measure what removing each would free on its disk' },
      { syntax: '--porcelain', description: 'one line each for scripts: slug, branch and path, separated by tabs' },
      { syntax: '-z', description: 'with --porcelain: terminate lines with NUL' },
    ],
    examples: [
      ['wt list', 'what there is'],
      ['wt list --porcelain | cut -f3', 'only the paths'],
    ],
  },
  {
    name: 'tasks',
    group: 'Worktrees:',
    summary: 'list the tasks of the session file: pending, in worktrees, done',
    details:
      'The session file is that of the main working tree, agents/session.md unless the team has configured another.',
    examples: [
      ['wt tasks', ''],
      ['wt tasks --json', 'with the line of each, and the worktree that has it'],
    ],
  },
  {
    name: 'info',
    group: 'Worktrees:',
    summary: 'show everything about a worktree',
    words: [{ ...worktreeWord, syntax: '[name]' }],
    options: [{ syntax: '--size', description: 'measure what removing it would free on its disk' }],
    examples: [
      ['wt info', 'the current worktree'],
      ['wt info login-form --json', 'for a script'],
    ],
  },
  {
    name: 'diff',
    group: 'Worktrees:',
    summary: 'show the changes of a worktree since its merge base',
    details: 'Compares the merge base with the files as they are now, uncommitted changes included.',
    words: [{ ...worktreeWord, syntax: '[name]' }],
    options: [{ syntax: '--stat', description: 'only how much changed in which file' }],
    examples: [
      ['wt diff login-form', ''],
      ['wt diff login-form --stat', ''],
    ],
  },
  {
    name: 'exec',
    group: 'Worktrees:',
    summary: 'run a command in the root of a worktree, of all, or of a stack',
    passes: { withoutWords: ['--all'] },
    details:
      'Everything behind the name is the command, its options included; `--` may stand before it, and must where the name is left out ' +
      '(then it is the current worktree). No shell is between: for pipes, `&&` and variables use `sh -c`. The command has your terminal, ' +
      'gets SIGINT, SIGTERM and SIGHUP, and its exit code is that of wt: 128 and the number of the signal that ended it, 127 for a command that is not ' +
      'there, 126 for one that may not be run. Variables that tie git to another repository are removed. ' +
      'With --all or --stack there is no input, each line that is printed begins with the name of its worktree, a table of the exit codes comes last, ' +
      'and the exit code is 0 or 1. With --json standard output is the JSON, and what the commands print goes to standard error.',
    words: [
      { ...worktreeWord, syntax: '[name]' },
      { syntax: '[command...]', description: 'the command and its arguments, passed on as they are', kind: 'program' },
    ],
    options: [
      { syntax: '--all', description: 'in every linked worktree, whatever fails in one of them' },
      {
        syntax: '--stack',
        description: 'in its stack, bases first; stops after a failure',
      },
      { syntax: '--keep-going', description: 'with --stack: go on after a failure' },
      { syntax: '--jobs <number>', description: 'run this many at the same time (default: 1)' },
    ],
    examples: [
      ['wt exec login-form npm test', ''],
      ["wt exec login-form -- sh -c 'npm run build && npm test'", 'through a shell'],
      ['wt exec --all --jobs 4 -- npm ci', 'in every worktree'],
      ['wt exec login-api --stack -- just precommit', 'its bases, itself and its dependents'],
    ],
  },
];
