import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import { parseShortStatus, type ShortEntry } from '../git/status.ts';
import { commitProblem } from '../worktree/addCommit.ts';
import { dirtyEntries, dirtyLine } from '../worktree/cleanTree.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { mergeHeadIn } from './commits.ts';
import { requireHiddenSafe } from './hidden.ts';
import type { MergeData } from './mergeData.ts';
import { againCommand } from './merging.ts';
import type { MergeOptions, MergeSource } from './model.ts';
import { repositoryOf } from '../worktree/submoduleRepository.ts';
import type { ReadyTarget } from './target.ts';
import { mergeMessages } from '../messages/merge.ts';

/** What is checked before a merge begins. */
export interface Before {
  readonly workspace: Workspace;
  readonly source: MergeSource;
  readonly target: ReadyTarget;
  readonly options: MergeOptions;
  /** The common ancestor of the two sides. */
  readonly base: string | undefined;
  /** What an earlier run wrote down that came as far as the submodules. */
  readonly earlier: MergeData | undefined;
}

/**
 * Makes sure that nothing uncommitted is in the merge's way. Session files may be changed as long as the merge does not have to
 * change them too.
 *
 * @returns the session files that have uncommitted notes and stay as they are.
 * @throws Problem `dirty` (outcome incomplete), which names the files; then nothing was touched.
 */
export async function checkBefore(before: Before): Promise<string[]> {
  await requireCleanTree(before);
  const { workspace, source, target } = before;
  const sides = { ours: target.head, theirs: source.commit };
  await requireHiddenSafe(workspace.git, { path: target.root, gitDir: target.gitDir }, sides, source);
  const notes = await settleNotes(before);
  await requireRoom(before);
  return notes;
}

async function requireCleanTree({ workspace, source, target, options, earlier }: Before): Promise<void> {
  const moved = earlier?.moved ?? {};
  const inMerge: string[] = [];
  for (const [path, { theirs }] of Object.entries(moved)) {
    const gitDir = await repositoryOf(join(target.root, path));
    if (gitDir !== undefined && (await mergeHeadIn(gitDir)) === theirs) inMerge.push(`${path}/`);
  }
  const entries = await dirtyEntries(workspace, target.root, { signal: options.signal });
  const dirty = entries.filter(
    ({ path, code }) =>
      !(code === ' M' && Object.hasOwn(moved, path)) && !inMerge.some((prefix) => path.startsWith(prefix)),
  );
  if (dirty.length === 0) return;
  throw new Problem('dirty', mergeMessages.notMergedChanges({ sourceName: source.name, targetRoot: target.root }), {
    next: mergeMessages.commitThemMove({ againCommand: againCommand(source), targetRoot: target.root }),
    items: dirty.map(dirtyLine),
    outcome: 'incomplete',
  });
}

/** Git overwrites an ignored file without a word where the other side has it committed. */
async function requireRoom({ workspace, source, target, options }: Before): Promise<void> {
  const { git } = workspace;
  const at = { cwd: target.root, signal: options.signal };
  const range = ['--no-renames', '--diff-filter=A', target.head, source.commit];
  const added = await git.nul(['diff-tree', '-r', '-z', '--name-only', ...range], at);
  const there = await Promise.all(added.map((path) => lstat(join(target.root, path)).catch(() => undefined)));
  const inWay: string[] = [];
  for (const [index, path] of added.entries()) {
    const found = there[index];
    if (found?.isFile() !== true && found?.isSymbolicLink() !== true) continue;
    const [here, theirs] = await Promise.all([
      git.line(['hash-object', '--', path], at),
      git.line(['rev-parse', '--verify', '--quiet', `${source.commit}:${path}`], at),
    ]);
    if (here !== theirs) inWay.push(path);
  }
  if (inWay.length === 0) return;
  throw new Problem(
    'dirty',
    mergeMessages.wouldOverwriteIgnored({ sourceName: source.name, targetRoot: target.root }),
    {
      next: mergeMessages.moveThemAway({ againCommand: againCommand(source) }),
      items: inWay,
      outcome: 'incomplete',
    },
  );
}

/**
 * Uncommitted notes are never merged over: where the merge has to change a session file that has some, they are committed
 * first if the person asked for that, and else the merge is refused.
 */
async function settleNotes({ workspace, source, target, options, base }: Before): Promise<string[]> {
  const { git, configuration } = workspace;
  const { session, learnings, jobs } = configuration.session;
  const at = { cwd: target.root, signal: options.signal };
  const files = ['--', session, learnings, jobs];
  const status = ['--literal-pathspecs', 'status', '--porcelain', '-z', '--untracked-files=all', ...files];
  const dirty = parseShortStatus(await git.text(status, at));
  if (dirty.length === 0) return [];
  const range = base === undefined ? [target.head, source.commit] : [base, source.commit];
  const changed = ['--literal-pathspecs', 'diff-tree', '-r', '-z', '--name-only', '--no-renames', ...range, ...files];
  const theirs = new Set(await git.nul(changed, at));
  const committed = await git.line(['cat-file', 'blob', `HEAD:${session}`], at);
  const isTouched = ({ path, code }: ShortEntry): boolean =>
    // What is staged would become part of the merge commit.
    !/^[ ?]/.test(code) || theirs.has(path) || (path === session && (committed?.includes(source.slug) ?? false));
  const touched = dirty.filter(isTouched).map(({ path }) => path);
  const others = dirty.map(({ path }) => path).filter((path) => !touched.includes(path));
  if (touched.length === 0) return others;
  if (options.commitNotes) {
    await commitNotes(workspace, source, target, touched);
    return others;
  }
  const what = touched.length === 1 ? 'has notes' : 'have notes';
  throw new Problem(
    'dirty',
    mergeMessages.notMergedNot({ sourceName: source.name, touched: touched.join(', '), what }),
    {
      next: mergeMessages.commitThemAgaincommand({ againCommand: againCommand(source) }),
      items: touched,
      outcome: 'incomplete',
    },
  );
}

async function commitNotes(
  { git }: Workspace,
  source: MergeSource,
  target: ReadyTarget,
  paths: readonly string[],
): Promise<void> {
  const at = { cwd: target.root, writes: true };
  await git.text(['--literal-pathspecs', 'add', '--', ...paths], at);
  const args = ['--literal-pathspecs', 'commit', '--quiet', '--file=-', '--only', '--', ...paths];
  const answer = await git.run(args, { ...at, input: `Session notes before merging wt/${source.slug}\n` });
  if (answer.exitCode !== 0) throw commitProblem(answer);
}
