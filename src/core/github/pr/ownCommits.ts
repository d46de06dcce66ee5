import type { Git } from '../../git/git.ts';

/** A branch whose own commits are asked for. */
export interface OwnQuestion {
  /** Its last commit. */
  readonly tip: string;
  /** The commit that it is based on; without one, or with one that is not here, all of its history is its own. */
  readonly base: string | undefined;
}

/** Each commit's parents; children come before their parents. */
type Parents = ReadonlyMap<string, readonly string[]>;

/**
 * The commits that branches have and their bases do not, without merges, the oldest first. Two processes for any number of branches.
 *
 * @returns for each question, in order.
 */
export async function readOwnCommits(
  git: Git,
  commonDir: string,
  questions: readonly OwnQuestion[],
  signal?: AbortSignal,
): Promise<string[][]> {
  const named = questions.flatMap(({ tip, base = '' }) => [tip, base]);
  const commits = [...new Set(named)].filter((oid) => oid !== '');
  if (commits.length === 0) return [];
  const at = { signal };
  const repository = git.in(commonDir);
  // What all bases and branches have in common is nobody's own.
  const common = questions.every(({ base }) => base !== undefined)
    ? await repository.line(['merge-base', '--octopus', ...commits], at)
    : undefined;
  const input = [...commits, ...(common === undefined ? [] : [`^${common}`])].map((each) => `${each}\n`).join('');
  const args = ['rev-list', '--topo-order', '--parents', '--ignore-missing', '--stdin'];
  const lines = (await repository.text(args, { ...at, input })).split('\n').filter((line) => line !== '');
  const parents: Parents = new Map(
    lines.map((line) => {
      const [oid = '', ...its] = line.split(' ');
      return [oid, its];
    }),
  );
  const place = new Map([...parents.keys()].map((oid, index) => [oid, index]));
  const histories = new Map<string, ReadonlySet<string>>();
  return questions.map(({ tip, base = '' }) => {
    const below = histories.get(base) ?? reached(parents, base);
    histories.set(base, below);
    const own = [...reached(parents, tip, below)].filter((oid) => (parents.get(oid)?.length ?? 0) < 2);
    return own.sort((one, other) => (place.get(other) ?? 0) - (place.get(one) ?? 0));
  });
}

/** The part of a commit's history that was read, without another one. */
function reached(parents: Parents, from: string, without: ReadonlySet<string> = new Set()): Set<string> {
  const seen = new Set<string>();
  const open = [from];
  for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
    const its = parents.get(oid);
    if (!its || seen.has(oid) || without.has(oid)) continue;
    seen.add(oid);
    open.push(...its);
  }
  return seen;
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
