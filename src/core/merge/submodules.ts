import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import { readTree } from '../git/blobs.ts';
import { gitProblem } from '../git/gitError.ts';
import { holdsNothingOf } from '../git/mergedIndex.ts';
import { commitAsMerge } from './commitAsMerge.ts';
import { headOf, isAncestor, mergeBase, mergeHeadIn } from './commits.ts';
import { endEmptyMerge } from './emptyMerge.ts';
import { readGitlinks, type Gitlink } from './gitlinks.ts';
import { requireHiddenSafe } from './hidden.ts';
import { conflictWords, gitlink, stageEntries, unmergedEntries, type IndexEntry } from '../git/indexEntries.ts';
import { requireNoMarkers } from './markers.ts';
import { againCommand, noteMoved, step, type Merging } from './merging.ts';
import type { MovedSubmodule } from './mergeData.ts';
import type { MergedSubmodule, SubmoduleFate } from './model.ts';
import { repositoryOf } from '../worktree/submoduleRepository.ts';
import { fetchSubmoduleCommit, submoduleSource, type Source } from './fetchSubmodule.ts';
import { mergeMessages } from '../messages/merge.ts';
import type { Message } from '../messages/message.ts';

/** A repository whose submodules are merged: the target itself, or one of its submodules. */
interface Level {
  /** Absolute. */
  readonly tree: string;
  /** The path from the target's root, with a slash at the end; empty for the target itself. */
  readonly prefix: string;
  readonly ours: string;
  readonly theirs: string;
  readonly source: Source;
}

/** What became of a level's own submodules. */
export interface Settled {
  /** What the level is to record of each that differs. */
  readonly links: readonly IndexEntry[];
  /** Those, and those inside of them, for the report. */
  readonly submodules: readonly MergedSubmodule[];
  readonly notes: readonly Message[];
}

/** Whatever the user has configured for merges and pulls. */
const plainly = ['--no-squash', '--no-autostash', '--no-stat', '--quiet'];

/** How git merges here, whatever the user has configured; nothing is committed or set aside by it. */
export const mergeArguments: readonly string[] = [
  ...['-c', 'submodule.recurse=false', 'merge', '--no-commit', '--no-ff', '--no-rerere-autoupdate'],
  ...plainly,
];

/**
 * Merges the worktree's commits of every submodule into what is checked out in the target, the innermost ones first. What has been
 * merged already stays as it is, so that this can be run again after a stop.
 *
 * @throws Problem `conflicts` (outcome incomplete) that names the submodule, its files and what to do there; `not-found` for a
 *   commit that is nowhere; `unsupported` for a submodule that both sides changed and that is not checked out.
 */
export async function mergeSubmodules(merging: Merging): Promise<Settled> {
  const { ours, theirs } = merging.pending.data;
  const { path, gitDir } = merging.source;
  return settleLevel(merging, { tree: merging.target.root, prefix: '', ours, theirs, source: { tree: path, gitDir } });
}

async function settleLevel(merging: Merging, level: Level): Promise<Settled> {
  const { git } = merging.workspace;
  const at = { cwd: level.tree, signal: merging.options.signal };
  const base = await mergeBase(git, at, level.ours, level.theirs);
  const { differing, added } = await readGitlinks(git, at, { ...level, base });
  const links: IndexEntry[] = [];
  const submodules: MergedSubmodule[] = [];
  const notes = added.map((path) => mergeMessages.newSubmodule({ path: `${level.prefix}${path}` }));
  for (const link of differing) {
    // Only ours has changed it: git keeps ours as well.
    if (link.theirs === link.base) continue;
    const done = await settleOne(merging, level, link);
    links.push({ mode: gitlink, oid: done.commit, stage: 0, path: link.path });
    submodules.push(...done.inner, { path: level.prefix + link.path, fate: done.fate, commit: done.commit });
    notes.push(...done.notes);
  }
  return { links, submodules, notes };
}

interface Done {
  readonly commit: string;
  readonly fate: SubmoduleFate;
  readonly inner: readonly MergedSubmodule[];
  readonly notes: readonly Message[];
}

