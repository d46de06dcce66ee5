import { worktreeWord, type CommandDefinition } from './definition.ts';

/** The commands for the rest of a worktree's life: merging, removing, setting up, checking and carrying work. */
export const worktreeLifeCommands: readonly CommandDefinition[] = [
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
  {
    name: 'carry',
    group: 'Worktrees:',
    summary: 'carry uncommitted work from a worktree to another',
    details:
      'Staged, unstaged and untracked files go along, three-way, also when the other worktree is at another commit: all of them or none. What was staged is ' +
      'staged again. Ignored files, repositories of their own and what is inside of submodules stay. Files that are not committed in the other worktree either are never ' +
      'touched. Prints the files; `wt undo` brings both worktrees back.',
    words: [
      { ...worktreeWord, syntax: '<from>' },
      { ...worktreeWord, syntax: '<to>' },
    ],
    options: [
      { syntax: '--move', description: 'it is gone from where it was (default)' },
      { syntax: '--copy', description: 'it stays where it was as well' },
      { syntax: '--dry-run', description: 'show what would happen, including conflicts' },
    ],
    examples: [
      ['wt carry . login-form', 'what is not committed here goes to login-form'],
      ['wt carry @ login-form --copy', 'from the main working tree, and stays there too'],
    ],
  },
];
