import { l10n, window, type QuickPickItem } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import { readOperations } from '../../core/operations/store.ts';
import type { Operation } from '../../core/operations/operation.ts';
import type { Restacked } from '../../core/restack/restack.ts';
import { abortStopped, continueStopped, stoppedOperation } from '../../core/restack/resume.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { withProgress } from '../base/progress.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import { hostFor } from '../restack/pullRequestLookup.ts';
import { restackFlags, type RestackFlags } from '../restack/subject.ts';
import { restoreWaiting } from '../remedies/stashAndRetry.ts';
import { movedOf, showRestacked, showStopped } from '../restack/showRestacked.ts';
import type { Services } from '../services/services.ts';
import { isNode } from '../views/nodes.ts';
import { readyModels, resolveTarget } from '../services/resolveTarget.ts';
import { verbatim } from '../../core/messages/message.ts';

/** An operation that waits for a person. */
interface UnderWay {
  readonly model: RepositoryModel;
  readonly operation: Operation;
}

/** Goes on with a rebase of stacked branches that has stopped, once its conflicts are resolved. */
export async function continueRebaseCommand(services: Services, argument?: unknown): Promise<Restacked | undefined> {
  const found = await underWay(services, argument, l10n.t('Continue Rebase'));
  return found && goOn(services, found, 'continue', restackFlags(argument));
}

/** Goes on without the commit that it has stopped at, after asking. */
export async function skipRebaseCommand(services: Services, argument?: unknown): Promise<Restacked | undefined> {
  const title = l10n.t('Skip Commit');
  const flags = restackFlags(argument);
  const found = await underWay(services, argument, title);
  if (!found) return undefined;
  if (flags.ask && !(await confirmSkip(found))) return undefined;
  return goOn(services, found, 'skip', flags);
}

/** Rolls back all that a rebase that has stopped has done, after asking. */
export async function abortRebaseCommand(services: Services, argument?: unknown): Promise<Operation | undefined> {
  const title = l10n.t('Abort Rebase');
  const found = await underWay(services, argument, title);
  if (!found) return undefined;
  const { model, operation } = found;
  if (restackFlags(argument).ask) {
    const moved = movedOf(operation, []);
    const detail = [
      ...(operation.stop ? [l10n.t('Your conflict resolutions in {0} will be lost.', operation.stop.name)] : []),
      ...(moved.length === 0 ? [] : [l10n.t('Goes back: {0}.', moved.join(', '))]),
      l10n.t('Every branch and worktree is restored. Uncommitted work in other worktrees is kept.'),
    ].join('\n');
    const abort = l10n.t('Abort');
    const question = l10n.t('Abort “{0}”?', operation.title);
    if ((await window.showWarningMessage(question, { modal: true, detail }, abort)) !== abort) return undefined;
  }
  const aborted = await withProgress(
    l10n.t('Aborting the rebase'),
    () => model.change((workspace) => abortStopped(workspace, operation)),
    false,
  );
  services.log.info(`Taken back: ${aborted.title}`);
  void window.showInformationMessage(l10n.t('Aborted: {0}. Every branch is restored.', aborted.title));
  await restoreWaiting(services, model);
  return aborted;
}

async function goOn(
  services: Services,
  { model, operation }: UnderWay,
  step: 'continue' | 'skip',
  { offline }: RestackFlags,
): Promise<Restacked | undefined> {
  const name = operation.stop?.name ?? operation.title;
  const title =
    step === 'skip' ? l10n.t('Skipping a commit of {0}', name) : l10n.t('Continuing the rebase of {0}', name);
  try {
    const done = await withProgress(title, (progress, signal) =>
      model.change(async (workspace) => {
        const host = await hostFor(services, model, workspace, { offline, signal });
        return continueStopped(workspace, operation, step, { offline, host, progress, signal });
      }),
    );
    if (done.aborted) {
      void window.showInformationMessage(l10n.t('The rebase was already ended with Git. Every branch is restored.'));
      return done;
    }
    await showRestacked(services, model, sentence(operation.title), done);
    if (!done.stop) await restoreWaiting(services, model);
    return done;
  } catch (thrown) {
    const { stop } = operation;
    if (!stop || !Problem.is(thrown, 'conflicts')) throw thrown;
    await showStopped(services, model, { ...stop, files: thrown.items }, []);
    return undefined;
  }
}

/** What git would leave out is named, as it is not in the branch afterwards. */
async function confirmSkip({ model, operation }: UnderWay): Promise<boolean> {
  const { stop } = operation;
  if (!stop) return true;
  const workspace = await model.workspace();
  const commit = await stoppedAt(workspace, stop.path);
  const skip = l10n.t('Skip Commit');
  const question =
    commit === undefined
      ? l10n.t('Skip the commit at which the rebase of {0} stopped?', stop.name)
      : l10n.t('Skip {0} in {1}?', commit, stop.name);
  const detail = l10n.t('{0} will not contain its changes. You can undo this.', stop.branch);
  return (await window.showWarningMessage(question, { modal: true, detail }, skip)) === skip;
}

async function stoppedAt({ git }: Workspace, path: string): Promise<string | undefined> {
  const line = await git.line(['log', '-1', '--format=%h %s', 'REBASE_HEAD'], { cwd: path });
  if (!line) return undefined;
  const [id = '', ...subject] = line.split(' ');
  return `${id} ${JSON.stringify(subject.join(' '))}`;
}

/** The operation that a row or an argument is about, else the only one that has stopped, else the one that the person picks. */
async function underWay(services: Services, argument: unknown, title: string): Promise<UnderWay | undefined> {
  if (isNode(argument, 'branch')) return ofBranch(argument.model, argument.row.branch);
  if (argument !== undefined && argument !== null) {
    const target = await resolveTarget(services, argument, { title, placeholder: l10n.t('Select a stopped rebase') });
    return (
      target && ofBranch(target.model, target.worktree.branch ?? (await stoppedIn(target.model, target.worktree.path)))
    );
  }
  const all = (await Promise.all((await readyModels(services)).map(stoppedOf))).flat();
  const [first, second] = all;
  if (!first) {
    throw new Problem('not-found', verbatim(l10n.t('No stopped rebase of a stack was found.')), {
      next: verbatim(l10n.t('continue a rebase that you started with Git there')),
    });
  }
  if (!second) return first;
  const items = all.map((each): QuickPickItem & UnderWay => ({
    ...each,
    label: each.operation.stop?.name ?? each.operation.title,
    description: each.operation.title,
  }));
  return window.showQuickPick(items, { title, placeHolder: l10n.t('Select a stopped rebase') });
}

async function ofBranch(model: RepositoryModel, branch: string | undefined): Promise<UnderWay> {
  return { model, operation: await stoppedOperation(await model.workspace(), branch) };
}

async function stoppedOf(model: RepositoryModel): Promise<UnderWay[]> {
  const operations = await readOperations(await model.workspace());
  return operations.filter(({ state }) => state === 'stopped').map((operation) => ({ model, operation }));
}

/** While git rebases, a worktree may have no branch checked out. */
async function stoppedIn(model: RepositoryModel, path: string): Promise<string | undefined> {
  return (await stoppedOf(model)).find(({ operation }) => operation.stop?.path === path)?.operation.stop?.branch;
}

const sentence = (title: string): string => `${title.charAt(0).toUpperCase()}${title.slice(1)}`;
