import { readBlobs } from '../git/blobs.ts';
import type { ConflictVersions, TriedMerge } from '../git/mergePairs.ts';
import { sessionPaths } from '../repository/sessionPaths.ts';
import { mergeSessionText } from '../session/mergeText.ts';
import type { SessionKind } from '../session/model.ts';
import { isSettled, replaySessionText } from '../session/replayText.ts';
import type { Workspace } from '../worktree/workspace.ts';

/**
 * Leaves session files out of predicted conflicts that are merged by entries when it comes to it, without a person.
 *
 * @param merges what git made of pairs; the second of each pair is the worktree's.
 * @param kinds whether a pair would be brought together by a rebase onto the base, or by a merge of siblings.
 * @returns for each pair the files that are left; `undefined` where git gave no answer.
 */
export async function withoutNotes(
  workspace: Workspace,
  merges: readonly (TriedMerge | undefined)[],
  kinds: readonly ('base' | 'sibling')[],
  signal: AbortSignal | undefined,
): Promise<(readonly string[] | undefined)[]> {
  const paths = new Map(sessionPaths(workspace).map(({ kind, path }) => [path, kind]));
  const notes = merges.flatMap((merge) =>
    [...(merge?.versions ?? [])].filter(([path]) => paths.has(path)).map(([, versions]) => versions),
  );
  if (notes.length === 0) return merges.map((merge) => merge?.files);
  const { commonDir } = workspace.repository;
  const oids = notes.flatMap((versions) => Object.values(versions) as string[]);
  const texts = await readBlobs(workspace.git, oids, { cwd: commonDir, gitDir: commonDir, signal });
  const settles = (kind: SessionKind, how: 'base' | 'sibling' | undefined, versions: ConflictVersions): boolean => {
    const textOf = (oid: string | undefined): string | undefined => (oid === undefined ? undefined : texts.get(oid));
    const [base, one, other] = [textOf(versions[1]), textOf(versions[2]), textOf(versions[3])];
    if (one === undefined || other === undefined) return false;
    const merge = (common: string | undefined): boolean =>
      how === 'base'
        ? isSettled(replaySessionText({ kind, base: common, commit: other, onto: one }))
        : mergeSessionText({ kind, base: common, ours: one, theirs: other }).known;
    // A merge base of several commits has conflict markers of git's in it.
    return merge(base) || (base?.includes('<<<<<<<') === true && merge(undefined));
  };
  return merges.map((merge, index) =>
    merge?.files.filter((path) => {
      const kind = paths.get(path);
      const versions = merge.versions.get(path);
      return kind === undefined || versions === undefined || !settles(kind, kinds[index], versions);
    }),
  );
}
