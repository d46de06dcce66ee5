import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestHome } from '../tempRepo.ts';
import { startMessagesServer, type ModelRequest, type Route } from './messagesServer.ts';

/** One run of Claude Code without a terminal. */
export interface ClientRun {
  readonly cwd: string;
  /** The arguments after those that every run has; the prompt is not among them. */
  readonly args?: readonly string[];
  /** What the person types, one message after the other. */
  readonly prompts: readonly string[];
  readonly routes: readonly Route[];
  /** On top of the clean environment; `PATH` here replaces the usual one. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** How a run ended. */
export interface ClientResult {
  readonly exitCode: number;
  /** The client's own account of the run, an object a line. */
  readonly events: readonly Record<string, unknown>[];
  readonly stderr: string;
  /** What the model would have been asked, in order. */
  readonly requests: readonly ModelRequest[];
  /** The id of the session, to resume it. */
  readonly sessionId: string;
}

/** After so many milliseconds a run is ended: a hook that hangs must have been given up long before. */
const deadline = 90_000;

/**
 * Makes the home one in which Claude Code starts without questions, and in which the folders are trusted, as a person would
 * have answered. There are no credentials: the key is a word that only the stand-in accepts.
 */
export async function prepareClientHome(home: TestHome, trusted: readonly string[]): Promise<void> {
  const settings = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['test-key'], rejected: [] },
    projects: Object.fromEntries(trusted.map((folder) => [folder, { hasTrustDialogAccepted: true }])),
  };
  await mkdir(home.root, { recursive: true });
  await writeFile(join(home.root, '.claude.json'), JSON.stringify(settings));
}

/** The environment of the client: nothing of the person who runs the tests but where programs are. */
export function clientVariables(home: TestHome, path: readonly string[] = []): Record<string, string> {
  const usual = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return {
    PATH: [...path, dirname(process.execPath), ...usual].join(delimiter),
    HOME: home.root,
    // Nothing may leave this machine: what asks for no model is given an address where nobody listens.
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    LANG: 'C.UTF-8',
  };
}

/** Runs the client once, against a stand-in for the model of its own. */
export async function runClient(program: string, home: TestHome, run: ClientRun): Promise<ClientResult> {
  const server = await startMessagesServer(run.routes);
  try {
    const env = {
      ...clientVariables(home),
      ANTHROPIC_API_KEY: 'test-key',
      ANTHROPIC_BASE_URL: server.url,
      ...run.variables,
    };
    const formats = [
      '--input-format',
      'stream-json',
      '--output-format',
      'stream-json',
      '--verbose',
      '--include-hook-events',
    ];
    const { exitCode, events, stderr } = await converse(program, ['-p', ...formats, ...(run.args ?? [])], run, env);
    const sessionId = events.map((event) => event['session_id']).find((id) => typeof id === 'string');
    return { exitCode, events, stderr, requests: server.requests, sessionId: sessionId ?? '' };
  } finally {
    await server.close();
  }
}

/** Says each prompt when the one before has been answered, as a person does. */
async function converse(
  program: string,
  args: readonly string[],
  { cwd, prompts }: ClientRun,
  env: Record<string, string>,
): Promise<{ exitCode: number; events: Record<string, unknown>[]; stderr: string }> {
  const child = spawn(program, args, { cwd, env, stdio: 'pipe' });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 128));
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, deadline);
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString('utf8')));
  const left = [...prompts];
  const sayNext = (): void => {
    const content = left.shift();
    if (content === undefined) child.stdin.end();
    else child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
  };
  sayNext();
  const events: Record<string, unknown>[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue;
    const event = JSON.parse(line) as Record<string, unknown>;
    events.push(event);
    if (event['type'] === 'result') sayNext();
  }
  const exitCode = await ended;
  clearTimeout(timer);
  if (late) {
    const last = events.slice(-5).map((event) => JSON.stringify(event));
    throw new Error(
      `The client did not end within ${deadline / 1000} s. Last it said:\n${last.join('\n')}\n${stderr.slice(-2000)}`,
    );
  }
  return { exitCode, events, stderr };
}
