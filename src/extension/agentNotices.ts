import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { commands, l10n, window, workspace, type Terminal } from 'vscode';
import { DisposableStore, type Disposable } from '../core/base/disposable.ts';
import { environmentOf, type Environment } from '../core/base/environment.ts';
import { Problem, messageOf } from '../core/base/problem.ts';
import { throttle } from '../core/base/throttle.ts';
import { claimNotices, muteNotices, readNotices, type Notice } from '../core/claude/agentNotices.ts';
import type { AgentState } from '../core/claude/agentStates.ts';
import type { Worktree } from '../core/worktree/model.ts';
import { terminalOf } from './claude/agentTerminals.ts';
import { Attention } from './claude/attention.ts';
import type { RepositoryModel } from './repository/repositoryModel.ts';
import { waitingAgents } from './repository/waitingAgents.ts';
import type { Services } from './services/services.ts';
import { questionText } from './views/agentRows.ts';

/** What a person wants to be notified of: agents that wait, also those that are done, or none. */
export type Notify = 'needsInput' | 'finished' | 'off';

/** The window that has the agent's terminal goes first; the others wait so long for it, in milliseconds. */
const headStart = 1_000;
/** Work that was done longer ago is no news, in milliseconds. */
const newsFor = 60 * 60_000;
/** With more than this at once one message names them all. */
const mostMessages = 3;

/** An agent that a person is to be told of. */
interface Item {
  readonly model: RepositoryModel;
  readonly worktree: Worktree;
  /** `undefined` for work whose agent is gone. */
  readonly agent: AgentState | undefined;
  readonly notice: Notice;
  readonly waits: boolean;
  /** The files to review, of one that is done. */
  readonly files: number;
}

/** Notifies of agents that wait, and of those that are done if the person wants that: once, in one window. */
export function watchAgentNotices(services: Services): Disposable {
  return new AgentNotifier(services);
}

class AgentNotifier implements Disposable {
  readonly #services: Services;
  readonly #environment: Environment;
  readonly #store = new DisposableStore();
  readonly #attention: Attention;
  /** What was claimed, by this window or another: by key, up to when. */
  readonly #handled = new Map<string, string>();
  /** What this window has claimed and not shown yet, because the agent's terminal is in front. */
  readonly #held = new Map<string, { readonly item: Item; readonly terminal: Terminal }>();
  #ended = false;

  constructor(services: Services) {
    this.#services = services;
    this.#environment = environmentOf(process, services.log);
    this.#attention = this.#store.add(new Attention(services.view));
    this.#store.add(services.repositories.onDidChange(() => void this.#look()));
    this.#store.add(this.#attention.onDidMove(() => this.#showHeld()));
    this.#store.add(workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(setting) && this.#look()));
    void this.#look();
  }

  dispose(): void {
    this.#ended = true;
    this.#store.dispose();
  }

  readonly #look = throttle(async () => {
    for (const model of this.#services.repositories.models) {
      if (this.#ended) return;
      try {
        await this.#lookAt(model);
      } catch (thrown) {
        this.#services.log.warn(`Agents that wait could not be notified of: ${messageOf(thrown)}`);
      }
    }
    if (!this.#ended) this.#showHeld();
  });

