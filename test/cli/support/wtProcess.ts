import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

/** How one run ended. `hung`: it had to be killed at its deadline. */
export interface Answer {
  readonly code: number | 'hung';
  readonly stdout: string;
  readonly stderr: string;
}

/** Who runs it. */
export interface User {
  readonly uid?: number;
  readonly gid?: number;
}

/** A user without special rights: the one that runs the tests, or `nobody` where that is root. */
export function plainUser(): User {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
}

/** Whether such a user may start this runtime and read a file, such as the bundle. */
export function mayRun(user: User, file: string): boolean {
  const script = `require('node:fs').readFileSync(${JSON.stringify(file)})`;
  return spawnSync(process.execPath, ['-e', script], { ...user, cwd: '/' }).status === 0;
}

interface Running {
  readonly child: ChildProcess;
  readonly lines: AsyncIterator<string>;
  readonly reader: Interface;
}

/** `wt` in a process that goes on running, so that hundreds of runs are cheap; a new one is started after one that hung. */
export class WtProcess {
  readonly #bundle: string;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #user: User;
  #running: Running | undefined;

  constructor(bundle: string, variables: Readonly<Record<string, string>>, user: User = {}) {
    this.#bundle = bundle;
    this.#variables = variables;
    this.#user = user;
  }

  /** Runs a command; after so many milliseconds it is killed. */
  async run(cwd: string, args: readonly string[], input: string, deadline: number): Promise<Answer> {
    // A process whose folder is not there could start no other.
    const { child, lines } = (this.#running ??= this.#start());
    child.stdin?.write(`${JSON.stringify({ cwd: existsSync(cwd) ? cwd : '/', args, input })}\n`);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'hung'>((resolveLate) => (timer = setTimeout(() => resolveLate('hung'), deadline)));
    const line = await Promise.race([lines.next(), late]);
    clearTimeout(timer);
    if (line !== 'hung' && !line.done) return JSON.parse(line.value) as Answer;
    await this.stop();
    return {
      code: 'hung',
      stdout: '',
      stderr: line === 'hung' ? `no answer after ${deadline} ms` : 'the process died',
    };
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (!running || running.child.exitCode !== null) return;
    running.reader.close();
    running.child.kill('SIGKILL');
    await once(running.child, 'close');
  }

  #start(): Running {
    const server = resolve(import.meta.dirname, 'wtServer.ts');
    const child = spawn(process.execPath, [server, this.#bundle], {
      cwd: '/',
      env: this.#variables,
      stdio: ['pipe', 'pipe', 'inherit'],
      ...this.#user,
    });
    const reader = createInterface({ input: child.stdout });
    return { child, reader, lines: reader[Symbol.asyncIterator]() };
  }
}
