import type { SessionKind } from '../session/model.ts';

/** The kinds of session files, each with a merge driver of its own. */
export const driverKinds: readonly SessionKind[] = ['session', 'learnings', 'jobs'];

/** The section of git's configuration that holds the merge driver of a kind. */
export const driverSection = (kind: SessionKind): string => `merge.wt-${kind}`;

/** A path as a pattern of git's attributes that matches it alone. */
export function attributePattern(path: string): string {
  const pattern = `/${path.replace(/[\\*?[\]]/g, '\\$&')}`;
  if (!/[\s"]/.test(pattern)) return pattern;
  const quoted = pattern
    .replace(/[\\"]/g, '\\$&')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
  return `"${quoted}"`;
}

const lineMerge = 'git merge-file --quiet --marker-size=%L -L ours -L base -L theirs %A %O %B';

/**
 * Arguments for git that merge by lines although the merge driver is installed. Where the entries are merged afterwards anyway, the driver
 * would cost a process for each file, and hide what takes a person.
 */
export const mergeByLines: readonly string[] = driverKinds.flatMap((kind) => [
  '-c',
  `${driverSection(kind)}.driver=${lineMerge}`,
]);

/** Arguments for git that merge by lines and call that a conflict, so that git stops for each file that both sides have changed. */
export const conflictAlways: readonly string[] = driverKinds.flatMap((kind) => [
  '-c',
  `${driverSection(kind)}.driver=${lineMerge}; exit 1`,
]);