  async #lookAt(model: RepositoryModel): Promise<void> {
    const over = this.#forgetOver(model);
    const fresh = itemsOf(model, this.#environment.now()).filter(({ notice }) => !this.#isHandled(notice));
    if (fresh.length === 0 && over.length === 0) return;
    const found = await Promise.all(
      fresh.map(async (item) => ({ item, terminal: item.agent && (await terminalOf(item.agent, item.worktree)) })),
    );
    if (fresh.length > 0 && found.every(({ terminal }) => !terminal)) await delay(headStart);
    const still = fresh.filter(isStillSo);
    const claimed = await this.#claim(model, still, over);
    for (const { notice } of still) this.#handled.set(notice.key, notice.until ?? '');
    const { muted } = await readNotices(model.repository.commonDir);
    const show: Item[] = [];
    for (const { item, terminal } of found) {
      if (!claimed.has(item.notice.key) || isMuted(item, muted)) continue;
      if (terminal && this.#attention.isOn(terminal)) this.#held.set(item.notice.key, { item, terminal });
      else show.push(item);
    }
    this.#show(show);
  }

  /** The keys that are this window's to show. Where nobody can write down who shows what, every window does. */
  async #claim(model: RepositoryModel, items: readonly Item[], over: readonly string[]): Promise<ReadonlySet<string>> {
    const wanted = items.map(({ notice }) => notice);
    try {
      const claimed = await claimNotices(this.#environment, model.repository.commonDir, wanted, over);
      return new Set(claimed.map(({ key }) => key));
    } catch (thrown) {
      if (!Problem.is(thrown)) throw thrown;
      this.#services.log.warn(thrown.message);
      return new Set(wanted.map(({ key }) => key));
    }
  }

  /** Forgets what is over; gives the keys of those that no time tells apart from the next ones. */
  #forgetOver({ state }: RepositoryModel): string[] {
    const over: string[] = [];
    for (const { agents } of state?.agents.values() ?? []) {
      for (const { session } of agents) {
        const key = waitKey(session);
        if (!this.#handled.has(key) || agents.some((each) => each.session === session && each.activity === 'waiting'))
          continue;
        this.#held.delete(key);
        if (this.#handled.get(key) !== '') continue;
        this.#handled.delete(key);
        over.push(key);
      }
    }
    return over;
  }

  #isHandled({ key, until = '' }: Notice): boolean {
    const handled = this.#handled.get(key);
    return handled !== undefined && until <= handled;
  }

  /** Shows what was held back, where the agent's terminal is not in front any more. */
  #showHeld(): void {
    // What does not hold in this moment may hold in the next, when everything has been read; what is over is forgotten elsewhere.
    const free = [...this.#held].filter(([, { item, terminal }]) => !this.#attention.isOn(terminal) && isStillSo(item));
    for (const [key] of free) this.#held.delete(key);
    this.#show(free.map(([, { item }]) => item));
  }

  #show(items: readonly Item[]): void {
    for (const item of items) this.#services.log.info(textOf(item));
    if (items.length <= mostMessages) {
      for (const item of items) void this.#notify(item);
      return;
    }
    const list = l10n.t('Show Them');
    const names = items.map(({ worktree }) => worktree.name).join(', ');
    void window
      .showInformationMessage(l10n.t('{0} agents need you: {1}', items.length, names), list)
      .then((choice) => choice === list && commands.executeCommand('worktreeStacks.showWaitingAgents'));
  }

  async #notify(item: Item): Promise<void> {
    const { model, worktree, agent, waits } = item;
    const goTo = l10n.t('Go to Terminal');
    const changes = waits ? l10n.t('Show Changes') : l10n.t('Review Changes');
    const mute = l10n.t('Mute');
    const buttons = waits ? [goTo, changes, mute] : [changes, ...(agent ? [goTo, mute] : [])];
    const choice = await window.showInformationMessage(textOf(item), ...buttons);
    const argument = { worktree: worktree.path, repository: model.repository.mainRoot };
    if (choice === goTo) await commands.executeCommand('worktreeStacks.goToAgent', argument);
    if (choice === changes)
      await commands.executeCommand(`worktreeStacks.${waits ? 'diff' : 'reviewChanges'}`, argument);
    if (choice === mute && agent) await muteNotices(this.#environment, model.repository.commonDir, agent.session);
  }
}

const setting = 'worktreeStacks.notify';
const waitKey = (session: string): string => `wait ${session}`;

/** What is worth a notification now, by the person's setting. */
function itemsOf(model: RepositoryModel, now: Date): Item[] {
  const notify = workspace.getConfiguration('worktreeStacks').get<Notify>('notify', 'needsInput');
  if (notify === 'off') return [];
  const waiting = waitingAgents([model]).map(({ worktree, agent, until }): Item => {
    const notice = { key: waitKey(agent.session), from: agent.since, until };
    return { model, worktree, agent, notice, waits: true, files: 0 };
  });
  return notify === 'finished' ? [...waiting, ...finishedItems(model, now)] : waiting;
}

function finishedItems(model: RepositoryModel, now: Date): Item[] {
  const { worktrees = [], agents, toReview } = model.state ?? {};
  return worktrees.flatMap((worktree): Item[] => {
    const known = agents?.get(worktree.name);
    const files = toReview?.get(worktree.name);
    if (known?.finished === undefined || files === undefined) return [];
    if (now.getTime() - Date.parse(known.finished) > newsFor) return [];
    const notice = { key: `done ${worktree.name}`, from: known.finished, until: known.finished };
    return [{ model, worktree, agent: known.agents[0], notice, waits: false, files }];
  });
}

const isMuted = ({ agent }: Item, muted: ReadonlySet<string>): boolean =>
  agent !== undefined && muted.has(agent.session);

function isStillSo({ model, worktree, waits, notice }: Item): boolean {
  const known = model.state?.agents.get(worktree.name);
  return waits ? known?.activity === 'waiting' : known?.finished === notice.from;
}

function textOf({ worktree, agent, waits, files }: Item): string {
  const { name } = worktree;
  if (!waits) {
    if (files === 0) return l10n.t('{0}: Claude is done.', name);
    return files === 1
      ? l10n.t('{0}: Claude is done. 1 file to review.', name)
      : l10n.t('{0}: Claude is done. {1} files to review.', name, files);
  }
  return l10n.t('{0}: {1}', name, questionText(l10n.t('Claude'), agent ?? {}));
}
