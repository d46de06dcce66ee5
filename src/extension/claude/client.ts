import { l10n } from 'vscode';
import { runProgram } from '../../core/base/process.ts';
import { Problem } from '../../core/base/problem.ts';
import type { ClaudeProgram } from './findClaude.ts';
import { verbatim } from '../../core/messages/message.ts';

/** How long a command of Claude Code may take, in milliseconds: it starts slowly, and may ask a network that is not there. */
const patience = 120_000;

/**
 * Runs a command of Claude Code that needs no terminal.
 *
 * @param cwd a folder whose settings are to count.
 * @returns its standard output.
 * @throws Problem `unsupported` with its own words when it fails; `cancelled`.
 */
export async function runClient(
  { program }: ClaudeProgram,
  args: readonly string[],
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<string> {
  const { stdout, stderr, failure } = await runProgram(program, args, { cwd, signal, timeout: patience });
  if (!failure) return stdout;
  if (signal.aborted) throw Problem.cancelled();
  const items = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
  const why = items.at(-1) ?? failure.message;
  throw new Problem('unsupported', verbatim(l10n.t('“claude {0}” failed: {1}', args.join(' '), why)), {
    items,
    outcome: 'incomplete',
    cause: failure,
  });
}
