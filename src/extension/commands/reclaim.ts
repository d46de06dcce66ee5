import { QuickPickItemKind, ThemeIcon, l10n, window, type QuickPickItem } from 'vscode';
import { byteSizeWords } from '../../core/base/byteSize.ts';
import { planSetup } from '../../core/create/setup.ts';
import { reclaimMessages } from '../../core/messages/reclaim.ts';
import { inspectReclaim, type Reclaimable } from '../../core/reclaim/inspect.ts';
import { reclaim, type Reclaimed } from '../../core/reclaim/reclaim.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import { deleteTrash } from '../../core/trash/trash.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { listed, localized } from '../base/messages.ts';
import { withProgress } from '../base/progress.ts';
import { tellFailure } from '../remedies/buttons.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import { resolveModel } from '../services/resolveTarget.ts';
import type { Services } from '../services/services.ts';

/** Nothing may have changed in a worktree for so many days, unless the caller says otherwise. */
const idleDays = 7;
const day = 86_400_000;

interface ReclaimItem extends QuickPickItem {
  readonly found?: Reclaimable;
}

/**
 * Deletes build output of worktrees that nobody works in, after showing how much of which.
 *
 * @param argument `{ repository, idleDays, ask: false }`; without `ask: false` the person chooses among them and confirms.
 */
export async function reclaimCommand(services: Services, argument?: unknown): Promise<Reclaimed[]> {
  const title = l10n.t('Reclaim Disk Space');
  const model = await resolveModel(services, argument, title);
  if (!model) return [];
  const wish =
    typeof argument === 'object' && argument !== null ? (argument as { ask?: unknown; idleDays?: unknown }) : {};
  const days = typeof wish.idleDays === 'number' ? wish.idleDays : idleDays;
  const found = await inspectAll(model, days * day);
  const free = found.filter(({ inUse, folders }) => inUse === undefined && folders.length > 0);
  if (free.length === 0) {
    tellNothing(found, days);
    return [];
  }
  const chosen = wish.ask === false ? free : await choose(title, found, free);
  if (chosen.length === 0 || (wish.ask !== false && !(await confirm(model, chosen)))) return [];
  return take(services, model, chosen, days * day);
}

function inspectAll(model: RepositoryModel, idle: number): Promise<Reclaimable[]> {
  return withProgress(l10n.t('Measuring build output'), async (progress, signal) => {
    const workspace = await model.workspace();
    await model.refresh();
    const snapshot = model.state?.snapshot;
    const found: Reclaimable[] = [];
    for (const worktree of (snapshot?.worktrees ?? []).filter(({ main }) => !main)) {
      progress(reclaimMessages.measuring({ name: worktree.name }));
      const agents = await model.liveAgents(worktree);
      if (snapshot) found.push(await inspectReclaim(workspace, snapshot, worktree, { idle, agents, signal }));
    }
    return found;
  });
}

function tellNothing(found: readonly Reclaimable[], days: number): void {
  const held = found.filter(({ bytes }) => bytes > 0).map(({ worktree }) => worktree.name);
  void window.showInformationMessage(
    held.length === 0
      ? l10n.t('There is no build output to delete: none was found in worktrees that nobody works in.')
      : l10n.t('Nothing to delete: {0} were in use within the last {1} days.', listed(held), days),
  );
}

