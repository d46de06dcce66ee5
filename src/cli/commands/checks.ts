import { checkWorktree } from '../../core/merge/worktreeChecks.ts';
import { quoted } from '../../core/base/quoted.ts';
import { askYesNo } from '../ask.ts';
import type { CommandLine, CommandRun } from '../command.ts';
import { oneLine } from '../factLabels.ts';
import { openWorktree } from '../context.ts';
import { textOf } from '../../core/messages/message.ts';
import { endOf } from '../../core/merge/checks.ts';
import { cliMessages } from '../cliMessages.ts';

export const run: CommandRun = async (cli, [word], options) => {
  const { output, signal, mayAsk } = cli;
  const { workspace, worktree } = await openWorktree(cli, word);
  output.progress('Running the checks');
  const outcome = await checkWorktree(workspace, worktree.path, {
    signal,
    approve: options['approve'] === true,
    onOutput: (text) => output.pass(text),
    ...(mayAsk ? { approveChecks: (command) => ask(cli, command) } : {}),
  });
  output.done();
  const { state } = outcome;
  const next = state === 'unapproved' ? `wt checks ${quoted(worktree.name)} --approve` : undefined;
  const success = state === 'passed' || state === 'none';
  if (output.json) {
    output.answerJson({
      success,
      name: worktree.name,
      state,
      command: state === 'none' ? null : outcome.command,
      configured: state !== 'none' && outcome.configured,
      exit_code: (state === 'failed' ? outcome.exitCode : undefined) ?? null,
      next: next ?? null,
    });
    return success ? 0 : 1;
  }
  if (state === 'none') output.tell(textOf(cliMessages.noChecks({ name: worktree.name })));
  if (state === 'passed') output.tell(`The checks passed in ${worktree.name}.`);
  if (state === 'failed') output.tell(`The checks ${textOf(endOf(outcome))} in ${worktree.name}.`);
  if (state === 'unapproved') {
    const why = outcome.trouble ?? 'you have not approved them';
    output.tell(`The checks were not run, because ${why}: ${oneLine(outcome.command)}`);
  }
  if (next !== undefined) output.tell(`${output.messageColours.cyan('next:')} ${next}`);
  return success ? 0 : 1;
};

async function ask({ output, signal }: CommandLine, command: string): Promise<boolean> {
  output.done();
  output.tell('These are the checks:');
  output.tell(`  ${oneLine(command)}`);
  return askYesNo('Run them here, and later as long as they stay the same?', signal);
}
