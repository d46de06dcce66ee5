import type { Progress } from '../../worktree/model.ts';
import type { PushOptions } from '../push/model.ts';

/** What is wished of pull requests. */
export interface PullRequestOptions extends Pick<PushOptions, 'onWords' | 'onNote' | 'command'> {
  /** Of the whole stack instead of one branch. */
  readonly stack?: boolean;
  /** For one branch only. */
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  /** Where the plan knows no drafts, open them ready for review. */
  readonly allowReady?: boolean;
  /** Open a new one in place of one that was closed. */
  readonly replace?: boolean;
  /** Also change a pull request that somebody else has opened. */
  readonly takeOver?: boolean;
  /** Register the stack as one of GitHub's own, where the repository has such. */
  readonly register?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}
