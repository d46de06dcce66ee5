import { ExtensionMode, l10n, window, workspace, type ExtensionContext } from 'vscode';
import { DisposableStore } from '../core/base/disposable.ts';
import { messageOf } from '../core/base/problem.ts';
import { Background } from './background.ts';
import { DecisionDocuments } from './claude/decisionDocuments.ts';
import { registerCommands } from './commands/register.ts';
import { ContextKeys } from './contextKeys.ts';
import { BaseFiles, baseScheme } from './git/baseFiles.ts';
import { PullRequests } from './github/pullRequests.ts';
import { logTo } from './log.ts';
import { Repositories } from './repositories.ts';
import type { Services } from './services.ts';
import { KeptChoices } from './sessionMerge/keptChoices.ts';
import { SessionMergeEditors } from './sessionMerge/provider.ts';
import { StatusBar } from './statusBar.ts';
import { TaskBoards } from './taskState.ts';
import type { TestHandle } from './testHandle.ts';
import { TasksView } from './views/tasksView.ts';
import { keptMode } from './views/viewMode.ts';
import { WorktreesView } from './views/worktreesView.ts';

const background = new Background();

/**
 * How long the first look at the repositories waits for the start of the editor and its other extensions to be over, in milliseconds,
 * unless a view is shown or a command is used before.
 */
const quiet = 1000;

/**
 * Starts the extension: composes what is always there, which is little, and lets it look for repositories when that is needed, or a moment
 * later. Whatever runs git, or is needed by a command only, is loaded when it is used (docs/extension.md).
 */
export function activate(context: ExtensionContext): TestHandle | undefined {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  try {
    const services = compose(context, store);
    const soon = setTimeout(() => {
      void services.repositories.start();
      void addToTerminalPath(services, store);
    }, quiet);
    store.add({ dispose: () => clearTimeout(soon) });
    services.view.showBusy(services.repositories.started);
    void offerPlugin(services, store);
    void watchSessionConflicts(services, store);
    void watchConflictsToCome(services, store);
    return context.extensionMode === ExtensionMode.Test ? services : undefined;
  } catch (thrown) {
    // VS Code itself only writes this to a log that nobody reads.
    void window.showErrorMessage(l10n.t('Worktree Stacks could not start: {0}', messageOf(thrown)));
    throw thrown;
  }
}

/** Waits for what runs in the background, such as the deletion of a worktree that was put aside; what is cut off is done by the next start. */
export function deactivate(): Promise<void> {
  return background.settled();
}

function compose(context: ExtensionContext, store: DisposableStore): Services & TestHandle {
  const channel = store.add(window.createOutputChannel('Worktree Stacks', { log: true }));
  const log = logTo(channel);
  const keys = new ContextKeys();
  const repositories = store.add(new Repositories(log, keys));
  const pullRequests = store.add(
    new PullRequests(context, repositories, log, (model, news) => {
      void import('./github/tellNews.ts').then(({ tellNews }) => tellNews(services, model, news));
    }),
  );
  background.atEnd(() => pullRequests.settled());
  const view = store.add(new WorktreesView(repositories, log, keptMode(context, keys), context.workspaceState));
  const tasks = store.add(new TasksView(repositories, store.add(new TaskBoards(repositories, log, keys))));
  const statusBar = store.add(new StatusBar(repositories));
  const kept = new KeptChoices(context.workspaceState);
  const sessionMerge = store.add(new SessionMergeEditors(kept, (): Services => services));
  const services: Services & TestHandle = {
    context,
    channel,
    log,
    keys,
    repositories,
    pullRequests,
    view,
    tasks,
    background,
    sessionMerge,
    statusBar: statusBar.item,
  };
  store.add(registerCommands(services));
  store.add(new DecisionDocuments(repositories));
  store.add(workspace.registerFileSystemProvider(baseScheme, new BaseFiles(repositories), { isReadonly: true }));
  return services;
}

async function addToTerminalPath({ context, log }: Services, store: DisposableStore): Promise<void> {
  const { addToTerminalPath: add, concernsTerminalPath } = await import('./terminalPath.ts');
  const apply = (): Promise<void> =>
    add(context, log).catch((thrown: unknown) =>
      log.warn(`wt could not be put on the path of terminals: ${messageOf(thrown)}`),
    );
  store.add(workspace.onDidChangeConfiguration((event) => concernsTerminalPath(event) && void apply()));
  await apply();
}

async function watchSessionConflicts(services: Services, store: DisposableStore): Promise<void> {
  await services.repositories.started;
  const { watchConflicts } = await import('./sessionMerge/watchConflicts.ts');
  store.add(watchConflicts(services));
}

async function watchConflictsToCome(services: Services, store: DisposableStore): Promise<void> {
  await services.repositories.started;
  const { watchPredictions } = await import('./predictions.ts');
  store.add(watchPredictions(services));
}

/** After everything else: nothing of it is waited for. */
async function offerPlugin({ context, log, keys, repositories }: Services, store: DisposableStore): Promise<void> {
  await repositories.started;
  const { watchPlugin } = await import('./claude/pluginState.ts');
  store.add(watchPlugin(context, log, keys));
}
