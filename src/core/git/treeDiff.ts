import type { Git } from './git.ts';
import { gitlink } from './indexEntries.ts';

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
  /** What the first commit has there; `undefined` when nothing. */
  readonly before: TreeFile | undefined;
  /** What the second commit has there; `undefined` when nothing. */
  readonly after: TreeFile | undefined;
}

/** The same with its path byte for byte. */
export interface RawTreeChange extends TreeChange {
  readonly raw: Buffer;
}

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
): Promise<RawTreeChange[][]> {
  if (pairs.length === 0) return [];
  const args = ['diff-tree', '--stdin', '--always', '-r', '-z', '--raw', '--no-abbrev', '--no-renames'];
  const output = await git
    .in(gitDir)
    .bytes(args, { signal, input: pairs.map(({ from, to }) => `${to} ${from}\n`).join('') });
  return parseTreeDiffs(output);
}

/** Reads the output of `git diff-tree --stdin --always -r -z --raw`: an id for each pair, then two records for each change. */
export function parseTreeDiffs(output: Buffer): RawTreeChange[][] {
  const diffs: RawTreeChange[][] = [];
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0, at);
    if (end < 0) break;
    const record = output.toString('latin1', at, end);
    at = end + 1;
    const sides = sidesOf(record);
    if (sides === undefined) {
      diffs.push([]);
      continue;
    }
    const pathEnd = output.indexOf(0, at);
    const raw = output.subarray(at, pathEnd < 0 ? output.length : pathEnd);
    at = pathEnd < 0 ? output.length : pathEnd + 1;
    diffs.at(-1)?.push({ path: raw.toString('utf8'), raw, ...sides });
  }
  return diffs;
}

/** Whether a submodule is, or was, at the path. */
export function isGitlink({ before, after }: TreeChange): boolean {
  return before?.mode === gitlink || after?.mode === gitlink;
}

/** Reads the output of `git diff-tree` or `git diff-index` with `-z --raw --no-renames`: two records for each change. */
export function parseTreeChanges(output: string): TreeChange[] {
  const records = output.split('\0');
  return records.flatMap((record, at) => {
    const sides = at % 2 === 0 ? sidesOf(record) : undefined;
    return sides === undefined ? [] : [{ path: records[at + 1] ?? '', ...sides }];
  });
}

/** What a record `:<mode> <mode> <id> <id> <status>` says of the two sides of a change; `undefined` for any other record. */
function sidesOf(record: string): Pick<TreeChange, 'before' | 'after'> | undefined {
  const [, modeBefore = '', modeAfter = '', before = '', after] =
    /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/.exec(record) ?? [];
  if (after === undefined) return undefined;
  const side = (mode: string, oid: string): TreeFile | undefined => (mode === '000000' ? undefined : { mode, oid });
  return { before: side(modeBefore, before), after: side(modeAfter, after) };
}
