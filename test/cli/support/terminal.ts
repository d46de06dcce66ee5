import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { shellWord } from '../../../src/core/base/quoted.ts';
import { eventually } from '../../support/claude/terminal.ts';

/** A program at a terminal that a test types into. */
export interface TypedTerminal {
  /** Types once the screen has shown a text that it had not when it was typed last. */
  type(keys: string, once: string): Promise<void>;
  /** What was shown so far, without control characters. */
  screen(): string;
  /** Waits for the end of the program, and gives its exit code. */
  ended(): Promise<number | null>;
}

/** How it is started. */
export interface TerminalStart {
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Starts a program at a terminal that `script` makes, which every Linux has. */
export function atTerminal(words: readonly string[], { cwd, variables }: TerminalStart): TypedTerminal {
  const line = `stty rows 30 cols 100; exec ${words.map(shellWord).join(' ')}`;
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', line, '/dev/null'], {
    cwd,
    env: { TERM: 'xterm-256color', ...variables, SHELL: '/bin/sh' },
    stdio: 'pipe',
  });
  let shown = '';
  let from = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    // A terminal says where its cursor is when it is asked, and fzf waits for that.
    if (text.includes('\u001b[6n')) child.stdin.write('\u001b[1;1R');
  });
  child.stdin.on('error', () => {});
  const closed = once(child, 'close') as Promise<[number | null]>;
  const screen = (): string => stripVTControlCharacters(shown);
  return {
    screen,
    type: async (keys, expected) => {
      await eventually(() => (screen().includes(expected, from) ? true : undefined), screen);
      from = screen().length;
      child.stdin.write(keys);
    },
    ended: async () => {
      const [code] = await closed;
      return code;
    },
  };
}
