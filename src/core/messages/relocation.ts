import { messages } from './message.ts';

/** What `core/relocation` has to say. */
export const relocationMessages = messages('relocation', {
  adminDirNotRebuilt: "Git's record of {name} was not made again: {why}.",
  runDoctorAgain: 'run `wt doctor` again',
  notThatWorktree: '{path} is not the worktree {name} any more.',
  listShows: 'run `wt list` to see what there is',
  checkedOut: '{branch} is checked out in {holderPath}',
  moveAwayAndBack: 'move them away, run `git worktree add` for the branch {branch}, and move them back',
  folderChanged: 'its folder is not what it was',
  idTaken: "there is another worktree with git's id {id} by now",
});
