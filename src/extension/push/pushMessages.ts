import { ThemeIcon, l10n, type QuickPickItem } from 'vscode';
import type { PlannedPush, Pushed } from '../../core/github/push/model.ts';
import type { Configuration } from '../../core/repository/configuration.ts';
import { githubMessages } from '../../core/messages/github.ts';
import { localized } from '../base/messages.ts';
import { short } from '../restack/planMessages.ts';

/** What a push would do with one branch, as a row of a preview. */
export function pushRow(planned: PlannedPush): QuickPickItem {
  return {
    label: planned.name,
    description: `${planned.remote}/${planned.branch}`,
    detail: [plannedText(planned), ...whoseText(planned)].join(' · '),
    iconPath: iconOf(planned.how),
  };
}

function whoseText({ name, how, author }: PlannedPush): string[] {
  return author === undefined || how === 'unchanged'
    ? []
    : [localized(githubMessages.pushedToAnother({ name, author }))];
}

/** What a push would do with one branch. */
export function plannedText({ how, remote, oid, before = '' }: PlannedPush): string {
  switch (how) {
    case 'created':
      return l10n.t('new on {0} ({1})', remote, short(oid));
    case 'forwarded':
      return l10n.t('adds to what {0} has ({1} → {2})', remote, short(before), short(oid));
    case 'rewritten':
      return l10n.t('force-pushes {0} → {1} with lease on {2}', short(before), short(oid), remote);
    case 'joined':
      return l10n.t('merged with what was pushed before ({0})', short(before));
    case 'unchanged':
      return l10n.t('{0} is up to date', remote);
  }
}

/** What a push will do with a branch that moves before: what is on the remote then parts from it. */
export function afterMoveText(
  { how, remote }: PlannedPush,
  afterRebase: Configuration['stack']['afterRebase'],
): string {
  if (how === 'created') return l10n.t('new on {0}', remote);
  switch (afterRebase) {
    case 'lease':
      return l10n.t('force-pushes with lease to {0}', remote);
    case 'merge':
      return l10n.t('merged with what was pushed');
    case 'refuse':
      return l10n.t('will not be pushed: `after_rebase: refuse` in .worktrees.yml forbids force pushes');
  }
}

/** What has become of branches that were pushed, in one sentence. */
export function pushedText(pushed: readonly Pushed[]): string {
  const moved = pushed.filter(({ how }) => how !== 'unchanged');
  const [first] = moved;
  if (!first) {
    const [only] = pushed;
    return only && pushed.length === 1
      ? l10n.t('Nothing to push: {0} already has all of {1}.', `${only.remote}/${only.branch}`, only.name)
      : l10n.t('Nothing to push: everything is there already.');
  }
  if (moved.length > 1)
    return l10n.t(
      'Pushed {0} branches to {1}: {2}.',
      moved.length,
      first.remote,
      moved.map(({ name }) => name).join(', '),
    );
  const place = `${first.remote}/${first.branch}`;
  switch (first.how) {
    case 'created':
      return l10n.t('Pushed {0} to {1}, which is new.', first.name, place);
    case 'rewritten':
      return l10n.t('Force-pushed {0} to {1} with lease.', first.name, place);
    case 'joined':
      return l10n.t('Pushed {0} to {1}, merged with what was there before its rebase.', first.name, place);
    case 'forwarded':
    case 'unchanged':
      return l10n.t('Pushed {0} to {1}.', first.name, place);
  }
}

function iconOf(how: PlannedPush['how']): ThemeIcon {
  switch (how) {
    case 'created':
      return new ThemeIcon('add');
    case 'forwarded':
      return new ThemeIcon('arrow-up');
    case 'rewritten':
      return new ThemeIcon('replace');
    case 'joined':
      return new ThemeIcon('git-merge');
    case 'unchanged':
      return new ThemeIcon('pass');
  }
}
