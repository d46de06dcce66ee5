import { join } from 'node:path';
import { l10n, window } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import type { Services } from '../services/services.ts';
import { openMergeEditor } from '../sessionMerge/openMergeEditor.ts';
import { openSessionMerge } from '../sessionMerge/openSessionMerge.ts';
import { kindOf } from '../sessionMerge/readConflict.ts';
import { uriOf } from '../base/uris.ts';
import { isNode } from '../views/nodes.ts';
import { verbatim } from '../../core/messages/message.ts';

/** The mode of a submodule. */
const gitlink = '160000';

/**
 * Opens a file in conflict where it can be resolved: session files in their own editor, texts that both sides have in VS Code's merge
 * editor, and what one side has deleted as it is on disk.
 */
export async function openConflict(services: Services, argument?: unknown): Promise<void> {
  if (!isNode(argument, 'conflict'))
    throw new Problem('usage', verbatim(l10n.t('Select a file in conflict in the Worktrees view first.')));
  const { file, parent } = argument;
  const { configuration } = await parent.model.workspace();
  const output = uriOf(join(parent.worktree.path, file.path));
  const { ours, theirs } = file;
  if (ours?.mode === gitlink || theirs?.mode === gitlink) {
    const message = l10n.t('{0} is a submodule: check out the wanted commit in it, then stage it.', file.path);
    void window.showInformationMessage(message);
  } else if (kindOf(configuration, file.path)) {
    await openSessionMerge(services, output);
  } else if (ours || theirs) {
    await openMergeEditor(services, parent, file);
  } else {
    void window.showInformationMessage(l10n.t('{0} was deleted on both sides: stage its deletion.', file.path));
  }
}
