import {
  QuickPickItemKind,
  ThemeIcon,
  commands,
  l10n,
  window,
  type QuickInputButton,
  type QuickPickItem,
} from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import type { Services } from '../services/services.ts';
import { openTerminal } from './openInTerminal.ts';
import { openFolder } from './openWorktree.ts';
import { opensInNewWindow } from './rows.ts';
import { makeActive } from './switchActive.ts';
import { readyModels, targetItem, type WorktreeTarget } from '../services/resolveTarget.ts';
import { isHere } from '../views/rowFacts.ts';

interface Row extends QuickPickItem, Partial<WorktreeTarget> {}

/** All worktrees in a pick, with the same facts as in the tree: Enter opens one, its buttons do what else can be done with it. */
export async function showWorktrees(services: Services): Promise<void> {
  const models = await readyModels(services);
  const newWindow = opensInNewWindow();
  const leadsClaude = services.keys.get('worktreeStacks.claudePlugin') === 'installed';
  // The other way than Enter.
  const other: QuickInputButton = newWindow
    ? { iconPath: new ThemeIcon('window'), tooltip: l10n.t('Open in This Window') }
    : { iconPath: new ThemeIcon('empty-window'), tooltip: l10n.t('Open in New Window') };
  const activate: QuickInputButton = {
    iconPath: new ThemeIcon('target'),
    tooltip: l10n.t("Set as Claude's Worktree"),
  };
  const inTerminal: QuickInputButton = { iconPath: new ThemeIcon('terminal'), tooltip: l10n.t('Open in Terminal') };
  const rows: Row[] = models.flatMap((model) =>
    (model.state?.worktrees ?? []).map((worktree) => ({
      ...targetItem(model, worktree, models.length > 1),
      buttons:
        worktree.condition === 'fine'
          ? [
              ...(isHere(model.state, worktree) ? [] : [other]),
              inTerminal,
              ...(worktree.active || !leadsClaude ? [] : [activate]),
            ]
          : [],
    })),
  );
  const create: Row = { label: l10n.t('Create Worktree…'), iconPath: new ThemeIcon('add') };
  const items: Row[] = [...rows, { label: '', kind: QuickPickItemKind.Separator }, create];

  const pick = window.createQuickPick<Row>();
  pick.title = l10n.t('Worktrees');
  pick.placeholder = newWindow
    ? l10n.t('Select a worktree to open in a new window')
    : l10n.t('Select a worktree to open in this window');
  pick.matchOnDescription = true;
  pick.items = items;
  // What this window shows need not be opened.
  const first = rows.find(({ model, worktree }) => worktree && !isHere(model?.state, worktree));
  if (first) pick.activeItems = [first];

  const store = new DisposableStore();
  store.add(pick);
  try {
    const act = await new Promise<(() => Promise<unknown>) | undefined>((resolve) => {
      store.add(pick.onDidHide(() => resolve(undefined)));
      store.add(
        pick.onDidAccept(() => {
          const [row] = pick.activeItems;
          if (row === create) resolve(async () => commands.executeCommand('worktreeStacks.create'));
          else if (row?.model && row.worktree)
            resolve(acceptOf(services, { model: row.model, worktree: row.worktree }, newWindow));
        }),
      );
      store.add(
        pick.onDidTriggerItemButton(({ button, item: { model, worktree } }) => {
          if (!worktree || !model) return;
          if (button === inTerminal) resolve(() => openTerminal(model, worktree));
          else if (button === activate) resolve(() => makeActive(services, { model, worktree }));
          else resolve(() => openFolder(services, { model, worktree }, !newWindow));
        }),
      );
      pick.show();
    });
    pick.hide();
    await act?.();
  } finally {
    store.dispose();
  }
}

/** What this window shows already has nowhere to be opened. */
function acceptOf(services: Services, { model, worktree }: WorktreeTarget, newWindow: boolean): () => Promise<unknown> {
  return isHere(model.state, worktree)
    ? async () => undefined
    : () => openFolder(services, { model, worktree }, newWindow);
}
