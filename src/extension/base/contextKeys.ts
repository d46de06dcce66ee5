import { commands, type Uri } from 'vscode';
import type { Disposable } from '../../core/base/disposable.ts';

/** What there is to show in this window, or why there is nothing. Each value has its welcome content in the manifest. */
export type WindowState =
  /** Not known yet. */
  | 'starting'
  /** Nobody has trusted the folder: nothing of the repository is run or read. */
  | 'untrusted'
  | 'noFolder'
  | 'noGit'
  | 'oldGit'
  | 'noRepository'
  /** Git refuses the repository because it belongs to another user. */
  | 'unsafe'
  /** There is one, but it cannot be read. */
  | 'failed'
  | 'ready';

/** The context keys that `when` clauses of the manifest read. */
interface Values {
  'worktreeStacks.state': WindowState;
  /** There is a linked worktree. */
  'worktreeStacks.hasWorktrees': boolean;
  /** Something of a repository cannot be read as it should be. */
  'worktreeStacks.hasProblems': boolean;
  /** A worktree is based on another one. */
  'worktreeStacks.hasStack': boolean;
  /** A state file names an active worktree. */
  'worktreeStacks.hasActive': boolean;
  /** A merge of ours is in progress in a worktree; one that was begun with git. */
  'worktreeStacks.isMerging': boolean;
  'worktreeStacks.isGitMerging': boolean;
  /** A rebase of any kind is in progress, or a restack waits; what git alone begins. */
  'worktreeStacks.isRebasing': boolean;
  'worktreeStacks.isCherryPicking': boolean;
  'worktreeStacks.isReverting': boolean;
  'worktreeStacks.isApplyingPatches': boolean;
  /** A restack has stopped for a person. */
  'worktreeStacks.isRestacking': boolean;
  /** An agent waits for a person. */
  'worktreeStacks.hasWaitingAgents': boolean;
  /** Branches of a stack need a restack, and none has stopped. */
  'worktreeStacks.needsRestack': boolean;
  /** An operation on stacks can be undone, or redone. */
  'worktreeStacks.canUndo': boolean;
  'worktreeStacks.canRedo': boolean;
  /** VS Code has a language model, which could write a text. */
  'worktreeStacks.hasModel': boolean;
  /** The team has configured addresses of what runs in worktrees. */
  'worktreeStacks.hasUrls': boolean;
  /** A worktree has a pull request that is recorded; this window watches one. */
  'worktreeStacks.hasPullRequests': boolean;
  'worktreeStacks.isWatching': boolean;
  'worktreeStacks.viewMode': 'list' | 'stack';
  /** What the Worktrees view is narrowed down to; empty when it shows all. */
  'worktreeStacks.filter': string;
  /** What there is in the session files of the repositories. */
  'worktreeStacks.tasks': 'starting' | 'noFile' | 'noTasks' | 'unreadable' | 'some';
  /** Whether Claude Code has our plugin; not known in a folder that is not trusted. */
  'worktreeStacks.claudePlugin': 'noClaude' | 'missing' | 'installed';
  /** A restack, a removal is in the log of operations, undone or not; an agent, a task is in a worktree; a session merge was accepted here. */
  'worktreeStacks.hasRestacked': boolean;
  'worktreeStacks.hasRemoved': boolean;
  'worktreeStacks.hasAgents': boolean;
  'worktreeStacks.hasTaskInWorktree': boolean;
  'worktreeStacks.hasAcceptedMerge': boolean;
  /** A session file is in conflict in some worktree. */
  'worktreeStacks.hasSessionConflict': boolean;
}

/**
 * What completes a step of the walkthrough, by the step's id. VS Code ticks a step when its key `worktreeStacks.done.<id>` becomes true; the view
 * of the worktrees completes the step `see` by being opened.
 */
const steps: Readonly<Record<string, keyof Values>> = {
  create: 'worktreeStacks.hasWorktrees',
  tasks: 'worktreeStacks.hasTaskInWorktree',
  agents: 'worktreeStacks.hasAgents',
  stack: 'worktreeStacks.hasStack',
  restack: 'worktreeStacks.hasRestacked',
  merge: 'worktreeStacks.hasAcceptedMerge',
  share: 'worktreeStacks.hasPullRequests',
  remove: 'worktreeStacks.hasRemoved',
};

/** Sets the context keys; nothing else does. Sends changes only. */
export class ContextKeys {
  readonly #values = new Map<keyof Values, Values[keyof Values]>();
  #sessionConflicts = '';
  readonly #listeners = new Set<(key: keyof Values) => void>();

  set<Key extends keyof Values>(key: Key, value: Values[Key]): void {
    if (this.#values.get(key) === value) return;
    this.#values.set(key, value);
    for (const listener of this.#listeners) listener(key);
    void commands.executeCommand('setContext', key, value);
    if (value === true) for (const id of stepsOf(key)) void commands.executeCommand('setContext', doneKey(id), true);
  }

  /**
   * Ticks the steps of the walkthrough that are completed already: VS Code does not look at what became true before it knew the
   * walkthrough, so each becomes true once more.
   */
  async tickSteps(): Promise<void> {
    for (const [id, key] of Object.entries(steps)) {
      if (this.#values.get(key) !== true) continue;
      await commands.executeCommand('setContext', doneKey(id), false);
      await commands.executeCommand('setContext', doneKey(id), true);
    }
  }

  /** The session files in conflict, for `resource in worktreeStacks.sessionConflicts`. */
  setSessionConflicts(files: readonly Uri[]): void {
    this.set('worktreeStacks.hasSessionConflict', files.length > 0);
    const now = files.join('\n');
    if (now === this.#sessionConflicts) return;
    this.#sessionConflicts = now;
    void commands.executeCommand('setContext', 'worktreeStacks.sessionConflicts', files);
  }

  /** The texts of pull requests that are open to be edited, for `resource in worktreeStacks.pullRequestTexts`. */
  setPullRequestTexts(texts: readonly Uri[]): void {
    void commands.executeCommand('setContext', 'worktreeStacks.pullRequestTexts', texts);
  }

  /** Calls a function whenever a key has another value. */
  onDidChange(listener: (key: keyof Values) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** What was set last. */
  get<Key extends keyof Values>(key: Key): Values[Key] | undefined {
    return this.#values.get(key) as Values[Key] | undefined;
  }
}

const doneKey = (id: string): string => `worktreeStacks.done.${id}`;

function stepsOf(key: keyof Values): string[] {
  return Object.keys(steps).filter((id) => steps[id] === key);
}
