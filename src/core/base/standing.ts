import { readdir, readlink } from 'node:fs/promises';
import type { Environment } from './environment.ts';
import { runProgram } from './process.ts';

/** A process with the folder that it stands in. */
export interface StandingProcess {
  readonly pid: number;
  /** A real path. */
  readonly folder: string;
  /** The name of its program; not on Linux, where `readProcess` gives it. */
  readonly name?: string | undefined;
}

/** How long the system may take to tell, in milliseconds. */
const patience = 5000;

/** All processes of which we may see where they stand. Linux and macOS tell; elsewhere none are found. */
export async function standingProcesses({
  platform,
  variables,
}: Pick<Environment, 'platform' | 'variables'>): Promise<StandingProcess[]> {
  if (platform === 'linux') return onLinux();
  if (platform !== 'darwin') return [];
  // Its exit code is 1 as soon as one process may not be seen.
  const { stdout } = await runProgram('lsof', ['-w', '-n', '-P', '-a', '-d', 'cwd', '-F', 'pcn'], {
    ...{ variables, timeout: patience },
  });
  return parseStanding(stdout);
}

async function onLinux(): Promise<StandingProcess[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
      return folder === undefined ? [] : [{ pid, folder }];
    }),
  );
  return found.flat();
}

/** What `lsof` writes in place of some characters. */
const escapes: Readonly<Record<string, string>> = { '\\': '\\', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * A name as it is. Where the locale is not UTF-8, as that of a program started from the Dock, `lsof` writes what is not ASCII byte by byte:
 * `\xc3\xb6` for `ö`.
 */
function unescaped(name: string): string {
  return name.replaceAll(/(?:\\x[0-9a-f]{2})+|\\([\\bfnrt])/g, (found, character?: string) =>
    character === undefined
      ? Buffer.from(found.replaceAll('\\x', ''), 'hex').toString('utf8')
      : (escapes[character] ?? found),
  );
}

/** What `lsof -F pcn` prints: a line for each field, with its letter before it; `p` begins a process. */
export function parseStanding(text: string): StandingProcess[] {
  return text.split(/^p/m).flatMap((part) => {
    const field = (letter: string): string | undefined => {
      const written = new RegExp(`^${letter}(.*)$`, 'm').exec(part)?.[1];
      return written === undefined ? undefined : unescaped(written);
    };
    const [pid, folder] = [/^\d+/.exec(part)?.[0], field('n')];
    return pid === undefined || !folder?.startsWith('/') ? [] : [{ pid: Number(pid), folder, name: field('c') }];
  });
}
