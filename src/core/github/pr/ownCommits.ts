import type { Git } from '../../git/git.ts';
import { History } from '../../stack/history.ts';

/** A branch whose own commits are asked for. */
export interface OwnQuestion {
  /** Its last commit. */
  readonly tip: string;
  /** The commit that it is based on; without one, or with one that is not here, all of its history is its own. */
  readonly base: string | undefined;
}

/**
 * The commits that branches have and their bases do not, without merges, the oldest first. Three processes for any number of branches.
 *
 * @returns for each question, in order.
 */
export async function readOwnCommits(
  git: Git,
  commonDir: string,
  questions: readonly OwnQuestion[],
  signal?: AbortSignal,
): Promise<string[][]> {
  const commits = questions.flatMap(({ tip, base = '' }) => [tip, base]);
  const history = await History.read(git, commonDir, commits, signal, true);
  return questions.map(({ tip, base = '' }) => {
    const own = history.own(tip, [base]);
    return own.filter((oid) => history.parentsOf(oid).length < 2).reverse();
  });
}

/** The whole messages of commits, by commit: one process. */
export async function readMessages(
  git: Git,
  commonDir: string,
  commits: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  if (commits.length === 0) return new Map();
  const how = ['log', '--no-walk=unsorted', '--stdin', '-z', '--encoding=UTF-8', '--format=%H%n%B'];
  const input = commits.map((oid) => `${oid}\n`).join('');
  const messages = await git.in(commonDir).nul(how, { signal, input });
  return new Map(
    messages.flatMap((message): [string, string][] => {
      const end = message.indexOf('\n');
      return end < 0 ? [] : [[message.slice(0, end), message.slice(end + 1).trim()]];
    }),
  );
}
