import { outdatedBases, outdatedNotes } from '../../core/github/pr/outdatedBases.ts';
import { planRename, renameWorktree } from '../../core/restack/rename.ts';
import { textOption, type CommandRun } from '../command.ts';
import { openWorktree } from '../context.ts';
import { textOf } from '../../core/messages/message.ts';

export const run: CommandRun = async (cli, [word, name = ''], options) => {
  const { output } = cli;
  const { workspace, snapshot, worktree } = await openWorktree(cli, word);
  const plan = await planRename(workspace, snapshot, worktree, { name, branch: textOption(options, 'branch') });
  const { id, notes: later = [] } = await renameWorktree(workspace, plan.renaming);
  const { from, to } = plan.renaming;
  // Their pull requests are into a branch that has another name here now.
  const renamed = from.branch !== to.branch;
  const dependents = snapshot.worktrees.flatMap(({ branch, base }) =>
    renamed && base?.branch === from.branch && branch !== undefined ? [branch] : [],
  );
  const outdated = await outdatedBases(workspace, dependents);
  const notes = [...plan.notes, ...later, ...outdatedNotes(outdated)];
  if (output.json) {
    output.answerJson({
      success: true,
      ...{ name: to.name, name_before: from.name, branch: to.branch, branch_before: from.branch, path: to.path },
      ...{ operation: id, notes },
    });
  } else {
    output.answer(to.name);
    const branch = from.branch === to.branch ? '' : `, and its branch to ${to.branch}`;
    output.tell(`Renamed ${from.name} to ${to.name}${branch}.`);
    for (const note of notes) output.tell(`note: ${textOf(note)}`);
  }
  return 0;
};
