import { worktreeWord, type CommandDefinition } from './definition.ts';

/** The commands that make, inspect, merge and remove worktrees. */
export const worktreesCommands: readonly CommandDefinition[] = [
  {
    name: 'create',
    aliases: ['new'],
    group: 'Worktrees:',
    summary: 'make a worktree with a branch of its own',
    details:
      'Prints the path of the new worktree. For a task of the session file the name follows from the task, the task moves to the worktree ' +
      'tasks, and the new branch gets a session file for it alone. Git-ignored files that the team has named (`.env*` by default) come along, submodules are ' +
      'initialised, and approved setup commands are run. A failure at any step leaves nothing behind.',
    words: [
      {
        syntax: '[name]',
        description:
          'what to call it; the branch and the folder follow from it. A task or a work id can stand in for it',
      },
    ],
    options: [
      { syntax: '--base <branch>', description: 'the branch to stand on (default: the current one)', kind: 'branch' },
      { syntax: '--branch <branch>', description: 'the name of the new branch (default: as the team has configured)' },
      {
        syntax: '--task <task>',
        description: 'a task of the session file, or with a name any text; several times for a worktree each',
        kind: 'task',
        repeats: true,
      },
      {
        syntax: '--session <file>',
        description: 'commit this file as the session file of the new branch',
        kind: 'file',
      },
      { syntax: '--work-id <id>', description: 'the ticket or job it belongs to; kept in the registry' },
      {
        syntax: '--workflow-run-id <id>',
        description: 'the run of a workflow that it is made for; in the tracking file as well',
      },
      { syntax: '--created-by <program>', description: 'the program that asks for it (default: wt)' },
      { syntax: '--no-setup', description: 'run no setup commands' },
    ],
    examples: [
      ['wt create login-form', 'on a new branch from where you are'],
      ['wt create login-api --base login-form', 'on top of another worktree'],
      ['wt create --task "Fix login"', 'for a task of agents/session.md'],
      ['cd "$(wt create fix-42 --work-id 42)"', 'make it and go there'],
    ],
  },
  {
    name: 'list',
    aliases: ['ls'],
    group: 'Worktrees:',
    summary: 'list the worktrees with what is most pressing of each',
    details:
      'On a terminal a table, the latest activity first; piped, the same facts without colour and uncut. Fields of `--porcelain` ' +
      'that are empty stay empty: a detached worktree has no branch.',
    options: [
      { syntax: '--stack', description: 'order them by what stands on what' },
      { syntax: '--porcelain', description: 'one line each for scripts: slug, branch and path, with tabs between' },
      { syntax: '-z', description: 'with --porcelain: end lines with NUL, for paths that hold line breaks' },
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
    summary: 'say everything about one worktree',
    words: [{ ...worktreeWord, syntax: '[name]' }],
    examples: [
      ['wt info', 'the worktree you are in'],
      ['wt info login-form --json', 'for a script'],
    ],
  },
  {
    name: 'diff',
    group: 'Worktrees:',
    summary: 'show what a worktree changed since it left its base',
    details:
      'From the merge base with the branch that it stands on to its files as they are now, uncommitted changes included.',
    words: [{ ...worktreeWord, syntax: '[name]' }],
    options: [{ syntax: '--stat', description: 'only how much changed in which file' }],
    examples: [
      ['wt diff login-form', ''],
      ['wt diff login-form --stat', ''],
    ],
  },
  {
    name: 'merge',
    group: 'Worktrees:',
    summary: 'merge a worktree into the one you are in, notes and submodules included',
    details:
      'Prints the merge commit. Stops with exit code 1 where a person is needed, and says what to do; the same command then goes on. The ' +
      'session files are merged entry by entry. At last the checks run.',
    words: [worktreeWord],
    options: [
      { syntax: '--message <text>', description: 'what the merge commit says (default: Merge wt/<slug>)' },
      { syntax: '--abort', description: 'take back a merge that is under way' },
      { syntax: '--approve', description: 'approve the checks, for you and this repository, and run them' },
      { syntax: '--commit-notes', description: 'commit session files here first that are changed on both sides' },
    ],
    examples: [
      ['wt merge login-form', 'from the main working tree'],
      ['wt merge login-form --abort', 'as if it had not begun'],
    ],
  },
  {
    name: 'cleanup',
    aliases: ['rm'],
    group: 'Worktrees:',
    summary: 'remove worktrees, once nothing of them would be lost',
    details:
      'What exists only in the worktree stops the removal and is named. The branch goes too when its work has landed, and stays when ' +
      'not. Worktrees that stand on it move to its base. Small files that git ignores are kept for 30 days; dependencies and what a build made ' +
      'are gone.',
    words: [{ ...worktreeWord, syntax: '[name...]' }],
    options: [
      { syntax: '--all', description: 'every worktree but the main one' },
      { syntax: '--merged', description: 'only those whose work has landed' },
      {
        syntax: '--force',
        description: 'remove it although work would be lost; what only it holds is kept under refs/wt-backup/',
      },
      { syntax: '--dry-run', description: 'only say what would go, and what of it would be kept' },
      { syntax: '--offline', description: 'judge what was merged by what is here: ask neither the remote nor GitHub' },
    ],
    examples: [
      ['wt cleanup login-form', ''],
      ['wt cleanup --merged', 'all whose work has landed'],
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
        description: 'instead make plain git merge, rebase and cherry-pick merge the session files as wt does',
      },
      { syntax: '--remove', description: 'with --merge-driver: take it out again' },
    ],
    examples: [
      ['wt setup', 'in the worktree you are in'],
      ['wt setup login-form --approve', ''],
      ['wt setup --merge-driver', 'once for the repository'],
    ],
  },
  {
    name: 'checks',
    group: 'Worktrees:',
    summary: 'run the checks of the team in a worktree',
    details:
      'The command comes from `.worktrees.yml`. Without your approval it is named and not run; an approval holds until it changes. ' +
      'What it prints goes to standard error. Exit code 1 when it fails.',
    words: [{ ...worktreeWord, syntax: '[name]' }],
    options: [{ syntax: '--approve', description: 'approve the command, now and for later, and run it' }],
    examples: [
      ['wt checks', 'in the worktree you are in'],
      ['wt checks login-form --approve', ''],
    ],
  },
  {
    name: 'resolve',
    group: 'Worktrees:',
    summary: 'merge the session files that are in conflict, and stage them',
    details:
      'In a merge, rebase or cherry-pick that is under way, begun by wt or not. It prints what was decided and why; what it leaves is ' +
      'named, and the exit code is 1. A file that you name is merged anew, in conflict or not.',
    words: [{ syntax: '[file...]', description: 'which (default: all that are in conflict)', kind: 'file' }],
    examples: [
      ['wt resolve', ''],
      ['wt resolve agents/session.md', 'also if it was resolved already'],
    ],
  },
];
