import { join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { Problem, messageOf } from '../base/problem.ts';
import { gitProblem } from '../git/gitError.ts';
import { withoutLfs } from '../create/checkout.ts';
import { readHiddenFiles } from '../worktree/treeState.ts';
import { mergeBase, mergeHeadIn } from './commits.ts';
import { isEmptyMerge } from './emptyMerge.ts';
import {
  checkOutEntries,
  conflictWords,
  gitlink,
  stageEntries,
  unmergedEntries,
  type IndexEntry,
} from '../git/indexEntries.ts';
import { againCommand, note, reading, step, writing, type Merging } from './merging.ts';
import type { MergedSessionFile } from './model.ts';
import { planMerge } from './planned.ts';
import { rollBackUnwritten } from './rollBackUnwritten.ts';
import { SavedFiles } from './savedFiles.ts';
import type { SessionFileResult } from './decideSessionFiles.ts';
import { recomputeSessionFiles } from './sessionFiles.ts';
import { mergeArguments, type Settled } from './submodules.ts';
import { findUnwritten } from './verifyMerged.ts';
import { fieldsOf } from '../git/repositoryGit.ts';
import { mergeMessages } from '../messages/merge.ts';
import type { Message } from '../messages/message.ts';

/**
 * Lets git merge the files, without committing, and then checks that they are what it reports. Where it has begun before, git does nothing.
 *
 * @param finish stages what git does not merge; part of what is checked.
 * @throws Problem (outcome incomplete) with the files and the cause when they could not be written, or git has not even begun; everything is
 *   as it was before then.
 */
export async function mergeFiles(merging: Merging, finish: () => Promise<void>): Promise<void> {
  const { workspace, target, pending } = merging;
  const { git, configuration, environment } = workspace;
  const { ours, theirs, message } = pending.data;
  step(merging, mergeMessages.stepFiles());
  if ((await mergeHeadIn(target.gitDir)) === theirs) return finish();
  const planned = await planMerge(git, reading(merging), ours, theirs);
  const hidden = await readHiddenFiles(git, { path: target.root, gitDir: target.gitDir });
  const paths = [
    ...(planned?.touched ?? []),
    ...hidden.map(({ path }) => path),
    ...Object.values(configuration.session),
  ];
  const saved = await SavedFiles.of(target.root, target.gitDir, paths).catch((thrown: unknown) => {
    environment.log.info(`The files in ${target.root} could not be saved before the merge: ${messageOf(thrown)}`);
    return undefined;
  });
  let words = '';
  let rolledBack: Problem | undefined;
  try {
    const args = [...withoutLfs(environment), ...mergeArguments, '-m', message, theirs];
    const answer = await git.run(args, writing(merging));
    words = `${answer.stderr}\n${answer.stdout}`;
    if ((await mergeHeadIn(target.gitDir)) !== theirs) {
      const plain = gitProblem(['merge', '--no-commit', '--no-ff', theirs], answer);
      throw plain.reason === 'git-failed' ? (unrelated(merging, words) ?? plain) : plain;
    }
    await requireMergedIndex(merging, words);
    await finish();
    const unwritten = await findUnwritten(workspace, target.root, pending.data);
    if (unwritten.length === 0) return;
    rolledBack = await rollBackUnwritten(merging, { words, unwritten, planned, saved });
    throw rolledBack;
  } catch (thrown) {
    // What was called off goes on with the next run, and what another process holds can be tried again.
    if (thrown === rolledBack || Problem.is(thrown, 'cancelled') || Problem.is(thrown, 'locked-by-another'))
      throw thrown;
    const reported = (Problem.is(thrown) && thrown.items.join('\n')) || messageOf(thrown);
    // Of files that could not be written the roll back reports more: that all of them are as before.
    const own = Problem.is(thrown) && thrown.outcome === 'incomplete' && thrown.reason !== 'not-writable';
    const problem = own ? thrown : undefined;
    throw await rollBackUnwritten(merging, { words: reported || words, unwritten: [], planned, saved, problem });
  } finally {
    await saved?.drop();
  }
}

/** The problem of two histories that have nothing in common, where that is why git did not begin. */
function unrelated({ source, target }: Merging, words: string): Problem | undefined {
  if (!words.includes('unrelated histories')) return undefined;
  return new Problem(
    'git-failed',
    mergeMessages.unrelatedHistories({
      sourceName: source.name,
      sourceBranch: source.branch,
      target: target.branch ?? target.root,
    }),
    {
      next: mergeMessages.meantGitMerge(),
      items: words.split('\n').filter((line) => line.trim() !== ''),
      outcome: 'incomplete',
    },
  );
}

/** Stages what the submodules have become and what the session files' own rules give, once: from then on the index is the person's. */
export async function stageKnown(merging: Merging, settled: Settled): Promise<void> {
  const { workspace, target, pending, source } = merging;
  const { git } = workspace;
  const { ours, theirs } = pending.data;
  const links = await stillLinks(merging, settled.links);
  await stageEntries(git, target.root, links);
  step(merging, mergeMessages.stepSessionFiles());
  const base = await mergeBase(git, reading(merging), ours, theirs);
  const request = { cwd: target.root, base, ours, theirs, slug: source.slug };
  const results = await recomputeSessionFiles(workspace, request);
  await writeStaged(merging, results);
  const sessionFiles = results.flatMap(toMergedFile);
  await note(merging, { staged: true, sessionFiles, submodules: settled.submodules });
}

/** An earlier run may have died after it had staged a session file and before it had written it. */
async function writeStaged(
  { workspace, target, pending }: Merging,
  results: readonly SessionFileResult[],
): Promise<void> {
  const notes = new Set(pending.data.notes);
  const ours = results.filter(({ path, conflicted }) => !conflicted && !notes.has(path));
  const written = ours.filter(({ state }) => state === 'merged' || state === 'kept');
  for (const { path } of ours.filter(({ state }) => state === 'deleted'))
    await rm(join(target.root, path), { force: true });
  const paths = written.map(({ path }) => path);
  await checkOutEntries(workspace.git, target.root, paths);
}

/** A result as a report of the merge has it; nothing for what git alone decided. */
export function toMergedFile({ path, state, unknown, outcome }: SessionFileResult): MergedSessionFile[] {
  if (state === 'absent' || state === 'git') return [];
  const entries = (outcome?.entries ?? []).map(({ name, section, reason, needsLook }) => ({
    name,
    section,
    reason,
    needsLook,
  }));
  return [{ path, state, unknown, entries }];
}

/** Where git has made something else of a path than a submodule, that is the person's to decide. */
async function stillLinks(merging: Merging, links: readonly IndexEntry[]): Promise<IndexEntry[]> {
  if (links.length === 0) return [];
  const args = ['--literal-pathspecs', 'ls-files', '--stage', '-z', '--', ...links.map(({ path }) => path)];
  const output = await merging.workspace.git.text(args, reading(merging));
  const kept = new Set(
    fieldsOf(output).flatMap((record) => (record.startsWith(gitlink) ? [record.slice(record.indexOf('\t') + 1)] : [])),
  );
  return links.filter(({ path }) => kept.has(path));
}

/** What is still in conflict in the target. */
export function conflictsOf({ workspace, target }: Merging): Promise<Map<string, IndexEntry[]>> {
  return unmergedEntries(workspace.git, target.root);
}

/**
 * The problem of conflicts that wait for a person.
 *
 * @param why what was tried before, as a sentence.
 */
export function conflictProblem(
  { source, target }: Merging,
  conflicts: ReadonlyMap<string, readonly IndexEntry[]>,
  why?: Message,
): Problem {
  const again = againCommand(source);
  return new Problem(
    'conflicts',
    mergeMessages.hasConflicts({
      sourceName: source.name,
      count: conflicts.size,
      target: target.branch ?? target.root,
      more: why ? mergeMessages.because({ why }) : '',
    }),
    {
      next: mergeMessages.resolveThemGit({ targetRoot: target.root, again }),
      items: [...conflicts].map(([path, entries]) => conflictWords(path, entries)),
      outcome: 'incomplete',
    },
  );
}

/** Git that could not write the index has written MERGE_HEAD all the same, and says that all is well. */
async function requireMergedIndex(merging: Merging, words: string): Promise<void> {
  const { ours, theirs } = merging.pending.data;
  if (!(await isEmptyMerge(merging.workspace, reading(merging), { ours, theirs, seen: false }))) return;
  throw new Problem('git-failed', mergeMessages.gitBegunMerge(), {
    items: words.split('\n').filter((line) => line.trim() !== ''),
  });
}
