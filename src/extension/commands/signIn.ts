import { l10n, window } from 'vscode';
import type { Services } from '../services/services.ts';
import { resolveModel } from '../services/resolveTarget.ts';

/** Signs in to the GitHub host of a repository, so that its pull requests are polled. */
export async function signInCommand(services: Services, argument?: unknown): Promise<string | undefined> {
  const model = await resolveModel(services, argument, l10n.t('Sign In to GitHub'));
  if (!model) return undefined;
  const { github } = await services.pullRequests.open(model);
  const { host, owner, repo } = github.repository;
  services.pullRequests.renew();
  void window.showInformationMessage(
    l10n.t('Signed in to {0}: pull requests of {1} are shown.', host, `${owner}/${repo}`),
  );
  return host;
}
