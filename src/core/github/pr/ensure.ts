import { Problem } from '../../base/problem.ts';
import type { GitHub } from '../client.ts';
import { HostProblem } from '../failure.ts';
import { createPullRequest, pullRequestsFrom, updatePullRequest, type NewPullRequest } from '../operations.ts';
import type { PullRequest } from '../pullRequest.ts';
import type { Head } from './place.ts';
import { rescue } from './rescue.ts';

/** What was done for a branch. */
export type Action = 'created' | 'adopted' | 'updated' | 'unchanged' | 'rescued';

/** What a pull request is to be. */
export interface Wish {
  /** For messages. */
  readonly name: string;
  readonly branch: string;
  readonly head: Head;
  readonly base: string;
  /** Given by the person, for a pull request that is there already as well. */
  readonly title: string | undefined;
  readonly body: string | undefined;
  /** For a new one. */
  readonly words: { readonly title: string; readonly body: string };
  /** Where the plan knows no drafts, one that is ready for review is opened. */
  readonly allowReady: boolean;
}

/** A pull request that is as it should be. */
export interface Ensured {
  readonly pull: PullRequest;
  readonly action: Action;
  readonly note: string | undefined;
}

/**
 * Makes sure that a branch has an open pull request into its base: the one that there is, brought up to date or back to life, or a new
 * draft.
 *
 * @param found the one that there is, in whatever state but merged.
 * @param recorded it is the one in the registry.
 */
export async function ensurePullRequest(
  github: GitHub,
  wish: Wish,
  found: PullRequest | undefined,
  recorded: boolean,
  signal?: AbortSignal,
): Promise<Ensured> {
  if (found?.state === 'closed') {
    const rescued = await rescue(github, found, wish.base, signal);
    if (rescued) return { pull: await reworded(github, rescued, wish, signal), action: 'rescued', note: undefined };
    if (recorded) {
      throw new Problem('host-refused', `The pull request #${found.number} of ${wish.name} was closed.`, {
        next: `reopen it at ${found.url} and run the command again`,
        outcome: 'incomplete',
      });
    }
  }
  if (found?.state === 'open') return update(github, wish, found, recorded, signal);
  return open(github, wish, signal);
}

async function update(
  github: GitHub,
  wish: Wish,
  found: PullRequest,
  recorded: boolean,
  signal: AbortSignal | undefined,
): Promise<Ensured> {
  const moves = found.base.branch !== wish.base;
  const held = moves && found.stack !== undefined;
  const change = {
    ...(moves && !held ? { base: wish.base } : {}),
    ...(wish.title !== undefined && wish.title !== found.title ? { title: wish.title } : {}),
    ...(wish.body !== undefined && wish.body !== found.body ? { body: wish.body } : {}),
  };
  const changed = Object.keys(change).length > 0;
  const pull = changed ? await updatePullRequest(github, found.number, change, signal) : found;
  return {
    pull: { ...pull, stack: pull.stack ?? found.stack },
    action: !recorded ? 'adopted' : changed ? 'updated' : 'unchanged',
    note: held ? `it stays on ${found.base.branch}, because it is in a stack of GitHub's own` : undefined,
  };
}

async function reworded(
  github: GitHub,
  pull: PullRequest,
  { title, body }: Wish,
  signal?: AbortSignal,
): Promise<PullRequest> {
  if (title === undefined && body === undefined) return pull;
  return updatePullRequest(
    github,
    pull.number,
    { ...(title === undefined ? {} : { title }), ...(body === undefined ? {} : { body }) },
    signal,
  );
}

async function open(github: GitHub, wish: Wish, signal: AbortSignal | undefined): Promise<Ensured> {
  const { title = wish.words.title, body = wish.words.body, head, base } = wish;
  const headRepo = head.sameOwner ? head.repository.repo : undefined;
  const wanted: NewPullRequest = { title, body, head: head.name, headRepo, base, draft: true };
  try {
    return await make(github, wish, wanted, signal);
  } catch (thrown) {
    if (!(thrown instanceof HostProblem)) throw thrown;
    const words = thrown.words.join('\n');
    if (/draft pull requests are not supported/i.test(words)) {
      if (wish.allowReady) return make(github, wish, { ...wanted, draft: false }, signal);
      throw new Problem(
        'unsupported',
        `${wish.name} got no pull request: drafts are not part of this repository's plan.`,
        {
          next: `to open it ready for review: \`wt pr ${wish.name} --no-draft\``,
          outcome: 'incomplete',
          cause: thrown,
        },
      );
    }
    if (/no commits between/i.test(words)) {
      throw new Problem('host-refused', `${wish.name} got no pull request: it has no commits that ${base} has not.`, {
        next: 'commit something first',
        outcome: 'incomplete',
      });
    }
    if (/base: invalid/i.test(words)) {
      throw new Problem('host-refused', `${wish.name} got no pull request: its base ${base} is not on GitHub.`, {
        next: `open those below it as well: \`wt pr ${wish.name} --stack\``,
        outcome: 'incomplete',
      });
    }
    throw thrown;
  }
}

/**
 * Opens it once. Where GitHub says that there is one, or says nothing that can be trusted, looks before anything else is done: a second
 * try would open a second one.
 */
async function make(
  github: GitHub,
  { branch, head, base }: Wish,
  wanted: NewPullRequest,
  signal: AbortSignal | undefined,
): Promise<Ensured> {
  try {
    return { pull: await createPullRequest(github, wanted, signal), action: 'created', note: undefined };
  } catch (thrown) {
    if (!(thrown instanceof HostProblem)) throw thrown;
    const exists = thrown.words.some((each) => /already exists/i.test(each));
    const unclear = thrown.status === undefined || thrown.status >= 500;
    if (!exists && !unclear) throw thrown;
    const found = await pullRequestsFrom(github, { ...head.repository, branch }, signal).catch(() => []);
    const pull = found.find((each) => each.state === 'open' && each.base.branch === base);
    if (!pull) throw thrown;
    return { pull, action: exists ? 'adopted' : 'created', note: undefined };
  }
}
