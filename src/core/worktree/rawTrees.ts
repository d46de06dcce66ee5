import { parseTreeDiffs, type RawTreeChange } from '../git/treeDiff.ts';
import type { Workspace } from './workspace.ts';

/** Settings under which git writes nothing but what it is told to. */
export const plain = [
  'core.safecrlf=false',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'submodule.recurse=false',
].flatMap((each) => ['-c', each]);

/** A path byte for byte, as a key. */
export const keyOf = ({ raw }: Pick<RawTreeChange, 'raw'>): string => raw.toString('base64');

/** Paths for `-z --stdin`. */
export const nulTerminated = (raws: readonly Uint8Array[]): Buffer =>
  Buffer.concat(raws.flatMap((raw) => [raw, Buffer.of(0)]));

/** What differs between trees never changes: the last ones that were asked for, by both ids. */
const known = new Map<string, Promise<RawTreeChange[]>>();
const mostKnown = 64;

/** What differs between two trees. */
export async function treeDiff(
  workspace: Workspace,
  from: string,
  to: string,
  signal?: AbortSignal,
): Promise<RawTreeChange[]> {
  if (from === to) return [];
  const key = `${from} ${to}`;
  const other = known.get(`${to} ${from}`);
  if (other) return (await other).map((each) => ({ ...each, before: each.after, after: each.before }));
  const found = known.get(key) ?? readDiff(workspace, from, to, signal);
  known.delete(key);
  known.set(key, found);
  for (const old of known.keys()) if (known.size > mostKnown) known.delete(old);
  try {
    return await found;
  } catch (thrown) {
    known.delete(key);
    throw thrown;
  }
}

async function readDiff(
  { git, repository }: Workspace,
  from: string,
  to: string,
  signal: AbortSignal | undefined,
): Promise<RawTreeChange[]> {
  const shown = ['-r', '-z', '--raw', '--no-abbrev', '--no-renames', '--ignore-submodules=none'];
  // In the git directory a ref is a file as well.
  const args = ['diff-tree', ...shown, from, to, '--'];
  const output = await git.in(repository.commonDir).bytes(args, { signal });
  // The parser expects the line that git writes before each of several.
  return parseTreeDiffs(Buffer.concat([Buffer.from('-\0'), output]))[0] ?? [];
}

/** Lines for `git update-index -z --index-info` that lead to the second side of changes. */
export function indexInfo(changes: readonly RawTreeChange[]): Buffer {
  const line = ({ raw, before, after }: RawTreeChange): Buffer[] => [
    Buffer.from(after ? `${after.mode} ${after.oid}\t` : `0 ${'0'.repeat(before?.oid.length ?? 40)}\t`),
    raw,
    Buffer.of(0),
  ];
  // What goes first makes room: a file may have become a folder.
  const [gone, there] = [changes.filter(({ after }) => !after), changes.filter(({ after }) => after)];
  return Buffer.concat([...gone, ...there].flatMap(line));
}
