import { Uri, env, l10n, window } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import { pullRequestOf } from '../repository/pullRequestState.ts';
import type { Services } from '../services/services.ts';
import { resolveTarget, type Question, type WorktreeTarget } from '../services/resolveTarget.ts';
import { verbatim } from '../../core/messages/message.ts';

/** Opens the pull request of a worktree in the browser. */
export async function openPullRequestCommand(services: Services, argument?: unknown): Promise<string | undefined> {
  const title = l10n.t('Open Pull Request on GitHub');
  const url = await urlFor(services, argument, {
    title,
    placeholder: l10n.t('Select the pull request to open'),
  });
  if (url !== undefined) await openUrl(url);
  return url;
}

/** Copies the address of the pull request of a worktree. */
export async function copyPullRequestLinkCommand(services: Services, argument?: unknown): Promise<string | undefined> {
  const title = l10n.t('Copy Pull Request Link');
  const url = await urlFor(services, argument, {
    title,
    placeholder: l10n.t('Select the pull request to copy the link of'),
  });
  if (url === undefined) return undefined;
  await env.clipboard.writeText(url);
  window.setStatusBarMessage(l10n.t('Copied {0}', url), 5000);
  return url;
}

/** Whether a worktree has a pull request that is recorded. */
export const hasPullRequest = ({ model, worktree }: WorktreeTarget): boolean =>
  pullRequestOf(model.state, worktree) !== undefined;

/** The problem of a worktree without a pull request. */
export function noPullRequest(name: string): Problem {
  return new Problem('not-found', verbatim(l10n.t('{0} has no pull request.', name)), {
    remedies: [{ kind: 'createPullRequest', worktree: name }],
    outcome: 'incomplete',
  });
}

/** Opens an address in the person's browser, wherever this host runs. The registry is a file that anybody may have written. */
export async function openUrl(url: string): Promise<void> {
  const uri = Uri.parse(url, true);
  if (uri.scheme !== 'https' && uri.scheme !== 'http')
    throw new Problem('unsupported', verbatim(l10n.t('{0} is not a web address.', url)));
  await env.openExternal(uri);
}

async function urlFor(
  services: Services,
  argument: unknown,
  question: Omit<Question, 'accept'>,
): Promise<string | undefined> {
  const target = await resolveTarget(services, argument, { ...question, accept: hasPullRequest });
  if (!target) return undefined;
  const pull = pullRequestOf(target.model.state, target.worktree);
  if (!pull) throw noPullRequest(target.worktree.name);
  return pull.status?.url ?? pull.url;
}
