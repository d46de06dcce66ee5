import { join } from 'node:path';
import { commands, l10n, window, type Uri } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import type { Stage } from '../../core/git/unmerged.ts';
import type { Configuration } from '../../core/repository/configuration.ts';
import type { Worktree } from '../../core/worktrees/model.ts';
import { blobUri, emptyUri } from '../git/baseFiles.ts';
import type { Services } from '../services.ts';
import { uriOf } from '../uris.ts';
import { isNode, type ConflictNode } from '../views/nodes.ts';

/** The editor for session, learnings and jobs files in conflict. */
const sessionMerge = 'worktreeStacks.openSessionMerge';
/** VS Code's own merge editor. Its git uses the same command; `git.openMergeEditor` finds only repositories that it has open. */
const mergeEditor = '_open.mergeEditor';
/** The mode of a submodule. */
const gitlink = '160000';

/**
 * Opens a file in conflict where it can be resolved: session files in their own editor, texts that both sides have in VS Code's merge
 * editor, and what one side has deleted as it is on disk.
 */
export async function openConflict(services: Services, argument?: unknown): Promise<void> {
  if (!isNode(argument, 'conflict'))
    throw new Problem('usage', l10n.t('This is done on a file in conflict in the Worktrees view.'));
  const { file, parent } = argument;
  const { configuration } = await parent.model.workspace();
  const output = uriOf(join(parent.worktree.path, file.path));
  const { ours, theirs } = file;
  if (ours?.mode === gitlink || theirs?.mode === gitlink) {
    const message = l10n.t(
      '{0} is a submodule: check out the commit that it is to have in it, then stage it with git add.',
      file.path,
    );
    void window.showInformationMessage(message);
  } else if (isSessionFile(configuration, file.path) && (await isRegistered(sessionMerge))) {
    await commands.executeCommand(sessionMerge, output);
  } else if (ours && theirs) {
    await openMergeEditor(services, argument, output, ours, theirs);
  } else if (ours || theirs) {
    await commands.executeCommand('vscode.open', output);
  } else {
    void window.showInformationMessage(l10n.t('{0} is gone on both sides: git rm says so to git.', file.path));
  }
}

/** Whether the rules for session files merge this one. */
function isSessionFile({ session }: Configuration, path: string): boolean {
  return Object.values(session).some((each) => each.replaceAll('\\', '/').replace(/^\.\//, '') === path);
}

async function isRegistered(command: string): Promise<boolean> {
  return (await commands.getCommands(true)).includes(command);
}

async function openMergeEditor(
  { log }: Services,
  { parent, file }: ConflictNode,
  output: Uri,
  ours: Stage,
  theirs: Stage,
): Promise<void> {
  const { commonDir } = parent.model.repository;
  const sideOf = (stage: Stage | undefined): Uri =>
    stage ? blobUri(commonDir, stage.oid, file.path) : emptyUri(commonDir, file.path);
  const names = namesOf(parent.worktree);
  const current = { uri: sideOf(ours), title: l10n.t('Current'), description: names.current };
  const incoming = { uri: sideOf(theirs), title: l10n.t('Incoming'), description: names.incoming };
  // As in VS Code's git, the left side is that of the other branch, also while a rebase has the sides swapped.
  const [input1, input2] = replays(parent.worktree) ? [current, incoming] : [incoming, current];
  try {
    await commands.executeCommand(mergeEditor, { base: sideOf(file.base), input1, input2, output });
  } catch (thrown) {
    // The markers are in the file, so an ordinary editor does as well.
    log.warn(`VS Code's merge editor could not be opened: ${String(thrown)}`);
    await commands.executeCommand('vscode.open', output);
  }
}

/** Whether the branch's own commits are the incoming side: they are put on top of something else. */
function replays({ operation }: Worktree): boolean {
  return operation === 'rebase' || operation === 'am';
}

/** What the two sides are called, as far as that is certain. */
function namesOf(worktree: Worktree): { current?: string; incoming?: string } {
  const { branch, base } = worktree;
  if (!replays(worktree)) return branch === undefined ? {} : { current: branch };
  return {
    ...(base === undefined ? {} : { current: base.branch }),
    ...(branch === undefined ? {} : { incoming: branch }),
  };
}
