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
  // Without readline's own terminal mode the terminal edits the line, and Ctrl-C stays a signal.
  const lines = createInterface({ input: process.stdin, terminal: false });
  process.stderr.write(`${question} ${byEnter ? '[Y/n]' : '[y/N]'} `);
  try {
    const answer = await new Promise<string | undefined>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(undefined));
      signal.addEventListener('abort', () => reject(Problem.cancelled()), { once: true });
    });
    if (answer === undefined) return false;
    return (byEnter && answer.trim() === '') || /^\s*y(es)?\s*$/i.test(answer);
  } finally {
    lines.close();
  }
}
