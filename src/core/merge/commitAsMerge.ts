import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listed } from '../base/phrases.ts';
import { Problem } from '../base/problem.ts';
import { refuseDamagedIndex } from '../git/damagedIndex.ts';
import { withParents, readCommits, type CommitObject } from '../git/commitObject.ts';
import type { Git } from '../git/git.ts';
import { holdsNothingOf } from '../git/mergedIndex.ts';
import { commitProblem } from '../worktree/addCommit.ts';
import { headOf, mergeHeadIn } from './commits.ts';
import { writeMergeHead } from './mergeHead.ts';
import { fieldsOf } from '../git/repositoryGit.ts';
import { mergeMessages } from '../messages/merge.ts';
import type { Message } from '../messages/message.ts';

/** So many paths or commits are named in a note. */
const mostNamed = 5;

/** A merge that is staged in a working tree and is to be committed. */
export interface StagedMerge {
  /** Absolute. */
  readonly root: string;
  readonly gitDir: string;
  readonly theirs: string;
  readonly message: string;
  /** Paths that prove nothing about whether the merge is staged: those that have rules of their own. */
  readonly apart?: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** Gets the tree that is about to be committed; on disk before git commits. Without it what hooks have changed is not reported. */
  readonly onTree?: ((tree: string) => Promise<void>) | undefined;
}

/** A merge that was committed. */
export interface CommittedMerge {
  readonly commit: string;
  /** What hooks have made of it. */
  readonly notes: readonly Message[];
}

/**
 * Commits a merge as it is staged, and then checks: the commit has the two parents, whatever hooks have done to git's note that a merge is
 * under way (`MERGE_HEAD`), and what they have changed is reported.
 *
 * @throws Problem `git-failed` (outcome incomplete) with the words of a hook that refused, or that has made a commit of its own; the
 *   merge is still under way then. `inconsistent` (outcome incomplete) when nothing of the merge is staged: see {@link holdsNothingOf}, and
 *   where git has damaged the index.
 */
export async function commitAsMerge(git: Git, merge: StagedMerge): Promise<CommittedMerge> {
  const { root, gitDir, theirs, message, signal } = merge;
  const at = { cwd: root, writes: true };
  const first = await headOf(git, { cwd: root });
  await refuseDamagedIndex(git, root, signal);
  await requireStaged(git, merge, first);
  const tree = merge.onTree && (await git.text(['write-tree'], at)).trim();
  if (tree !== undefined) await merge.onTree?.(tree);
  await writeMergeHead(gitDir, theirs, message);
  const args = ['-c', 'submodule.recurse=false', 'commit', '--quiet', '--cleanup=whitespace', '--file=-'];
  let answer;
  try {
    answer = await git.run(args, { ...at, signal, input: message });
  } catch (thrown) {
    // Called off while a hook ran: what the hook has taken away by then must not be missing when it is gone on with.
    if ((await headOf(git, { cwd: root })) === first) await writeMergeHead(gitDir, theirs, message);
    throw thrown;
  }
  let made = await commitsSince(git, root, first);
  if (made.length === 0 && (await mergeHeadIn(gitDir)) !== theirs) {
    // Git reads MERGE_HEAD only when all hooks have passed.
    if (answer.exitCode !== 0 && /MERGE_HEAD/.test(answer.stderr)) {
      await commitByHand(git, merge, first);
      made = await commitsSince(git, root, first);
    } else await writeMergeHead(gitDir, theirs, message);
  }
  if (made.length === 0) {
    if (answer.exitCode !== 0) throw commitProblem(answer);
    throw unfinished(mergeMessages.noCommitMade(), answer.stderr);
  }
  // A commit without its second parent can only be the one that git has made just now, of what was staged.
  const [bottom] = made;
  if (answer.exitCode === 0 && bottom?.parents.length === 1) made = await addParent(git, root, made, theirs);
  const merged = made.find(({ parents }) => parents.length === 2 && parents[0] === first && parents[1] === theirs);
  if (!merged) {
    if ((await mergeHeadIn(gitDir)) !== theirs) await writeMergeHead(gitDir, theirs, message);
    const commit = made.at(-1)?.oid.slice(0, 12) ?? '';
    throw unfinished(mergeMessages.hookMadeOther({ commit }), answer.stderr);
  }
  // A hook that commits for itself leaves git's notes of the merge, and so does git where it cannot delete them.
  if (await isUnderWay(gitDir)) await git.run(['merge', '--quit'], at);
  return { commit: merged.oid, notes: await tellHooks(git, root, { merged, tree, made }) };
}

/** A commit without anything of theirs would lose all of it, and theirs would count as merged. */
async function requireStaged(git: Git, { root, theirs, apart = [], signal }: StagedMerge, ours: string): Promise<void> {
  if (!(await holdsNothingOf(git, { cwd: root, signal }, { ours, theirs, apart, seen: true }))) return;
  throw new Problem('inconsistent', mergeMessages.nothingMergeStaged({ root }), {
    next: mergeMessages.meantGitCommit({ root }),
    outcome: 'incomplete',
  });
}

/** Whether anything is left of git's notes that a merge is under way. */
async function isUnderWay(gitDir: string): Promise<boolean> {
  const notes = ['MERGE_HEAD', 'MERGE_MODE', 'MERGE_MSG'].map((name) => stat(join(gitDir, name)));
  return (await Promise.allSettled(notes)).some(({ status }) => status === 'fulfilled');
}

