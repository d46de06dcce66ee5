import { readFileSync, readdirSync } from 'node:fs';

/*
 * Replaces src/core/base/manyFiles.ts in `wtProgram.js` (scripts/build.mjs) by the synchronous functions of node:fs, which take a third of the
 * time of those with callbacks. The editor's host keeps these: a disk that does not answer would hold up all extensions there.
 */

/** So long (ms) files are read in one go: what else goes on, such as the output of git, does not wait longer. */
const turn = 10;

const waiting: (() => void)[] = [];

/** The text of a file, as UTF-8. Fails as `readFile` of `node:fs/promises` does. */
export function readText(file: string): Promise<string> {
  return inTurn(() => readFileSync(file, 'utf8'));
}

/** The names in a folder, in no order. Fails as `readdir` of `node:fs/promises` does. */
export function readNames(folder: string): Promise<string[]> {
  return inTurn(() => readdirSync(folder));
}

/** Not at once: git processes that are being started beside it come first. */
function inTurn<T>(read: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) setImmediate(takeTurn);
    waiting.push(() => {
      try {
        resolve(read());
      } catch (thrown) {
        if (!(thrown instanceof Error)) throw thrown;
        reject(thrown);
      }
    });
  });
}

function takeTurn(): void {
  const end = performance.now() + turn;
  let done = 0;
  while (done < waiting.length && performance.now() < end) waiting[done++]?.();
  waiting.splice(0, done);
  if (waiting.length > 0) setImmediate(takeTurn);
}
