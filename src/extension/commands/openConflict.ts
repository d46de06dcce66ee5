import { join } from 'node:path';
import { l10n, window } from 'vscode';
import { readUnmerged, type Unmerged } from '../../core/git/unmerged.ts';
import type { Services } from '../services/services.ts';
import { openMergeEditor } from '../sessionMerge/openMergeEditor.ts';
import { openSessionMerge } from '../sessionMerge/openSessionMerge.ts';
import { kindOf } from '../sessionMerge/readConflict.ts';
import { uriOf } from '../base/uris.ts';
import { resolveTarget, type WorktreeTarget } from '../services/resolveTarget.ts';
import { isNode } from '../views/nodes.ts';

/** The mode of a submodule. */
const gitlink = '160000';

/**
 * Opens a file in conflict where it can be resolved: session files in their own editor, texts that both sides have in VS Code's merge
 * editor, and what one side has deleted as it is on disk. For a worktree it opens the first one.
 */
export async function openConflict(services: Services, argument?: unknown): Promise<void> {
  if (isNode(argument, 'conflict')) return openFile(services, argument.parent, argument.file);
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Open Conflict'),
    placeholder: l10n.t('Select a worktree'),
    accept: ({ worktree }) => (worktree.changes?.conflicts ?? 0) > 0,
  });
  if (!target) return;
  const { git } = await target.model.workspace();
  const [first] = await readUnmerged(git, target.worktree.path);
  if (first) return openFile(services, target, first);
  await target.model.refresh();
  void window.showInformationMessage(l10n.t('{0}: all conflicts resolved.', target.worktree.name));
}

async function openFile(services: Services, target: WorktreeTarget, file: Unmerged): Promise<void> {
  const { configuration } = await target.model.workspace();
  const output = uriOf(join(target.worktree.path, file.path));
  const { ours, theirs } = file;
  if (ours?.mode === gitlink || theirs?.mode === gitlink) {
    const message = l10n.t('{0} is a submodule: check out the wanted commit in it, then stage it.', file.path);
    void window.showInformationMessage(message);
  } else if (kindOf(configuration, file.path)) {
    await openSessionMerge(services, output);
  } else if (ours || theirs) {
    await openMergeEditor(services, target, file);
  } else {
    void window.showInformationMessage(l10n.t('{0} was deleted on both sides: stage its deletion.', file.path));
  }
}
