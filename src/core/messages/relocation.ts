import { messages } from './message.ts';

/** What `core/relocation` has to say. */
export const relocationMessages = messages('relocation', {
  adminDirNotRebuilt: "Git's record of {name} was not rebuilt: {why}.",
  runDoctorAgain: {
    terminal: 'run `wt doctor` again',
    editor: 'run the doctor again',
    remedies: [{ kind: 'runDoctor' }],
  },
  notThatWorktree: '{path} is not the worktree {name} any more.',
  listShows: { terminal: 'run `wt list` to see what there is', editor: 'refresh to see what there is' },
  checkedOut: '{branch} is checked out in {holderPath}',
  moveAwayAndBack: {
    terminal: 'move them away, run `git worktree add` for the branch {branch}, and move them back',
    editor: 'move them away, make a worktree for the branch {branch}, and move them back',
  },
  folderChanged: 'its folder is not what it was',
  idTaken: "there is another worktree with git's id {id} by now",
});
