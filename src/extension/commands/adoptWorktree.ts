import { l10n, window } from 'vscode';
import { adopt, planAdoption, type Adoption, type AdoptionPlan } from '../../core/create/adopt.ts';
import { isUnadopted } from '../../core/worktree/unadopted.ts';
import { findWorktree } from '../../core/worktree/find.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { textOf } from '../../core/messages/message.ts';
import { askBase } from '../quickPicks/pickBase.ts';
import type { Services } from '../services/services.ts';
import { resolveTarget, wordOf, type WorktreeTarget } from '../services/resolveTarget.ts';
import { bundledPrograms } from './makeWorktree.ts';

/**
 * Records the base of a worktree that another program has made, which stays where it is. The base is what its history shows; where that
 * does not decide, the person does.
 *
 * @param argument a row, or an object with `worktree`, `base` and `repository`.
 * @returns what was recorded.
 */
export async function adoptWorktree(services: Services, argument?: unknown): Promise<Adoption | undefined> {
  const title = l10n.t('Adopt Worktree');
  const target = await resolveTarget(services, argument, {
    title,
    placeholder: l10n.t('Select a worktree that another program has made'),
    accept: ({ worktree }) => isUnadopted(worktree),
    none: l10n.t('Every worktree has its base recorded.'),
  });
  if (!target) return undefined;
  let base = wordOf(argument, 'base');
  let plan = await planFor(target, base);
  const [left] = plan.left;
  if (left && left.bases.length > 0) {
    const offers = (branch: string): boolean => branch !== target.worktree.branch;
    const placeholder = l10n.t(
      'What is {0} based on? Its history shows {1}.',
      left.worktree.name,
      left.bases.join(', '),
    );
    const answer = await askBase(
      target.model,
      title,
      left.worktree.name,
      left.bases[0],
      { step: 0, totalSteps: 0 },
      { placeholder, offers },
    );
    if (typeof answer === 'string') return undefined;
    base = answer.value;
    plan = await planFor(target, base);
  }
  const [problem] = plan.left.map((each) => each.problem);
  if (problem) throw problem;
  const [adoption] = plan.adoptions;
  if (!adoption) return undefined;
  const notes = await target.model.change((workspace) => adopt(workspace, [adoption], bundledPrograms(services)));
  for (const note of notes) services.log.info(`${adoption.name}: ${textOf(note)}`);
  void window.showInformationMessage(l10n.t('{0} is based on {1}.', adoption.name, adoption.base));
  return adoption;
}

async function planFor({ model, worktree }: WorktreeTarget, base: string | undefined): Promise<AdoptionPlan> {
  const workspace: Workspace = await model.workspace();
  const snapshot = await readSnapshot(workspace, { withChanges: false });
  const now = await findWorktree(snapshot, worktree.path, model.repository.mainRoot);
  return planAdoption(workspace, snapshot, [now], { base });
}
