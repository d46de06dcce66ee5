import { Problem } from '../../base/problem.ts';
import type { GitHub } from '../client.ts';
import { HostProblem } from '../failure.ts';
import { createPullRequest, pullRequestsFrom, updatePullRequest, type NewPullRequest } from '../operations.ts';
import type { PullRequest } from '../pullRequest.ts';
import { fittingBody, fittingTitle } from './limits.ts';
import type { Head } from '../pulls/repositories.ts';
import { githubMessages } from '../../messages/github.ts';

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
  readonly description: { readonly title: string; readonly body: string };
  /** Where the plan knows no drafts, one that is ready for review is opened. */
  readonly allowReady: boolean;
  /** The one that a new one takes the place of, and a sentence about that for whoever reads the new one. */
  readonly replaces?: string | undefined;
}

/** A pull request that is as it should be. */
export interface Ensured {
  readonly pull: PullRequest;
  readonly action: Action;
}

/** Gives an open pull request the title and the text that a person has given, if any. */
export async function reword(
  github: GitHub,
  { title, body }: Pick<Wish, 'title' | 'body'>,
  pull: PullRequest,
  signal?: AbortSignal,
): Promise<PullRequest> {
  const [newTitle, newBody] = [title && fittingTitle(title), body === undefined ? undefined : fittingBody(body)];
  const change = {
    ...(newTitle !== undefined && newTitle !== pull.title ? { title: newTitle } : {}),
    ...(newBody !== undefined && newBody !== pull.body ? { body: newBody } : {}),
  };
  return Object.keys(change).length === 0 ? pull : updatePullRequest(github, pull.number, change, signal);
}

/**
 * Opens a draft.
 *
 * @throws Problem `host-refused`, `unsupported` where the plan knows no drafts, and as every request.
 */
export async function openPullRequest(github: GitHub, wish: Wish, signal?: AbortSignal): Promise<Ensured> {
  const { title = wish.description.title, body = wish.description.body, head, base, replaces } = wish;
  const headRepo = head.sameOwner ? head.repository.repo : undefined;
  const text = replaces === undefined ? body : [replaces, body].filter((part) => part !== '').join('\n\n');
  const wanted: NewPullRequest = {
    ...{ title: fittingTitle(title), body: fittingBody(text), head: head.name, headRepo, base },
    draft: true,
  };
  try {
    return await make(github, wish, wanted, signal);
  } catch (thrown) {
    if (!(thrown instanceof HostProblem)) throw thrown;
    const words = thrown.words.join('\n');
    if (/draft pull requests are not supported/i.test(words)) {
      if (wish.allowReady) return make(github, wish, { ...wanted, draft: false }, signal);
      throw new Problem('unsupported', githubMessages.noDrafts({ name: wish.name }), {
        next: githubMessages.openReady({ name: wish.name }),
        outcome: 'incomplete',
        cause: thrown,
      });
    }
    if (/no commits between/i.test(words)) {
      throw new Problem('host-refused', githubMessages.nothingToOpen({ name: wish.name, base }), {
        next: githubMessages.commitSomethingFirst(),
        outcome: 'incomplete',
      });
    }
    if (/base: invalid/i.test(words)) {
      throw new Problem('host-refused', githubMessages.baseNotOnGitHub({ name: wish.name, base }), {
        next: githubMessages.openStack({ name: wish.name }),
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
    return { pull: await createPullRequest(github, wanted, signal), action: 'created' };
  } catch (thrown) {
    if (!(thrown instanceof HostProblem)) throw thrown;
    const exists = thrown.words.some((each) => /already exists/i.test(each));
    const unclear = thrown.status === undefined || thrown.status >= 500;
    if (!exists && !unclear) throw thrown;
    const found = await pullRequestsFrom(github, { ...head.repository, branch }, signal).catch(() => []);
    const pull = found.find((each) => each.state === 'open' && each.base.branch === base);
    if (!pull) throw thrown;
    return { pull, action: exists ? 'adopted' : 'created' };
  }
}
