import { messages } from './message.ts';

/** Why the rules for session files decide as they do, with the names of the two branches; one for each reason. */
export const sessionReasons = messages('sessionReasons', {
  newInTheirs: 'new in {theirs}',
  newButFinished: 'new in {theirs}, and finished there',
  deletedByOurs: 'removed in {ours}',
  deletedByOursButChanged: 'removed in {ours}, changed in {theirs}, brought back',
  deletedByOursAndFinished: 'removed in {ours}, finished in {theirs}',
  deletedByTheirs: 'removed in {theirs}, unchanged in {ours}',
  deletedByTheirsButChanged: 'removed in {theirs}, changed in {ours}, kept',
  onlyInOurs: 'only in {ours}',
  onlyTheirsChanged: 'changed in {theirs}',
  onlyOursChanged: 'changed in {ours}',
  bothChanged: 'changed in {ours} and {theirs}',
  bothChangedAlike: 'changed alike in {ours} and {theirs}',
  bothChangedHere: 'changed in {ours} and {theirs}, and a line has no parts to merge',
  leftBehind: 'this part of the file stays as in {ours}',
  bothAdded: 'added in {ours} and {theirs}',
  renamedByOurs: 'renamed in {ours}',
  renamedByTheirs: 'renamed in {theirs}',
  worktreeFinished: '{theirs} is merged and done with it',
  worktreeStillOpen: '{theirs} is merged and has left it open',
  statusAdvanced: '{theirs} is further along',
  statusKept: '{ours} is further along',
  statusUnknown: 'its status has no place in the order',
  archived: 'archived',
});
