import { l10n, window, type QuickPickItem } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import { readOperations } from '../../core/operations/store.ts';
import type { Continued } from '../../core/merge/continueGit.ts';
import { readUnderWay } from '../../core/merge/underWay.ts';
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
import { readyModels, resolveTarget, type WorktreeTarget } from '../services/resolveTarget.ts';
import { abortTarget, goOnInGit, type TargetUnderWay } from './continueInGit.ts';
import { verbatim } from '../../core/messages/message.ts';

/** A restack that waits for a person. */
interface Stopped {
  readonly by: 'restack';
  readonly model: RepositoryModel;
  readonly operation: Operation;
}

/** A rebase that waits for a person: of a restack, or one that was begun with git. */
type Rebase = Stopped | (TargetUnderWay & { readonly by: 'git' });

/** Continues a rebase that has stopped, once its conflicts are resolved. */
export async function continueRebaseCommand(
  services: Services,
  argument?: unknown,
): Promise<Restacked | Continued | undefined> {
  const found = await underWay(services, argument, l10n.t('Continue Rebase'));
  if (found?.by === 'git') return goOnInGit(services, found, 'continue');
  return found && goOn(services, found, 'continue', restackFlags(argument));
}

/** Goes on without the commit that it has stopped at, after asking. */
export async function skipRebaseCommand(
  services: Services,
  argument?: unknown,
): Promise<Restacked | Continued | undefined> {
  const title = l10n.t('Skip Commit');
  const flags = restackFlags(argument);
  const found = await underWay(services, argument, title);
  if (!found) return undefined;
  if (flags.ask && !(await confirmSkip(found))) return undefined;
  if (found.by === 'git') return goOnInGit(services, found, 'skip');
  return goOn(services, found, 'skip', flags);
}

/** Rolls back all that a rebase that has stopped has done, after asking. */
export async function abortRebaseCommand(
  services: Services,
  argument?: unknown,
): Promise<Operation | boolean | undefined> {
  const title = l10n.t('Abort Rebase');
  const found = await underWay(services, argument, title);
  if (!found) return undefined;
  if (found.by === 'git') return abortTarget(services, found, restackFlags(argument).ask);
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
  { model, operation }: Stopped,
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
async function confirmSkip(rebase: Rebase): Promise<boolean> {
  const stop =
    rebase.by === 'restack'
      ? rebase.operation.stop
      : { ...rebase.worktree, branch: rebase.worktree.branch ?? rebase.worktree.name };
  if (!stop) return true;
  const workspace = await rebase.model.workspace();
  const commit = await stoppedAt(workspace, stop.path);
  const skip = l10n.t('Skip Commit');
  const question =
    commit === undefined
      ? l10n.t('Skip the commit at which the rebase of {0} stopped?', stop.name)
      : l10n.t('Skip {0} in {1}?', commit, stop.name);
  const detail =
    rebase.by === 'restack'
      ? l10n.t('{0} will not contain its changes. You can undo this.', stop.branch)
      : l10n.t('{0} will not contain its changes.', stop.branch);
  return (await window.showWarningMessage(question, { modal: true, detail }, skip)) === skip;
}

async function stoppedAt({ git }: Workspace, path: string): Promise<string | undefined> {
  const line = await git.line(['log', '-1', '--format=%h %s', 'REBASE_HEAD'], { cwd: path });
  if (!line) return undefined;
  const [id = '', ...subject] = line.split(' ');
  return `${id} ${JSON.stringify(subject.join(' '))}`;
}

/** The rebase that a row or an argument is about, else the only one that has stopped, else the one that the person picks. */
async function underWay(services: Services, argument: unknown, title: string): Promise<Rebase | undefined> {
  if (isNode(argument, 'branch')) return ofBranch(argument.model, argument.row.branch);
  if (argument !== undefined && argument !== null) {
    const target = await resolveTarget(services, argument, { title, placeholder: l10n.t('Select a stopped rebase') });
    return target && ofWorktree(target);
  }
  const all = (await Promise.all((await readyModels(services)).map(waitingIn))).flat();
  const [first, second] = all;
  if (!first) throw new Problem('not-found', verbatim(l10n.t('No stopped rebase was found.')));
  if (!second) return first;
  const items = all.map((rebase): QuickPickItem & { readonly rebase: Rebase } => ({
    rebase,
    ...(rebase.by === 'git'
      ? { label: rebase.worktree.name, description: l10n.t('rebase in progress') }
      : { label: rebase.operation.stop?.name ?? rebase.operation.title, description: rebase.operation.title }),
  }));
  return (await window.showQuickPick(items, { title, placeHolder: l10n.t('Select a stopped rebase') }))?.rebase;
}

/** A rebase that git began in a worktree is what its person means, also where the branch waits for a restack. */
async function ofWorktree({ model, worktree }: WorktreeTarget): Promise<Rebase> {
  const found = await readUnderWay(await model.workspace(), worktree);
  if (found?.by === 'restack') return { by: 'restack', model, operation: found.stopped };
  if (found?.by === 'git' && found.operation === 'rebase') return { by: 'git', model, worktree, underWay: found };
  return ofBranch(model, worktree.branch);
}

async function ofBranch(model: RepositoryModel, branch: string | undefined): Promise<Stopped> {
  return { by: 'restack', model, operation: await stoppedOperation(await model.workspace(), branch) };
}

async function waitingIn(model: RepositoryModel): Promise<Rebase[]> {
  const operations = await readOperations(await model.workspace());
  const stopped = operations.filter(({ state }) => state === 'stopped');
  const begun = (model.state?.worktrees ?? []).flatMap((worktree): Rebase[] => {
    const found = model.state?.underWay.get(worktree.path);
    return found?.by === 'git' && found.operation === 'rebase' ? [{ by: 'git', model, worktree, underWay: found }] : [];
  });
  return [...stopped.map((operation): Rebase => ({ by: 'restack', model, operation })), ...begun];
}

const sentence = (title: string): string => `${title.charAt(0).toUpperCase()}${title.slice(1)}`;
