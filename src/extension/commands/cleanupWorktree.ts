import { commands, l10n, window, workspace } from 'vscode';
import type { Git } from '../../core/git/git.ts';
import { fetchMergeState } from '../../core/stack/askMerged.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { admit, type Removed } from '../../core/remove/remove.ts';
import { removeWithHooks } from '../../core/remove/removeWithHooks.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import { withSizes, withSum } from '../../core/remove/ignoredLabels.ts';
import { keptForDays } from '../../core/operations/keptFolder.ts';
import { newRemovalGroup } from '../../core/remove/undoRecord.ts';
import { inspectRemoval, type Removal } from '../../core/remove/inspect.ts';
import { orderForRemoval } from '../../core/stack/removalOrder.ts';
import { deleteTrash } from '../../core/trash/trash.ts';
import { retargetDependents } from './retargetDependents.ts';
import { listed, localized } from '../base/messages.ts';
import { withProgress } from '../base/progress.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import { hookTalk, showHookNotes } from '../hookTalk.ts';
import type { Services } from '../services/services.ts';
import { hostFor } from '../restack/pullRequestLookup.ts';

import { tellFailure } from '../remedies/buttons.ts';
import { isNode } from '../views/nodes.ts';
import { confirmRemoval, type RemovalDecision } from './confirmRemoval.ts';
import { leaveWorktree } from './leaveWorktree.ts';
import { resolveTarget, wordOf, type WorktreeTarget } from '../services/resolveTarget.ts';
import { isHere } from '../views/rowFacts.ts';
import { Problem } from '../../core/base/problem.ts';
import { textOf, verbatim } from '../../core/messages/message.ts';

/** What a keybinding or a test may give beside the worktree. */
interface CleanupFlags {
  /** False skips the question; what stands in the way then stops the removal unless `force` is true. */
  readonly ask: boolean;
  readonly force: boolean;
}

/**
 * Removes a worktree, or all that are selected, after saying exactly what that takes away and what stands in the way.
 *
 * @returns what was done, per worktree.
 */
export async function cleanupWorktreeCommand(
  services: Services,
  argument?: unknown,
  selected?: unknown,
): Promise<Removed[]> {
  const targets = await targetsOf(services, argument, selected);
  if (targets.some(({ worktree }) => worktree.main)) throw mainStays();
  const flags = flagsOf(argument);
  const removed: Removed[] = [];
  // A selection may reach over several repositories; each is a question of its own.
  for (const model of new Set(targets.map((target) => target.model))) {
    const removals = await inspect(services, model, targets);
    const decision = await decide(model, removals, flags);
    if (decision) removed.push(...(await remove(services, model, decision)));
  }
  return removed;
}

async function targetsOf(services: Services, argument: unknown, selected: unknown): Promise<WorktreeTarget[]> {
  if (isNode(argument, 'worktree') && Array.isArray(selected)) {
    const rows = selected.filter((each) => isNode(each, 'worktree'));
    // What was clicked may lie outside the selection; then only it is meant.
    if (rows.includes(argument)) return rows.map(({ model, worktree }) => ({ model, worktree }));
  }
  // A key acts on all that are selected, else on the row with the focus.
  const { selection } = services.view.tree;
  if (wordOf(argument, 'from') === 'focus' && selection.length > 1)
    return selection.flatMap((each) => (each.kind === 'worktree' ? [each] : []));
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Remove Worktree'),
    placeholder: l10n.t('Select the worktree to remove'),
    accept: ({ worktree }) => !worktree.main,
  });
  return target ? [target] : [];
}

function flagsOf(argument: unknown): CleanupFlags {
  const flags =
    typeof argument === 'object' && argument !== null ? (argument as { ask?: unknown; force?: unknown }) : {};
  return { ask: flags.ask !== false, force: flags.force === true };
}

function mainStays(): Problem {
  return new Problem('usage', verbatim(l10n.t('The main working tree cannot be removed.')), { outcome: 'incomplete' });
}

/** Inspects what removing worktrees of a repository would take away, after asking the remote what was merged. */
export async function inspect(
  services: Services,
  model: RepositoryModel,
  targets: readonly WorktreeTarget[] | 'all',
): Promise<Removal[]> {
  return withProgress(l10n.t('Checking what would be removed'), async (_progress, signal) => {
    const inspected = await model.workspace();
    // Inspect the current state, not what was shown when the person clicked.
    await model.refresh();
    const paths =
      targets === 'all'
        ? undefined
        : new Set(targets.filter((target) => target.model === model).map((target) => target.worktree.path));
    const meant = (): Worktree[] => {
      const worktrees = model.state?.snapshot.worktrees ?? [];
      return orderForRemoval(worktrees.filter(({ main, path }) => (paths ? paths.has(path) : !main)));
    };
    if (await bringNews(services, model, inspected, { worktrees: meant(), signal })) await model.refresh();
    const snapshot = model.state?.snapshot;
    if (!snapshot) return [];
    const worktrees = meant();
    return Promise.all(
      worktrees.map(async (worktree) =>
        inspectRemoval(inspected, snapshot, worktree, { agents: await model.liveAgents(worktree), signal }),
      ),
    );
  });
}

