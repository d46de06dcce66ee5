import type { SetupOptions, SetupOutcome } from '../core/create/setup.ts';
import { askYesNo } from './ask.ts';
import type { CommandLine } from './command.ts';
import { oneLine } from './factLabels.ts';

/**
 * How setup commands are approved and watched from the command line: asked for on a terminal, not run elsewhere; what they print goes
 * to standard error.
 */
export function setupTalk(
  cli: CommandLine,
): Pick<SetupOptions, 'approveSetup' | 'onSetupOutput' | 'progress' | 'signal'> {
  const { output, signal, mayAsk } = cli;
  return {
    signal,
    progress: output.progress,
    onSetupOutput: (text) => output.pass(text),
    ...(mayAsk ? { approveSetup: (commands) => ask(cli, commands) } : {}),
  };
}

async function ask({ output, signal }: CommandLine, commands: readonly string[]): Promise<boolean> {
  output.done();
  output.tell('The team has configured these setup commands:');
  for (const command of commands) output.tell(`  ${oneLine(command)}`);
  return askYesNo('Run them here, and in later worktrees as long as they stay the same?', signal);
}

/** Tells what became of the setup, where there is something to know or to do. */
export function tellSetup({ output }: CommandLine, setup: SetupOutcome): void {
  if (setup.state === 'unapproved')
    output.tell(`Not run, because you have not approved them: ${setup.commands.map(oneLine).join('; ')}`);
  if (setup.suggested.length > 0)
    output.tell(`The files of the repository suggest for setting it up: ${setup.suggested.map(oneLine).join('; ')}`);
  if (setup.next !== undefined) output.tell(`${output.messageColours.cyan('next:')} ${setup.next}`);
}
