import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Problem } from '../base/problem.ts';
import { runInShell } from '../base/shell.ts';
import { createMessages } from '../messages/create.ts';
import { textsMessages } from '../messages/texts.ts';
import { readTextCommand, userConfigurationFile } from '../repository/userHooks.ts';
import type { Progress } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { textOfAnswer, type TextKind } from './answer.ts';

/** How long the command may take, in milliseconds, and how much it may print, in characters. */
const bounds = { time: 120_000, output: 256_000 };

/**
 * Has a text written by the command of the user's own file. It gets the prompt on standard input, and runs in the folder of that file: nothing
 * of the repository configures it.
 *
 * @param options.time after which it is ended, in milliseconds.
 * @throws Problem `unsupported` where none is configured, `text-failed` (outcome incomplete), `cancelled`.
 */
export async function writtenByCommand(
  { environment }: Pick<Workspace, 'environment'>,
  kind: TextKind,
  prompt: string,
  options: { readonly signal?: AbortSignal | undefined; readonly progress?: Progress; readonly time?: number } = {},
): Promise<string> {
  const { signal, progress, time = bounds.time } = options;
  const command = await requireTextCommand({ environment });
  progress?.(textsMessages.writing());
  const cwd = dirname(userConfigurationFile(environment));
  await mkdir(cwd, { recursive: true });
  const limit = AbortSignal.timeout(time);
  const much = new AbortController();
  let answer = '';
  const failed = (what: Problem['what'], items: readonly string[] = []): Problem =>
    new Problem('text-failed', what, { next: textsMessages.writeItYourself(), items, outcome: 'incomplete' });
  try {
    const { exitCode, lastLines } = await runInShell(environment, command, {
      ...{ cwd, input: prompt },
      signal: AbortSignal.any([limit, much.signal, ...(signal ? [signal] : [])]),
      onStdout: (text) => {
        answer += text;
        if (answer.length > bounds.output) much.abort();
      },
    });
    if (exitCode !== 0) {
      const how =
        exitCode === undefined ? createMessages.endedBySignal() : createMessages.failedWithCode({ code: exitCode });
      throw failed(textsMessages.failed({ how, program: command }), lastLines);
    }
  } catch (thrown) {
    if (!Problem.is(thrown, 'cancelled') || signal?.aborted) throw thrown;
    if (much.signal.aborted) throw failed(textsMessages.tooMuch({ program: command }));
    throw failed(textsMessages.tookTooLong({ seconds: time / 1000, program: command }));
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
export async function requireTextCommand({ environment }: Pick<Workspace, 'environment'>): Promise<string> {
  const command = await readTextCommand(environment);
  if (command !== undefined) return command;
  const file = userConfigurationFile(environment);
  throw new Problem('unsupported', textsMessages.noCommand(), { next: textsMessages.configureCommand({ file }) });
}
