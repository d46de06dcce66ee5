import { Problem } from '../base/problem.ts';
import { landed } from '../worktrees/remove/landed.ts';
import type { Workspace } from '../worktrees/workspace.ts';
import type { History } from './history.ts';

/** A branch of which it is asked whether its work is in the trunk. */
export interface LandingQuestion {
  readonly branch: string;
  readonly tip: string;
  /** The commit after which its own commits begin. */
  readonly since: string;
}

/** Beyond so many new commits of the trunk each branch is looked at by itself. */
const mostTrunkCommits = 2_000;

/**
 * Which branches' own work is in the trunk, judged from local data: merged, squash-merged or rebase-merged. A branch without commits of
 * its own has none that could have landed. A question that cannot be answered is answered with no.
 *
 * Two processes tell of nearly all branches that they have not landed, because the trunk never touched their files; only the others are
 * looked at closely.
 */
export async function landedBranches(
  workspace: Workspace,
  history: History,
  trunk: string,
  questions: readonly LandingQuestion[],
  signal: AbortSignal | undefined,
): Promise<Set<string>> {
  const { git, repository } = workspace;
  const found = new Set<string>();
  const own = questions.filter(({ tip, since }) => tip !== since && history.own(tip, [since]).length > 0);
  for (const { branch, tip } of own) if (history.isAncestor(tip, trunk)) found.add(branch);
  const open = own.filter(({ branch }) => !found.has(branch));
  if (open.length === 0) return found;
  const possible = await touchedByTrunk(workspace, history, trunk, open, signal);
  await Promise.all(
    possible.map(async ({ branch, tip, since }) => {
      try {
        if (await landed(git, repository, { branch: tip, into: trunk, since, signal })) found.add(branch);
      } catch (thrown) {
        if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
      }
    }),
  );
  return found;
}

/** Those of which every file that they changed was changed on the trunk as well, since it has their first commit's parent. */
async function touchedByTrunk(
  { git, repository }: Workspace,
  history: History,
  trunk: string,
  questions: readonly LandingQuestion[],
  signal: AbortSignal | undefined,
): Promise<readonly LandingQuestion[]> {
  const news = Math.max(...questions.map(({ tip }) => history.own(trunk, [tip]).length));
  if (news === 0) return [];
  if (news > mostTrunkCommits) return questions;
  const at = { cwd: repository.commonDir, signal };
  const inGit = `--git-dir=${repository.commonDir}`;
  const names = ['--name-only', '--no-renames', '-z'];
  const [log, changes] = await Promise.all([
    git.text([inGit, 'log', '--format=', '-m', '--first-parent', ...names, `--max-count=${news}`, trunk, '--'], at),
    git.text([inGit, 'diff-tree', '--stdin', '-r', ...names], {
      ...at,
      input: questions.map(({ since, tip }) => `${tip} ${since}\n`).join(''),
    }),
  ]);
  const touched = new Set(log.split('\0').map((path) => path.replace(/^\n/, '')));
  const own = new Map<string, string[]>(questions.map(({ tip }) => [tip, []]));
  let files: string[] | undefined;
  // Each commit's id comes before the names of its files.
  for (const word of changes.split('\0')) {
    if (own.has(word)) files = own.get(word);
    else if (word !== '') files?.push(word);
  }
  return questions.filter(({ tip }) => (own.get(tip) ?? []).every((path) => touched.has(path)));
}
