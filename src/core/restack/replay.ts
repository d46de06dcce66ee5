import { gitProblem } from '../git/gitError.ts';
import { fieldsOf } from '../git/repositoryGit.ts';
import type { CommitObject } from '../git/commitObject.ts';
import { mergeByLines } from '../repository/notesDriver.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { CommitSettings } from './commitSettings.ts';
import type { CommitWriter } from './commitWriter.ts';
import { replayNotes } from './replayNotes.ts';

/** A commit that the new base holds already, so that nothing is left of it. */
export interface DroppedCommit {
  readonly oid: string;
  readonly subject: string;
}

/** The result of replaying a branch's commits onto another one, or the conflict. */
export type Replayed =
  | {
      readonly tip: string;
      readonly tree: string;
      readonly commits: number;
      readonly dropped: readonly DroppedCommit[];
    }
  | {
      readonly conflict: {
        readonly commit: string;
        readonly subject: string;
        readonly files: readonly string[];
        /** It did not conflict, but could not be signed: the output of the signing program. */
        readonly unsigned?: string | undefined;
      };
    };

/** Whether commits can be replayed in memory: one line of them, without merges and without the first commit of all. */
export function isPlainLine(commits: readonly CommitObject[]): boolean {
  return commits.every(
    ({ parents }, index) => parents.length === 1 && (index === 0 || parents[0] === commits[index - 1]?.oid),
  );
}

/**
 * Puts commits onto another one without touching a working tree: each is merged in memory with its parent as the merge base, as
 * `git rebase` would. A commit that is there already stays as it is, signature and all; one that becomes empty is dropped, one that was
 * empty before is kept.
 *
 * @param settings those of the branch's worktree.
 * @param commits oldest first, a plain line.
 * @param treeOf the trees of the commits' parents and of `onto`.
 */
export async function replay(
  workspace: Workspace,
  writer: CommitWriter,
  what: {
    readonly commits: readonly CommitObject[];
    readonly onto: string;
    readonly treeOf: ReadonlyMap<string, string>;
    readonly settings: CommitSettings;
  },
  signal: AbortSignal | undefined,
): Promise<Replayed> {
  const { commits, treeOf, settings } = what;
  let at = what.onto;
  let atTree = treeOf.get(at) ?? '';
  let kept = 0;
  const dropped: DroppedCommit[] = [];
  for (const commit of commits) {
    const parent = commit.parents[0] ?? '';
    const before = treeOf.get(parent) ?? '';
    if (parent === at) {
      at = commit.oid;
      atTree = commit.tree;
      kept++;
      continue;
    }
    const merged = await mergeOnto(workspace, writer, { commit, before, at: atTree, parent, settings }, signal);
    if ('files' in merged) return { conflict: { commit: commit.oid, subject: subjectOf(commit), files: merged.files } };
    if (merged.tree === atTree && commit.tree !== before) {
      dropped.push({ oid: commit.oid, subject: subjectOf(commit) });
      continue;
    }
    const made = await writer.recommit(commit, merged.tree, at, settings);
    if (typeof made !== 'string')
      return { conflict: { commit: commit.oid, subject: subjectOf(commit), files: [], unsigned: made.words } };
    at = made;
    atTree = merged.tree;
    kept++;
  }
  return { tip: at, tree: atTree, commits: kept, dropped };
}

/** The first line of a commit's message. */
export function subjectOf({ bytes }: CommitObject): string {
  const start = bytes.indexOf('\n\n');
  const text = start < 0 ? '' : bytes.toString('utf8', start + 2).trimStart();
  return text.split('\n', 1)[0] ?? '';
}

async function mergeOnto(
  workspace: Workspace,
  writer: CommitWriter,
  step: {
    readonly commit: CommitObject;
    readonly before: string;
    readonly at: string;
    readonly parent: string;
    readonly settings: CommitSettings;
  },
  signal: AbortSignal | undefined,
): Promise<{ readonly tree: string } | { readonly files: string[] }> {
  const { git, repository } = workspace;
  const { commit, before, at, parent, settings } = step;
  // Only one side changed something.
  if (before === at) return { tree: commit.tree };
  if (commit.tree === before || commit.tree === at) return { tree: at };
  const trivial = await writer.mergeTrees(before, at, commit.tree);
  if (trivial !== undefined) return { tree: trivial };
  // Only git 2.40 and later take the merge base as an argument; a commit with that parent works with every version.
  const ours = await writer.step(at, [parent]);
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, commit.oid];
  const answer = await git.in(repository.commonDir).run([...settings.overrides, ...mergeByLines, ...args], { signal });
  const [tree = '', ...files] = fieldsOf(answer.stdout).map((word) => word.replace(/\n$/, ''));
  if (answer.exitCode > 1) throw gitProblem(args, answer);
  const conflicts = [...new Set(files)];
  const merged = await replayNotes(
    workspace,
    writer.trees,
    { before, at, commit: commit.tree, tree, conflicts },
    signal,
  );
  return merged.conflicts.length === 0 ? { tree: merged.tree } : { files: [...merged.conflicts] };
}
