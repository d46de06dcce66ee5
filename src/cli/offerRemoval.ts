import { standsIn } from '../core/lifecycle/autoCleanup.ts';
import { quoted } from '../core/base/quoted.ts';
import { textOf } from '../core/messages/message.ts';
import type { Worktree } from '../core/worktree/model.ts';
import type { Workspace } from '../core/worktree/workspace.ts';
import { askYesNo } from './ask.ts';
import { cliMessages } from './cliMessages.ts';
import type { CommandLine, ExitCode, PassedExitCode } from './command.ts';

/** The removal of a worktree whose work is done, as something to do next. */
export interface RemovalOffer {
  readonly name: string;
  /** What a person or a program can type, here. */
  readonly command: string;
  /** It is the worktree that one is in: it can only be removed from outside. */
  readonly inside: boolean;
}

/** What removes a worktree, from where the command was run. */
export async function removalOffer(
  { environment }: CommandLine,
  { repository }: Workspace,
  worktree: Pick<Worktree, 'name' | 'path'>,
): Promise<RemovalOffer> {
  const { name } = worktree;
  const inside = await standsIn(environment.cwd, worktree);
  const command = `wt cleanup ${quoted(name)}`;
  return { name, inside, command: inside ? `cd ${quoted(repository.mainRoot)} && ${command}` : command };
}

/**
 * Offers the removal: asks on a terminal, and does nothing without a clear yes; elsewhere it is named as the next step.
 *
 * @returns the exit code of the removal; 0 where none was begun.
 */
export async function offerRemoval(
  cli: CommandLine,
  { name, command, inside }: RemovalOffer,
): Promise<ExitCode | PassedExitCode> {
  const { output, signal, mayAsk } = cli;
  output.done();
  const next = (): void =>
    output.tell(`${output.messageColours.cyan('next:')} ${textOf(cliMessages.cleanupRemoves({ command, name }))}`);
  if (!mayAsk || inside) {
    next();
    return 0;
  }
  if (!(await askYesNo(textOf(cliMessages.removeNow({ name })), signal))) {
    output.tell(textOf(cliMessages.staysUntilCleanup({ name, command })));
    return 0;
  }
  const { run } = await import('./commands/cleanup.ts');
  return run(cli, [name], {});
}
