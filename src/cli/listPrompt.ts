import process from 'node:process';
import { autocomplete } from '@clack/prompts';

/** A list that a person picks from. */
export interface ListPrompt {
  readonly question: string;
  readonly placeholder: string;
  /** One line each. */
  readonly lines: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Shows a list in the terminal, which shrinks to the lines that hold all words that are typed. It is drawn on standard error. A file of its own in
 * the bundles: no other command loads the library.
 *
 * @returns the index of the line; `undefined` after Escape or Ctrl-C.
 */
export async function promptList({ question, placeholder, lines, signal }: ListPrompt): Promise<number | undefined> {
  const answer = await autocomplete<number>({
    message: question,
    placeholder,
    options: lines.map((label, value) => ({ value, label })),
    filter: (typed, { label = '' }) => wordsOf(typed).every((word) => label.toLowerCase().includes(word)),
    input: process.stdin,
    output: process.stderr,
    signal,
  });
  return typeof answer === 'number' ? answer : undefined;
}

const wordsOf = (typed: string): string[] => typed.toLowerCase().split(/\s+/).filter(Boolean);
