import { join } from 'node:path';
import { l10n, window } from 'vscode';
import type { HookOptions } from '../core/hooks/plan.ts';
import type { Message } from '../core/messages/message.ts';
import type { HookEvent } from '../core/repository/hookConfiguration.ts';
import { localized } from './base/messages.ts';
import type { Services } from './services/services.ts';

/** The person has said that what is tried again now runs no hooks. */
let skipping = false;

/** Tries something again without the hooks of the team and of the user. */
export async function withoutHooks(retry: () => unknown): Promise<void> {
  skipping = true;
  try {
    await retry();
  } finally {
    skipping = false;
  }
}

/** How hooks are approved and watched in this window: a dialog asks, and the log has what they print. */
export function hookTalk({
  channel,
  context,
}: Services): Required<Pick<HookOptions, 'skipHooks' | 'askHooks' | 'onHookOutput' | 'programs'>> {
  return {
    skipHooks: skipping,
    askHooks: ask,
    onHookOutput: (text) => channel.append(text),
    programs: { wt: join(context.extensionPath, 'dist', 'wt.js') },
  };
}

/** Shows what a person should know of hooks that ran beside something that is done. */
export function showHookNotes(services: Services, notes: readonly Message[]): void {
  if (notes.length === 0) return;
  const showLog = l10n.t('Show Log');
  void window
    .showWarningMessage(notes.map(localized).join(' '), showLog)
    .then((choice) => choice === showLog && services.channel.show(true));
}

/** They come from the authors of the repository. */
async function ask(event: HookEvent, commands: readonly string[]): Promise<boolean> {
  const run = l10n.t('Allow and Run');
  const detail = [
    ...commands,
    '',
    l10n.t('They come from .worktrees.yml. Once allowed, they run at this event without asking, until they change.'),
  ].join('\n');
  const question = l10n.t('Allow this repository to run its {0} commands?', event);
  return (await window.showWarningMessage(question, { modal: true, detail }, run)) === run;
}
