import { env, l10n, window } from 'vscode';
import { terminalOf } from '../claude/agentTerminals.ts';
import type { AgentState } from '../../core/claude/agentStates.ts';
import { waitingAgents, type WaitingAgent } from '../repository/waitingAgents.ts';
import { resolveTarget, targetItem, type WorktreeTarget } from '../services/resolveTarget.ts';
import type { Services } from '../services/services.ts';
import { questionText } from '../views/agentRows.ts';
import { momentText } from '../views/labels.ts';
import { isHere } from '../views/rowFacts.ts';
import { openTerminal } from './openInTerminal.ts';
import { openFolder } from './openWorktree.ts';

/** Shows the terminal of the agent in a worktree: of the one that waits, where there are several. */
export async function goToAgent(services: Services, argument?: unknown): Promise<void> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t("Go to Agent's Terminal"),
    placeholder: l10n.t("Which worktree's agent?"),
    accept: ({ model, worktree }) => (model.state?.agents.get(worktree.name)?.agents.length ?? 0) > 0,
    none: l10n.t('No agent works in a worktree.'),
  });
  if (target) await showAgent(services, target);
}

/** Goes to the next agent that waits, after the one whose terminal is in front; the one that has waited longest comes first. */
export async function nextWaitingAgent(services: Services): Promise<void> {
  await services.repositories.start();
  const waiting = waitingAgents(services.repositories.models);
  if (waiting.length === 0) {
    void window.showInformationMessage(l10n.t('No agent is waiting for you.'));
    return;
  }
  const { activeTerminal } = window;
  const terminals = await Promise.all(waiting.map(({ agent, worktree }) => terminalOf(agent, worktree)));
  const current = activeTerminal ? terminals.indexOf(activeTerminal) : -1;
  const next = waiting[(current + 1) % waiting.length];
  if (next) await showAgent(services, next);
}

/** Lists the agents that wait; Enter goes to the terminal of one. */
export async function showWaitingAgents(services: Services): Promise<void> {
  await services.repositories.start();
  const { models } = services.repositories;
  const items = waitingAgents(models).map((waiting) => ({
    ...targetItem(waiting.model, waiting.worktree, models.length > 1),
    detail: waitText(waiting),
    waiting,
  }));
  if (items.length === 0) return nextWaitingAgent(services);
  const title = l10n.t('Agents That Wait for You');
  const pick = await window.showQuickPick(items, { title, placeHolder: l10n.t('Select one to go to its terminal') });
  if (pick) await showAgent(services, pick.waiting);
}

function waitText({ agent }: WaitingAgent): string {
  const question = questionText(agent.agent ?? l10n.t('Claude'), agent);
  if (agent.since === undefined) return question;
  return l10n.t('{0} Since {1}.', question, momentText(new Date(agent.since), env.language));
}

/** Shows the terminal of an agent, or says where else it may be. */
async function showAgent(
  services: Services,
  { model, worktree, agent }: WorktreeTarget & Partial<WaitingAgent>,
): Promise<void> {
  const known = model.state?.agents.get(worktree.name)?.agents ?? [];
  const rank = ({ activity }: AgentState): number => ['waiting', 'working', 'idle'].indexOf(activity);
  const sorted = agent ? [agent] : [...known].sort((one, other) => rank(one) - rank(other));
  for (const each of sorted) {
    const terminal = await terminalOf(each, worktree);
    if (terminal) return terminal.show(false);
  }
  const open = l10n.t('Open in New Window');
  const shell = l10n.t('Open Terminal');
  const buttons = isHere(model.state, worktree) ? [shell] : [open, shell];
  const words = l10n.t('The agent in {0} does not run in a terminal of this window.', worktree.name);
  const choice = await window.showInformationMessage(words, ...buttons);
  if (choice === open) await openFolder(services, { model, worktree }, true);
  if (choice === shell) await openTerminal(model, worktree);
}
