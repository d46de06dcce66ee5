import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { shellWord } from '../../../src/core/base/quoted.ts';
import type { TestHome } from '../tempRepo.ts';
import { clientVariables } from './client.ts';
import { startMessagesServer, type ModelRequest, type Route } from './messagesServer.ts';

/** A session of Claude Code at a terminal, as a person has it. */
export interface TerminalSession {
  readonly requests: readonly ModelRequest[];
  /** What was written to the terminal so far, without its control characters. */
  screen(): string;
  /** Ends it, and the stand-in for the model. */
  stop(): Promise<void>;
}

/** How a session at a terminal is started. */
export interface TerminalStart {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly routes: readonly Route[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** Starts Claude Code at a terminal that `script` makes, which every Linux has. */
export async function startInTerminal(program: string, home: TestHome, start: TerminalStart): Promise<TerminalSession> {
  const server = await startMessagesServer(start.routes);
  const env = {
    ...clientVariables(home),
    ANTHROPIC_API_KEY: 'test-key',
    ANTHROPIC_BASE_URL: server.url,
    TERM: 'xterm-256color',
    SHELL: '/bin/sh',
    ...start.variables,
  };
  const line = [program, ...start.args].map(shellWord).join(' ');
  // A group of its own, so that the client goes with the terminal.
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', line, '/dev/null'], {
    cwd: start.cwd,
    env,
    stdio: 'pipe',
    detached: true,
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString('utf8')));
  return {
    requests: server.requests,
    screen: () => stripVTControlCharacters(output),
    stop: async () => {
      // The terminal is gone then, and its session gets a hang-up.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
      await ended;
      await server.close();
    },
  };
}

/** Waits until something is so; fails with what was seen last when it is not within half a minute. */
export async function eventually<T>(
  look: () => Promise<T | undefined> | T | undefined,
  seen: () => string,
): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`It did not happen within 30 s. Last seen:\n${seen()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
