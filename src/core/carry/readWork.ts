import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import { whyBusy } from '../checkout/blockers.ts';
import { gitlink } from '../git/indexEntries.ts';
import { parseStatus, type StatusEntry } from '../git/status.ts';
import { carryMessages } from '../messages/carry.ts';
import type { Message } from '../messages/message.ts';
import type { WorkState } from '../operations/operation.ts';
import { writeTreeOf } from '../remove/backupTree.ts';
import { withIndexCopy } from '../worktree/indexCopy.ts';
import { clonesInUntracked } from '../remove/nestedClones.ts';
import { inTree, namesOfHidden, readHiddenFiles, type Tree } from '../worktree/treeState.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { indexInfo, nulTerminated, plain, treeDiff } from '../worktree/rawTrees.ts';
import { nextIndex, workIndex } from './trees.ts';

/** A worktree whose uncommitted work is carried, or gets some. */
export interface CarryPlace extends Tree {
  readonly name: string;
}

/** What is not committed in a worktree. */
export interface UncommittedWork {
  readonly place: CarryPlace;
  readonly head: string | undefined;
  /** The tree of the commit that is checked out; an empty one before the first. */
  readonly headTree: string;
  readonly state: WorkState;
  /** What stays where it is, whatever is carried. */
  readonly left: readonly Message[];
  /** Files whose changes git has been told to overlook. */
  readonly overlooked: readonly string[];
}

/**
 * Reads what is not committed in a worktree, as trees in git's store; the worktree is left as it is.
 *
 * @throws Problem `in-use` for git's own operations under way, `locked-by-another`, `conflicts` for conflicts in its index.
 */
export async function readWork(
  workspace: Workspace,
  place: CarryPlace,
  signal?: AbortSignal,
): Promise<UncommittedWork> {
  const { git } = workspace;
  await refuseBusy(workspace, place);
  const at = { cwd: place.path, signal };
  const show = ['--porcelain=v2', '--branch', '-z', '--no-renames', '--no-ahead-behind'];
  const which = ['--untracked-files=normal', '--ignore-submodules=none'];
  const status = parseStatus(
    await git.text(inTree(place, '-c', 'core.fsmonitor=false', 'status', ...show, ...which), at),
  );
  const unmerged = status.entries.filter(({ kind }) => kind === 'unmerged').map(({ path }) => path);
  if (unmerged.length > 0) {
    throw new Problem('conflicts', carryMessages.hasConflicts({ name: place.name }), {
      next: carryMessages.resolveFirst({ path: place.path }),
      items: unmerged,
      outcome: 'incomplete',
    });
  }
  const uncommitted = status.entries.map(({ path }) => path);
  const hidden = await readHiddenFiles(git, place, signal);
  const clones = await clonesInUntracked(git, place, uncommitted, signal);
  const stray = await unstagedButThere(place, status.entries);
  const index = await withIndexCopy(place, (variables) => writeTree(workspace, place, variables), workIndex);
  const all = await writeTreeOf(git, place, { uncommitted, overlooked: [], stray }, signal, workIndex);
  return {
    place,
    head: status.head,
    headTree: await treeOf(workspace, place, status.head),
    state: {
      work: status.entries.some(({ submodule }) => submodule)
        ? await withoutMovedLinks(workspace, place, index, all)
        : all,
      index,
      intent: status.entries.some(({ code }) => code === '.A') ? await namesOnlyStaged(workspace, place, signal) : [],
      bytes: [],
    },
    left: [
      ...clones.map((path) => carryMessages.leftRepository({ path })),
      ...status.entries.flatMap(leftOfSubmodule),
      ...namesOfHidden(hidden).map((file) => carryMessages.leftHidden({ file })),
    ],
    overlooked: hidden.map(({ path }) => path),
  };
}

/** The tree of a commit; an empty one for none. */
async function treeOf({ git }: Workspace, place: Tree, head: string | undefined): Promise<string> {
  const at = { cwd: place.path };
  const words = head === undefined ? ['mktree'] : ['rev-parse', '--verify', `${head}^{tree}`];
  return (await git.text(inTree(place, ...words), { ...at, writes: true, input: '' })).trim();
}

