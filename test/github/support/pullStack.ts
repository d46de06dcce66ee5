import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readRegistry, updateRegistry } from '../../../src/core/repository/registry.ts';
import type { HubPull } from './hubState.ts';
import type { Stage } from './stage.ts';
import { bundled } from '../../support/bundled.ts';

const driver = new URL('./prDriver.ts', import.meta.url);

/** What came of a run of `wt pr --stack`. */
export interface PrRun {
  /** `undefined` when it was killed. */
  readonly code: number | null;
  readonly told: readonly string[];
  /** What waits for a person. */
  readonly left: readonly string[];
  readonly failure: string;
  /** What the hub was asked, in order. */
  readonly requests: readonly string[];
}

/** A stack of branches with a pull request each, where every commit adds a file of its own; and what people did to it on GitHub. */
export class PullStack {
  readonly stage: Stage;
  /** From the trunk upwards. */
  order: string[] = [];
  readonly #files = new Map<string, string[]>();
  /** The files that came into the trunk, or into a branch that is there. */
  readonly merged = new Set<number>();
  readonly closed = new Set<number>();
  readonly words = new Map<number, string>();

  constructor(stage: Stage) {
    this.stage = stage;
  }

  path(name: string): string {
    return join(this.stage.repository.root, '.worktrees', name);
  }

  filesOf(name: string): readonly string[] {
    return this.#files.get(name) ?? [];
  }

  /** The open pull request of a branch. */
  open(name: string): HubPull | undefined {
    this.stage.hub.state.settle();
    return [...this.stage.hub.state.pulls.values()].find(({ head, state }) => head === name && state === 'open');
  }

  async add(name: string, at = this.order.length): Promise<void> {
    await this.stage.worktree(name, this.order[at - 1] ?? 'main');
    this.#files.set(name, [`${name}.txt`]);
    this.order.splice(at, 0, name);
    await this.rebuild(this.order);
  }

  async grow(name: string): Promise<void> {
    const files = this.#files.get(name) ?? [];
    const file = `${name}${files.length}.txt`;
    files.push(file);
    await this.stage.commit(this.path(name), file);
    await this.rebuild(this.order);
  }

  /** Commits of a branch that somebody else made, who pushed them. */
  take(name: string, file: string): void {
    this.#files.get(name)?.push(file);
  }

  forget(name: string): void {
    this.order = this.order.filter((each) => each !== name);
  }

  /** What a branch that is gone had belongs to another one now. */
  handOver(from: string, to: string): void {
    this.#files.get(to)?.push(...this.filesOf(from));
  }

  /** Rebases the branches so that they stand on each other in this order, and writes that down. */
  async rebuild(order: readonly string[]): Promise<void> {
    const { repository } = this.stage;
    const { environment, repository: where } = await this.stage.workspace();
    const { worktrees } = await readRegistry(where);
    const before = new Map([...worktrees].map(([name, entry]) => [name, entry.baseCommit ?? '']));
    let base = 'main';
    const now = new Map<string, { base: string; baseCommit: string }>();
    for (const name of order) {
      const baseCommit = await repository.git('rev-parse', base === 'main' ? 'origin/main' : base);
      const old = before.get(name) ?? '';
      if (old !== baseCommit) await repository.gitIn(this.path(name), 'rebase', '--quiet', '--onto', baseCommit, old);
      now.set(name, { base, baseCommit });
      base = name;
    }
    this.order = [...order];
    await updateRegistry(environment, where, ({ worktrees: draft }) => {
      for (const [name, to] of now) {
        const entry = draft.get(name);
        if (entry) draft.set(name, { ...entry, ...to });
      }
    });
  }

  /**
   * Runs `wt pr --stack`.
   *
   * @param killedAfter SIGKILL comes when so many requests were carried out.
   */
  async pr(killedAfter = Infinity): Promise<PrRun> {
    const { hub, repository, variables } = this.stage;
    const name = this.order[0] ?? '';
    const child = spawn(process.execPath, [bundled(driver), repository.root, name], {
      env: variables,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const requests: string[] = [];
    hub.afterRequest = (line) => {
      requests.push(line);
      if (requests.length === killedAfter) child.kill('SIGKILL');
      return requests.length < killedAfter;
    };
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const [code] = (await once(child, 'close')) as [number | null];
    hub.afterRequest = undefined;
    const done = stdout === '' ? { told: [], left: [] } : (JSON.parse(stdout) as Pick<PrRun, 'told' | 'left'>);
    return { code, ...done, failure: stderr, requests };
  }

  /** Nothing was closed or merged that nobody closed or merged, and no word of a person is gone: true after every request. */
  assertKept(what: string): void {
    const { state } = this.stage.hub;
    state.settle();
    for (const pull of state.pulls.values()) {
      const became = pull.mergedAt !== null ? 'merged' : pull.state;
      const wanted = this.merged.has(pull.number) ? 'merged' : this.closed.has(pull.number) ? 'closed' : 'open';
      assert.equal(became, wanted, `#${pull.number} of ${pull.head} into ${pull.base} ${what}`);
      const words = this.words.get(pull.number) ?? '';
      assert.ok(pull.body.includes(words), `#${pull.number} lost what a person wrote ${what}: ${pull.body}`);
    }
  }

  /**
   * Every branch has one pull request into the nearest one below that the server has as it is here; every commit is in exactly one pull
   * request, and those of a closed one in at most one.
   */
  async assertWhole(what: string): Promise<void> {
    this.assertKept(what);
    const { repository, hub } = this.stage;
    const onServer = (...args: string[]): Promise<string> => this.stage.onServer(...args);
    const found: string[] = [];
    const expected: string[] = [];
    let base = 'main';
    /** What nobody shows yet of closed ones below. */
    let waiting: string[] = [];
    for (const [at, name] of this.order.entries()) {
      const open = [...hub.state.pulls.values()].filter(({ head, state }) => head === name && state === 'open');
      const isClosed = [...this.closed].some((number) => hub.state.pulls.get(number)?.head === name);
      const tip = await repository.git('rev-parse', name);
      const there = await onServer('rev-parse', '--verify', '--quiet', name).catch(() => undefined);
      if (isClosed && open.length === 0) {
        // Its commits are left to a person. Where it was not pushed, the pull request above shows them as well.
        if (there === tip) [base, waiting] = [name, []];
        else waiting.push(...this.filesOf(name));
        continue;
      }
      assert.equal(there, tip, `${name} was not pushed ${what}`);
      const tree = (await onServer('ls-tree', '--name-only', name)).split('\n');
      for (const below of this.order.slice(0, at + 1))
        for (const file of this.filesOf(below)) assert.ok(tree.includes(file), `${name} lost ${file} ${what}`);
      assert.deepEqual(
        open.map((pull) => pull.base),
        [base],
        `${name} ${what}`,
      );
      const range = `${base}..${name}`;
      const shown = await onServer('log', '--no-merges', '--format=', '--name-only', range);
      found.push(...shown.split('\n').filter(Boolean));
      expected.push(...waiting, ...this.filesOf(name));
      [base, waiting] = [name, []];
    }
    assert.deepEqual(found.sort(), expected.sort(), `each commit is in one pull request ${what}`);
  }
}
