import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyFolder, deleteFolder } from './savedPlace.ts';

/**
 * For a process that works in a folder: keeps a copy of the folder at each of its steps, which is what it leaves when it is killed there. One
 * run makes all of them, and a step after which the disk is as it was before gets none.
 *
 * @param into gets a folder for each copy, named by its number.
 */
export function copyAtSteps(folder: string, into: string): () => void {
  let count = 0;
  let last: string | undefined;
  return () => {
    let now = stateOf(folder);
    if (now === last) return;
    const copy = join(into, String(++count));
    // What was started before may go on while we stand still, as it would if we were killed: what counts is the state in which it ends.
    do {
      // Leaves the processor to those.
      while (startedHere().includes('works')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      now = stateOf(folder);
      copyFolder(folder, copy);
    } while (startedHere().includes('works') || stateOf(folder) !== now);
    last = now;
    if (startedHere().includes('waits')) endTransactions(copy);
  };
}

/**
 * What the processes do that this one has started, and those that they have: each works, or waits, for us or for one of its own. On a busy machine
 * one that works may change nothing for a while. Empty where the system does not tell.
 */
function startedHere(pid: number | 'self' = 'self'): ('works' | 'waits')[] {
  const read = (file: string): string => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return '';
    }
  };
  const thread = pid === 'self' ? process.pid : pid;
  const children = read(`/proc/${pid}/task/${thread}/children`).trim().split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => {
    const state = /\) (\w) /.exec(read(`/proc/${child}/stat`))?.[1] ?? 'Z';
    // One that has ended is there until its end was told.
    const own = /[ZX]/.test(state) ? [] : [state === 'S' ? ('waits' as const) : ('works' as const)];
    return [...own, ...startedHere(child)];
  });
}

/** A git that holds a transaction of refs open for us ends it when we are killed, and takes its locks with it. */
function endTransactions(copy: string): void {
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && /\/([A-Z_]+|packed-refs)\.lock$|\/refs\/.*\.lock$/.test(`${entry.parentPath}/${entry.name}`))
      rmSync(join(entry.parentPath, entry.name));
}

/** The copies that {@link copyAtSteps} made. */
export class StepCopies {
  readonly #folder: string;
  readonly into: string;

  /** @param folder the one that is copied; the copies are beside it, under its name with a word behind it. */
  constructor(folder: string, word = 'steps') {
    this.#folder = folder;
    this.into = `${folder}.${word}`;
  }

  /** The numbers of the copies, in order. */
  all(): number[] {
    const names = existsSync(this.into) ? readdirSync(this.into) : [];
    return names.map(Number).sort((one, other) => one - other);
  }

  /** Makes the folder what it was at a step. */
  restore(step: number): void {
    copyFolder(join(this.into, String(step)), this.#folder);
  }

  forget(): void {
    deleteFolder(this.into);
  }
}

/** What tells whether something below a folder has changed. */
function stateOf(folder: string): string {
  const found: string[] = [];
  const walk = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const each = join(path, entry.name);
      const { ino, size, mtimeMs, mode } = lstatSync(each);
      // The size and the time of a folder also change when something comes and goes again.
      found.push(entry.isDirectory() ? `${each} ${ino}` : `${each} ${ino} ${size} ${mtimeMs} ${mode}`);
      if (entry.isDirectory()) walk(each);
    }
  };
  walk(folder);
  return found.join('\n');
}
