import { l10n } from 'vscode';
import type { LogEntry } from '../../core/claude/decisionLog.ts';

/** How many decisions are shown. */
const mostShown = 500;

/**
 * What hooks decided in a worktree, as text: the latest first, under the day, each with its time, the tool, what was asked for and
 * why it was decided so. Events at which nothing was decided are left out.
 */
export function decisionText(worktree: string, entries: readonly LogEntry[], language: string): string {
  const decided = entries.filter(({ decision }) => decision !== 'none').reverse();
  if (decided.length === 0) {
    return [
      l10n.t('No agent activity in {0} yet.', worktree),
      '',
      l10n.t('Claude Code reports it once its plugin is installed: run the command “{0}”.', pluginCommand()),
      l10n.t('Then what an agent is blocked from doing, and why, is shown here.'),
      '',
    ].join('\n');
  }
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'full' });
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
  const lines = [l10n.t('Agent activity in {0}, latest first.', worktree)];
  let shownDay = '';
  for (const entry of decided.slice(0, mostShown)) {
    const at = new Date(entry.at);
    if (day.format(at) !== shownDay) {
      shownDay = day.format(at);
      lines.push('', shownDay);
    }
    const who = entry.agent === undefined ? [] : [`(${entry.agent})`];
    lines.push('', [time.format(at), decisionLabel(entry.decision), entry.tool ?? entry.event, ...who].join('  '));
    for (const text of [entry.words, entry.detail, entry.reason])
      if (text) lines.push(...text.split('\n').map((line) => `    ${line}`));
  }
  if (decided.length > mostShown) lines.push('', l10n.t('{0} older ones are not shown.', decided.length - mostShown));
  return [...lines, ''].join('\n');
}

function pluginCommand(): string {
  return l10n.t('Install the Claude Code Plugin');
}

function decisionLabel(decision: LogEntry['decision']): string {
  switch (decision) {
    case 'none':
      return '';
    case 'allow':
      return l10n.t('allowed');
    case 'deny':
      return l10n.t('blocked');
    case 'block':
      return l10n.t('sent back');
    case 'notified':
      return l10n.t('notified');
    case 'done':
      return l10n.t('done');
    case 'failed':
      return l10n.t('failed');
  }
}
