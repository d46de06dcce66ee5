import { l10n, window } from 'vscode';
import { listed, localized } from '../base/messages.ts';
import { Problem } from '../../core/base/problem.ts';
import type { RestackPlan } from '../../core/restack/plan.ts';
import { changesAnything } from '../../core/restack/batch.ts';
import { prepareRestack, type RestackRequest } from '../../core/restack/prepareRestack.ts';
import { restack, type Restacked } from '../../core/restack/restack.ts';
import { withProgress } from '../base/progress.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Services } from '../services/services.ts';
import { confirmRestack } from './confirmRestack.ts';
import { hostFor } from './pullRequestLookup.ts';
import { branchCount, wishText } from './planMessages.ts';
import type { RestackFlags } from './subject.ts';
import { showRestacked } from './showRestacked.ts';
import { textOf, verbatim } from '../../core/messages/message.ts';

/**
 * Restacks: plans it in memory, shows the plan, and only then moves anything.
 *
 * @returns what was done, also when there was nothing to do; `undefined` when the person left.
 * @throws Problem as `prepareRestack` and `restack`.
 */
export async function restackAsWished(
  services: Services,
  model: RepositoryModel,
  wish: RestackRequest,
  { ask, offline }: RestackFlags,
): Promise<Restacked | undefined> {
  const looking = l10n.t('Planning the move');
  const plan = await withProgress(looking, (progress, signal) =>
    // What was fetched changes what the rows say.
    model.change(async (workspace) => {
      const host = await hostFor(services, model, workspace, { offline, signal });
      return prepareRestack(workspace, wish, { offline, host, tryTrees: true, progress, signal });
    }),
  );
  const words = wishText(wish, plan);
  for (const note of plan.notes) services.log.info(`${words}: ${textOf(note)}`);
  if (!changesAnything(plan)) return showNothing(plan);
  const confirmed = ask ? await confirmRestack(model, wish, plan) : plan;
  if (!confirmed) return undefined;
  const moving = confirmed.branches.filter(({ outcome }) => outcome === 'moves' || outcome === 'conflict');
  const title = wish.move
    ? l10n.t('Moving {0}', branchCount(moving.length))
    : l10n.t('Rebasing {0}', branchCount(moving.length));
  const done = await withProgress(title, (progress, signal) =>
    model.change(async (workspace) => {
      const host = await hostFor(services, model, workspace, { offline, signal });
      return restack(workspace, wish, confirmed, { offline, host, tryTrees: true, progress, signal });
    }),
  );
  await showRestacked(services, model, words, done, () => restackAsWished(services, model, wish, { ask, offline }));
  return done;
}

/**
 * There is nothing that could be moved: everything is where it should be, or held back.
 *
 * @throws Problem what holds the first one back.
 */
function showNothing({ branches, notes }: RestackPlan): Restacked {
  const held = branches.find(({ outcome }) => outcome === 'held');
  if (held) {
    throw new Problem(
      'in-use',
      verbatim(l10n.t('{0} was not moved: {1}.', held.name, withFiles(held.why && localized(held.why), held.files))),
      {
        next: held.next,
        items: held.files,
        outcome: 'incomplete',
      },
    );
  }
  void window.showInformationMessage(nothingText(branches));
  return { branches, operation: undefined, stop: undefined, notes };
}

function withFiles(why = '', files: readonly string[]): string {
  return files.length === 0 ? why : `${why} (${listed(files)})`;
}

function nothingText(branches: RestackPlan['branches']): string {
  const landed = branches.filter(({ outcome }) => outcome === 'landed').map(({ name }) => name);
  const current = branches.filter(({ outcome }) => outcome === 'current');
  const [only] = current;
  const words: string[] = [];
  if (only && current.length === 1)
    words.push(l10n.t('Nothing to do: {0} is already based on {1}.', only.name, only.baseLabel ?? only.base ?? ''));
  else if (only) words.push(l10n.t('Nothing to do: all {0} are up to date.', branchCount(current.length)));
  else words.push(l10n.t('Nothing to do.'));
  if (landed.length > 0) words.push(l10n.t('Already merged: {0}.', landed.join(', ')));
  return words.join(' ');
}
