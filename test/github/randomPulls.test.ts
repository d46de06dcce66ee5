import assert from 'node:assert/strict';
import { hostLookup } from '../../src/core/github/hostLookup.ts';
import { updateRegistry } from '../../src/core/repository/registry.ts';
import { prepareRestack } from '../../src/core/restack/prepareRestack.ts';
import { restack } from '../../src/core/restack/restack.ts';
import { randomNumbers } from '../support/randomStacks.ts';
import { testHome } from '../support/tempRepo.ts';
import { deleteMerged, mergePull, type MergeMethod } from './support/hubMerge.ts';
import { close, keptClosed } from './support/hubRules.ts';
import type { HubPull } from './support/hubState.ts';
import { PullStack } from './support/pullStack.ts';
import { makeStage, type Stage } from './support/stage.ts';
import { shareOf } from '../support/share.ts';

/** Another beginning, and more sequences, are tried with `WT_TEST_SEED=7 WT_TEST_COUNT=200`. */
const seed = Number(process.env['WT_TEST_SEED'] ?? 1);
const count = Number(process.env['WT_TEST_COUNT'] ?? 3);
const events = 4;

describe('pull requests after anything that people do', function () {
  this.timeout(300_000);
  let stage: Stage;
  beforeEach(async () => (stage = await makeStage(await testHome())));
  afterEach(() => stage.close());

  const seeds = Array.from({ length: count }, (_, index) => seed + index);
  for (const each of process.env['WT_TEST_COUNT'] ? seeds : shareOf(seeds, 3))
    it(`lose no commit, close none, and keep every word (seed ${each})`, async () => {
      const random = randomNumbers(each);
      const world = new World(stage, random);
      const log: string[] = [];
      try {
        await world.begin();
        for (let event = 0; event < events; event++) {
          log.push(await world.happen());
          const killed = random(3) === 0 ? 1 + random(25) : Infinity;
          if (killed < Infinity) log.push(`killed after request ${killed}`);
          await world.catchUp(killed);
        }
      } catch (thrown) {
        if (thrown instanceof Error) thrown.message = `seed ${each}: ${log.join(' | ')}\n${thrown.message}`;
        throw thrown;
      }
    });
});

class World {
  readonly #stack: PullStack;
  readonly #stage: Stage;
  readonly #random: (below: number) => number;
  #names = 0;
  #turn = 0;

  constructor(stage: Stage, random: (below: number) => number) {
    this.#stage = stage;
    this.#random = random;
    this.#stack = new PullStack(stage);
  }