/** All that are idle are chosen at first; those that are not are shown below, with why they stay. */
async function choose(
  title: string,
  found: readonly Reclaimable[],
  free: readonly Reclaimable[],
): Promise<readonly Reclaimable[]> {
  const items: ReclaimItem[] = free.map((each) => ({
    found: each,
    label: each.worktree.name,
    description: byteSizeWords(each.bytes),
    detail: each.folders.map(({ path, bytes }) => `${path} ${byteSizeWords(bytes)}`).join(', '),
    iconPath: new ThemeIcon('trash'),
  }));
  const others = found.filter((each) => !free.includes(each));
  const rest = others.map(({ worktree, inUse, bytes }): ReclaimItem => ({
    label: worktree.name,
    description: bytes > 0 ? byteSizeWords(bytes) : '',
    detail: inUse ? l10n.t('Stays: {0}', localized(inUse)) : l10n.t('No build output'),
    iconPath: new ThemeIcon('circle-slash'),
  }));
  const separator: ReclaimItem = { label: l10n.t('stay as they are'), kind: QuickPickItemKind.Separator };
  const pick = window.createQuickPick<ReclaimItem>();
  pick.canSelectMany = true;
  pick.matchOnDetail = true;
  pick.placeholder = l10n.t('Select the worktrees whose build output is deleted. It is built again, not brought back.');
  pick.items = rest.length > 0 ? [...items, separator, ...rest] : items;
  const showTotal = (): void => {
    const bytes = pick.selectedItems.reduce((sum, item) => sum + (item.found?.bytes ?? 0), 0);
    pick.title = l10n.t('{0}: {1}', title, byteSizeWords(bytes));
  };
  pick.selectedItems = items;
  showTotal();
  pick.onDidChangeSelection(showTotal);
  try {
    return await new Promise((resolve) => {
      pick.onDidAccept(() => resolve(pick.selectedItems.flatMap((item) => item.found ?? [])));
      pick.onDidHide(() => resolve([]));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

async function confirm(model: RepositoryModel, chosen: readonly Reclaimable[]): Promise<boolean> {
  const { commands } = await planSetup(await model.workspace());
  const sum = byteSizeWords(chosen.reduce((bytes, each) => bytes + each.bytes, 0));
  const lines = chosen.map(
    ({ worktree, folders }) =>
      `${worktree.name}: ${listed(
        folders.map(({ path }) => path),
        6,
      )}`,
  );
  const again =
    commands.length > 0
      ? l10n.t('It is made again by: {0}', commands.join('; '))
      : l10n.t('It is made again by a build.');
  const detail = [...lines, '', l10n.t('This cannot be undone.'), again].join('\n');
  const act = l10n.t('Delete');
  const only = chosen[0];
  const question =
    chosen.length === 1 && only
      ? l10n.t('Delete {0} of build output in {1}?', sum, only.worktree.name)
      : l10n.t('Delete {0} of build output in {1} worktrees?', sum, chosen.length);
  return (await window.showWarningMessage(question, { modal: true, detail }, act)) === act;
}

async function take(
  services: Services,
  model: RepositoryModel,
  chosen: readonly Reclaimable[],
  idle: number,
): Promise<Reclaimed[]> {
  const title = l10n.t('Deleting build output');
  const done: Reclaimed[] = [];
  await withProgress(title, (progress, signal) =>
    model.change(async (workspace) => {
      for (const shown of chosen) {
        try {
          const again = (): Promise<Reclaimable> => lookAgain(model, workspace, shown.worktree, { idle, signal });
          const deleteLater = (folder: string): void => {
            deleteTrash(workspace.git, folder).catch((thrown: unknown) => tellFailure(services, title, thrown));
          };
          done.push(await reclaim(workspace, shown, { again, deleteLater, progress, signal }));
        } catch (thrown) {
          if (signal.aborted) throw thrown;
          tellFailure(services, title, thrown);
        }
      }
    }),
  );
  tell(services, done);
  return done;
}

async function lookAgain(
  model: RepositoryModel,
  workspace: Workspace,
  worktree: Worktree,
  options: { readonly idle: number; readonly signal: AbortSignal },
): Promise<Reclaimable> {
  const now = await readSnapshot(workspace, { signal: options.signal, withChanges: false });
  const same = now.worktrees.find(({ path }) => path === worktree.path) ?? worktree;
  return inspectReclaim(workspace, now, same, { ...options, agents: await model.liveAgents(same) });
}

function tell({ log }: Services, done: readonly Reclaimed[]): void {
  for (const { worktree, folders } of done)
    for (const { path, bytes } of folders) log.info(`${worktree.name}: deleting ${path} (${byteSizeWords(bytes)})`);
  const sum = byteSizeWords(done.reduce((bytes, each) => bytes + each.bytes, 0));
  const stays = done.flatMap(({ worktree, kept }) =>
    kept.map(({ path, why }) => l10n.t('{0} of {1} stays: {2}.', path, worktree.name, localized(why))),
  );
  if (done.length > 0)
    void window.showInformationMessage([l10n.t('Deleting {0} of build output.', sum), ...stays].join(' '));
}
