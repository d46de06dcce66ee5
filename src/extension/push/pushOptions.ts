import { openSession } from '../../core/github/connect.ts';
import type { PushOptions } from '../../core/github/push/model.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import type { Services } from '../services/services.ts';
import { textOf } from '../../core/messages/message.ts';

/** How everything is pushed from here: what hooks say goes to the log, and GitHub is asked if that needs no question. */
export async function pushOptions(
  { pullRequests, log }: Services,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<PushOptions> {
  const accounts = await pullRequests.accounts();
  return {
    signal,
    onWords: (text) => log.info(text.trimEnd()),
    onNote: (note) => log.info(textOf(note)),
    host: () => openSession(workspace, { signal, token: (at) => accounts.silent(workspace, at, signal) }),
  };
}
