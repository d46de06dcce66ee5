import { access } from 'node:fs/promises';
import { EventEmitter } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import type { Environment } from '../../core/base/environment.ts';
import { asProblem } from '../../core/base/systemFailure.ts';
import { messageOf, type Problem } from '../../core/base/problem.ts';
import { throttle } from '../../core/base/throttle.ts';
import type { SessionLister } from '../../core/claude/claudeSessions.ts';
import type { LiveAgent } from '../../core/claude/liveAgents.ts';
import type { Git } from '../../core/git/git.ts';
import { defaultConfiguration, readConfiguration, type Configuration } from '../../core/repository/configuration.ts';
import type { Repository } from '../../core/repository/identity.ts';
import { finishedBy, withAutoCleanup } from '../../core/lifecycle/autoCleanup.ts';
import { byActivity } from '../../core/snapshot/facts.ts';
import { holderOf } from '../../core/worktree/find.ts';
import { recoverInterrupted } from '../../core/recovery/recover.ts';
import type { Snapshot, Worktree } from '../../core/worktree/model.ts';
import { manyTrees, readSnapshot, type SnapshotSources } from '../../core/snapshot/snapshot.ts';
import { SnapshotCache } from '../../core/snapshot/snapshotCache.ts';
import { stuckTrash } from '../../core/trash/stuckTrash.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { AgentWatch } from '../claude/agentWatch.ts';
import { debounce, type Debounced } from '../base/debounce.ts';
import { Lull } from '../base/lull.ts';
import { MoveFollower } from '../git/followMoves.ts';
import { besides, readStacks, stackStateOf } from './readStacks.ts';
import { SharingReader } from './readSharing.ts';
import { RepositoryWatch } from '../git/watch.ts';
import { readAllUnderWay } from './underWay.ts';
import type { FileChange } from '../git/watchFilter.ts';
import {
  nothingKnown,
  stateAfter,
  type RepositoryState,
  type StackFacts,
  type StateChange,
} from './repositoryState.ts';
import { openFolders } from '../base/uris.ts';

