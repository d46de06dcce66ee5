import type { Git } from '../git/git.ts';
import { isIntegrated, type Integration, type MergeHints } from './isIntegrated.ts';
import { readTreeDiffs } from '../git/treeDiff.ts';

/** A branch to check against a base. */
export interface BranchQuestion {
  readonly branch: string;
  readonly tip: string;
  /** The commit after which its own commits begin. */
  readonly since: string;
  readonly hints?: MergeHints | undefined;
}

/** The history of all commits in question. */
export interface KnownHistory {
  isAncestor(one: string, of: string): boolean;
  /** The commits of one that none of the others has. */
  own(tip: string, others: readonly string[]): readonly string[];
}

/** Beyond this many new commits of the base each branch is checked separately. */
const mostNews = 2_000;

/**
 * {@link isIntegrated} for many branches at once. Branches without own commits are left out.
 *
 * Two processes rule out nearly all branches, because the base never touched their files; only the others are checked one by one.
 *
 * @param base a commit.
 * @returns by branch; of those that are left out the answer is no.
 */
export async function integratedBranches(
  git: Git,
  commonDir: string,
  history: KnownHistory,
  base: string,
  questions: readonly BranchQuestion[],
  signal: AbortSignal | undefined,
): Promise<Map<string, Integration>> {
  const own = questions.filter(({ tip, since }) => tip !== since && history.own(tip, [since]).length > 0);
  const inside = own.filter(({ tip }) => history.isAncestor(tip, base));
  const open = own.filter((question) => !inside.includes(question));
  // A reported merge may have brought another version of the branch, which changed other files.
  const hinted = open.filter(({ tip, hints }) => hints?.heads?.some((head) => head !== undefined && head !== tip));
  const others = open.filter((question) => !hinted.includes(question));
  const touched = others.length === 0 ? [] : await touchedByBase(git, commonDir, history, base, others, signal);
  const found = new Map<string, Integration>();
  await Promise.all(
    [...inside, ...hinted, ...touched].map(async ({ branch, tip, since, hints }) => {
      found.set(branch, await isIntegrated(git, commonDir, { branch: tip, into: base, since, hints, signal }));
    }),
  );
  return found;
}

/** Those of which every file that they changed was changed in the base as well, since it has their first commit's parent. */
async function touchedByBase(
  git: Git,
  commonDir: string,
  history: KnownHistory,
  base: string,
  questions: readonly BranchQuestion[],
  signal: AbortSignal | undefined,
): Promise<readonly BranchQuestion[]> {
  const news = Math.max(...questions.map(({ tip }) => history.own(base, [tip]).length));
  if (news === 0) return [];
  if (news > mostNews) return questions;
  const log = ['log', '--format=', '-m', '--first-parent', '--name-only', '--no-renames', '-z', `--max-count=${news}`];
  const [paths, changes] = await Promise.all([
    git.in(commonDir).nul([...log, base, '--'], { signal }),
    readTreeDiffs(
      git,
      commonDir,
      questions.map(({ since, tip }) => ({ from: since, to: tip })),
      signal,
    ),
  ]);
  const touched = new Set(paths.map((path) => path.replace(/^\n/, '')));
  return questions.filter((_, index) => (changes[index] ?? []).every(({ path }) => touched.has(path)));
}
