import { readFileSync } from 'node:fs';

/** A command with the answer that it must get; see the file's rows. */
export interface CommandCase {
  readonly id: string;
  readonly command: string;
  readonly background?: boolean;
  readonly expect: string;
  readonly class: string;
  readonly why?: string;
  /** Other answers that are right as well. */
  readonly also?: readonly string[];
  /** What no guard can catch; any answer will do. */
  readonly limit?: boolean;
  /** Shell commands that prepare the repository. */
  readonly setup?: string;
}

/** The rows of one of the files in test/data. */
export function readCases<T>(name: string): T[] {
  const text = readFileSync(new URL(`../../../data/${name}`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

/** All commands with known answers. */
export function commandCases(): CommandCase[] {
  return [...readCases<CommandCase>('bash-commands.jsonl'), ...readCases<CommandCase>('bash-commands-more.jsonl')];
}
