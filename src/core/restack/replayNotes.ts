import { decode } from '../git/blobs.ts';
import type { TreeEntry } from '../git/treeMerger.ts';
import { sessionPaths } from '../repository/sessionPaths.ts';
import { isSettled, replaySessionText } from '../session/replayText.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { CommitWriter } from './commitWriter.ts';

/** Git's merge of one commit that is replayed. */
export interface MergedCommit {
  /** The tree of the commit's parent. */
  readonly before: string;
  /** The tree that it is replayed onto. */
  readonly at: string;
  /** The commit's own tree. */
  readonly commit: string;
  /** What git made of the three; with conflict markers in the files that conflict. */
  readonly tree: string;
  readonly conflicts: readonly string[];
}

/**
 * Merges the session files of a replayed commit by entries instead of lines, whether git saw a conflict in them or not: it sees one where
 * there is none, and its own clean merges lose and duplicate entries. What does not have the expected shape, or takes a person, stays as
 * git merged it.
 *
 * @returns the tree with those files in it, and the conflicts that are left.
 */
export async function replayNotes(
  workspace: Workspace,
  trees: CommitWriter['trees'],
  merged: MergedCommit,
  signal: AbortSignal | undefined,
): Promise<{ readonly tree: string; readonly conflicts: readonly string[] }> {
  const { before, at, commit } = merged;
  const repo = workspace.git.in(workspace.repository.commonDir);
  const open = new Set(merged.conflicts);
  let { tree } = merged;
  for (const { kind, path } of sessionPaths(workspace)) {
    const parts = path.split('/').map((part) => Buffer.from(part, 'utf8').toString('latin1'));
    const versions = await Promise.all([before, commit, at, tree].map((each) => trees.entryAt(each, parts)));
    const [base, ours, onto, result] = versions;
    if (!isFile(ours) || !isFile(onto) || !isFile(result) || (base && !isFile(base))) continue;
    // Where only one side changed it, git has taken that one.
    if (ours.oid === onto.oid || base?.oid === ours.oid || base?.oid === onto.oid) continue;
    const texts = await Promise.all(
      [base, ours, onto].map(async (entry) => (entry ? textOf(trees, entry) : undefined)),
    );
    const [baseText, ourText, ontoText] = texts;
    if (ourText === undefined || ontoText === undefined || (base && baseText === undefined)) continue;
    const outcome = replaySessionText({ kind, base: baseText, commit: ourText, onto: ontoText });
    if (!outcome.known) continue;
    // Lines that do not touch may merge, and still be two versions of one thing.
    if (!isSettled(outcome)) {
      open.add(path);
      continue;
    }
    open.delete(path);
    const oid = await repo.text(['hash-object', '-w', '--stdin'], { writes: true, signal, input: outcome.text });
    tree = await trees.withEntry(tree, parts, { mode: ours.mode, oid: oid.trim() });
  }
  return { tree, conflicts: [...open] };
}

const isFile = (entry: TreeEntry | undefined): entry is TreeEntry => entry !== undefined && /^100/.test(entry.mode);

async function textOf(trees: CommitWriter['trees'], { oid }: TreeEntry): Promise<string | undefined> {
  const bytes = await trees.blob(oid);
  return bytes && decode(bytes);
}
