import { Problem } from '../../base/problem.ts';
import type { GitHub } from '../client.ts';
import { HostProblem } from '../failure.ts';
import type { PullRequest } from '../pullRequest.ts';
import { githubMessages } from '../../messages/github.ts';

/** A stack of GitHub's own, as it is after it was registered. */
export interface NativeStack {
  readonly number: number;
  /** The pull requests in it, from the bottom up. */
  readonly pullRequests: readonly number[];
}

interface StackAnswer {
  readonly number: number;
  readonly pull_requests: readonly { readonly number: number }[];
}

/**
 * Registers pull requests as one of GitHub's own stacks: those that are in one already are completed by those above them.
 *
 * @param pulls from the bottom up, each into the branch of the one before.
 * @returns `undefined` where the repository knows no stacks.
 * @throws Problem `host-refused` when they are in different stacks, or GitHub refuses.
 */
export async function registerStack(
  github: GitHub,
  pulls: readonly PullRequest[],
  signal?: AbortSignal,
): Promise<NativeStack | undefined> {
  const numbers = pulls.map(({ number }) => number);
  if (numbers.length < 2) return undefined;
  try {
    const stacks = new Set(pulls.flatMap(({ stack }) => (stack ? [stack.number] : [])));
    if (stacks.size > 1) {
      throw new Problem('host-refused', githubMessages.pullRequestsDifferent(), {
        next: githubMessages.takeThemApart(),
        items: pulls.map(({ number, stack }) => `#${number}: ${stack ? `stack ${stack.number}` : 'in none'}`),
        outcome: 'incomplete',
      });
    }
    const [known] = stacks;
    if (known === undefined) return toStack(await make(github, numbers, signal));
    const missing = pulls.filter(({ stack }) => !stack).map(({ number }) => number);
    if (missing.length > 0) return toStack(await add(github, known, missing, signal));
    return { number: known, pullRequests: numbers };
  } catch (thrown) {
    // A repository without stacks has no such address.
    if (thrown instanceof HostProblem && thrown.status === 404) return undefined;
    throw thrown;
  }
}

function make(github: GitHub, pull_requests: readonly number[], signal: AbortSignal | undefined): Promise<StackAnswer> {
  return github.write(
    'register the stack',
    (host, at) => host.request('POST /repos/{owner}/{repo}/stacks', { ...at, pull_requests: [...pull_requests] }),
    signal,
  );
}

function add(
  github: GitHub,
  stack_number: number,
  pull_requests: readonly number[],
  signal: AbortSignal | undefined,
): Promise<StackAnswer> {
  const route = 'POST /repos/{owner}/{repo}/stacks/{stack_number}/add';
  return github.write(
    'add to the stack',
    (host, at) => host.request(route, { ...at, stack_number, pull_requests: [...pull_requests] }),
    signal,
  );
}

function toStack({ number, pull_requests }: StackAnswer): NativeStack {
  return { number, pullRequests: pull_requests.map((each) => each.number) };
}
