import process from 'node:process';
import { l10n } from 'vscode';
import { environmentOf } from '../../core/base/environment.ts';
import { markReviewed } from '../../core/claude/agentNotices.ts';
import { resolveTarget } from '../services/resolveTarget.ts';
import type { Services } from '../services/services.ts';
import { rowFactsOf } from '../views/rowFacts.ts';
import { isToReview } from '../../core/snapshot/facts.ts';
import { diffWorktree } from './diffWorktree.ts';

/** Opens everything that an agent has changed in a worktree, and remembers that a person has seen it: until the agent's next turn. */
export async function reviewChanges(services: Services, argument?: unknown): Promise<void> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Review Changes'),
    placeholder: l10n.t('Which worktree?'),
    accept: ({ model, worktree }) => isToReview(rowFactsOf(model.state, worktree).agents),
    none: l10n.t('No agent has changes for you to review.'),
  });
  if (!target) return;
  const { model, worktree } = target;
  const argumentOf = { worktree: worktree.path, repository: model.repository.mainRoot };
  const finished = model.state?.agents.get(worktree.name)?.finished;
  await diffWorktree(services, argumentOf);
  if (finished === undefined) return;
  const { commonDir } = model.repository;
  await markReviewed(environmentOf(process, services.log), commonDir, worktree.name, finished);
  const toReview = new Map(model.state?.toReview);
  toReview.delete(worktree.name);
  model.update({ kind: 'toReview', toReview });
}
