import { ExtensionMode, l10n, window, workspace, type ExtensionContext } from 'vscode';
import { DisposableStore, type Disposable } from '../core/base/disposable.ts';
import { messageOf } from '../core/base/problem.ts';
import { Background } from './base/background.ts';
import { DecisionDocuments } from './views/decisionDocuments.ts';
import { registerCommands } from './commands/register.ts';
import { StopNotices } from './conflicts/stopNotices.ts';
import { StopStatus } from './conflicts/stopStatus.ts';
import { ContextKeys } from './base/contextKeys.ts';
import { BaseFiles, baseScheme } from './repository/baseFiles.ts';
import { PullRequestService } from './github/pullRequests.ts';
import { logTo } from './base/log.ts';
import { Repositories } from './repository/repositories.ts';
import type { Services } from './services/services.ts';
import { SavedChoices } from './sessionMerge/savedChoices.ts';
import { SessionMergeEditors } from './sessionMerge/provider.ts';
import { StatusBar } from './views/statusBar.ts';
import { TaskBoards } from './repository/taskState.ts';
import type { TestHandle } from './testHandle.ts';
import { TasksView } from './views/tasksView.ts';
import { savedMode } from './views/viewMode.ts';
import { WaitingIndicators } from './views/waitingIndicators.ts';
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
    void watchAgents(services, store);
    void watchModels(services, store);
    return context.extensionMode === ExtensionMode.Test ? services : undefined;
  } catch (thrown) {
    // VS Code itself only writes this to a log.
    void window.showErrorMessage(l10n.t('Worktree Stacks could not start: {0}', messageOf(thrown)));
    throw thrown;
  }
}

/** Waits for background work, such as the deletion of trash. The next start finishes what is cut off. */
export function deactivate(): Promise<void> {
  return background.settled();
}

function compose(context: ExtensionContext, store: DisposableStore): Services & TestHandle {
  const channel = store.add(window.createOutputChannel('Worktree Stacks', { log: true }));
  const log = logTo(channel);
  const keys = new ContextKeys();
  const repositories = store.add(new Repositories(log, keys));
  const pullRequests = store.add(
    new PullRequestService(context, repositories, log, (model, news) => {
      void import('./commands/notifyPullRequestChanges.ts').then(({ notifyPullRequestChanges }) =>
        notifyPullRequestChanges(services, model, news),
      );
    }),
  );
  background.atEnd(() => pullRequests.settled());
  const view = store.add(new WorktreesView(repositories, { log, keys }, savedMode(context), context.workspaceState));
  const tasks = store.add(new TasksView(repositories, store.add(new TaskBoards(repositories, log, keys))));
  const stops = store.add(new StopNotices(repositories, view, log));
  const stopStatus = store.add(new StopStatus(repositories));
  const statusBar = store.add(new StatusBar(repositories));
  const waiting = store.add(new WaitingIndicators(repositories, view, keys));
  store.add(tellWhetherClaudeIsLed(repositories, keys));
  const kept = new SavedChoices(context.workspaceState);
  const sessionMerge = store.add(new SessionMergeEditors(kept, (): Services => services));
  const services: Services & TestHandle = {
    context,
    channel,
    log,
    keys,
    repositories,
    pullRequests,
    view,
    stops,
    tasks,
    background,
    sessionMerge,
    statusBar: statusBar.item,
    stopStatus: stopStatus.item,
    waitingItem: waiting.item,
  };
  store.add(registerCommands(services));
  store.add(new DecisionDocuments(repositories));
  store.add(workspace.registerFileSystemProvider(baseScheme, new BaseFiles(repositories), { isReadonly: true }));
  return services;
}

/** The state of each repository says whether there is a plugin that leads sessions of Claude Code. */
function tellWhetherClaudeIsLed(repositories: Repositories, keys: ContextKeys): Disposable {
  const claudeKey = 'worktreeStacks.claudePlugin';
  const tell = (): void => {
    const leadsClaude = keys.get(claudeKey) === 'installed';
    for (const model of repositories.models) model.update({ kind: 'leadsClaude', leadsClaude });
  };
  const subscriptions = [repositories.onDidChange(tell), keys.onDidChange((key) => key === claudeKey && tell())];
  return {
    dispose: () => {
      for (const each of subscriptions) each.dispose();
    },
  };
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

async function watchAgents(services: Services, store: DisposableStore): Promise<void> {
  await services.repositories.started;
  const [{ watchReviews }, { watchAgentNotices }] = await Promise.all([
    import('./reviews.ts'),
    import('./agentNotices.ts'),
  ]);
  store.add(watchReviews(services));
  store.add(watchAgentNotices(services));
}

async function watchModels({ keys, repositories }: Services, store: DisposableStore): Promise<void> {
  await repositories.started;
  const models = await import('./base/languageModel.ts');
  store.add(models.watchModels((hasOne) => keys.set('worktreeStacks.hasModel', hasOne)));
}

/** After everything else: nothing of it is waited for. */
async function offerPlugin({ context, log, keys, repositories }: Services, store: DisposableStore): Promise<void> {
  await repositories.started;
  const { watchPlugin } = await import('./claude/pluginState.ts');
  store.add(watchPlugin(context, log, keys));
}
