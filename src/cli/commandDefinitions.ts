import type { CommandDefinition, WordDefinition } from './command.ts';

const name: WordDefinition = {
  syntax: '<name>',
  description: 'a worktree: its name, folder, branch or path; `.` for the one you are in, `@` for the main one',
  kind: 'worktree',
};

/** The options that every command has. */
export const globalOptions: readonly WordDefinition[] = [
  { syntax: '--json', description: 'print the answer as JSON (`wt schema` says how it is made up)' },
  { syntax: '-C <path>', description: 'run as if started in this folder', kind: 'folder' },
  { syntax: '--verbose', description: 'tell on standard error what is done, every git command included' },
  { syntax: '--no-color', description: 'use no colours (the variables NO_COLOR and FORCE_COLOR count as well)' },
];

/** Every command there is, in the order in which help lists them. */
export const catalogue: readonly CommandDefinition[] = [
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
    load: () => import('./commands/create.ts'),
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
    load: () => import('./commands/list.ts'),
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
    load: () => import('./commands/tasks.ts'),
  },
  {
    name: 'info',
    group: 'Worktrees:',
    summary: 'say everything about one worktree',
    words: [{ ...name, syntax: '[name]' }],
    examples: [
      ['wt info', 'the worktree you are in'],
      ['wt info login-form --json', 'for a script'],
    ],
    load: () => import('./commands/info.ts'),
  },
  {
    name: 'diff',
    group: 'Worktrees:',
    summary: 'show what a worktree changed since it left its base',
    details:
      'From the merge base with the branch that it stands on to its files as they are now, uncommitted changes included.',
    words: [{ ...name, syntax: '[name]' }],
    options: [{ syntax: '--stat', description: 'only how much changed in which file' }],
    examples: [
      ['wt diff login-form', ''],
      ['wt diff login-form --stat', ''],
    ],
    load: () => import('./commands/diff.ts'),
  },
  {
    name: 'merge',
    group: 'Worktrees:',
    summary: 'merge a worktree into the one you are in, notes and submodules included',
    details:
      'Prints the merge commit. Stops with exit code 1 where a person is needed, and says what to do; the same command then goes on. The ' +
      'session files are merged entry by entry. At last the checks run.',
    words: [name],
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
    load: () => import('./commands/merge.ts'),
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
    words: [{ ...name, syntax: '[name...]' }],
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
    load: () => import('./commands/cleanup.ts'),
  },
  {
    name: 'setup',
    group: 'Worktrees:',
    summary: 'run the setup commands in a worktree',
    details:
      'The commands come from `.worktrees.yml`, or are suggested by the files of the repository. Without your approval they are named ' +
      'and not run; an approval holds until a command changes.',
    words: [{ ...name, syntax: '[name]' }],
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
    load: () => import('./commands/setup.ts'),
  },
  {
    name: 'checks',
    group: 'Worktrees:',
    summary: 'run the checks of the team in a worktree',
    details:
      'The command comes from `.worktrees.yml`. Without your approval it is named and not run; an approval holds until it changes. ' +
      'What it prints goes to standard error. Exit code 1 when it fails.',
    words: [{ ...name, syntax: '[name]' }],
    options: [{ syntax: '--approve', description: 'approve the command, now and for later, and run it' }],
    examples: [
      ['wt checks', 'in the worktree you are in'],
      ['wt checks login-form --approve', ''],
    ],
    load: () => import('./commands/checks.ts'),
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
    load: () => import('./commands/resolve.ts'),
  },
  {
    name: 'stack',
    group: 'Stacks:',
    summary: 'draw what stands on what',
    details: 'With what is known of each pull request, and which branches need a restack or wait for you.',
    words: [{ ...name, syntax: '[name]', description: 'only the stack that this worktree is in' }],
    examples: [
      ['wt stack', ''],
      ['wt stack login-api', 'only its stack'],
    ],
    load: () => import('./commands/stack.ts'),
  },
  {
    name: 'rebase',
    group: 'Stacks:',
    summary: 'put the commits of a worktree, or of its whole stack, onto their base',
    details:
      'Tried in memory first: branches and worktrees move all together or not at all, and uncommitted work stays where it is. A conflict ' +
      'stops in the worktree of that branch. A base that was merged hands its place on to its own base.',
    words: [{ ...name, syntax: '[name]' }],
    options: [
      { syntax: '--stack', description: 'everything in its stack, not only this one' },
      { syntax: '--onto <branch>', description: 'stand on this from now on', kind: 'branch' },
      { syntax: '--base <commit>', description: 'where its own commits begin: the last commit that is not its own' },
      { syntax: '--offline', description: 'ask neither the remote nor GitHub; what was fetched last counts' },
      { syntax: '--dry-run', description: 'only say what would happen, conflicts included' },
      { syntax: '--continue', description: 'go on after a conflict' },
      { syntax: '--skip', description: 'go on without the commit that conflicts' },
      { syntax: '--abort', description: 'take back everything that the rebase has moved' },
    ],
    examples: [
      ['wt rebase', 'the worktree you are in'],
      ['wt rebase login-api --stack', 'it, what it stands on and what stands on it'],
      ['wt rebase --stack --dry-run', 'the plan, and what will conflict'],
    ],
    load: () => import('./commands/rebase.ts'),
  },
  {
    name: 'move',
    group: 'Stacks:',
    summary: 'put a worktree, with everything that stands on it, onto another branch',
    words: [name],
    options: [
      { syntax: '--onto <branch>', description: 'the branch, or the name of a worktree', kind: 'branch' },
      { syntax: '--base <commit>', description: 'where its own commits begin: the last commit that is not its own' },
      { syntax: '--offline', description: 'ask neither the remote nor GitHub; what was fetched last counts' },
      { syntax: '--dry-run', description: 'only say what would happen, conflicts included' },
    ],
    examples: [['wt move login-api --onto main', '']],
    load: () => import('./commands/move.ts'),
  },
  {
    name: 'rename',
    group: 'Stacks:',
    summary: 'give a worktree another name, with its branch, agent and everything that stands on it',
    details: 'The folder stays where it is. A branch that was pushed keeps its name, unless another one is given.',
    words: [
      { ...name, syntax: '<old>' },
      { syntax: '<new>', description: 'the new name' },
    ],
    options: [{ syntax: '--branch <branch>', description: 'the new name of the branch' }],
    examples: [['wt rename login-form sign-in', '']],
    load: () => import('./commands/rename.ts'),
  },
  {
    name: 'predict',
    group: 'Stacks:',
    summary: 'say which worktrees would conflict with their base or with one another',
    details: 'Uncommitted and untracked files included. Merged in memory; nothing is touched.',
    words: [{ ...name, syntax: '[name]', description: 'only what concerns this worktree' }],
    examples: [['wt predict', '']],
    load: () => import('./commands/predict.ts'),
  },
  {
    name: 'undo',
    group: 'Stacks:',
    summary:
      'take back the last change of a stack, cleanup or merge: every branch, worktree and base that it moved or removed',
    details:
      'Uncommitted work stays, and that of a removed worktree is there again, staged or not; so is what git ignores and was kept. All that one cleanup ' +
      'removed comes back together. Refused where a branch has changed since, something else is in its place, or a merge was pushed, has ' +
      'moved submodules, or has something standing on it.',
    words: [{ syntax: '[operation]', description: 'another one than the last, as `wt log` names it' }],
    examples: [['wt undo', '']],
    load: () => import('./commands/undo.ts'),
  },
  {
    name: 'redo',
    group: 'Stacks:',
    summary: 'do again what the last undo took back',
    examples: [['wt redo', '']],
    load: () => import('./commands/redo.ts'),
  },
  {
    name: 'log',
    group: 'Stacks:',
    summary: 'list the changes of stacks, removals and merges of the last 30 days, the latest first',
    examples: [['wt log', '']],
    load: () => import('./commands/log.ts'),
  },
  {
    name: 'push',
    group: 'Remote and pull requests:',
    summary: 'push the branch of a worktree, and only that',
    details:
      'Never by force and never the trunk. A branch that was rebased after it was pushed replaces exactly what was pushed, if the ' +
      'remote holds nothing else; `stack.after_rebase` in `.worktrees.yml` chooses another way.',
    words: [{ ...name, syntax: '[name]' }],
    options: [
      { syntax: '--stack', description: 'its whole stack, all branches or none' },
      {
        syntax: '--rewrite',
        description: 'replace what was pushed although the branch was amended, or the team refuses it',
      },
      {
        syntax: '--force',
        description: 'also a branch whose pull request waits in the merge queue, which it leaves then',
      },
    ],
    examples: [
      ['wt push login-form', ''],
      ['wt push login-form --stack', 'what it stands on and what stands on it as well'],
    ],
    load: () => import('./commands/push.ts'),
  },
  {
    name: 'pr',
    group: 'Remote and pull requests:',
    summary: 'push a worktree and open its draft pull request, or bring it up to date',
    details:
      'Always a draft, into the branch that the worktree stands on. Run again it updates the same one. A table of the stack in the text ' +
      'keeps itself up to date. Prints the addresses.',
    words: [{ ...name, syntax: '[name]' }],
    options: [
      { syntax: '--stack', description: 'of its whole stack' },
      { syntax: '--title <text>', description: 'its title (default: of the only commit, or the task)' },
      { syntax: '--body-file <file>', description: 'its text; `-` for standard input', kind: 'file' },
      { syntax: '--web', description: 'show it in the browser' },
      {
        syntax: '--register',
        description: "register the stack as one of GitHub's own, where the repository has those",
      },
      { syntax: '--replace', description: 'open a new one in place of one that was closed' },
      { syntax: '--no-draft', description: 'where the plan has no drafts, open it ready for review' },
    ],
    examples: [
      ['wt pr login-form', ''],
      ['wt pr login-form --stack', 'of everything it stands on and that stands on it'],
      ['wt pr login-form --title "Log in with a key" --body-file notes.md', ''],
    ],
    load: () => import('./commands/pr.ts'),
  },
  {
    name: 'poll',
    group: 'Remote and pull requests:',
    summary: 'watch a pull request until something happens to it',
    waits: true,
    details:
      'Ends with one JSON summary: the base has moved or was merged, checks failed or passed, somebody wrote, it was merged or closed. ' +
      'What it has told once it does not tell again. Run it in the background.',
    words: [{ ...name, syntax: '[name]' }],
    options: [
      { syntax: '--all', description: 'every pull request of the repository, in one' },
      { syntax: '--timeout <minutes>', description: 'end after so long without news (default: never)' },
    ],
    examples: [
      ['wt poll login-form', ''],
      ['wt poll --all --timeout 60', ''],
    ],
    load: () => import('./commands/poll.ts'),
  },
  {
    name: 'switch',
    group: 'Active worktree:',
    summary: 'make a worktree the one that a restored Claude session is led back to',
    words: [name],
    examples: [['wt switch login-form', '']],
    load: () => import('./commands/switch.ts'),
  },
  {
    name: 'active',
    group: 'Active worktree:',
    summary: 'print the path of the active worktree',
    options: [{ syntax: '--clear', description: 'have none any more' }],
    examples: [
      ['cd "$(wt active)"', 'go there'],
      ['wt active --clear', ''],
    ],
    load: () => import('./commands/active.ts'),
  },
  {
    name: 'clean-tree',
    group: 'For scripts and agents:',
    summary: 'say whether anything is uncommitted, submodules included',
    details: 'Silent and exit code 0 when clean; else the paths and exit code 1. The session files do not count.',
    examples: [['wt clean-tree && just release', '']],
    load: () => import('./commands/cleanTree.ts'),
  },
  {
    name: 'add-commit',
    group: 'For scripts and agents:',
    summary: 'stage files and commit them, with the message from standard input',
    details: 'Prints the new commit. When nothing is staged afterwards, it prints nothing and that is no failure.',
    words: [{ syntax: '<files...>', description: 'what to stage', kind: 'file' }],
    examples: [['echo "Fix the login" | wt add-commit src/login.ts', '']],
    load: () => import('./commands/addCommit.ts'),
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
    load: () => import('./commands/path.ts'),
  },
  {
    name: 'state context',
    group: 'For scripts and agents:',
    summary: 'print the context of the worktree you are in',
    examples: [['wt state context --json', '']],
    load: () => import('./commands/stateContext.ts'),
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
    load: () => import('./commands/stateProgress.ts'),
  },
  {
    name: 'state cleanup',
    group: 'For scripts and agents:',
    summary: 'remove state that was left behind by worktrees that are gone',
    options: [{ syntax: '--dry-run', description: 'only say what there is' }],
    examples: [['wt state cleanup --dry-run', '']],
    load: () => import('./commands/stateCleanup.ts'),
  },
  {
    name: 'retro',
    group: 'For scripts and agents:',
    summary: 'look back at how agents worked: what was refused or let through, unwatched pull requests, failed hooks',
    details:
      "It reads the log of the hooks and Claude's transcripts. What it names is worth a look, and may well be right as it was.",
    options: [{ syntax: '--since <time>', description: '90m, 12h, 2d, 1w, or a date (default: 7d)' }],
    examples: [['wt retro --since 2d', '']],
    load: () => import('./commands/retro.ts'),
  },
  {
    name: 'check-ignore',
    group: 'For scripts and agents:',
    summary: 'say whether git ignores the files that wt writes',
    options: [{ syntax: '--fix', description: 'add the missing rules' }],
    examples: [['wt check-ignore --fix', '']],
    load: () => import('./commands/checkIgnore.ts'),
  },
  {
    name: 'doctor',
    group: 'About wt:',
    summary: 'find what is inconsistent, and repair it',
    details:
      'Registry, bases, missing folders, stale markers and locks, agents, launchers of hooks, ignore rules. Exit code 1 when something is left.',
    options: [{ syntax: '--fix', description: 'repair what can be repaired without losing anything' }],
    examples: [
      ['wt doctor', 'only look'],
      ['wt doctor --fix', ''],
    ],
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'schema',
    group: 'About wt:',
    summary: 'print the JSON schema of what a command prints with --json',
    words: [{ syntax: '[command...]', description: 'without one: which there are', kind: 'command' }],
    examples: [
      ['wt schema list', ''],
      ['wt schema failure', 'what every command prints when it fails'],
    ],
    load: () => import('./commands/schema.ts'),
  },
  {
    name: 'completions',
    group: 'About wt:',
    summary: 'print the completion script of a shell',
    words: [{ syntax: '<shell>', description: 'bash, zsh or fish', kind: 'shell' }],
    examples: [
      ['source <(wt completions bash)', 'in ~/.bashrc'],
      ['source <(wt completions zsh)', 'in ~/.zshrc, after compinit'],
      ['wt completions fish | source', 'in ~/.config/fish/config.fish'],
    ],
    load: () => import('./commands/completions.ts'),
  },
  {
    name: 'hook',
    summary: 'answer a hook of Claude Code; reads its JSON from standard input',
    words: [
      { syntax: '<event>', description: 'session-start, guard, file-guard, bash-guard, teammate-idle, …' },
      { syntax: '[args...]', description: "a guard's worktree and branch" },
    ],
    load: () => import('./commands/hook.ts'),
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
    load: () => import('./commands/mergeDriver.ts'),
  },
  {
    name: 'complete',
    summary: 'print what could come next on a command line; asked by the completion scripts',
    words: [
      { syntax: '<shell>', description: 'bash, zsh or fish' },
      { syntax: '[words...]', description: 'bash: the line up to the cursor; else the words after `wt`' },
    ],
    load: () => import('./commands/complete.ts'),
  },
  {
    name: 'delete-trash',
    summary: 'delete a folder that a removal has put aside; started in the background by cleanup',
    words: [{ syntax: '<folder>', description: 'the folder' }],
    load: () => import('./commands/deleteTrash.ts'),
  },
];
