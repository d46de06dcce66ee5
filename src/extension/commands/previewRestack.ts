import { l10n, window } from 'vscode';
import type { Restacked } from '../../core/restack/restack.ts';
import { restacksOf } from '../repository/stackState.ts';
import { restackAsWished } from '../restack/carryOut.ts';
import { restackFlags } from '../restack/subject.ts';
import { isNode } from '../views/nodes.ts';
import { readyModels, wordOf } from '../services/resolveTarget.ts';
import type { Services } from '../services/services.ts';
import { rebaseStackCommand } from './rebase.ts';

/**
 * Shows what a restack would do in a stack that needs one, and does it if the person wants that. Asks which stack where several need one.
 *
 * @param argument a row, or what `rebaseStack` takes; without a worktree in it, the stacks that need a restack are meant.
 */
export async function previewRestack(services: Services, argument?: unknown): Promise<Restacked | undefined> {
  const isNamed = isNode(argument, 'worktree') || isNode(argument, 'branch') || wordOf(argument, 'worktree');
  const models = await readyModels(services);
  const stacks = models.flatMap((model) =>
    [...restacksOf(model.state).values()].map(({ at, count }) => ({
      label: at.name,
      description: [
        ...(models.length > 1 ? [model.repository.name] : []),
        count === 1 ? l10n.t('1 branch needs a restack') : l10n.t('{0} branches need a restack', count),
      ].join(' · '),
      model,
      at,
    })),
  );
  // Where no stack needs one, the person may choose any, and is told that there is nothing to do.
  if (isNamed || stacks.length === 0) return rebaseStackCommand(services, argument);
  const title = l10n.t('Preview Restack');
  const placeHolder = l10n.t('Select the stack to restack');
  const stack = stacks.length > 1 ? await window.showQuickPick(stacks, { title, placeHolder }) : stacks[0];
  if (!stack) return undefined;
  const worktree = { name: stack.at.name, branch: stack.at.branch, main: false };
  return restackAsWished(services, stack.model, { worktree, wholeStack: true }, restackFlags(argument));
}
