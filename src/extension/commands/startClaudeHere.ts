import { env, l10n, window } from 'vscode';
import { processExists } from '../../core/base/processes.ts';
import { resolveTarget, type WorktreeTarget } from '../services/resolveTarget.ts';
import type { Services } from '../services/services.ts';
import { presentRows, runRows } from '../views/agentRows.ts';
import { runOf } from '../views/details.ts';
import { createWorktreeCommand } from './createWorktree.ts';
import { startClaude } from './startClaude.ts';

/** Starts Claude Code in a worktree, as the agent that was made for it; asks first where something works in it already. */
export async function startClaudeCommand(services: Services, argument?: unknown): Promise<void> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Start Claude in a Worktree'),
    placeholder: l10n.t('Select the worktree to start Claude in'),
    accept: ({ worktree }) => worktree.condition === 'fine',
  });
  if (!target) return;
  const { model, worktree } = target;
  const working = await whatWorksIn(target);
  if (working.length === 0) return startClaude(services, model, worktree);
  const create = l10n.t('Create Worktree…');
  const start = l10n.t('Start Anyway');
  const detail = [
    ...working.map(([what, text]) => l10n.t('{0}: {1}', what, text)),
    '',
    l10n.t('Two sessions in one folder change the same files.'),
  ].join('\n');
  const question = l10n.t('{0} is already in use. Start Claude there anyway?', worktree.name);
  const choice = await window.showWarningMessage(question, { modal: true, detail }, create, start);
  if (choice === start) return startClaude(services, model, worktree);
  if (choice !== create) return;
  const { branch } = worktree;
  const base = branch === undefined ? {} : { base: branch };
  await createWorktreeCommand(services, { ...base, then: 'claude', repository: model.repository.mainRoot });
}

/** The workflow and the agents in a worktree, a row for each; none of a workflow that has ended. */
async function whatWorksIn({ model, worktree }: WorktreeTarget): Promise<[string, string][]> {
  const run = await runOf(model, worktree);
  const known = model.state?.agents.get(worktree.name);
  // One that was killed is known until somebody looks after it.
  const present = known?.agents.filter(({ pid }) => pid === undefined || processExists(pid)) ?? [];
  const agents = known && presentRows({ ...known, agents: present }, env.language);
  return [...runRows(run?.state === 'dead' ? undefined : run), ...(agents ?? [])];
}
