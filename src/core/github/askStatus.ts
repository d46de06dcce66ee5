import type { GitHub } from './client.ts';
import { askQuery, hasNoSuchQuery } from './graphql.ts';
import { askInParts } from './inParts.ts';
import { isForbidden, type PartError } from './missingRights.ts';
import { branchTip } from './operations.ts';
import { restStatus } from './restStatus.ts';
import type { PullRequestStatus } from './status.ts';
import { readStatusAnswer, statusQuery, type StatusAnswer, type StatusQuestion } from './statusQuery.ts';

/** The most pull requests in one query. */
export const batchSize = 50;

/**
 * Asks about pull requests and branches: one query for up to fifty, one after the other for more; where the host has no GraphQL, one
 * request after the other.
 *
 * @param branches of which the last commits are asked for.
 * @throws HostProblem as every request.
 */
export async function askStatus(
  github: GitHub,
  wanted: readonly StatusQuestion[],
  branches: readonly string[] = [],
  signal?: AbortSignal,
): Promise<StatusAnswer> {
  const length = Math.max(1, wanted.length, branches.length);
  const places = Array.from({ length }, (_, place) => place);
  const within = <T>(all: readonly T[], [first = 0]: readonly number[], count: number): readonly T[] =>
    all.slice(first, first + count);
  const answers = await askInParts(github, places, {
    ...{ kind: 'statuses', most: batchSize },
    async ask(some, retries) {
      const about = { wanted: within(wanted, some, some.length), branches: within(branches, some, some.length) };
      const answer = await askBatch(github, about, retries, signal);
      return some.map((_, at) => ({ pull: answer.pulls[at], tip: answer.branches[at], rate: answer.rate }));
    },
  });
  return {
    pulls: wanted.map((_, at) => answers[at]?.pull),
    branches: branches.map((_, at) => answers[at]?.tip),
    rate: answers.findLast(({ rate }) => rate !== undefined)?.rate,
  };
}

/** Servers that are too old for what only some know of rules and queues. */
const older = new WeakSet<GitHub>();

/** What goes into one query. */
interface Batch {
  readonly wanted: readonly StatusQuestion[];
  readonly branches: readonly string[];
}

async function askBatch(
  github: GitHub,
  batch: Batch,
  retries: 0 | undefined,
  signal: AbortSignal | undefined,
): Promise<StatusAnswer> {
  const { wanted, branches } = batch;
  try {
    return await askOnce(github, batch, retries, signal);
  } catch (thrown) {
    if (!hasNoSuchQuery(thrown)) throw thrown;
    if (thrown.status !== 404 && !older.has(github)) {
      older.add(github);
      return askBatch(github, batch, retries, signal);
    }
    const pulls: (PullRequestStatus | undefined)[] = [];
    for (const each of wanted) pulls.push(await restStatus(github, each, signal));
    const tips: (string | undefined)[] = [];
    for (const branch of branches) tips.push(await branchTip(github, branch, signal));
    return { pulls, branches: tips, rate: undefined };
  }
}

async function askOnce(
  github: GitHub,
  { wanted, branches }: Batch,
  retries: 0 | undefined,
  signal: AbortSignal | undefined,
): Promise<StatusAnswer> {
  const query = statusQuery(wanted, branches, !older.has(github));
  // GraphQL complains of a pull request that is gone and of checks that a token has no right to, and gives everything else.
  const isLeft = (error: PartError): boolean => error.type === 'NOT_FOUND' || isForbiddenPart(error);
  const { data, left } = await askQuery(github, query, retries, isLeft, signal);
  const forbidden = left.filter(isForbiddenPart);
  const answer = readStatusAnswer(data, wanted, branches.length, forbidden);
  // What may not be seen took the whole pull request with it: REST gives the rest.
  const lost = wanted.map((_, index) => forbidden.some(({ path }) => path?.[1] === `p${index}`));
  const pulls: (PullRequestStatus | undefined)[] = [];
  for (const [index, each] of wanted.entries()) {
    const pull = answer.pulls[index];
    pulls.push(pull ?? (lost[index] ? await restStatus(github, each, signal) : undefined));
  }
  return { ...answer, pulls };
}

const isForbiddenPart = (error: PartError): boolean => isForbidden(error) && (error.path?.length ?? 0) > 1;

/**
 * Asks about the pull requests of branches.
 *
 * @param known.numbers of those that are known, by branch; for the others the latest one of that branch counts.
 * @param known.heads the repositories (`owner/repo`) that such a branch may be in.
 * @returns by branch; those without a pull request are left out.
 */
export async function askAboutBranches(
  github: GitHub,
  branches: readonly string[],
  { numbers, heads }: { readonly numbers: ReadonlyMap<string, number>; readonly heads: readonly string[] },
  signal: AbortSignal | undefined,
): Promise<Map<string, PullRequestStatus>> {
  const wanted = branches.map((branch): StatusQuestion => {
    const number = numbers.get(branch);
    return number === undefined ? { branch, heads } : { number };
  });
  const { pulls } = await askStatus(github, wanted, [], signal);
  return new Map(
    branches.flatMap((branch, index) => {
      const pull = pulls[index];
      return pull ? [[branch, pull] as const] : [];
    }),
  );
}
