import { window } from 'vscode';
import { Problem } from '../core/base/problem.ts';
import type { Message } from '../core/messages/message.ts';
import { worktreeAt } from '../core/snapshot/variablesAt.ts';
import type { Worktree } from '../core/worktree/model.ts';
import { programVariables } from '../core/worktree/programVariables.ts';
import { localized } from './base/messages.ts';
import type { RepositoryModel } from './repository/repositoryModel.ts';

/**
 * The variables that a terminal in a worktree starts with. None where the repository cannot be read now: that keeps nobody from a
 * terminal.
 */
export async function terminalVariables(
  model: RepositoryModel,
  { path }: Pick<Worktree, 'path'>,
): Promise<Record<string, string | null>> {
  try {
    const workspace = await model.workspace();
    const worktree = await worktreeAt(workspace, path);
    const variables = worktree ? await programVariables(workspace, worktree, warn) : {};
    // `null` takes away what the editor itself was started with.
    return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value ?? null]));
  } catch (thrown) {
    if (!Problem.is(thrown)) throw thrown;
    return {};
  }
}

function warn(note: Message): void {
  void window.showWarningMessage(localized(note));
}
