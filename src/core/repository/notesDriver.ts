import type { SessionKind } from '../session/model.ts';

/** The kinds of session files, each with a merge driver of its own. */
export const driverKinds: readonly SessionKind[] = ['session', 'learnings', 'jobs'];

/** The section of git's configuration that holds the merge driver of a kind. */
export const driverSection = (kind: SessionKind): string => `merge.wt-${kind}`;

/**
 * Arguments for git that merge by lines although the merge driver is installed. Where the entries are merged afterwards anyway, the driver
 * would cost a process for each file, and hide what takes a person.
 */
export const mergeByLines: readonly string[] = driverKinds.flatMap((kind) => [
  '-c',
  `${driverSection(kind)}.driver=git merge-file --quiet --marker-size=%L -L ours -L base -L theirs %A %O %B`,
]);
