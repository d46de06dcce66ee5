import { messages } from './message.ts';

/** What `core/relocation` has to say. */
export const relocationMessages = messages('relocation', {
  gitSRecord: "Git's record of {name} was not made again: {why}.",
  wtDoctorAgain: 'run `wt doctor` again',
  notWorktreeAny: '{path} is not the worktree {name} any more.',
  wtListSee: 'run `wt list` to see what there is',
  checkedOut: '{branch} is checked out in {holderPath}',
  folderNot: 'its folder is not what it was',
  anotherWorktreeGit: "there is another worktree with git's id {id} by now",
});
