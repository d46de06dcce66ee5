import { join } from 'node:path';
import { writeAtomically } from '../../base/atomicFile.ts';
import { isObject, readJsonObject } from '../../base/jsonText.ts';
import { Problem } from '../../base/problem.ts';
import type { Repository } from '../../repository/identity.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import type { HostSession } from '../connect.ts';
import { openPullRequests } from '../operations.ts';
import type { PullRequest } from '../pullRequest.ts';
import { sameRepository, type HostedRepository } from '../remoteUrl.ts';
import { openedIn } from './repositories.ts';

/** An open pull request, as it is offered to whoever wants to go on with it. */
export interface OpenPull {
  readonly number: number;
  readonly title: string;
  readonly branch: string;
  /** The branch that it is to be merged into. */
  readonly base: string;
  /** Whose branch that is, where it is in a fork: `owner`, or the name of a fork that has the owner of this repository. */
  readonly fork: string | undefined;
  readonly draft: boolean;
}

/** The open pull requests of a repository, as GitHub told them last. */
export interface OpenPulls {
  /** When that was, in milliseconds since 1970; 0 for never. */
  readonly asked: number;
  /** The latest first. */
  readonly pulls: readonly OpenPull[];
}

/** So many pages of a hundred are read: who looks for an older one names its number. */
const mostPages = 3;

/** What was known last of the open pull requests, by whichever window or command; asks nobody. */
export async function readOpenPulls({ commonDir }: Pick<Repository, 'commonDir'>): Promise<OpenPulls> {
  try {
    const value = await readJsonObject(fileOf(commonDir));
    const { version, asked, pulls } = value ?? {};
    if (version !== 1 || typeof asked !== 'number' || !Array.isArray(pulls)) return { asked: 0, pulls: [] };
    return { asked, pulls: (pulls as unknown[]).flatMap((each) => pullFrom(each) ?? []) };
  } catch (thrown) {
    // It is only a cache.
    if (!Problem.is(thrown)) throw thrown;
    return { asked: 0, pulls: [] };
  }
}

/**
 * Asks GitHub which pull requests are open, and keeps that for completions and for the next time.
 *
 * @throws HostProblem as every request.
 */
export async function askOpenPulls(
  { environment, repository }: Workspace,
  session: HostSession,
  signal?: AbortSignal,
): Promise<OpenPulls> {
  const github = await openedIn(session, signal);
  const { pulls } = await openPullRequests(github, signal, mostPages);
  const known: OpenPulls = {
    asked: github.clock.now(),
    pulls: pulls.map((pull) => toOpenPull(pull, github.repository)),
  };
  await writeAtomically(fileOf(repository.commonDir), `${JSON.stringify({ version: 1, ...known }, null, 2)}\n`).catch(
    (thrown: unknown) => environment.log.warn(`The open pull requests could not be kept: ${String(thrown)}`),
  );
  return known;
}

/** What is older than this is asked again beside other requests, in milliseconds. */
const staleAfter = 300_000;

/**
 * Does the same where what is known is old, beside something else that GitHub is asked: completions offer it the next time. Never rejects:
 * nobody has asked for it.
 */
export async function refreshOpenPulls(
  workspace: Workspace,
  session: HostSession,
  signal?: AbortSignal,
): Promise<void> {
  const { asked } = await readOpenPulls(workspace.repository);
  if (Math.abs(session.github.clock.now() - asked) < staleAfter) return;
  await askOpenPulls(workspace, session, signal).catch(() => undefined);
}

/** The numbers of the open ones below a pull request by their bases, the lowest first. */
export function pullsUnder(pull: OpenPull, pulls: readonly OpenPull[]): number[] {
  const below: number[] = [];
  for (let at: OpenPull | undefined = pull; at;) {
    const { base }: OpenPull = at;
    const isUnder = ({ branch, fork, number }: OpenPull): boolean =>
      // The branch of a fork is no base.
      branch === base && fork === undefined && number !== pull.number && !below.includes(number);
    at = pulls.find(isUnder);
    if (at) below.unshift(at.number);
  }
  return below;
}

function toOpenPull({ number, title, head, base, draft }: PullRequest, into: HostedRepository): OpenPull {
  const [owner = 'ghost', repo = ''] = head.repository?.split('/') ?? [];
  const isOurs = head.repository !== undefined && sameRepository({ ...into, owner, repo }, into);
  const sameOwner = owner.toLowerCase() === into.owner.toLowerCase();
  return {
    ...{ number, title, branch: head.branch, base: base.branch, draft },
    fork: isOurs ? undefined : sameOwner ? repo : owner,
  };
}

function pullFrom(value: unknown): OpenPull | undefined {
  if (!isObject(value)) return undefined;
  const { number, title, branch, base, fork, draft } = value;
  if (typeof number !== 'number' || typeof title !== 'string') return undefined;
  if (typeof branch !== 'string' || typeof base !== 'string') return undefined;
  return {
    ...{ number, title, branch, base, draft: draft === true },
    fork: typeof fork === 'string' ? fork : undefined,
  };
}

const fileOf = (commonDir: string): string => join(commonDir, 'worktree-stacks', 'open-pull-requests.json');
