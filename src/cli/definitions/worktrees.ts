import { worktreeWord, type CommandDefinition } from './definition.ts';

/** The commands that make, inspect, merge and remove worktrees. */
export const worktreesCommands: readonly CommandDefinition[] = [
  {
    name: 'create',
    aliases: ['new'],
    group: 'Worktrees:',
    summary: 'create a worktree with its own branch',
    details:
      'Prints the path of the new worktree. For a task of the session file the name follows from the task, the task moves to the worktree ' +
      'tasks, and the new branch gets a session file for it alone. Git-ignored files that the team has named (`.env*` by default) come along, submodules are ' +
      'initialised, and approved setup commands are run. A failure at any step is rolled back.',
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
      { syntax: '--no-cd', description: 'leave the shell where it is' },
    ],
    examples: [
      ['wt create login-form', 'on a new branch from where you are'],
      ['wt create login-api -b login-form', 'on top of another worktree'],
      ['wt create pr:12 --stack', 'from a pull request, and those below it'],
      ['wt create --task "Fix login"', 'for a task of agents/session.md'],
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
      'On a terminal a table, the latest activity first; piped, the same facts without colour and uncut. Fields of `--porcelain` ' +
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
  {
    name: 'merge',
    group: 'Worktrees:',
    summary: 'merge a worktree into the current one, including session files and submodules',
    details:
      'Prints the merge commit. Stops with exit code 1 if you are needed, and says what to do; run it again to continue. The ' +
      'session files are merged entry by entry. At last the checks run. Where the work is done then, the removal of the worktree is ' +
      'offered, unless `auto_cleanup` is false for it.',
    words: [worktreeWord],
    options: [
      { syntax: '--message <text>', description: 'the message of the merge commit (default: Merge wt/<slug>)' },
      { syntax: '--dry-run', description: 'show what would happen, including conflicts and notes to review' },
      { syntax: '--abort', description: 'abort the merge in progress' },
      { syntax: '--approve', description: 'approve and run the checks and the merge hooks of this repository' },
      { syntax: '--no-hooks', description: 'do not run hooks' },
      { syntax: '--commit-notes', description: 'first commit session files that both sides changed' },
    ],
    examples: [
      ['wt merge login-form', 'from the main working tree'],
      ['wt merge login-form --dry-run', 'what would happen, including conflicts'],
      ['wt merge login-form --abort', 'back to the state before'],
    ],
  },
  {
    name: 'cleanup',
    aliases: ['rm', 'remove'],
    group: 'Worktrees:',
    summary: 'remove worktrees, if no work would be lost',
    details:
      'The removal stops if the worktree has work that exists nowhere else, and names it. The branch is deleted if it is merged, and kept if ' +
      'not. Its dependents move to its base. Small files that git ignores are kept for 30 days; dependencies and what a build made ' +
      'are gone.',
    words: [{ ...worktreeWord, syntax: '[name...]' }],
    options: [
      { syntax: '--all', description: 'every linked worktree' },
      { syntax: '--merged', description: 'only merged ones' },
      {
        syntax: '--force',
        description: 'remove it even if work would be lost; back that up under refs/wt-backup/ first',
      },
      { syntax: '--dry-run', description: 'show what would be removed and what would be backed up' },
      { syntax: '--offline', description: 'contact neither the remote nor GitHub' },
      { syntax: '--no-hooks', description: 'do not run hooks' },
    ],
    examples: [
      ['wt cleanup login-form', ''],
      ['wt cleanup --merged', 'all that are merged'],
    ],
  },
  {
    name: 'lock',
    group: 'Worktrees:',
    summary: 'lock a worktree: nothing removes it until it is unlocked',
    details:
      'Git’s own lock, which git, this program and editors keep to: --force neither removes it nor drops git’s record of it. Locked already, it gets the new reason.',
    words: [{ ...worktreeWord, syntax: '[name]' }],
    options: [{ syntax: '--reason <text>', description: 'why, for whoever meets the lock' }],
    examples: [
      ['wt lock login-form --reason "on the USB disk"', ''],
      ['wt unlock login-form', 'and free again'],
    ],
  },
  {
    name: 'unlock',
    group: 'Worktrees:',
    summary: 'unlock a worktree',
    words: [{ ...worktreeWord, syntax: '[name]' }],
    examples: [['wt unlock login-form', '']],
  },
  {
    name: 'reclaim',
    group: 'Worktrees:',
    summary: 'delete ignored build output of worktrees that nobody works in, to free disk space',
    details:
      'Folders that git ignores and a command makes again: node_modules, target, dist, .venv and others, where the files beside them show what they are, ' +
      'and those that `reclaim` in `.worktrees.yml` names. A worktree counts as idle when no agent, process, workflow or lock is in it, it is neither active nor the one you are in, ' +
      'and nothing in it has changed for a while. What looks like somebody’s own, holds a repository, or is not known to be build output, is kept and named. ' +
      'It is shown and asked first, and cannot be undone: `wt setup` builds again.',
    words: [{ ...worktreeWord, syntax: '[name...]' }],
    options: [
      { syntax: '--all', description: 'every linked worktree that is idle (the default, but for --yes)' },
      { syntax: '--idle <time>', description: 'unchanged for so long: 7d, 12h, 0 (default: 7d)' },
      { syntax: '--dry-run', description: 'only show what could be reclaimed' },
      { syntax: '--yes', description: 'do not ask' },
    ],
    examples: [
      ['wt reclaim', 'show what all idle worktrees could free, then ask'],
      ['wt reclaim login-form --idle 1d', ''],
      ['wt reclaim --all --yes', 'for a script'],
    ],
  },
  {
    name: 'setup',
    group: 'Worktrees:',
    summary: 'run the setup commands in a worktree',
    details:
      'The commands come from `.worktrees.yml`, or are suggested by the files of the repository. Without your approval they are named ' +
      'and not run; an approval holds until a command changes.',
    words: [{ ...worktreeWord, syntax: '[name]' }],
    options: [
      { syntax: '--approve', description: 'approve the commands, now and for later worktrees, and run them' },
      {
        syntax: '--merge-driver',
        description: 'instead make git merge, rebase and cherry-pick merge session files as wt does',
      },
      { syntax: '--remove', description: 'with --merge-driver: remove it' },
    ],
    examples: [
      ['wt setup', 'in the current worktree'],
      ['wt setup login-form --approve', ''],
      ['wt setup --merge-driver', 'once for the repository'],
    ],
  },
  {
    name: 'checks',
    group: 'Worktrees:',
    summary: 'run the checks in a worktree',
    details:
      'The command comes from `.worktrees.yml`, or is suggested by the files of the worktree: a precommit recipe of a justfile, a precommit ' +
      'script of package.json, a precommit target of a makefile, or the script check. Without your approval it is named and not run; an approval holds until it changes. ' +
      'What it prints goes to standard error. Exit code 1 when it fails.',
    words: [{ ...worktreeWord, syntax: '[name]' }],
    options: [{ syntax: '--approve', description: 'approve the command, now and for later, and run it' }],
    examples: [
      ['wt checks', 'in the current worktree'],
      ['wt checks login-form --approve', ''],
    ],
  },
  {
    name: 'hooks',
    group: 'Worktrees:',
    summary: 'show the hooks of a worktree’s life, their approval and what they printed last',
    details:
      'The commands come from `hooks` in `.worktrees.yml`, and from your own file. Those of the team run only with your approval, which holds until a ' +
      'command changes. The first part lists them, the second the last run of each with the file that holds its output; with a name only those of that worktree.',
    words: [{ ...worktreeWord, syntax: '[name]' }],
    options: [
      { syntax: '--approve', description: 'approve those of the team, now and for later' },
      { syntax: '--run <event>', description: 'run those of one event in the worktree, such as after_create' },
    ],
    examples: [
      ['wt hooks', 'what there is, and what became of it'],
      ['wt hooks --approve', ''],
      ['wt hooks login-form --run after_create', 'once more'],
    ],
  },
  {
    name: 'resolve',
    group: 'Worktrees:',
    summary: 'merge and stage the session files that are in conflict',
    details:
      'Works in any merge, rebase or cherry-pick in progress. It prints what was decided and why; what is left is ' +
      'named, and the exit code is 1. A file that you name is merged anew, in conflict or not.',
    words: [{ syntax: '[file...]', description: 'the files (default: all in conflict)', kind: 'file' }],
    examples: [
      ['wt resolve', ''],
      ['wt resolve agents/session.md', 'even if it is resolved already'],
    ],
  },
];
