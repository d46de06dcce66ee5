import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { copyFolder, deleteFolder } from './savedPlace.ts';

/** A lock of git's is a file (see {@link stateOf}: its inode and more); ours are folders. */
const gitLock = /\/\.git\/\S*\.lock \d+ \d/;
/** A lock whose owner waits for us does not go by itself. */
const mostLooks = 100;
/** To stand still for a while. */
const nobody = new Int32Array(new SharedArrayBuffer(4));

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
    // A git that holds a lock is not there yet, however long a busy machine lets it wait.
    for (let [before, looks] = ['', 0]; before !== now; now = stateOf(folder)) {
      for (; gitLock.test(now) && looks < mostLooks; now = stateOf(folder), looks++) Atomics.wait(nobody, 0, 0, 20);
      before = now;
      copyFolder(folder, copy);
    }
    last = now;
  };
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