  async begin(): Promise<void> {
    const size = 3 + this.#random(2);
    for (let at = 0; at < size; at++) await this.#stack.add(`b${++this.#names}`);
    if (this.#random(2) === 0) await this.#stack.grow(this.#any());
    this.#stage.hub.state.deletesMerged = this.#random(2) === 0;
    await this.catchUp(Infinity);
  }

  /** What a person does with the stack afterwards: `wt rebase --stack`, then `wt pr --stack`. */
  async catchUp(killedAfter: number): Promise<void> {
    this.#turn += 1;
    await this.#restack();
    if (killedAfter < Infinity) {
      await this.#stack.pr(killedAfter);
      this.#stack.assertKept('when killed');
    }
    const run = await this.#stack.pr();
    assert.notEqual(run.told.length, 0, run.failure);
    const closed = [...this.#stack.closed].map((number) => new RegExp(`#${number} .*(?:was|is) closed`));
    const waiting = run.left.filter((message) => !closed.some((each) => each.test(message)));
    assert.deepEqual(waiting, [], 'nothing else waits for a person');
    await this.#stack.assertWhole(`after event ${this.#turn}: ${run.told.join(', ')}`);
  }

  async happen(): Promise<string> {
    const { order } = this.#stack;
    const name = this.#any();
    switch (this.#random(8)) {
      case 0:
      case 1:
        return this.#reorder();
      case 2: {
        const at = this.#random(order.length + 1);
        await this.#stack.add(`b${++this.#names}`, at);
        return `b${this.#names} comes in at ${at}`;
      }
      case 3:
        return this.#write(name);
      case 4:
        return order.length > 1 ? this.#merge() : this.#reorder();
      case 5:
        return this.#closeOrReopen();
      case 6:
        return this.#pushed(name);
      default:
        await this.#stack.grow(name);
        return `${name} grows`;
    }
  }

  async #reorder(): Promise<string> {
    const rest = [...this.#stack.order];
    const order: string[] = [];
    while (rest.length > 0) order.push(...rest.splice(this.#random(rest.length), 1));
    await this.#stack.rebuild(order);
    return `reordered: ${order.join(' ')}`;
  }

  async #write(name: string): Promise<string> {
    const pull = this.#stack.open(name);
    if (!pull) return this.#reorder();
    const words = `What a person wrote ${this.#names}.${this.#random(1000)}`;
    pull.body = this.#random(2) === 0 ? `${pull.body}\n\n${words}` : `${words}\r\n\r\n${pull.body}`;
    this.#stack.words.set(pull.number, words);
    return `somebody writes into #${pull.number}`;
  }

  /** The lowest one goes into the trunk; what was left of it here is removed, as `wt cleanup` does. */
  async #merge(): Promise<string> {
    const name = this.#stack.order[0] ?? '';
    const pull = this.#stack.open(name);
    if (!pull) return this.#reorder();
    const method = (['merge', 'squash', 'rebase'] satisfies MergeMethod[])[this.#random(3)] ?? 'merge';
    mergePull(this.#stage.hub.state, pull, method);
    this.#stack.merged.add(pull.number);
    const deleted = this.#random(2) === 0 && !this.#stage.hub.state.deletesMerged;
    if (deleted) deleteMerged(this.#stage.hub.state, pull);
    await this.#restack();
    this.#stack.forget(name);
    await this.#remove(name);
    return `#${pull.number} of ${name} is merged (${method}${deleted ? ', deleted' : ''})`;
  }

  async #closeOrReopen(): Promise<string> {
    const { state } = this.#stage.hub;
    const closed = [...this.#stack.closed].map((number) => state.pulls.get(number));
    const again = closed.find((pull): pull is HubPull => pull !== undefined && keptClosed(state, pull) === undefined);
    if (again) {
      again.state = 'open';
      this.#stack.closed.delete(again.number);
      return `#${again.number} is reopened`;
    }
    const pull = this.#stack.open(this.#any());
    if (!pull || closed.length > 1) return this.#reorder();
    close(pull);
    this.#stack.closed.add(pull.number);
    return `#${pull.number} is closed`;
  }

  /** Somebody else pushes a commit; the person takes it in before going on. */
  async #pushed(name: string): Promise<string> {
    const { repository, bare } = this.#stage;
    const file = `${name}-by-another${this.#random(1000)}.txt`;
    const clone = `${this.#stage.home.root}/another-${this.#turn}`;
    await repository.git('clone', '--quiet', '--branch', name, bare, clone);
    await repository.commit(`Add ${file}`, { [file]: 'theirs\n' }, clone);
    await repository.gitIn(clone, 'push', '--quiet', 'origin', name);
    const refused = await this.#stack.pr();
    this.#stack.assertKept(`when somebody else has pushed ${name}`);
    assert.ok(
      [refused.failure, ...refused.left].some((each) => each.includes('commits of somebody else')),
      `${refused.failure} ${refused.left.join()}`,
    );
    await repository.git('fetch', '--quiet', 'origin');
    await repository.gitIn(this.#stack.path(name), 'merge', '--quiet', '--ff-only', `origin/${name}`);
    this.#stack.take(name, file);
    return `somebody else pushes ${file}`;
  }

  async #restack(): Promise<void> {
    const { workspace, snapshot, worktree } = await this.#stage.look(this.#stack.order[0] ?? '');
    const options = { offline: false, host: hostLookup(workspace, snapshot, { spacing: false }) };
    const wish = { worktree, wholeStack: true };
    const { stop } = await restack(
      workspace,
      wish,
      await prepareRestack(workspace, wish, { ...options, snapshot }),
      options,
    );
    assert.equal(stop, undefined);
  }

  async #remove(name: string): Promise<void> {
    const { repository } = this.#stage;
    await repository.git('worktree', 'remove', '--force', this.#stack.path(name));
    await repository.git('branch', '--quiet', '-D', name);
    const { environment, repository: where } = await this.#stage.workspace();
    await updateRegistry(environment, where, ({ worktrees }) => void worktrees.delete(name));
  }

  #any(): string {
    const { order } = this.#stack;
    return order[this.#random(order.length)] ?? '';
  }
}
