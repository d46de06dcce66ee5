import type { Git } from './git.ts';

/** A file, link or submodule as a commit has it. */
export interface TreeFile {
  /** Six octal digits, `100644` for example. */
  readonly mode: string;
  readonly oid: string;
}

/** A path that two commits have differently. */
export interface TreeChange {
  /** Relative, for people and for git's arguments. A name that is no UTF-8 has replacement characters. */
  readonly path: string;
  /** The same path, byte for byte. */
  readonly raw: Buffer;
  /** What the first commit has there; `undefined` when nothing. */
  readonly before: TreeFile | undefined;
  /** What the second commit has there; `undefined` when nothing. */
  readonly after: TreeFile | undefined;
}

/** The mode of a submodule. */
export const gitlinkMode = '160000';

/**
 * What differs between the two commits of each pair, in the order of the pairs. One process for all of them; none for no pairs.
 *
 * @param gitDir a git directory that has the commits.
 * @throws Problem `git-failed` when a commit is missing.
 */
export async function readTreeDiffs(
  git: Git,
  gitDir: string,
  pairs: readonly { readonly from: string; readonly to: string }[],
  signal?: AbortSignal,
): Promise<TreeChange[][]> {
  if (pairs.length === 0) return [];
  const args = ['diff-tree', '--stdin', '--always', '-r', '-z', '--raw', '--no-abbrev', '--no-renames'];
  const output = await git.bytes([`--git-dir=${gitDir}`, ...args], {
    cwd: gitDir,
    signal,
    // Git prints the first id, takes the second for its parent, and compares that with the first.
    input: pairs.map(({ from, to }) => `${to} ${from}\n`).join(''),
  });
  return parseTreeDiffs(output);
}

/** Reads the output of `git diff-tree --stdin --always -r -z --raw`: an id for each pair, then two records for each change. */
export function parseTreeDiffs(output: Buffer): TreeChange[][] {
  const diffs: TreeChange[][] = [];
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0, at);
    if (end < 0) break;
    const record = output.toString('latin1', at, end);
    at = end + 1;
    const [, modeBefore, modeAfter, before, after] =
      /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/.exec(record) ?? [];
    if (modeBefore === undefined || modeAfter === undefined || before === undefined || after === undefined) {
      diffs.push([]);
      continue;
    }
    const pathEnd = output.indexOf(0, at);
    const raw = output.subarray(at, pathEnd < 0 ? output.length : pathEnd);
    at = pathEnd < 0 ? output.length : pathEnd + 1;
    const side = (mode: string, oid: string): TreeFile | undefined => (mode === '000000' ? undefined : { mode, oid });
    diffs.at(-1)?.push({
      path: raw.toString('utf8'),
      raw,
      before: side(modeBefore, before),
      after: side(modeAfter, after),
    });
  }
  return diffs;
}