/** What hooks have done. */
async function tellHooks(
  git: Git,
  root: string,
  { merged, tree, made }: { merged: CommitObject; tree: string | undefined; made: readonly CommitObject[] },
): Promise<Message[]> {
  const notes: Message[] = [];
  if (tree !== undefined && merged.tree !== tree) {
    const output = await git.text(['diff-tree', '-r', '-z', '--name-only', '--no-renames', tree, merged.tree], {
      cwd: root,
    });
    const paths = fieldsOf(output);
    notes.push(mergeMessages.hookChangedMerge({ paths: listed(paths, mostNamed) }));
  }
  const later = made.slice(made.indexOf(merged) + 1);
  const oids = later.map(({ oid }) => oid.slice(0, 12));
  if (later.length > 0) notes.push(mergeMessages.hookMadeFurther({ commits: listed(oids, mostNamed) }));
  return notes;
}

/** The commits on the way from one to what is checked out, following first parents, the oldest first. */
async function commitsSince(git: Git, root: string, first: string): Promise<CommitObject[]> {
  const output = await git.text(['rev-list', '--first-parent', '--reverse', `${first}..HEAD`], { cwd: root });
  const oids = output.split('\n').filter((oid) => oid !== '');
  if (oids.length === 0) return [];
  const commonDir = (await git.text(['rev-parse', '--path-format=absolute', '--git-common-dir'], { cwd: root })).trim();
  const commits = await readCommits(git, commonDir, oids);
  return oids.flatMap((oid) => commits.get(oid) ?? []);
}

/** Makes commits anew, the first of them with a second parent, and moves what is checked out to the last one. */
async function addParent(
  git: Git,
  root: string,
  made: readonly CommitObject[],
  theirs: string,
): Promise<CommitObject[]> {
  const at = { cwd: root, writes: true };
  const mapped: string[] = [];
  for (const [index, commit] of made.entries()) {
    const parents = index === 0 ? [...commit.parents, theirs] : [mapped[index - 1] ?? '', ...commit.parents.slice(1)];
    mapped.push(await remake(git, root, commit, parents));
  }
  const [old, last] = [made.at(-1)?.oid ?? '', mapped.at(-1) ?? ''];
  await git.text(['update-ref', '-m', 'wt merge: with the second parent', 'HEAD', last, old], at);
  const [base] = made[0]?.parents ?? [];
  return commitsSince(git, root, base ?? '');
}

/** A commit with other parents, signed again if it was. */
async function remake(git: Git, root: string, commit: CommitObject, parents: readonly string[]): Promise<string> {
  const at = { cwd: root, writes: true };
  const { bytes, signed } = withParents(commit, parents);
  const plain = (await git.text(['hash-object', '-t', 'commit', '-w', '--stdin'], { ...at, input: bytes })).trim();
  return signed ? commitTree(git, root, { tree: commit.tree, parents, like: plain, sign: true }) : plain;
}

/** Commits what is staged with both parents, where all that has failed was to read the second one. */
async function commitByHand(git: Git, { root, gitDir, theirs }: StagedMerge, first: string): Promise<void> {
  const at = { cwd: root, writes: true };
  const tree = (await git.text(['write-tree'], at)).trim();
  // As hooks have left it.
  const text = await readFile(join(gitDir, 'COMMIT_EDITMSG'));
  const message = await git.text(['stripspace'], { ...at, input: text });
  const sign = (await git.line(['config', '--type=bool', '--get', 'commit.gpgSign'], at)) === 'true';
  const commit = await commitTree(git, root, { tree, parents: [first, theirs], message, sign });
  const subject = message.split('\n')[0] ?? '';
  await git.text(['update-ref', '-m', `commit (merge): ${subject}`, 'HEAD', commit, first], at);
  await git.run(['merge', '--quit'], at);
  await git.run(['hook', 'run', '--ignore-missing', 'post-commit'], at);
}

/** Makes a commit object; with `like` the author, the dates and the message are those of that commit. */
async function commitTree(
  git: Git,
  root: string,
  how: {
    readonly tree: string;
    readonly parents: readonly string[];
    readonly sign: boolean;
    readonly message?: string;
    readonly like?: string;
  },
): Promise<string> {
  const at = { cwd: root, writes: true };
  let { message = '' } = how;
  let variables: Record<string, string> = {};
  if (how.like !== undefined) {
    const format = '%an%x00%ae%x00%ad%x00%cd%x00%B';
    const words = await git.text(['log', '-1', '--date=raw', `--format=${format}`, how.like], { cwd: root });
    const [name = '', email = '', authored = '', committed = '', ...body] = words.split('\0');
    message = body.join('\0').replace(/\n$/, '');
    variables = {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_AUTHOR_DATE: authored,
      GIT_COMMITTER_DATE: committed,
    };
  }
  const args = [...(how.sign ? ['-S'] : []), ...how.parents.flatMap((parent) => ['-p', parent]), '-F', '-'];
  return (await git.text(['commit-tree', how.tree, ...args], { ...at, input: message, variables })).trim();
}

function unfinished(what: Message, words: string): Problem {
  return new Problem('git-failed', what, {
    next: mergeMessages.seeHooksRepository(),
    items: words.split('\n').filter((line) => line.trim() !== ''),
    outcome: 'incomplete',
  });
}
