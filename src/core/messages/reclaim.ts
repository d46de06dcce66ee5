import { messages } from './message.ts';

/** What `core/reclaim` has to say. */
export const reclaimMessages = messages('reclaim', {
  measuring: 'Measuring {name}',
  reclaiming: 'Moving build output of {name} aside',
  // Why nothing of a worktree is reclaimed, as the end of a sentence.
  notThere: 'there is no working tree to look at',
  isActive: { terminal: 'it is the active worktree', editor: "it is Claude's worktree" },
  isCurrent: 'you are in it',
  worksIn: '{what} works in it (process {pid})',
  workflowIn: 'a workflow runs in it',
  underWay: 'a {operation} is in progress',
  changedLately: 'it was changed on {when}',
  // Why a folder is kept, as the end of a sentence.
  notKnown: 'not known to be build output',
  oursToKeep: 'belongs to Worktree Stacks',
  heldTracked: 'git tracks files in it',
  heldRepository: 'a repository lies in it ({path})',
  heldWorktree: 'the worktree {name} lies in it',
  heldMount: 'another disk is mounted in it',
  heldPersonal: 'holds {path}, which looks like somebody’s own',
  heldCopied: 'holds {path}, of which new worktrees get a copy',
  notMoved: 'could not be moved aside: {reason}',
  // The rest.
  isLinkNow: 'it is a link now',
  notReclaimed: 'Nothing of {name} was reclaimed: {why}.',
  notMovedAside: 'Nothing of {name} was reclaimed, because of {file}: {reason}',
  lookThere: { text: 'look at what is there, then try again', remedies: [{ kind: 'retry' }] },
  closeThenReclaim: {
    text: 'wait until nobody works in it',
    remedies: [{ kind: 'retry' }],
  },
});
