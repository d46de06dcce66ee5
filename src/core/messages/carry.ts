import { messages } from './message.ts';

/** What `core/carry` has to say. */
export const carryMessages = messages('carry', {
  hasConflicts: 'There are conflicts in {name}, so its uncommitted work was not carried.',
  resolveFirst: {
    terminal: 'resolve them in {path}, then run the same again',
    editor: 'resolve them, then try again',
    remedies: [{ kind: 'openChanges', worktree: '{path}' }],
  },
  busy: 'Nothing was carried, because of {name}: {why}.',
  endFirst: {
    terminal: 'end it in {path}, then run the same again',
    editor: 'end it, then try again',
    remedies: [{ kind: 'openWorktree', worktree: '{path}' }],
  },
  leftRepository: '{path} stays: it is a repository of its own',
  leftInSubmodule: 'what is not committed inside the submodule {path} stays',
  leftSubmodule: 'the submodule {path} stays at the commit that is checked out in it',
  leftHidden: '{file} stays, because its changes are hidden from git',
  linkFolder: 'the commit of the submodule {path} is staged in {to}; its folder there stays as it is',
  unlinkFolder: 'the submodule {path} is taken out of the index of {to}; its folder there stays as it is',
  wouldConflict: 'Nothing was carried: the uncommitted work in {from} would conflict with what is in {to}.',
  commitAndRebase: {
    terminal: 'commit it in {path} and rebase or merge that commit, or leave these files out by stashing them',
    editor: 'commit it and rebase or merge that commit, or stash these files',
    remedies: [{ kind: 'openChanges', worktree: '{path}' }],
  },
  stagedWouldConflict:
    'Nothing was carried: what is staged in {from} cannot be staged in {to} without conflicts, although the files themselves fit.',
  unstageFirst: {
    terminal: 'unstage these files in {path} with `git restore --staged <file>`, then run the same again',
    editor: 'unstage these files, then try again',
    remedies: [{ kind: 'openChanges', worktree: '{path}' }],
  },
  overlaps: 'Nothing was carried: these files are not committed in {to} either, or are in the way there.',
  commitThere: {
    terminal: 'commit them in {path} or move them away, then run the same again',
    editor: 'commit them there or move them away, then try again',
    remedies: [
      { kind: 'openChanges', worktree: '{path}' },
      { kind: 'stashAndRetry', worktree: '{path}' },
    ],
  },
  outsideSparse: 'Nothing was carried: these files are outside of the sparse checkout of {name}.',
  widenSparse: {
    terminal: 'add their folders with `git sparse-checkout add <folder>` in {path}, then run the same again',
    editor: 'add their folders to the sparse checkout, then try again',
    remedies: [{ kind: 'openTerminal', worktree: '{path}' }],
  },
  linkAndFile: 'Nothing was carried: a file became a submodule in {from}, or a submodule a file.',
  commitFirst: {
    terminal: 'commit that in {path}, then run the same again',
    editor: 'commit that, then try again',
    remedies: [{ kind: 'openChanges', worktree: '{path}' }],
  },
  changedMeanwhile: 'Files in {name} were changed meanwhile, so nothing was carried.',
  notWritten: 'Git could not write every file of {name}, so nothing was carried.',
  nothingToCarry: 'There is nothing to carry: everything in {name} is committed.',
  nothingElse: 'There is nothing to carry from {name} but what stays where it is.',
  sameWorktree: '{name} cannot be carried to itself.',
  nameTwo: { terminal: 'name two worktrees: `wt carry <from> <to>`', editor: 'choose another worktree' },
  noFiles: '{name} has no files that git can find, so nothing was carried.',
  repairFirst: { terminal: '`wt doctor` says what is wrong with it', remedies: [{ kind: 'runDoctor' }] },
  changedSince: '“{title}” cannot be undone: this was changed since.',
  commitsSince: '“{title}” cannot be undone: another commit is checked out in {name} since.',
  isGone: '“{title}” cannot be undone: {name} is not there any more.',
  workIsIn: {
    terminal: 'what was carried is kept in {refs}; `git diff` shows how it differs',
    editor: 'what was carried is kept in {refs}',
  },
  notRolledBack:
    'These files of {name} were changed meanwhile and stay as they are; what they were is kept in {refs}: {files}',
});
