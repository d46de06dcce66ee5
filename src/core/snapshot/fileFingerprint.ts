import { stat } from 'node:fs';

/**
 * Identifies the state of a file or folder by its times, size and inode; empty where there is none. Equal fingerprints mean that it was
 * not written in between. `undefined` when it was written so recently that another change might leave the same times.
 */
export type Fingerprint = string | undefined;

/** A change may be invisible for this time (ms), the coarsest clock of the file systems that git works on. */
const tooFresh = 2000;

/**
 * The fingerprints of many files or folders, with one promise for all of them: hundreds of promises cost more than the calls.
 *
 * @param now the time against which it is decided what was written too recently.
 */
export function fingerprintsOf(paths: readonly string[], now: Date): Promise<Fingerprint[]> {
  if (paths.length === 0) return Promise.resolve([]);
  return new Promise((done) => {
    const fingerprints = new Array<Fingerprint>(paths.length);
    const latest = now.getTime() - tooFresh;
    let open = paths.length;
    for (const [index, path] of paths.entries()) {
      stat(path, (_, found) => {
        // What is not there may have just gone; that it is not there is sure all the same.
        const { mtimeMs = 0, ctimeMs = 0, size, ino } = (found as typeof found | undefined) ?? {};
        if (size === undefined || ino === undefined) fingerprints[index] = '';
        else if (mtimeMs < latest && ctimeMs < latest) fingerprints[index] = `${mtimeMs}:${ctimeMs}:${size}:${ino}`;
        if (--open === 0) done(fingerprints);
      });
    }
  });
}

/** Whether two fingerprints prove that nothing was written in between. */
export function isSame(one: Fingerprint, other: Fingerprint): boolean {
  return one !== undefined && one === other;
}
