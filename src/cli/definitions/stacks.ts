import { worktreeWord, type CommandDefinition } from './definition.ts';

/** The commands that show, restack and undo stacks. */
export const stacksCommands: readonly CommandDefinition[] = [
  {
    name: 'stack',
    group: 'Stacks:',
    summary: 'draw what stands on what',
    details: 'With what is known of each pull request, and which branches need a restack or wait for you.',
    words: [{ ...worktreeWord, syntax: '[name]', description: 'only the stack that this worktree is in' }],
    examples: [
      ['wt stack', ''],
      ['wt stack login-api', 'only its stack'],
    ],
  },
  {
    name: 'rebase',
    group: 'Stacks:',
    summary: 'put the commits of a worktree, or of its whole stack, onto their base',
    details:
      'Tried in memory first: branches and worktrees move all together or not at all, and uncommitted work stays where it is. A conflict ' +
      'stops in the worktree of that branch. A base that was merged hands its place on to its own base.',
    words: [{ ...worktreeWord, syntax: '[name]' }],
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
  },
  {
    name: 'move',
    group: 'Stacks:',
    summary: 'put a worktree, with everything that stands on it, onto another branch',
    words: [worktreeWord],
    options: [
      { syntax: '--onto <branch>', description: 'the branch, or the name of a worktree', kind: 'branch' },
      { syntax: '--base <commit>', description: 'where its own commits begin: the last commit that is not its own' },
      { syntax: '--offline', description: 'ask neither the remote nor GitHub; what was fetched last counts' },
      { syntax: '--dry-run', description: 'only say what would happen, conflicts included' },
    ],
    examples: [['wt move login-api --onto main', '']],
  },
  {
    name: 'rename',
    group: 'Stacks:',
    summary: 'give a worktree another name, with its branch, agent and everything that stands on it',
    details: 'The folder stays where it is. A branch that was pushed keeps its name, unless another one is given.',
    words: [
      { ...worktreeWord, syntax: '<old>' },
      { syntax: '<new>', description: 'the new name' },
    ],
    options: [{ syntax: '--branch <branch>', description: 'the new name of the branch' }],
    examples: [['wt rename login-form sign-in', '']],
  },
  {
    name: 'predict',
    group: 'Stacks:',
    summary: 'say which worktrees would conflict with their base or with one another',
    details: 'Uncommitted and untracked files included. Merged in memory; nothing is touched.',
    words: [{ ...worktreeWord, syntax: '[name]', description: 'only what concerns this worktree' }],
    examples: [['wt predict', '']],
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
  },
  {
    name: 'redo',
    group: 'Stacks:',
    summary: 'do again what the last undo took back',
    examples: [['wt redo', '']],
  },
  {
    name: 'log',
    group: 'Stacks:',
    summary: 'list the changes of stacks, removals and merges of the last 30 days, the latest first',
    examples: [['wt log', '']],
  },
];
