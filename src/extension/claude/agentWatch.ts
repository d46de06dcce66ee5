import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import type { Environment } from '../../core/base/environment.ts';
import { processExists } from '../../core/base/processes.ts';
import { messageOf } from '../../core/base/problem.ts';
import { throttle } from '../../core/base/throttle.ts';
import type { WatchedWorktree } from '../../core/claude/agentStates.ts';
import { agentsAtWork, type AgentsAtWork } from '../../core/claude/agentsAtWork.ts';
import type { ClaudeSession, SessionLister } from '../../core/claude/claudeSessions.ts';
import { liveAgents, type LiveAgent } from '../../core/claude/liveAgents.ts';
import { LogWatch } from '../../core/claude/logWatch.ts';
import { debounce, type Debounced } from '../base/debounce.ts';

/** What agents do, by the name of the worktree. */
export type Agents = ReadonlyMap<string, AgentsAtWork>;

/** Milliseconds without a further line of the log before it is read, and after which it is read in any case. */
const quiet = 200;
const longestWait = 1000;
/** Milliseconds after which an agent that was there is looked after: one that was killed writes no line about it. */
const lookAfter = 30_000;

/**
 * Knows what agents do in the worktrees of a repository. The log that hooks write tells, and is read when it grows. Claude Code itself
 * is a large program, so it is asked only when somebody looks: at first, when the window gets the focus, at a refresh.
 */
export class AgentWatch implements Disposable {
  /** To be called when the log may have grown, or its folder may be there now. */
  readonly soon: Debounced;
  readonly #store = new DisposableStore();
  readonly #environment: Environment;
  readonly #commonDir: string;
  readonly #lister: SessionLister;
  readonly #onChange: (agents: Agents) => void;
  readonly #watch: LogWatch;
  #worktrees: readonly WatchedWorktree[] | undefined;
  #agents: Agents = new Map();
  /** What was asked last. */
  #asked: Promise<readonly ClaudeSession[]> | undefined;
  /** The last answer of Claude Code, until it is processed. */
  #answer: readonly ClaudeSession[] | undefined;
  /** The sessions of Claude Code's last answer that no hook has reported. */
  #unheard: readonly ClaudeSession[] = [];
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(environment: Environment, commonDir: string, lister: SessionLister, onChange: (agents: Agents) => void) {
    this.#environment = environment;
    this.#commonDir = commonDir;
    this.#lister = lister;
    this.#onChange = onChange;
    this.soon = this.#store.add(debounce(() => void this.#look(), quiet, longestWait));
    this.#watch = this.#store.add(new LogWatch(commonDir, () => this.soon()));
  }

  get agents(): Agents {
    return this.#agents;
  }

  /** Tells which worktrees there are; the first time, Claude Code is asked as well. */
  setWorktrees(worktrees: readonly WatchedWorktree[]): void {
    const first = this.#worktrees === undefined;
    const same = keyOf(this.#worktrees ?? []) === keyOf(worktrees);
    this.#worktrees = worktrees.map(({ name, path }) => ({ name, path }));
    if (first) this.ask();
    // The folder of the log may be there now.
    if (!same || !this.#watch.isWatching) void this.#look();
  }

  /** The agents that would lose the ground under their feet with a worktree. */
  living(worktree: WatchedWorktree): Promise<LiveAgent[]> {
    // Linux knows the working folders of processes; elsewhere Claude Code has to be asked, which takes longer than everything else.
    const lister = this.#environment.platform === 'linux' ? { list: async () => [] } : this.#lister;
    return liveAgents(this.#environment, lister, this.#commonDir, worktree);
  }

  /**
   * Asks Claude Code as well, in the background.
   *
   * @param since as {@link SessionLister.list} takes it.
   */
  ask(since?: Date): void {
    void this.#ask(since).catch((thrown: unknown) =>
      this.#environment.log.warn(`The sessions of Claude Code could not be listed: ${messageOf(thrown)}`),
    );
  }

  dispose(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#store.dispose();
  }

  async #ask(since?: Date): Promise<void> {
    const asked = this.#lister.list(since);
    this.#asked = asked;
    const answer = await asked;
    // A later question has a better answer.
    if (this.#asked !== asked) return;
    this.#answer = answer;
    await this.#look();
  }

  readonly #look = throttle(async () => {
    if (this.#ended) return;
    this.#watch.begin();
    const answer = this.#answer;
    this.#answer = undefined;
    try {
      const agents = await this.#read(answer ?? this.#unheard.filter(({ pid }) => processExists(pid)));
      if (answer) this.#unheard = unheardOf(answer, agents);
      this.#show(agents);
    } catch (thrown) {
      this.#environment.log.warn(`What agents do could not be read: ${messageOf(thrown)}`);
    }
  });

  #read(sessions: readonly ClaudeSession[]): Promise<Agents> {
    return agentsAtWork(this.#environment, this.#commonDir, this.#worktrees ?? [], sessions);
  }

  #show(agents: Agents): void {
    if (this.#ended) return;
    clearTimeout(this.#timer);
    if ([...agents.values()].some((each) => each.activity)) {
      this.#timer = setTimeout(() => void this.#look(), lookAfter);
    }
    const same = JSON.stringify([...agents]) === JSON.stringify([...this.#agents]);
    this.#agents = agents;
    if (!same) this.#onChange(agents);
  }
}

/** The log is at hand from now on for the sessions that it knows; an old answer of Claude Code would contradict it. */
function unheardOf(answer: readonly ClaudeSession[], agents: Agents): readonly ClaudeSession[] {
  const states = [...agents.values()].flatMap((each) => each.agents);
  const unheard = new Set(states.filter(({ since }) => since === undefined).map(({ session }) => session));
  return answer.filter(({ sessionId }) => unheard.has(sessionId));
}

function keyOf(worktrees: readonly WatchedWorktree[]): string {
  return worktrees.map(({ name, path }) => `${name}\0${path}`).join('\n');
}
