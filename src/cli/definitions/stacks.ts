import { worktreeWord, type CommandDefinition } from './definition.ts';

/** The commands that show, restack and undo stacks. */
export const stacksCommands: readonly CommandDefinition[] = [
  {
    name: 'stack',
    group: 'Stacks:',
    summary: 'draw the stacks',
    details: 'Shows the pull request of each branch, and which branches need a restack or wait for you.',
    words: [{ ...worktreeWord, syntax: '[name]', description: 'only the stack of this worktree' }],
    examples: [
      ['wt stack', ''],
      ['wt stack login-api', 'only its stack'],
    ],
  },
  {
    name: 'rebase',
    aliases: ['restack'],
    group: 'Stacks:',
    summary: 'rebase a worktree, or its whole stack, onto its base',
    details:
      'Tried in memory first: branches and worktrees move all together or not at all, and uncommitted work stays where it is. A conflict ' +
      'stops in the worktree of that branch. A base that was merged hands its place on to its own base.',
    words: [{ ...worktreeWord, syntax: '[name]' }],
    options: [
      { syntax: '--stack', description: 'the whole stack' },
      { syntax: '--onto <branch>', description: 'the new base', kind: 'branch' },
      { syntax: '--base <commit>', description: 'the last commit that is not its own' },
      { syntax: '--offline', description: 'contact neither the remote nor GitHub' },
      { syntax: '--dry-run', description: 'show what would happen, including conflicts' },
      { syntax: '--continue', description: 'continue after a conflict' },
      { syntax: '--skip', description: 'skip the commit that conflicts' },
      { syntax: '--abort', description: 'roll back everything that the rebase has moved' },
    ],
    examples: [
      ['wt rebase', 'the current worktree'],
      ['wt rebase login-api --stack', 'its bases, itself and its dependents'],
      ['wt rebase --stack --dry-run', 'the plan, including conflicts'],
    ],
  },
  {
    name: 'move',
    group: 'Stacks:',
    summary: 'move a worktree and its dependents onto another base',
    words: [worktreeWord],
    options: [
      { syntax: '--onto <branch>', description: 'the new base: a branch, or the name of a worktree', kind: 'branch' },
      { syntax: '--base <commit>', description: 'the last commit that is not its own' },
      { syntax: '--offline', description: 'contact neither the remote nor GitHub' },
      { syntax: '--dry-run', description: 'show what would happen, including conflicts' },
    ],
    examples: [['wt move login-api --onto main', '']],
  },
  {
    name: 'rename',
    group: 'Stacks:',
    summary: 'rename a worktree with its branch and its agent; its dependents follow',
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
    summary: 'predict conflicts of worktrees with their base and with each other',
    details: 'Uncommitted and untracked files included. Merged in memory; nothing is touched.',
    words: [{ ...worktreeWord, syntax: '[name]', description: 'only conflicts of this worktree' }],
    examples: [['wt predict', '']],
  },
  {
    name: 'undo',
    group: 'Stacks:',
    summary: 'undo the last restack, move, rename, cleanup, merge or carry',
    details:
      'Uncommitted work stays, and that of a removed worktree is there again, staged or not; so is what git ignores and was kept. All that one cleanup ' +
      'removed comes back together. Refused where a branch has changed since, something else is in its place, or a merge was pushed, has ' +
      'moved submodules, or has dependents.',
    words: [
      { syntax: '[operation]', description: 'the operation to undo, as listed by `wt log` (default: the last one)' },
    ],
    examples: [['wt undo', '']],
  },
  {
    name: 'redo',
    group: 'Stacks:',
    summary: 'redo what was undone last',
    examples: [['wt redo', '']],
  },
  {
    name: 'log',
    group: 'Stacks:',
    summary: 'list the operations of the last 30 days, the latest first',
    examples: [['wt log', '']],
  },
];