async function settleOne(merging: Merging, level: Level, link: Gitlink): Promise<Done> {
  const { pending, options, workspace } = merging;
  const { git } = workspace;
  const { theirs } = link;
  const path = level.prefix + link.path;
  const tree = join(level.tree, link.path);
  step(merging, mergeMessages.stepSubmodule({ path }));
  const gitDir = await repositoryOf(tree);
  const alone = { inner: [], notes: [] };
  if (gitDir === undefined) {
    if (link.ours === link.base) return { ...alone, commit: theirs, fate: 'taken' };
    throw notCheckedOut(merging, level, link);
  }
  const source = await submoduleSource(level.source, link);
  await fetchSubmoduleCommit(git, { tree, path }, theirs, source, options.signal);
  const at = { cwd: tree, signal: options.signal };
  const head = await headOf(git, at);
  const mergeHead = await mergeHeadIn(gitDir);
  if (mergeHead === undefined && (await isAncestor(git, at, theirs, head))) {
    const before = pending.data.moved[path];
    if (before !== undefined && before.after !== head) await noteMoved(merging, path, { ...before, after: head });
    if (before === undefined || before.before === head) return { ...alone, commit: head, fate: 'contained' };
    return { ...alone, commit: head, fate: head === theirs ? 'forwarded' : 'merged' };
  }
  if (mergeHead !== undefined && mergeHead !== theirs) throw anotherMerge(merging, path, tree);
  const inner = await settleLevel(merging, { tree, prefix: `${path}/`, ours: head, theirs, source });
  const earlier = pending.data.moved[path];
  const seen = mergeHead !== undefined && earlier?.theirs === theirs && earlier.seen === true;
  // An earlier run may have moved it, when the worktree's branch had not come as far: what was there before that counts.
  const moved: MovedSubmodule = { ...(earlier ?? { before: head }), theirs, seen };
  await noteMoved(merging, path, moved);
  const inside = inner.links.map((each) => each.path);
  const theirLinks = inside.length === 0 ? undefined : await readTree(git, theirs, inside, at);
  const asTheirs = inner.links.every(({ path: each, oid }) => theirLinks?.get(each)?.oid === oid);
  if (mergeHead === undefined)
    await requireHiddenSafe(git, { path: tree, gitDir }, { ours: head, theirs }, merging.source, `${path}/`);
  const forward = mergeHead === undefined && asTheirs && (await isAncestor(git, at, head, theirs));
  const commit = forward
    ? await moveForward(merging, tree, theirs)
    : await mergeHere(merging, { path, tree, gitDir, head, moved, begun: mergeHead !== undefined }, inner.links);
  await noteMoved(merging, path, { ...moved, after: commit });
  const { submodules, notes } = inner;
  return { commit, fate: forward ? 'forwarded' : 'merged', inner: submodules, notes };
}

async function moveForward({ workspace }: Merging, tree: string, theirs: string): Promise<string> {
  const args = ['-c', 'submodule.recurse=false', 'merge', '--ff-only', ...plainly, theirs];
  await workspace.git.text(args, { cwd: tree, writes: true });
  return theirs;
}

interface Here {
  readonly path: string;
  readonly tree: string;
  readonly gitDir: string;
  /** What is checked out. */
  readonly head: string;
  readonly moved: MovedSubmodule;
  /** An earlier run has begun it. */
  readonly begun: boolean;
}

/** Merges in one submodule, with what its own submodules have become, and commits. */
async function mergeHere(merging: Merging, here: Here, links: readonly IndexEntry[]): Promise<string> {
  const { workspace, source, options } = merging;
  const { git, configuration } = workspace;
  const { path, tree, gitDir, head, moved } = here;
  const { theirs } = moved;
  const message = `${configuration.merge.messagePrefix} Merge ${path} from ${source.slug}`.trim();
  const at = { cwd: tree, writes: true };
  const place = { root: tree, gitDir, head };
  const isEmpty = (): Promise<boolean> =>
    holdsNothingOf(git, at, { ours: head, theirs, seen: false }).then((nothing) => nothing && !moved.seen);
  const begun = here.begun && !(await isEmpty());
  if (here.begun && !begun) await endEmptyMerge(workspace, place, { theirs, untracked: [] });
  if (!begun) {
    const answer = await git.run([...mergeArguments, '-m', message, theirs], at);
    if ((await mergeHeadIn(gitDir)) !== theirs) throw gitProblem(['merge', theirs], answer);
    if (await isEmpty()) {
      await endEmptyMerge(workspace, place, { theirs, untracked: [] });
      throw gitProblem(['merge', theirs], answer);
    }
  }
  if (!moved.seen) await noteMoved(merging, path, { ...moved, seen: true });
  await stageEntries(git, tree, links);
  const unmerged = await unmergedEntries(git, tree);
  if (unmerged.size > 0) throw submoduleConflict(merging, here, unmerged);
  await requireNoMarkers(git, { tree, prefix: `${path}/`, theirs }, source);
  const { signal } = options;
  return (await commitAsMerge(git, { root: tree, gitDir, theirs, message: `${message}\n`, signal })).commit;
}

function submoduleConflict(
  { source }: Merging,
  { path, tree }: Here,
  unmerged: ReadonlyMap<string, readonly IndexEntry[]>,
): Problem {
  return new Problem('conflicts', mergeMessages.submoduleConflicts({ path, sourceName: source.name }), {
    next: mergeMessages.resolveThemCommit({ tree, againCommand: againCommand(source) }),
    items: [...unmerged].map(([file, entries]) => conflictWords(`${path}/${file}`, entries)),
    outcome: 'incomplete',
  });
}

function anotherMerge({ source }: Merging, path: string, tree: string): Problem {
  return new Problem('in-use', mergeMessages.anotherMergeUnder({ path, sourceName: source.name }), {
    next: mergeMessages.finishTakeBackAgaincommand({ tree, againCommand: againCommand(source) }),
    outcome: 'incomplete',
  });
}

function notCheckedOut({ source, target }: Merging, level: Level, link: Gitlink): Problem {
  const path = level.prefix + link.path;
  return new Problem(
    'unsupported',
    mergeMessages.notMergedBoth({ sourceName: source.name, path, targetRoot: target.root }),
    {
      next: mergeMessages.gitSubmoduleUpdate({
        linkPath: JSON.stringify(link.path),
        tree: level.tree,
        againCommand: againCommand(source),
      }),
      outcome: 'incomplete',
    },
  );
}
