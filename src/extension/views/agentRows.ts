import { l10n } from 'vscode';
import type { AgentState } from '../../core/claude/agentStates.ts';
import type { AgentsAtWork } from '../../core/claude/agentsAtWork.ts';
import type { RunFacts } from '../../core/claude/runs/runFacts.ts';
import { momentText } from './labels.ts';

/** How many agents a tooltip names. */
const mostNamed = 5;

/** The row of a tooltip about the workflow that has claimed a worktree. */
export function runRows(facts: RunFacts | undefined): [string, string][] {
  if (!facts) return [];
  const { run, state, progress } = facts;
  const name = run.work_id === null ? run.run_id : l10n.t('{0} for {1}', run.run_id, run.work_id);
  const step = progress === undefined ? name : l10n.t('{0}, step {1}', name, progress.current_step);
  return [[l10n.t('Workflow'), state === 'dead' ? l10n.t('{0}, no longer running', step) : step]];
}

/** The rows of a tooltip about the agents of a worktree: what each does and since when, and what was denied last. */
export function agentRows(agents: AgentsAtWork | undefined, language: string): [string, string][] {
  if (!agents) return [];
  const rows = presentRows(agents, language);
  const { lastDenied } = agents;
  if (lastDenied) {
    const what = [lastDenied.tool ?? lastDenied.event, lastDenied.words].filter(Boolean).join(': ');
    const when = momentText(new Date(lastDenied.at), language);
    rows.push([l10n.t('Blocked'), l10n.t('{0}, at {1}: {2}', what, when, lastDenied.reason ?? '')]);
  }
  return rows;
}

/** The longest command that is shown, in characters. */
const longestCommand = 80;

/** What an agent that waits wants: a sentence about it, with its name or that of its worktree. */
export function questionText(name: string, { asks }: Pick<AgentState, 'asks'>): string {
  if (!asks) return l10n.t('{0} is waiting for your answer.', name);
  const { tool, words } = asks;
  if (words === undefined) return l10n.t('{0} asks to use {1}.', name, tool);
  const subject = words.length > longestCommand ? `${words.slice(0, longestCommand - 1)}…` : words;
  return ['Bash', 'Monitor', 'PowerShell'].includes(tool)
    ? l10n.t('{0} asks to run “{1}”.', name, subject)
    : l10n.t('{0} asks to change {1}.', name, subject);
}

/** What each of the agents does, and since when. */
export function presentRows(agents: AgentsAtWork, language: string): [string, string][] {
  const rows: [string, string][] = agents.agents
    .slice(0, mostNamed)
    .map((agent) => [agent.agentId === undefined ? l10n.t('Claude') : l10n.t('Agent'), stateText(agent, language)]);
  const more = agents.agents.length - mostNamed;
  if (more > 0) rows.push(['', l10n.t('and {0} more', more)]);
  return rows;
}

function stateText({ agent, activity, since }: AgentState, language: string): string {
  const who = agent === undefined ? '' : `${agent}: `;
  const when = since === undefined ? undefined : momentText(new Date(since), language);
  switch (activity) {
    case 'waiting':
      return (
        who + (when === undefined ? l10n.t('waits for your answer') : l10n.t('waits for your answer since {0}', when))
      );
    case 'working':
      return who + (when === undefined ? l10n.t('works') : l10n.t('works, last heard of at {0}', when));
    case 'idle':
      return who + (when === undefined ? l10n.t('idle') : l10n.t('idle since {0}', when));
  }
}
