import { access } from 'node:fs/promises';
import { EventEmitter } from 'vscode';
import { DisposableStore, type Disposable } from '../core/base/disposable.ts';
import type { Environment } from '../core/base/environment.ts';
import { asProblem } from '../core/base/systemFailure.ts';
import { messageOf, type Problem } from '../core/base/problem.ts';
import { throttle } from '../core/base/throttle.ts';
import type { SessionLister } from '../core/claude/claudeSessions.ts';
import type { LiveAgent } from '../core/claude/liveAgents.ts';
import type { Git } from '../core/git/git.ts';
import { defaultConfiguration, readConfiguration, type Configuration } from '../core/repository/configuration.ts';
import type { Repository } from '../core/repository/identity.ts';
import type { PredictedConflict } from '../core/stack/predict.ts';
import { byActivity } from '../core/snapshot/facts.ts';
import { holderOf } from '../core/worktree/find.ts';
import { mendInterrupted } from '../core/recovery/recover.ts';
import type { Snapshot, Worktree } from '../core/worktree/model.ts';
import { readSnapshot, type SnapshotSources } from '../core/snapshot/snapshot.ts';
import { SnapshotCache } from '../core/snapshot/snapshotCache.ts';
import { stuckTrash } from '../core/remove/stuckTrash.ts';
import type { Workspace } from '../core/worktree/workspace.ts';
import { AgentWatch, type Agents } from './claude/agentWatch.ts';
import { debounce, type Debounced } from './debounce.ts';
import { MoveFollower } from './git/followMoves.ts';
import { besides, readStacks, stackStateOf } from './git/readStacks.ts';
import { RepositoryWatch } from './git/watch.ts';
import { nothingKnown, type PullRequestsKnown } from './github/known.ts';
import type { StackFacts } from './stackState.ts';
import { openFolders } from './uris.ts';

/** Milliseconds without a further change before a new snapshot is read, and after which it is read in any case. */
const quiet = 150;
const longestWait = 1000;
/** Milliseconds after which a window that gets the focus looks again, in case a watcher missed something. */
const staleAfter = 10_000;

/** What is known of one repository at one moment. Never changes. */
export interface RepositoryState {
  readonly snapshot: Snapshot;
  /** Every working tree, in the order in which people want to see them. */
  readonly worktrees: readonly Worktree[];
  /** The paths of those that this window has open, its first folder's first. */
  readonly here: readonly string[];
  /** What agents do, by the name of the worktree. */
  readonly agents: Agents;
  /** What stands on what; `undefined` while that is not known. */
  readonly stacks: StackFacts | undefined;
  /** Conflicts that would come, as they were worked out last; see predictions.ts. */
  readonly predicted: readonly PredictedConflict[];
  /** What is known of pull requests. */
  readonly pullRequests: PullRequestsKnown;
  /** What could not be read. */
  readonly problems: readonly Problem[];
}

/** One repository of this window: the latest snapshot of it, renewed when something changes. */
export class RepositoryModel implements Disposable {
  readonly repository: Repository;
  readonly #store = new DisposableStore();
  readonly #moves = new MoveFollower();
  readonly #changed = new EventEmitter<void>();
  readonly #cancel = new AbortController();
  readonly #environment: Environment;
  readonly #git: Git;
  readonly #cache = new SnapshotCache();
  readonly #stackDistances = besides(this.#cache);
  readonly #watch: RepositoryWatch;
  readonly #soon: Debounced;
  readonly #agents: AgentWatch;
  #configuration: Configuration = defaultConfiguration;
  #state: RepositoryState | undefined;
  #problem: Problem | undefined;
  #read = 0;
  /** The next snapshot is not to be built on what is known of the list. */
  #afresh = true;

