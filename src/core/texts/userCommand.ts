import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Problem, type ProblemDetails } from '../base/problem.ts';
import { runInShell } from '../base/shell.ts';
import { createMessages } from '../messages/create.ts';
import { textsMessages } from '../messages/texts.ts';
import { readTextWriter, userConfigurationFile, type TextWriter } from '../repository/userHooks.ts';
import type { Progress } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { textOfAnswer, type TextKind } from './answer.ts';

/** How much the command may print, in characters. */
const longestOutput = 256_000;

/**
 * Has a text written by the command of the user's own file. It gets the prompt on standard input, and runs in the folder of that file: nothing
 * of the repository configures it.
 *
 * @throws Problem `unsupported` where none is configured, `text-failed` (outcome incomplete), `cancelled`.
 */
export async function writtenByCommand(
  { environment }: Pick<Workspace, 'environment'>,
  kind: TextKind,
  prompt: string,
  { signal, progress }: { readonly signal?: AbortSignal | undefined; readonly progress?: Progress } = {},
): Promise<string> {
  const { run: command, timeout } = await requireTextWriter({ environment });
  progress?.(textsMessages.writing());
  const file = userConfigurationFile(environment);
  const cwd = dirname(file);
  await mkdir(cwd, { recursive: true });
  const limit = AbortSignal.timeout(timeout);
  const much = new AbortController();
  let answer = '';
  const failed = (
    what: Problem['what'],
    { items = [], next = textsMessages.writeItYourself() }: Pick<ProblemDetails, 'items' | 'next'> = {},
  ): Problem => new Problem('text-failed', what, { next, items, outcome: 'incomplete' });
  try {
    const { exitCode, lastLines } = await runInShell(environment, command, {
      ...{ cwd, input: prompt },
      signal: AbortSignal.any([limit, much.signal, ...(signal ? [signal] : [])]),
      onStdout: (text) => {
        answer += text;
        if (answer.length > longestOutput) much.abort();
      },
    });
    if (exitCode !== 0) {
      const how =
        exitCode === undefined ? createMessages.endedBySignal() : createMessages.failedWithCode({ code: exitCode });
      throw failed(textsMessages.failed({ how, program: command }), { items: lastLines });
    }
  } catch (thrown) {
    if (!Problem.is(thrown, 'cancelled') || signal?.aborted) throw thrown;
    if (much.signal.aborted) throw failed(textsMessages.tooMuch({ program: command }));
    const tooLong = textsMessages.tookTooLong({ seconds: timeout / 1000, program: command });
    throw failed(tooLong, { next: textsMessages.giveMoreTime({ file }) });
  }
  const text = textOfAnswer(answer, kind);
  if (text === '') throw failed(textsMessages.nothingWritten({ program: command }));
  return text;
}

/**
 * The command that writes texts.
 *
 * @throws Problem `unsupported` that says where it is configured.
 */
export async function requireTextWriter({ environment }: Pick<Workspace, 'environment'>): Promise<TextWriter> {
  const writer = await readTextWriter(environment);
  if (writer !== undefined) return writer;
  const file = userConfigurationFile(environment);
  throw new Problem('unsupported', textsMessages.noCommand(), { next: textsMessages.configureCommand({ file }) });
}
