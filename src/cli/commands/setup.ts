import { installMergeDriver, removeMergeDriver } from '../../core/merge/driverSetup.ts';
import { Problem } from '../../core/base/problem.ts';
import { runSetup } from '../../core/create/setup.ts';
import type { CommandLine, CommandRun, ExitCode } from '../command.ts';
import { openWorkspace, openWorktree } from '../context.ts';
import { bundledPrograms } from '../programs.ts';
import { setupTalk, tellSetup } from '../setupPrompt.ts';
import { cliMessages } from '../cliMessages.ts';

export const run: CommandRun = async (cli, [word], options) => {
  const { output } = cli;
  const remove = options['remove'] === true;
  if (options['mergeDriver'] === true) return setUpMergeDriver(cli, word, remove);
  if (remove) throw new Problem('usage', cliMessages.removeGoesMerge(), { next: cliMessages.seeWtSetup() });
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
    if (setup.state === 'done') output.tell(`Set up ${worktree.name}.`);
    if (setup.state === 'none' && setup.suggested.length === 0) output.tell('No setup is configured.');
    tellSetup(cli, setup);
  }
  return setup.state === 'unapproved' ? 1 : 0;
};

/** The merge driver is the whole repository's, and no worktree's. */
async function setUpMergeDriver(cli: CommandLine, word: string | undefined, remove: boolean): Promise<ExitCode> {
  const { output } = cli;
  if (word !== undefined) {
    throw new Problem('usage', cliMessages.mergeDriverSet(), {
      next: cliMessages.setUpMergeDriver({ detail: remove ? cliMessages.remove() : '' }),
    });
  }
  const { workspace } = await openWorkspace(cli, { tolerant: remove });
  const { paths, attributes, changed } = await (remove
    ? removeMergeDriver(workspace)
    : installMergeDriver(workspace, bundledPrograms()));
  if (output.json) {
    output.answerJson({ success: true, merge_driver: remove ? 'removed' : 'installed', paths, attributes, changed });
  } else if (remove) {
    output.tell(changed ? 'Removed the merge driver.' : 'There was no merge driver.');
  } else {
    output.tell(`Plain git now merges ${paths.join(', ')} by the rules for session files, in every worktree.`);
  }
  return 0;
}
