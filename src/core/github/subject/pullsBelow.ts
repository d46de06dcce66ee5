import type { GitHub } from '../client.ts';
import { githubMessages } from '../../messages/github.ts';
import { HostProblem } from '../failure.ts';
import type { StackAnswer } from '../nativeStacks.ts';
import { getPullRequest, pullRequestsFrom } from '../operations.ts';
import type { PullRequest } from '../pullRequest.ts';
import { nameOf } from '../remoteUrl.ts';

/** The most pull requests that a stack of GitHub's can have. */
const mostBelow = 100;

/**
 * The open pull requests below one, the lowest first: those of GitHub's own stack, where it is in one, else those whose branches are the
 * bases. One below that was merged or closed ends the stack.
 *
 * @throws HostProblem as every request.
 */
export async function pullsBelow(github: GitHub, pull: PullRequest, signal?: AbortSignal): Promise<PullRequest[]> {
  const ofStack = pull.stack && (await inStack(github, pull, pull.stack.number, signal));
  if (ofStack) return ofStack;
  const below: PullRequest[] = [];
  const seen = new Set([pull.number]);
  for (let at = pull; below.length < mostBelow;) {
    const { owner, repo } = github.repository;
    const head = { owner, repo, branch: at.base.branch };
    const found = (await pullRequestsFrom(github, head, signal)).find((each) => each.state === 'open');
    // The branch of a fork is no base: bases are in the repository itself.
    if (!found || seen.has(found.number) || !isIn(found, github)) return below;
    seen.add(found.number);
    below.unshift(found);
    at = found;
  }
  return below;
}

const isIn = ({ head }: PullRequest, { repository }: GitHub): boolean =>
  head.repository?.toLowerCase() === nameOf(repository).toLowerCase();

async function inStack(
  github: GitHub,
  pull: PullRequest,
  stack: number,
  signal: AbortSignal | undefined,
): Promise<PullRequest[] | undefined> {
  let answer: StackAnswer;
  try {
    answer = await github.ask<StackAnswer>(
      githubMessages.askStacks(),
      (host, at) => host.request('GET /repos/{owner}/{repo}/stacks/{stack_number}', { ...at, stack_number: stack }),
      signal,
    );
  } catch (thrown) {
    // A token that may not see stacks sees the bases.
    if (!(thrown instanceof HostProblem) || (thrown.status !== 404 && thrown.status !== 403)) throw thrown;
    if (thrown.reason === 'rate-limited') throw thrown;
    return undefined;
  }
  const numbers = answer.pull_requests.map(({ number }) => number);
  const below: PullRequest[] = [];
  for (const number of numbers.slice(0, Math.max(numbers.indexOf(pull.number), 0))) {
    const found = await getPullRequest(github, number, signal);
    if (found?.state === 'open') below.push(found);
    else below.length = 0;
  }
  return below;
}
