import { InputBoxValidationSeverity, commands, l10n, window, type InputBoxValidationMessage } from 'vscode';
import { Problem, messageOf } from '../../core/base/problem.ts';
import type { Operation } from '../../core/operations/operation.ts';
import { planRename, renameWorktree, type RenamePlan } from '../../core/restack/rename.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import type { Snapshot, Worktree } from '../../core/worktree/model.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { findWorktree } from '../../core/worktree/find.ts';
import { problemText } from '../base/messages.ts';
import { withProgress } from '../base/progress.ts';
import { askText } from '../quickPicks/steps.ts';
import type { Services } from '../services/services.ts';
import { resolveTarget, wordOf, type WorktreeTarget } from '../services/resolveTarget.ts';
import { canRename } from '../views/offers.ts';
import { textOf } from '../../core/messages/message.ts';

/** Gives a worktree another name, and its branch too where it is called like it; the folder stays. */
export async function renameWorktreeCommand(services: Services, argument?: unknown): Promise<Operation | undefined> {
  const title = l10n.t('Rename Worktree');
  const target = await resolveTarget(services, argument, {
    title,
    placeholder: l10n.t('Select the worktree to rename'),
    accept: ({ worktree }) => canRename(worktree),
  });
  if (!target) return undefined;
  const { model } = target;
  const branch = wordOf(argument, 'branch');
  const name = wordOf(argument, 'name') ?? (await askName(target, title));
  if (name === undefined || name === target.worktree.name) return undefined;
  const rename = async (workspace: Workspace): Promise<readonly [RenamePlan, Operation]> => {
    const { snapshot, worktree } = await recheck(workspace, target);
    const planned = await planRename(workspace, snapshot, worktree, { name, branch });
    return [planned, await renameWorktree(workspace, planned.renaming)];
  };
  const progress = l10n.t('Renaming {0}', target.worktree.name);
  const [plan, operation] = await withProgress(progress, () => model.change(rename), false);
  showRenamed(services, target, plan, operation);
  return operation;
}

async function askName(target: WorktreeTarget, title: string): Promise<string | undefined> {
  const { model, worktree } = target;
  const workspace = await model.workspace();
  const now = await recheck(workspace, target);
  // Problems that no name could solve are shown before one is asked for.
  await planRename(workspace, now.snapshot, now.worktree, { name: worktree.name });
  const answer = await askText(
    {
      title,
      prompt: l10n.t('The new name of {0}. Its folder stays where it is.', worktree.name),
      placeholder: worktree.name,
      value: worktree.name,
      judge: async (text) => {
        if (text === worktree.name) return undefined;
        try {
          return validationOf(await planRename(workspace, now.snapshot, now.worktree, { name: text }));
        } catch (thrown) {
          return {
            message: Problem.is(thrown) ? problemText(thrown) : messageOf(thrown),
            severity: InputBoxValidationSeverity.Error,
          };
        }
      },
      passes: (validation) => validation?.severity !== InputBoxValidationSeverity.Error,
      whenEmpty: l10n.t('Enter a name for the worktree.'),
    },
    { step: 0, totalSteps: 0 },
  );
  return typeof answer === 'string' ? undefined : answer.value;
}

/** What the renaming would do, as the name is typed. */
function validationOf({ renaming, notes }: RenamePlan): InputBoxValidationMessage {
  const { from, to } = renaming;
  if (from.branch !== to.branch) return info(l10n.t('Its branch {0} becomes {1}', from.branch, to.branch));
  if (notes.length === 0) return info(l10n.t('Its branch stays {0}', to.branch));
  return {
    message: l10n.t('Its branch stays {0}, because it was pushed', to.branch),
    severity: InputBoxValidationSeverity.Warning,
  };
}

const info = (message: string): InputBoxValidationMessage => ({ message, severity: InputBoxValidationSeverity.Info });

/** Judged by what is there now, not by what was on the screen. */
async function recheck(
  workspace: Workspace,
  { model, worktree }: WorktreeTarget,
): Promise<{ readonly snapshot: Snapshot; readonly worktree: Worktree }> {
  const snapshot = await readSnapshot(workspace, { withChanges: false });
  return { snapshot, worktree: await findWorktree(snapshot, worktree.path, model.repository.mainRoot) };
}

function showRenamed(
  { log }: Services,
  { model }: WorktreeTarget,
  { renaming, notes }: RenamePlan,
  { id }: Operation,
): void {
  const { from, to } = renaming;
  for (const note of notes) log.info(`${to.name}: ${textOf(note)}`);
  const undo = l10n.t('Undo');
  const words =
    from.branch === to.branch
      ? l10n.t('Renamed {0} to {1}.', from.name, to.name)
      : l10n.t('Renamed {0} to {1}, and its branch to {2}.', from.name, to.name, to.branch);
  void window.showInformationMessage(words, undo).then((choice) => {
    if (choice === undo)
      return commands.executeCommand('worktreeStacks.undo', {
        repository: model.repository.mainRoot,
        operation: id,
        ask: false,
      });
  });
}
