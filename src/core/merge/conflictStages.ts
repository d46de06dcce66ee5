import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import { decode } from '../git/blobs.ts';
import { readUnmerged } from '../git/unmerged.ts';
import { mergeMessages } from '../messages/merge.ts';

/** The versions of a file in conflict that git's index holds, as object names; a side that does not have the file has none. */
export interface ConflictStages {
  readonly base: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}

/** The same versions as texts, as they would stand in the working tree: line ends and filters as git checks them out. */
export interface Versions {
  readonly base: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}

/**
 * The files in conflict in a working tree, by their path from its root with forward slashes. What the files themselves hold does not matter,
 * so it works with any style of conflict markers, and after somebody edited them.
 *
 * @param root the top of the working tree.
 * @param paths only these; every one by default.
 */
export async function readStages(
  git: Git,
  root: string,
  paths?: readonly string[],
): Promise<ReadonlyMap<string, ConflictStages>> {
  const found = await readUnmerged(git, root, paths);
  return new Map(
    found.map(({ path, base, ours, theirs }) => [path, { base: base?.oid, ours: ours?.oid, theirs: theirs?.oid }]),
  );
}

/**
 * The texts of the versions, byte order marks included.
 *
 * @throws Problem `unreadable-file` when one of them is not UTF-8.
 */
export async function readVersions(
  git: Git,
  root: string,
  path: string,
  stages: ConflictStages,
  signal?: AbortSignal,
): Promise<Versions> {
  const read = async (object: string | undefined): Promise<string | undefined> => {
    if (object === undefined) return undefined;
    const args = ['cat-file', '--filters', `--path=${path}`, object];
    return textIn(await git.bytes(args, { cwd: root, signal }), join(root, path));
  };
  const [base, ours, theirs] = await Promise.all([read(stages.base), read(stages.ours), read(stages.theirs)]);
  return { base, ours, theirs };
}

/**
 * UTF-8 as text, a byte order mark included.
 *
 * @throws Problem `unreadable-file` that names the file.
 */
export function textIn(bytes: Uint8Array, file: string): string {
  const text = decode(bytes);
  if (text !== undefined) return text;
  throw new Problem('unreadable-file', mergeMessages.notUtf8({ file }), {
    file,
    next: mergeMessages.resolveConflictText(),
  });
}

/** Whether two states of the index are the same conflict. */
export function sameStages(one: ConflictStages, other: ConflictStages): boolean {
  return one.base === other.base && one.ours === other.ours && one.theirs === other.theirs;
}
