import { createInterface } from 'node:readline';
import { Problem } from '../core/base/problem.ts';

/**
 * Asks a question that is answered with yes or no; anything but a clear yes is a no, and so is the end of the input. Only to be
 * called where standard input is a terminal. The question goes to standard error, so that the answer of the command stays clean.
 *
 * @param byEnter what Enter alone says.
 * @throws Problem `cancelled` when the signal is aborted meanwhile.
 */
export async function askYesNo(question: string, signal: AbortSignal, byEnter = false): Promise<boolean> {
  const answer = await askLine(`${question} ${byEnter ? '[Y/n]' : '[y/N]'} `, signal);
  if (answer === undefined) return false;
  return (byEnter && answer.trim() === '') || /^\s*y(es)?\s*$/i.test(answer);
}

/**
 * Asks for one of several, by number; Enter alone takes none, and so does everything that is no number of one. As {@link askYesNo}.
 *
 * @returns the index of the chosen one; `undefined` when none was chosen.
 * @throws Problem `cancelled` when the signal is aborted meanwhile.
 */
export async function askOneOf(
  question: string,
  choices: readonly string[],
  signal: AbortSignal,
): Promise<number | undefined> {
  const lines = choices.map((choice, index) => `  ${index + 1}) ${choice}`);
  const answer = await askLine(`${[question, ...lines].join('\n')}\n[1-${choices.length}] `, signal);
  const number = Number(answer?.trim() || Number.NaN);
  return Number.isInteger(number) && number >= 1 && number <= choices.length ? number - 1 : undefined;
}

async function askLine(prompt: string, signal: AbortSignal): Promise<string | undefined> {
  // Without readline's own terminal mode the terminal edits the line, and Ctrl-C stays a signal.
  const lines = createInterface({ input: process.stdin, terminal: false });
  process.stderr.write(prompt);
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(undefined));
      signal.addEventListener('abort', () => reject(Problem.cancelled()), { once: true });
    });
  } finally {
    lines.close();
  }
}
