import { runSetup } from '../../core/worktrees/create/setup.ts';
import type { CommandRun } from '../command.ts';
import { openWorktree } from '../openWorkspace.ts';
import { setupTalk, tellSetup } from '../setupTalk.ts';

export const run: CommandRun = async (cli, [word], options) => {
  const { output } = cli;
  const { workspace, worktree } = await openWorktree(cli, word);
  const setup = await runSetup(workspace, worktree, { ...setupTalk(cli), approve: options['approve'] === true });
  output.done();
  if (output.json) {
    const { state, commands, suggested, next } = setup;
    output.answerJson({
      success: state !== 'unapproved',
      name: worktree.name,
      state,
      commands,
      suggested,
      next: next ?? null,
    });
  } else {
    if (setup.state === 'done') output.tell(`Set ${worktree.name} up.`);
    if (setup.state === 'none' && setup.suggested.length === 0) output.tell('No setup is configured.');
    tellSetup(cli, setup);
  }
  return setup.state === 'unapproved' ? 1 : 0;
};
