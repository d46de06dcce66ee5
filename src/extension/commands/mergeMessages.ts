import { l10n } from 'vscode';
import type { Merged, MergedSessionFile, SubmoduleFate } from '../../core/merge/model.ts';
import { localized } from '../base/messages.ts';
import { textOf } from '../../core/messages/message.ts';

/** What a merge took from where, as one message. */
export function mergedText(merged: Merged, into: string): string {
  const { name, state, commit, checks } = merged;
  if (commit === undefined) return l10n.t('{0} has nothing to merge.', name);
  const words = [
    state === 'merged'
      ? l10n.t('Merged {0} into {1}.', name, into)
      : l10n.t('{0} was merged into {1} before.', name, into),
  ];
  const parts = [...submoduleText(merged), ...merged.sessionFiles.flatMap(sessionText)];
  if (parts.length > 0) words.push(`${parts.join('; ')}.`);
  if (checks.state === 'passed') words.push(l10n.t('The checks passed.'));
  if (checks.state === 'unapproved') words.push(l10n.t('The checks {0} were not run.', checks.command ?? ''));
  for (const { what, ref } of merged.backups) words.push(l10n.t('{0} kept in {1}.', localized(what), ref));
  return words.join(' ');
}

function submoduleText({ submodules }: Merged): string[] {
  const changed = submodules.filter(({ fate }) => fate !== 'contained');
  if (changed.length === 0) return [];
  return [l10n.t('submodules: {0}', changed.map(({ path }) => path).join(', '))];
}

function sessionText({ path, state, entries }: MergedSessionFile): string[] {
  switch (state) {
    case 'unknown':
      return [l10n.t('{0} as Git merged it, since it has another form', path)];
    case 'kept':
      return [l10n.t('{0} kept, although it was deleted there', path)];
    case 'deleted':
      return [l10n.t('{0} stays deleted', path)];
    case 'merged': {
      const left = entries.filter(({ reason }) => reason === 'leftBehind').map(({ name }) => name);
      const look = entries.filter((entry) => entry.needsLook).map((entry) => entry.name);
      const compared = entries.length - left.length;
      return [
        ...(look.length > 0 ? [l10n.t('{0}: worth a look, changed on both sides: {1}', path, look.join(', '))] : []),
        ...(look.length === 0 && compared > 0 ? [comparedText(path, compared)] : []),
        ...(left.length > 0 ? [l10n.t('{0}: left behind: {1}', path, left.join(', '))] : []),
      ];
    }
  }
}

const comparedText = (path: string, count: number): string =>
  count === 1 ? l10n.t('{0}: 1 entry compared', path) : l10n.t('{0}: {1} entries compared', path, count);

/** The whole report, for the log. */
export function logLines(merged: Merged): string[] {
  const fates: Readonly<Record<SubmoduleFate, string>> = {
    merged: 'merged',
    forwarded: 'moved on',
    contained: 'has it all already',
    taken: 'recorded; it is not checked out here',
  };
  return [
    `${merged.name} (${merged.branch}): ${merged.state}${merged.commit === undefined ? '' : ` as ${merged.commit}`}`,
    ...merged.submodules.map(({ path, fate, commit }) => `  submodule ${path}: ${fates[fate]}, ${commit}`),
    ...merged.sessionFiles.flatMap(({ path, state, unknown, entries }) => [
      `  ${path}: ${state}${unknown === undefined ? '' : ` (${unknown})`}`,
      ...entries.map(({ name, section, reason }) => `    ${section === '' ? '' : `${section}: `}${name}: ${reason}`),
    ]),
    `  checks: ${merged.checks.state}${merged.checks.command === undefined ? '' : ` (${merged.checks.command})`}`,
    ...merged.backups.map(({ what, ref, restore }) => `  ${textOf(what)} kept in ${ref}; to see it: ${restore}`),
    ...merged.notes.map((note) => `  ${textOf(note)}`),
  ];
}
