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
import { makeActive } from './switchActive.ts';
import { readyModels, targetItem, type WorktreeTarget } from '../services/resolveTarget.ts';
import { isHere } from '../views/rowFacts.ts';

interface Row extends QuickPickItem, Partial<WorktreeTarget> {}

/** All worktrees in a pick, with the same facts as in the tree: Enter makes one the active one, its buttons open it. */
export async function showWorktrees(services: Services): Promise<void> {
  const models = await readyModels(services);
  const inNewWindow: QuickInputButton = {
    iconPath: new ThemeIcon('empty-window'),
    tooltip: l10n.t('Open in New Window'),
  };
  const inThisWindow: QuickInputButton = { iconPath: new ThemeIcon('window'), tooltip: l10n.t('Open in This Window') };
  const inTerminal: QuickInputButton = { iconPath: new ThemeIcon('terminal'), tooltip: l10n.t('Open in Terminal') };
  const rows: Row[] = models.flatMap((model) =>
    (model.state?.worktrees ?? []).map((worktree) => ({
      ...targetItem(model, worktree, models.length > 1),
      buttons:
        worktree.condition === 'fine'
          ? [...(isHere(model.state, worktree) ? [] : [inThisWindow, inNewWindow]), inTerminal]
          : [],
    })),
  );
  const create: Row = { label: l10n.t('Create Worktree…'), iconPath: new ThemeIcon('add') };
  const items: Row[] = [...rows, { label: '', kind: QuickPickItemKind.Separator }, create];

  const pick = window.createQuickPick<Row>();
  pick.title = l10n.t('Worktrees');
  pick.placeholder = l10n.t('Make a worktree the active one, or open it with its buttons');
  pick.matchOnDescription = true;
  pick.items = items;
  const active = rows.find(({ worktree }) => worktree?.active);
  if (active) pick.activeItems = [active];

  const store = new DisposableStore();
  store.add(pick);
  try {
    const act = await new Promise<(() => Promise<unknown>) | undefined>((resolve) => {
      store.add(pick.onDidHide(() => resolve(undefined)));
      store.add(
        pick.onDidAccept(() => {
          const [row] = pick.activeItems;
          if (row === create) resolve(async () => commands.executeCommand('worktreeStacks.create'));
          else if (row?.model && row.worktree) resolve(acceptOf({ model: row.model, worktree: row.worktree }));
        }),
      );
      store.add(
        pick.onDidTriggerItemButton(({ button, item: { worktree } }) => {
          if (!worktree) return;
          if (button === inTerminal) resolve(async () => openTerminal(worktree));
          else resolve(() => openFolder(worktree, button === inNewWindow));
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

/** The active one is where it should be already: then the row leads to it. */
function acceptOf(target: WorktreeTarget): () => Promise<unknown> {
  const { model, worktree } = target;
  if (!worktree.active) return () => makeActive(target);
  return isHere(model.state, worktree) ? async () => undefined : () => openFolder(worktree, true);
}