/** Asks the remote and GitHub whether worktrees are merged. A failure is shown and does not stop the removal. */
async function bringNews(
  services: Services,
  model: RepositoryModel,
  inspected: Workspace,
  { worktrees, signal }: { readonly worktrees: readonly Worktree[]; readonly signal: AbortSignal },
): Promise<boolean> {
  if (!model.state) return false;
  const host = await hostFor(services, model, inspected, { signal });
  const { asked, notes } = await fetchMergeState(inspected, model.state.snapshot, worktrees, { host, signal });
  if (notes.length > 0) void window.showInformationMessage(notes.map(localized).join(' '));
  return asked;
}

async function decide(
  model: RepositoryModel,
  removals: readonly Removal[],
  { ask, force }: CleanupFlags,
): Promise<RemovalDecision | undefined> {
  if (removals.length === 0) return undefined;
  if (!ask) return { removals, force };
  const { mainRoot, name } = model.repository;
  const shown = removals.filter(({ worktree }) => isHere(model.state, worktree));
  const nothingLeft = (workspace.workspaceFolders?.length ?? 0) <= shown.length;
  const words = nothingLeft
    ? l10n.t('This window shows it, and opens {0} instead.', name)
    : l10n.t('This window shows it, and closes it.');
  return confirmRemoval(removals, mainRoot, new Map(shown.map((removal) => [removal, words])));
}

/** Removes worktrees as one operation, tells what became of them, and offers to undo it. */
export async function remove(
  services: Services,
  model: RepositoryModel,
  { removals, force }: RemovalDecision,
): Promise<Removed[]> {
  const deletions: Promise<void>[] = [];
  const deleteLater = (git: Git, folder: string): void => {
    deletions.push(
      deleteTrash(git, folder).catch((thrown: unknown) => {
        tellFailure(services, l10n.t('Removing a worktree'), thrown);
        // The view shows it too, until it is gone.
        return model.refresh();
      }),
    );
  };
  const here = removals.filter(({ worktree }) => isHere(model.state, worktree)).map(({ worktree }) => worktree.path);
  const title =
    removals.length === 1 ? l10n.t('Removing a worktree') : l10n.t('Removing {0} worktrees', removals.length);
  const removed: Removed[] = [];
  const said: string[] = [];
  let group: string | undefined;
  try {
    await withProgress(title, (progress, signal) =>
      model.change(async (changed) => {
        group = removals.length > 1 ? newRemovalGroup(changed) : undefined;
        const later = (folder: string): void => deleteLater(changed.git, folder);
        const options = { force, drop: force, group, progress, signal, deleteLater: later };
        for (const removal of removals) {
          admit(removal, options);
          const done = await removeWithHooks(changed, removal, () => inspectAgain(model, changed, removal, signal), {
            ...options,
            ...hookTalk(services),
            ready: async () => {
              said.push(...(await retargetDependents(services, changed, removal, { signal, progress })));
            },
          });
          removed.push(done);
          if (done.hooks.some(({ state }) => state !== 'passed')) showHookNotes(services, done.notes);
        }
      }),
    );
  } finally {
    services.background.add(Promise.all(deletions));
    tell(services, model, { removed, said, group });
    for (const { path } of removed) if (here.includes(path)) await leaveWorktree(model, path);
  }
  return removed;
}

/** As it is after the commands that come before a removal. */
async function inspectAgain(
  model: RepositoryModel,
  workspaceNow: Workspace,
  { worktree }: Removal,
  signal: AbortSignal,
): Promise<Removal> {
  const snapshot = await readSnapshot(workspaceNow, { signal, withChanges: false });
  const same = snapshot.worktrees.find(({ path }) => path === worktree.path) ?? worktree;
  return inspectRemoval(workspaceNow, snapshot, same, { agents: await model.liveAgents(same), signal });
}

/** Shows what was removed and where backups are, and offers to undo. */
function tell(
  services: Services,
  model: RepositoryModel,
  {
    removed,
    said,
    group,
  }: { readonly removed: readonly Removed[]; readonly said: readonly string[]; readonly group: string | undefined },
): void {
  const words = [...said];
  for (const { name, backups, ignored, notes } of removed) {
    for (const { what, ref, restore } of backups) {
      services.log.info(`${name}: ${textOf(what)} kept in ${ref}; to get it back: ${restore}`);
      words.push(l10n.t('{0} of {1} kept in {2}.', localized(what), name, ref));
    }
    if (ignored.kept) {
      const kept = withSum(ignored.kept.entries);
      services.log.info(`${name}: ignored files kept for ${keptForDays} days in ${ignored.kept.folder ?? ''}: ${kept}`);
    }
    if (ignored.gone.length > 0) words.push(l10n.t('Ignored and deleted for good: {0}.', withSizes(ignored.gone)));
    for (const note of notes) services.log.info(`${name}: ${textOf(note)}`);
  }
  if (removed.length === 0) return;
  const undo = l10n.t('Undo');
  const showLog = l10n.t('Show Log');
  const operation = group ?? removed[0]?.operation;
  const buttons = [
    ...(removed.some((each) => each.operation !== undefined) ? [undo] : []),
    ...(words.length > 0 ? [showLog] : []),
  ];
  const gone = l10n.t('Removed {0}.', listed(removed.map(({ name }) => name)));
  void window.showInformationMessage([gone, ...words].join(' '), ...buttons).then((choice) => {
    if (choice === showLog) services.channel.show(true);
    const argument = { repository: model.repository.mainRoot, operation, ask: false };
    return choice === undo ? commands.executeCommand('worktreeStacks.undo', argument) : undefined;
  });
}
