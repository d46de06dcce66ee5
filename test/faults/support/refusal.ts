import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const artifacts = join(import.meta.dirname, '../../../artifacts');

/** Which call is refused: only that one, or what a full or a read-only disk refuses, from that one on. */
export type Mode = 'once' | 'full' | 'read-only';
const modes: readonly Mode[] = ['once', 'full', 'read-only'];

/** What was refused. */
export interface Refused {
  /** Calls below the folder, refused or not. */
  readonly calls: number;
  /** How many were refused. */
  readonly refused: number;
  /** The first of them, with its paths, and the number of the error that it got. */
  readonly call: string;
  readonly error: number;
}

/** The bytes of `struct control` in refuse.c, and where its text begins. */
const size = 6 * 4 + 4096;
const textAt = 6 * 4;

/**
 * Why nothing can be refused on this machine; `undefined` where it can.
 */
export async function whyNot(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'the library that refuses is one for Linux';
  return execute('cc', ['--version']).then(
    () => undefined,
    () => 'there is no C compiler: install gcc and libc6-dev',
  );
}

/** The library that refuses, compiled unless that was done before for the same source. */
async function library(): Promise<string> {
  const source = join(import.meta.dirname, 'refuse.c');
  const hash = createHash('sha256')
    .update(await readFile(source))
    .digest('hex')
    .slice(0, 12);
  const file = join(artifacts, `refuse-${hash}.so`);
  if (await readFile(file).catch(() => undefined)) return file;
  await mkdir(artifacts, { recursive: true });
  const fresh = `${file}.${randomBytes(4).toString('hex')}`;
  await execute('cc', ['-shared', '-fPIC', '-O2', '-Wall', '-Werror', '-o', fresh, source, '-ldl']);
  await rename(fresh, file);
  return file;
}

/** A call of a command, as it was counted. */
export interface Call {
  /** Of the process that made it. */
  readonly pid: string;
  /** The path that it was about. */
  readonly path: string;
}

/** Lets calls below a folder fail in the processes that are started with its variables. */
export class Refusal {
  /** For the environment of a command. */
  readonly variables: Readonly<Record<string, string>>;
  readonly #control: string;

  private constructor(control: string, variables: Readonly<Record<string, string>>) {
    this.#control = control;
    this.variables = variables;
  }

  /** @param control a file of its own, outside of the folder. */
  static async below(folder: string, control: string): Promise<Refusal> {
    return new Refusal(control, {
      // Behind it what the lane itself runs with (scripts/lib/vfork.c).
      LD_PRELOAD: [await library(), process.env['LD_PRELOAD'] ?? []].flat().join(':'),
      REFUSE_BELOW: folder,
      REFUSE_CONTROL: control,
      // What the kernel does by itself passes no function of a library.
      UV_USE_IO_URING: '0',
    });
  }

  /**
   * Prepares for the next command.
   *
   * @param at the call, counted from 1; 0 refuses none.
   * @param choice which of the errors that fit the call, 0 to 4.
   */
  async prepare(at: number, mode: Mode = 'once', choice = 0): Promise<void> {
    const bytes = Buffer.alloc(size);
    [at, modes.indexOf(mode), choice].forEach((value, index) => bytes.writeInt32LE(value, index * 4));
    await writeFile(this.#control, bytes);
  }

  /**
   * The calls of a command in their order, none of which was refused.
   *
   * @param run gets the variables for the command.
   */
  async trace(run: (variables: Readonly<Record<string, string>>) => Promise<void>): Promise<Call[]> {
    await this.prepare(0);
    const file = `${this.#control}.trace`;
    await run({ ...this.variables, REFUSE_TRACE: file });
    await this.happened();
    const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean);
    return lines.map((line) => {
      const [, pid = '', , ...words] = line.split(' ');
      return { pid, path: words.join(' ').split(' -> ')[0] ?? '' };
    });
  }

  /** What happened since, once every process has ended that the command left in the background. */
  async happened(): Promise<Refused> {
    // A process that is none of ours never becomes one.
    const foreign = new Set<string>();
    while (this.#isUsed(foreign)) await delay(10);
    const bytes = await readFile(this.#control);
    const text = bytes.subarray(textAt);
    return {
      calls: bytes.readInt32LE(3 * 4),
      refused: bytes.readInt32LE(4 * 4),
      error: bytes.readInt32LE(5 * 4),
      call: text.toString('utf8', 0, text.indexOf(0)),
    };
  }

  /** Whether a process runs that was started with our variables; a child that has not begun yet has those of its parent. */
  #isUsed(foreign: Set<string>): boolean {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && !foreign.has(name));
    for (const pid of pids) {
      if (environmentOf(pid).includes(`REFUSE_CONTROL=${this.#control}\0`)) return true;
      foreign.add(pid);
    }
    return false;
  }
}

/** The variables of a process, as one text; none where it has ended. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}
