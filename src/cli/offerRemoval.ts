import { chdir, cwd } from 'node:process';
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
  /** The shell is in that worktree, and has to leave it. */
  readonly inside: boolean;
  /** Where it is removed from, and where the session goes on: the main root. */
  readonly from: string;
}

/** What removes a worktree, from where the command was run. */
export async function removalOffer(
  { environment }: CommandLine,
  { repository }: Workspace,
  worktree: Pick<Worktree, 'name' | 'path'>,
): Promise<RemovalOffer> {
  const { name } = worktree;
  const { mainRoot: from } = repository;
  const command = `wt cleanup ${quoted(name)}`;
  // With `-C` the shell itself is elsewhere.
  const [inside, runInside] = [await standsIn(cwd(), worktree), await standsIn(environment.cwd, worktree)];
  return { name, inside, from, command: inside || runInside ? `cd ${quoted(from)} && ${command}` : command };
}

/**
 * Offers the removal: asks on a terminal, and does nothing without a clear yes; elsewhere it is named as the next step.
 *
 * @returns the exit code of the removal; 0 where none was begun.
 */
export async function offerRemoval(
  cli: CommandLine,
  { name, command, inside, from }: RemovalOffer,
): Promise<ExitCode | PassedExitCode> {
  const { output, signal, mayAsk, environment } = cli;
  output.done();
  if (!mayAsk) {
    output.tell(`${output.messageColours.cyan('next:')} ${textOf(cliMessages.cleanupRemoves({ command, name }))}`);
    return 0;
  }
  const question = inside ? cliMessages.removeNowAndLeave({ name, from }) : cliMessages.removeNow({ name });
  if (!(await askYesNo(textOf(question), signal))) {
    output.tell(textOf(cliMessages.staysUntilCleanup({ name, command })));
    return 0;
  }
  const { run } = await import('./commands/cleanup.ts');
  // Nobody can stand in the folder that goes, and neither can we.
  chdir(from);
  const code = await run({ ...cli, environment: { ...environment, cwd: from } }, [name], {});
  if (inside && code === 0 && !cli.shell.follows)
    output.tell(textOf(cliMessages.goOnIn({ command: `cd ${quoted(from)}` })));
  return code;
}