/** Milliseconds without a further change before a new snapshot is read, and after which it is read in any case. */
const quiet = 150;
const longestWait = 1000;
/** The same for a look at all worktrees, where there are many and only those that a watcher spoke of are looked at at once. */
const [wholeQuiet, wholeLongestWait] = [1000, 3000];
/** Milliseconds after which a window that gets the focus rereads everything, in case a watcher missed something. */
const staleAfter = 10_000;

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
  readonly #sharing = new SharingReader();
  readonly #rowsAsked = new Lull();
  readonly #stackDistances = besides(this.#cache);
  readonly #watch: RepositoryWatch;
  readonly #soon: Debounced;
  readonly #wholeSoon: Debounced;
  readonly #agents: AgentWatch;
  #configuration: Configuration = defaultConfiguration;
  #state = nothingKnown;
  #read = 0;
  /** How many operations of this window are changing the repository. */
  #changing = 0;
  /** The next snapshot must not use the cached list. */
  #afresh = true;
  /** The next snapshot need only look where a watcher spoke of a change. */
  #near = true;

  /** @param lister asks Claude Code which of its sessions run. */
  constructor(environment: Environment, git: Git, repository: Repository, lister: SessionLister) {
    this.repository = repository;
    this.#environment = environment;
    this.#git = git;
    this.#soon = this.#store.add(debounce(() => void this.#readOn(), quiet, longestWait));
    const readWhole = (): void => {
      this.#near = false;
      void this.#readOn();
    };
    this.#wholeSoon = this.#store.add(debounce(readWhole, wholeQuiet, wholeLongestWait));
    this.#agents = this.#store.add(
      new AgentWatch(environment, repository.commonDir, lister, (agents) => this.update({ kind: 'agents', agents })),
    );
    this.#watch = this.#store.add(
      new RepositoryWatch(repository, {
        changed: (change) => this.#onFileChange(change),
        relied: (worktree) => this.#cache.watch(worktree),
      }),
    );
    this.#store.add(this.#changed);
    this.#store.add({ dispose: () => this.#cancel.abort() });
  }

  /** Fires when {@link state} or {@link problem} is another one than before. */
  get onDidChange(): EventEmitter<void>['event'] {
    return this.#changed.event;
  }

  /** The latest state; `undefined` until the first reading. */
  get state(): RepositoryState | undefined {
    return this.#state.known;
  }

  /** Why the last reading failed, if it did; {@link state} is then the one before. */
  get problem(): Problem | undefined {
    return this.#state.problem;
  }

  /** Recovers interrupted operations, then reads for the first time. */
  async open(): Promise<void> {
    const problems = await recoverInterrupted(this.#cachedWorkspace()).catch((thrown: unknown) => [asProblem(thrown)]);
    for (const problem of problems) this.#environment.log.warn(problem.message);
    await this.refresh();
  }

  /** Reads a new snapshot; what no watcher has reported may come from the cache. */
  readonly #readOn: () => Promise<void> = throttle(() => this.#refresh());

  /**
   * Reads a new snapshot, now, including what no watcher has reported yet, such as the result of an operation.
   * Never rejects: what went wrong is in {@link problem}.
   */
  async refresh(): Promise<void> {
    this.#afresh = true;
    await this.#readOn();
  }

  /**
   * Rereads everything, whatever is cached.
   *
   * @param since when a person asked for it: earlier answers of Claude Code are not used.
   */
  async reread(since?: Date): Promise<void> {
    this.#cache.invalidate();
    this.#agents.ask(since);
    await this.refresh();
  }

  /** Rereads everything if the last snapshot is stale. */
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
    this.#changing++;
    try {
      return await operation(workspace);
    } finally {
      this.#changing--;
      await this.refresh();
    }
  }

  /** Changes the state; nothing else does. Fires {@link onDidChange} unless the state stays the same. */
  update(change: StateChange): void {
    if (this.#cancel.signal.aborted) return;
    const next = stateAfter(this.#state, change);
    if (next === this.#state) return;
    this.#state = next;
    this.#changed.fire();
  }

  /** Says that VS Code is going to ask for its rows: nothing that can wait is begun before. */
  rowsWillBeAsked(): void {
    this.#rowsAsked.expects();
  }

  /** Says that VS Code asks for a row of it. */
  rowIsAsked(): void {
    this.#rowsAsked.asks();
  }

  /** Waits while VS Code asks for its rows, or is about to. */
  rowsAreSent(): Promise<void> {
    return this.#rowsAsked.pause();
  }

  /** The agents that run in a worktree, as far as can be determined. */
  liveAgents(worktree: Worktree): Promise<LiveAgent[]> {
    return this.#agents.living(worktree);
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Reacts to a changed file. Every report of the watcher comes through here. */
  #onFileChange({ path, list, status, agents, shown }: FileChange): void {
    if (list) this.#cache.invalidateList();
    if (status) this.#cache.invalidate(path);
    if (agents) this.#agents.soon();
    if (shown) this.#soon();
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
    const near = this.#near;
    this.#near = true;
    const settled = this.#changing === 0;
    try {
      const workspace = await this.workspace().catch((thrown: unknown) => {
        unreadable.push(asProblem(thrown));
        return this.#cachedWorkspace();
      });
      let sources: SnapshotSources | undefined;
      let listedShown: Promise<void> | undefined;
      const show = async (snapshot: Snapshot): Promise<void> =>
        this.#show(workspace, snapshot, {
          unreadable,
          settled,
          stacks: await this.#stacksOf(workspace, snapshot, sources),
        });
      const onListed = (listed: Snapshot): Promise<void> => {
        listedShown = show(listed);
        // It is awaited below. If the rest fails first, its own failure is ignored.
        listedShown.catch(() => undefined);
        return listedShown.then(() => this.#rowsAsked.wait());
      };
      const snapshot = await readSnapshot(workspace, {
        signal,
        cache: this.#cache,
        afresh,
        near,
        onSources: (read) => (sources = read),
        beforeStatuses: () => this.#rowsAsked.pause(),
        // Only at first: later the known facts stay until the new ones are complete.
        ...(this.state ? {} : { onListed }),
      });
      await listedShown;
      await show(snapshot);
      if (near && !afresh && snapshot.worktrees.length > manyTrees) this.#wholeSoon();
      void this.#readSharing(workspace, snapshot);
      await this.#moves.follow(workspace, snapshot, sources?.branches.local);
    } catch (thrown) {
      if (signal.aborted) return;
      this.#afresh = true;
      this.#environment.log.error(`${this.repository.mainRoot} could not be read: ${messageOf(thrown)}`);
      this.update({ kind: 'failed', problem: asProblem(thrown) });
    }
  }

  async #readSharing(workspace: Workspace, snapshot: Snapshot): Promise<void> {
    const { log } = this.#environment;
    try {
      const sharing = await this.#sharing.readAgain(workspace, snapshot, this.#cancel.signal);
      if (sharing !== undefined) this.update({ kind: 'sharing', sharing });
    } catch (thrown) {
      if (!this.#cancel.signal.aborted) log.warn(`The remotes could not be read: ${messageOf(thrown)}`);
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

  /** Claude Code is a large program: it is not started while VS Code asks for rows. */
  async #watchAgents(): Promise<void> {
    await this.#rowsAsked.pause();
    if (this.state && !this.#cancel.signal.aborted) this.#agents.setWorktrees(this.state.worktrees);
  }

  async #show(
    workspace: Workspace,
    snapshot: Snapshot,
    about: {
      readonly unreadable: readonly Problem[];
      readonly settled: boolean;
      readonly stacks: StackFacts | undefined;
    },
  ): Promise<void> {
    const { unreadable, settled, stacks } = about;
    // A deleted folder is in no worktree, even if a worktree contains its path.
    const isThere = (folder: string): Promise<boolean> =>
      access(folder).then(
        () => true,
        () => false,
      );
    const holders = await Promise.all(
      openFolders().map(async (folder) => ((await isThere(folder)) ? holderOf(snapshot, folder) : undefined)),
    );
    const done = await withAutoCleanup(
      workspace,
      snapshot.worktrees.filter((each) => finishedBy(each) !== undefined),
    );
    const underWay = await readAllUnderWay(workspace, snapshot, stacks?.stopped ?? []);
    if (this.#cancel.signal.aborted) return;
    const worktrees = byActivity(snapshot.worktrees.filter((each) => !each.bare));
    const here = holders.flatMap((each) => (each ? [each.path] : []));
    const problems = [...unreadable, ...snapshot.problems, ...(await stuckTrash(this.repository))];
    const logged = new Set(this.state?.problems.map((each) => each.message));
    for (const { message } of problems) if (!logged.has(message)) this.#environment.log.warn(message);
    this.#read = performance.now();
    this.#watch.setWorktrees(worktrees.filter((each) => each.condition === 'fine').map((each) => each.path));
    const { agents } = this.#agents;
    const finished = new Set(done.map(({ path }) => path));
    const open = [...new Set(here)];
    const reading = { snapshot, worktrees, here: open, finished, agents, stacks, underWay, settled, problems };
    this.update({ kind: 'read', reading });
    void this.#watchAgents();
  }
}
