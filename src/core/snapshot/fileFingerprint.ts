import { stat } from 'node:fs';

/**
 * What a file or folder looks like from outside; empty where there is none. While it has one stamp it has not been written anew.
 * `undefined` when it was written so lately that another change might leave the same times: then it tells nothing.
 */
export type Stamp = string | undefined;

/** Milliseconds for which a change may go unseen: the coarsest clock of a file system that git works on. */
const tooFresh = 2000;

/**
 * Looks at many files or folders. One promise for all of them: of hundreds, the promises cost more than the looking.
 *
 * @param now what tells how lately a file was written.
 */
export function stampsOf(paths: readonly string[], now: Date): Promise<Stamp[]> {
  if (paths.length === 0) return Promise.resolve([]);
  return new Promise((done) => {
    const stamps = new Array<Stamp>(paths.length);
    const latest = now.getTime() - tooFresh;
    let open = paths.length;
    for (const [index, path] of paths.entries()) {
      stat(path, (_, found) => {
        // What is not there may have just gone; that it is not there is sure all the same.
        const { mtimeMs = 0, ctimeMs = 0, size, ino } = (found as typeof found | undefined) ?? {};
        if (size === undefined || ino === undefined) stamps[index] = '';
        else if (mtimeMs < latest && ctimeMs < latest) stamps[index] = `${mtimeMs}:${ctimeMs}:${size}:${ino}`;
        if (--open === 0) done(stamps);
      });
    }
  });
}

/** Whether two stamps prove that nothing has changed in between. */
export function isSame(one: Stamp, other: Stamp): boolean {
  return one !== undefined && one === other;
}