/** @throws Problem `in-use` or `locked-by-another`. */
export async function refuseBusy(workspace: Workspace, place: CarryPlace): Promise<void> {
  const busy = await whyBusy(workspace, place);
  if (!busy) return;
  throw new Problem(
    busy.lock ? 'locked-by-another' : 'in-use',
    carryMessages.busy({ name: place.name, why: busy.why }),
    {
      ...(busy.lock ? { file: busy.lock.file } : {}),
      next: busy.next ?? carryMessages.endFirst({ path: place.path }),
      outcome: 'incomplete',
    },
  );
}

/** Files that were taken out of the index and stay on the disk, where they may be ignored. */
async function unstagedButThere({ path: root }: Tree, entries: readonly StatusEntry[]): Promise<string[]> {
  const gone = entries.filter(({ code, submodule }) => code.startsWith('D') && !submodule).map(({ path }) => path);
  const found = await Promise.all(gone.map((path) => lstat(join(root, path)).catch(() => undefined)));
  return gone.filter((_, index) => found[index]?.isFile() === true || found[index]?.isSymbolicLink() === true);
}

const writeTree = async ({ git }: Workspace, place: Tree, variables: Record<string, string>): Promise<string> =>
  (await git.text(inTree(place, 'write-tree'), { cwd: place.path, writes: true, variables })).trim();

/** What is checked out in a submodule's folder stays there: only what is staged of submodules can be carried. */
async function withoutMovedLinks(workspace: Workspace, place: Tree, index: string, work: string): Promise<string> {
  const moved = (await treeDiff(workspace, work, index)).filter(
    ({ before, after }) => (before ?? after)?.mode === gitlink && (after ?? before)?.mode === gitlink,
  );
  if (moved.length === 0) return work;
  return withChanges(workspace, place, work, indexInfo(moved));
}

/** A tree with other entries at some paths. @param input as `git update-index -z --index-info` reads it. */
export function withChanges(workspace: Workspace, place: Tree, tree: string, input: Buffer): Promise<string> {
  return withIndexCopy(
    place,
    async (variables) => {
      const at = { cwd: place.path, writes: true, variables };
      await workspace.git.text(inTree(place, ...plain, 'read-tree', tree), at);
      const args = inTree(place, ...plain, 'update-index', '--replace', '-z', '--index-info');
      await workspace.git.text(args, { ...at, input });
      return writeTree(workspace, place, variables);
    },
    nextIndex,
  );
}

/** Files of which only the name is staged. */
async function namesOnlyStaged({ git }: Workspace, place: Tree, signal: AbortSignal | undefined): Promise<string[]> {
  const args = [
    'diff',
    '--no-ext-diff',
    '--name-only',
    '--diff-filter=A',
    '--no-renames',
    '-z',
    '--ignore-submodules=all',
  ];
  const output = await git.bytes(inTree(place, ...args), { cwd: place.path, signal });
  const names: string[] = [];
  for (let at = 0, end = output.indexOf(0); end >= 0; at = end + 1, end = output.indexOf(0, at))
    names.push(output.subarray(at, end).toString('base64'));
  return names;
}

function leftOfSubmodule({ submodule, code, path }: StatusEntry): Message[] {
  if (!submodule) return [];
  if (submodule.modified || submodule.untracked) return [carryMessages.leftInSubmodule({ path })];
  return submodule.commit || code[1] === 'M' ? [carryMessages.leftSubmodule({ path })] : [];
}

/** Stages nothing but the names of files; those that are staged otherwise are left alone by the caller. */
export async function stageNames({ git }: Workspace, place: Tree, raws: readonly Buffer[]): Promise<void> {
  if (raws.length === 0) return;
  const how = ['--intent-to-add', '--force', '--sparse', '--pathspec-from-file=-', '--pathspec-file-nul'];
  const args = inTree(place, ...plain, '--literal-pathspecs', 'add', ...how);
  await git.text(args, { cwd: place.path, writes: true, keepsSparse: true, input: nulTerminated(raws) });
}
