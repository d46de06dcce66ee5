import type { HookOptions } from '../core/hooks/plan.ts';
import { askYesNo } from './ask.ts';
import type { CommandLine, CommandOptions } from './command.ts';
import { oneLine } from './factLabels.ts';
import { bundledPrograms } from './programs.ts';

/**
 * How the hooks of a worktree's life are approved and watched from the command line: asked for on a terminal, not run elsewhere; what they
 * print goes to standard error. `--no-hooks` runs none.
 */
export function hookTalk(
  cli: CommandLine,
  options: CommandOptions,
): HookOptions & { readonly programs: ReturnType<typeof bundledPrograms> } {
  const { output, signal, mayAsk } = cli;
  return {
    skipHooks: options['hooks'] === false,
    onHookOutput: (text) => output.pass(text),
    programs: bundledPrograms(),
    progress: output.progress,
    signal,
    ...(mayAsk ? { askHooks: (event, commands) => ask(cli, event, commands) } : {}),
  };
}

async function ask({ output, signal }: CommandLine, event: string, commands: readonly string[]): Promise<boolean> {
  output.done();
  output.tell(`The team has configured these commands for ${event}:`);
  for (const command of commands) output.tell(`  ${oneLine(command)}`);
  return askYesNo('Run them here, and later as long as they stay the same?', signal);
}
