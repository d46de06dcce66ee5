import { Problem } from '../../base/problem.ts';
import type { GitHub } from '../client.ts';
import { HostProblem } from '../failure.ts';
import type { StackAnswer } from '../nativeStacks.ts';
import type { PullRequest } from '../pullRequest.ts';
import { githubMessages } from '../../messages/github.ts';

/** A stack of GitHub's own, as it is after it was registered. */
export interface NativeStack {
  readonly number: number;
  /** The pull requests in it, from the bottom up. */
  readonly pullRequests: readonly number[];
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
    const missing = pulls.filter(({ stack }) => !stack).map(({ number }) => number);
    if (known === undefined || missing.length > 0) return await send(github, known, missing, signal);
    return { number: known, pullRequests: numbers };
  } catch (thrown) {
    // A repository without stacks has no such address.
    if (thrown instanceof HostProblem && thrown.status === 404) return undefined;
    throw thrown;
  }
}

/** @param known the number of the stack that they are added to; without it they become a new one. */
async function send(
  github: GitHub,
  known: number | undefined,
  numbers: readonly number[],
  signal: AbortSignal | undefined,
): Promise<NativeStack> {
  const stacks = 'POST /repos/{owner}/{repo}/stacks';
  const pull_requests = [...numbers];
  const answer: StackAnswer = await github.write(
    known === undefined ? githubMessages.askRegisterStack() : githubMessages.askAddToStack(),
    (host, at) =>
      known === undefined
        ? host.request(stacks, { ...at, pull_requests })
        : host.request(`${stacks}/{stack_number}/add`, { ...at, stack_number: known, pull_requests }),
    signal,
  );
  return { number: answer.number, pullRequests: answer.pull_requests.map((each) => each.number) };
}