  /** @param lister asks Claude Code which of its sessions run. */
  constructor(environment: Environment, git: Git, repository: Repository, lister: SessionLister) {
    this.repository = repository;
    this.#environment = environment;
    this.#git = git;
    this.#soon = this.#store.add(debounce(() => void this.#readOn(), quiet, longestWait));
    this.#agents = this.#store.add(
      new AgentWatch(environment, repository.commonDir, lister, (agents) => this.#showAgents(agents)),
    );
    this.#watch = this.#store.add(
      new RepositoryWatch(
        repository,
        this.#cache,
        () => this.#soon(),
        () => this.#agents.soon(),
      ),
    );
    this.#store.add(this.#changed);
    this.#store.add({ dispose: () => this.#cancel.abort() });
  }

  /** Fires when {@link state} or {@link problem} is another one than before. */
  get onDidChange(): EventEmitter<void>['event'] {
    return this.#changed.event;
  }

  /** What is known; `undefined` until it was read for the first time. */
  get state(): RepositoryState | undefined {
    return this.#state;
  }

  /** Why the last reading failed, when it did; {@link state} is then what was known before. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** Mends what killed operations left, then reads for the first time. */
  async open(): Promise<void> {
    const problems = await mendInterrupted(this.#cachedWorkspace()).catch((thrown: unknown) => [asProblem(thrown)]);
    for (const problem of problems) this.#environment.log.warn(problem.message);
    await this.refresh();
  }

  /** Reads a new snapshot with what the watchers have said since the last one. */
  readonly #readOn: () => Promise<void> = throttle(() => this.#refresh());

  /**
   * Reads a new snapshot, now, also of what no watcher has had the time to tell, such as what an operation has just done.
   * Never rejects: what went wrong is in {@link problem}.
   */
  async refresh(): Promise<void> {
    this.#afresh = true;
    await this.#readOn();
  }

  /**
   * Reads everything anew, whatever the watchers said.
   *
   * @param since when a person asked for it: what Claude Code said before that does not count.
   */
  async reread(since?: Date): Promise<void> {
    this.#cache.invalidate();
    this.#agents.ask(since);
    await this.refresh();
  }

  /** Reads everything anew if the last snapshot is old. */
  rereadIfStale(): void {
    if (performance.now() - this.#read > staleAfter) void this.reread();
  }

  /**
   * What operations on the repository work with.
   *
   * @throws Problem `unreadable-file` when the team's configuration cannot be read: nothing is changed on a guess.
   */
  async workspace(): Promise<Workspace> {
    this.#configuration = await readConfiguration(this.repository.mainRoot);
    return this.#cachedWorkspace();
  }

  /** Runs an operation that changes the repository, and shows what it did, also when it failed half-way. */
  async change<T>(operation: (workspace: Workspace) => Promise<T>): Promise<T> {
    const workspace = await this.workspace();
    try {
      return await operation(workspace);
    } finally {
      await this.refresh();
    }
  }

  /** Shows the conflicts that would come. */
  setPredicted(predicted: readonly PredictedConflict[]): void {
    if (!this.#state || this.#cancel.signal.aborted) return;
    if (JSON.stringify(predicted) === JSON.stringify(this.#state.predicted)) return;
    this.#state = { ...this.#state, predicted };
    this.#changed.fire();
  }

  /** The agents that live in a worktree, as well as can be known now. */
  liveAgents(worktree: Worktree): Promise<LiveAgent[]> {
    return this.#agents.living(worktree);
  }

  /** Shows what has become known of pull requests. */
  showPullRequests(known: Partial<PullRequestsKnown>): void {
    if (!this.#state || this.#cancel.signal.aborted) return;
    this.#state = { ...this.#state, pullRequests: { ...this.#state.pullRequests, ...known } };
    this.#changed.fire();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #cachedWorkspace(): Workspace {
    return {
      environment: this.#environment,
      git: this.#git,
      repository: this.repository,
      configuration: this.#configuration,
    };
  }

  async #refresh(): Promise<void> {
    const signal = this.#cancel.signal;
    if (signal.aborted) return;
    const unreadable: Problem[] = [];
    const afresh = this.#afresh;
    this.#afresh = false;
    try {
      const workspace = await this.workspace().catch((thrown: unknown) => {
        unreadable.push(asProblem(thrown));
        return this.#cachedWorkspace();
      });
      let sources: SnapshotSources | undefined;
      let listedShown: Promise<void> | undefined;
      const show = async (snapshot: Snapshot): Promise<void> =>
        this.#show(snapshot, unreadable, await this.#stacksOf(workspace, snapshot, sources));
      const onListed = (listed: Snapshot): void => {
        listedShown = show(listed);
        // It is awaited below; when the rest fails before, its own failure is nobody's concern.
        listedShown.catch(() => undefined);
      };
      const snapshot = await readSnapshot(workspace, {
        signal,
        cache: this.#cache,
        afresh,
        onSources: (read) => (sources = read),
        // Only at first: later the known facts stay until the new ones are complete.
        ...(this.#state ? {} : { onListed }),
      });
      await listedShown;
      await show(snapshot);
      await this.#moves.follow(workspace, snapshot, sources?.branches.local);
    } catch (thrown) {
      if (signal.aborted) return;
      this.#afresh = true;
      this.#problem = asProblem(thrown);
      this.#environment.log.error(`${this.repository.mainRoot} could not be read: ${messageOf(thrown)}`);
      this.#changed.fire();
    }
  }

  async #stacksOf(
    workspace: Workspace,
    snapshot: Snapshot,
    sources: SnapshotSources | undefined,
  ): Promise<StackFacts | undefined> {
    const state = sources && stackStateOf(workspace, snapshot, sources);
    if (!state) return undefined;
    return readStacks(workspace, state, { signal: this.#cancel.signal, cache: this.#stackDistances });
  }

  async #show(snapshot: Snapshot, unreadable: readonly Problem[], stacks: StackFacts | undefined): Promise<void> {
    // A folder that was deleted under the window is in no worktree, although one may lie around it.
    const isThere = (folder: string): Promise<boolean> =>
      access(folder).then(
        () => true,
        () => false,
      );
    const holders = await Promise.all(
      openFolders().map(async (folder) => ((await isThere(folder)) ? holderOf(snapshot, folder) : undefined)),
    );
    if (this.#cancel.signal.aborted) return;
    const worktrees = byActivity(snapshot.worktrees.filter((each) => !each.bare));
    const here = holders.flatMap((each) => (each ? [each.path] : []));
    const problems = [...unreadable, ...snapshot.problems, ...(await stuckTrash(this.repository))];
    const told = new Set(this.#state?.problems.map((each) => each.message));
    for (const { message } of problems) if (!told.has(message)) this.#environment.log.warn(message);
    this.#state = {
      snapshot,
      worktrees,
      here: [...new Set(here)],
      agents: this.#agents.agents,
      stacks,
      predicted: this.#state?.predicted ?? [],
      pullRequests: this.#state?.pullRequests ?? nothingKnown,
      problems,
    };
    this.#problem = undefined;
    this.#read = performance.now();
    this.#watch.setTrees(worktrees.filter((each) => each.condition === 'fine').map((each) => each.path));
    this.#changed.fire();
    this.#agents.setWorktrees(worktrees);
  }

  #showAgents(agents: Agents): void {
    if (!this.#state || this.#cancel.signal.aborted) return;
    this.#state = { ...this.#state, agents };
    this.#changed.fire();
  }
}
