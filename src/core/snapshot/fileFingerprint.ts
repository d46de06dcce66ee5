import { stat, statSync, type Stats } from 'node:fs';
import { setImmediate as pause } from 'node:timers/promises';

/**
 * Identifies the state of a file or folder by its times, size and inode; empty where there is none. Equal fingerprints mean that it was
 * not written in between. `undefined` when it was written so recently that another change might leave the same times. They are numbers
 * because to write thousands of them down takes longer than to ask for them.
 */
export type Fingerprint = readonly number[] | undefined;

const nothingThere: Fingerprint = [];

/** A change may be invisible for this time (ms), the coarsest clock of the file systems that git works on. */
const tooFresh = 2000;

/** How long this thread may be held up at a time (ms), and what a call costs on a disk that is near (ms). */
const [longestHold, nearDisk] = [8, 0.05];

/**
 * The fingerprints of many files or folders. On a disk that is near, asking takes a third of the work of waiting for an answer, so then this
 * thread asks by itself, with pauses in between; a slow one, such as that of another computer, is waited for.
 *
 * @param now the time against which it is decided what was written too recently.
 */
export async function fingerprintsOf(paths: readonly string[], now: Date): Promise<Fingerprint[]> {
  const latest = now.getTime() - tooFresh;
  const fingerprints: Fingerprint[] = [];
  let begun = performance.now();
  for (const path of paths) {
    fingerprints.push(fingerprintOf(statOf(path), latest));
    // The clock is as dear as the call, so it is not looked at each time.
    if (fingerprints.length % 16 !== 0) continue;
    const took = performance.now() - begun;
    if (fingerprints.length === 16 && took > 16 * nearDisk) break;
    if (took < longestHold) continue;
    await pause();
    begun = performance.now();
  }
  const rest = await waitFor(paths.slice(fingerprints.length), latest);
  return [...fingerprints, ...rest];
}

/** With one promise for all of them: hundreds of promises cost more than the calls. */
function waitFor(paths: readonly string[], latest: number): Promise<Fingerprint[]> {
  if (paths.length === 0) return Promise.resolve([]);
  return new Promise((done) => {
    const fingerprints = new Array<Fingerprint>(paths.length);
    let open = paths.length;
    for (const [index, path] of paths.entries()) {
      stat(path, (_, found: Stats | undefined) => {
        fingerprints[index] = fingerprintOf(found, latest);
        if (--open === 0) done(fingerprints);
      });
    }
  });
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function fingerprintOf(found: Stats | undefined, latest: number): Fingerprint {
  // What is not there may have just gone; that it is not there is sure all the same.
  if (!found) return nothingThere;
  const { mtimeMs, ctimeMs, size, ino } = found;
  return mtimeMs < latest && ctimeMs < latest ? [mtimeMs, ctimeMs, size, ino] : undefined;
}

/** Whether two fingerprints prove that nothing was written in between. */
export function isSame(one: Fingerprint, other: Fingerprint): boolean {
  if (!one || one.length !== other?.length) return false;
  return one[0] === other[0] && one[1] === other[1] && one[2] === other[2] && one[3] === other[3];
}
