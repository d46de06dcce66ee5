import { Problem } from '../core/base/problem.ts';
import { checkRunId } from '../core/repository/activeRun.ts';
import { copiedFrom, readStateDirectory } from '../core/repository/stateDirectory.ts';
import type { Worktree } from '../core/worktree/model.ts';
import { cliMessages } from './cliMessages.ts';
import { textOption, type CommandOptions } from './command.ts';

/** What the command line says of who calls. */
export interface CallerOptions {
  readonly runId: string | undefined;
  readonly sessionId: string | undefined;
  readonly pid: number | undefined;
}

/**
 * Reads `--run-id`, `--session-id` and `--pid`.
 *
 * @throws Problem `usage`.
 */
export function callerOptions(options: CommandOptions): CallerOptions {
  const id = (name: string): string | undefined => {
    const text = textOption(options, name);
    return text === undefined ? undefined : checkRunId(text);
  };
  const pid = textOption(options, 'pid');
  if (pid !== undefined && !/^[1-9]\d{0,9}$/.test(pid)) {
    throw new Problem('usage', cliMessages.noPid({ text: JSON.stringify(pid) }), { next: cliMessages.pidOfScript() });
  }
  return { runId: id('runId'), sessionId: id('sessionId'), pid: pid === undefined ? undefined : Number(pid) };
}

/**
 * A folder of state that was copied along with a worktree tells of the other one's work.
 *
 * @throws Problem `in-use`.
 */
export async function refuseForeignState(root: string, worktrees: readonly Worktree[]): Promise<void> {
  const state = await readStateDirectory(root);
  const other = await copiedFrom(
    state,
    worktrees.map((each) => each.path),
  );
  if (other === undefined) return;
  const otherName = worktrees.find((each) => each.path === other)?.name ?? other;
  throw new Problem('in-use', cliMessages.stateCopied({ path: state.path, otherName }), {
    file: state.path,
    next: cliMessages.removeFolderTry(),
  });
}
