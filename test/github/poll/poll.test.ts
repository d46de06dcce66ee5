import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { pollStateOf } from '../../../src/core/claude/pollMarker.ts';
import { openSession } from '../../../src/core/github/connect.ts';
import { watchPullRequests, type Watched } from '../../../src/core/github/poll/loop.ts';
import { readRegistry, updateRegistry } from '../../../src/core/repository/registry.ts';
import { testHome } from '../../support/tempRepo.ts';
import { fakeClock, type FakeClock } from '../support/fakeClock.ts';
import { mergePull } from '../support/hubMerge.ts';
import type { HubPull } from '../support/hubState.ts';
import { makeStage, type Stage } from '../support/stage.ts';

suite('wt poll', () => {
  let stage: Stage;
  let login: string;
  let pull: HubPull;

  /** A worktree that was pushed and has a pull request, recorded. */
  const withPull = async (name: string, base = 'main'): Promise<HubPull> => {
    await stage.worktree(name, base);
    await stage.repository.git('push', '--quiet', 'origin', name);
    const added = stage.hub.state.add(name, base);
    const { environment, repository } = await stage.workspace();
    await updateRegistry(environment, repository, ({ worktrees }) => {
      const entry = worktrees.get(name);
      if (entry) worktrees.set(name, { ...entry, pr: { number: added.number, url: '' } });
    });
    return added;
  };
  setup(async () => {
    stage = await makeStage(await testHome());
    pull = await withPull('login');
    login = join(stage.repository.root, '.worktrees', 'login');
  });
  teardown(() => stage.close());

  const poll = async (
    clock: FakeClock,
    options: { name?: string; timeout?: number; signal?: AbortSignal } = {},
  ): Promise<Watched> => {
    const { workspace: real, worktree } = await stage.look(options.name ?? 'login');
    const workspace = { ...real, environment: { ...real.environment, now: () => new Date(clock.now()) } };
    const { github } = await openSession(workspace, { clock, spacing: false });
    return watchPullRequests(workspace, github, [worktree], {
      timeout: options.timeout ?? 120,
      ...(options.signal ? { signal: options.signal } : {}),
    });
  };
  const events = ({ found }: Watched): object[] => found.flatMap((each) => [...each.events]);
  const types = (watched: Watched): string[] => events(watched).map((event) => (event as { type: string }).type);
  const check = (conclusion: string | null): HubPull['checks'] => [
    { name: 'build', status: conclusion === null ? 'in_progress' : 'completed', conclusion },
  ];

  test('tells nothing of what is as it was, and says that the time is up', async () => {
    const watched = await poll(fakeClock(), { timeout: 60 });
    assert.deepEqual([watched.timedOut, events(watched)], [true, []]);
  });

  test('tells failed and passed checks of each commit once, and never takes pending ones for passed', async () => {
    pull.checks = check(null);
    const clock = fakeClock((wait) => {
      if (wait === 3) pull.checks = [...check('success'), { name: 'lint', status: 'queued', conclusion: null }];
      if (wait === 5) pull.checks = [...check('success'), { name: 'lint', status: 'completed', conclusion: 'failure' }];
    });
    const failed = await poll(clock);
    assert.equal(clock.waits.length, 5);
    assert.deepEqual(events(failed), [{ type: 'ci_failure', failed: 1, pending: 0, commit: pull.headOid }]);
    assert.deepEqual(events(await poll(fakeClock(), { timeout: 30 })), []);
    await stage.commit(login, 'fix.txt');
    await stage.repository.git('push', '--quiet', 'origin', 'login');
    pull.checks = check('success');
    assert.deepEqual(types(await poll(fakeClock())), ['ci_passed']);
  });

  test('tells of comments and reviews that are new', async () => {
    pull.comments = 2;
    assert.deepEqual(types(await poll(fakeClock())), ['review_comments']);
    const clock = fakeClock((wait) => {
      if (wait !== 2) return;
      pull.reviews.push({ login: 'grace', state: 'CHANGES_REQUESTED' });
      pull.threads.push({ resolved: false }, { resolved: true });
    });
    assert.deepEqual(events(await poll(clock)), [
      { type: 'review_comments', count: 1, unresolved: 1, review: 'changes_requested' },
    ]);
  });

  test('tells when the base has moved, once, and not again after a rebase', async () => {
    await poll(fakeClock(), { timeout: 1 });
    const clock = fakeClock(async (wait) => {
      if (wait !== 2) return;
      await stage.repository.commit('Move on', { 'main.txt': 'x\n' });
      await stage.repository.git('push', '--quiet', 'origin', 'main');
    });
    const moved = await poll(clock);
    const commit = await stage.repository.git('rev-parse', 'main');
    assert.deepEqual(events(moved), [{ type: 'base_updated', reason: 'moved', base: 'main', commit }]);
    assert.deepEqual(events(await poll(fakeClock(), { timeout: 30 })), []);
  });

  test('tells at the first look of a base that the branch does not contain', async () => {
    await stage.repository.commit('Move on', { 'main.txt': 'x\n' });
    await stage.repository.git('push', '--quiet', 'origin', 'main');
    assert.deepEqual(types(await poll(fakeClock())), ['base_updated']);
  });

  test('tells when the pull request of the base was merged, its branch deleted, and the pull request retargeted', async () => {
    const child = await withPull('child', 'login');
    const merge = (wait: number): void => {
      if (wait !== 2) return;
      Object.assign(pull, { state: 'closed', mergedAt: new Date().toISOString(), mergeCommit: pull.headOid });
      child.base = 'main';
      stage.hub.state.refs.delete('login');
    };
    const [event] = events(await poll(fakeClock(merge), { name: 'child' }));
    assert.deepEqual(event, { type: 'base_updated', reason: 'merged', base: 'login', commit: undefined });
    assert.deepEqual(events(await poll(fakeClock(), { name: 'child', timeout: 30 })), []);
  });

  test('tells of the end, and of nothing else then', async () => {
    const child = await withPull('child', 'login');
    Object.assign(pull, {
      state: 'closed',
      mergedAt: new Date().toISOString(),
      mergeCommit: pull.headOid,
      comments: 4,
    });
    assert.deepEqual(events(await poll(fakeClock())), [{ type: 'merged', commit: pull.headOid }]);
    // Asked again it is no news, but nobody should wait for something that has ended.
    const clock = fakeClock();
    const again = await poll(clock);
    assert.deepEqual([events(again), again.timedOut, clock.waits], [[], false, []]);
    assert.equal(again.found[0]?.status.state, 'merged');
    child.state = 'closed';
    assert.deepEqual(types(await poll(fakeClock(), { name: 'child' })), ['closed']);
  });

  test('writes down that it was merged or closed, and that it was reopened, and nothing else', async () => {
    const entry = async (name: string) =>
      (await readRegistry((await stage.workspace()).repository)).worktrees.get(name);
    const child = await withPull('child', 'login');
    await poll(fakeClock(), { timeout: 1 });
    assert.deepEqual(Object.keys((await entry('login'))?.pr ?? {}), ['number', 'url'], 'nothing has happened');
    child.state = 'closed';
    await poll(fakeClock(), { name: 'child' });
    assert.deepEqual([(await entry('child'))?.pr?.['state'], (await entry('child'))?.lifecycle], ['closed', undefined]);
    child.state = 'open';
    await poll(fakeClock(), { name: 'child', timeout: 1 });
    assert.equal((await entry('child'))?.pr?.['state'], 'open');
    const commit = mergePull(stage.hub.state, pull, 'squash');
    await poll(fakeClock());
    const recorded = await entry('login');
    assert.deepEqual([recorded?.lifecycle, recorded?.pr?.['state']], ['merged', 'merged']);
    assert.deepEqual(recorded?.['merged'], { head: pull.headOid, into: 'origin/main', pr: pull.number, commit });
  });

  test('takes a pull request in a merge queue for neither merged nor at rest', async () => {
    pull.queued = true;
    pull.checks = check('success');
    await poll(fakeClock());
    const clock = fakeClock();
    assert.deepEqual(events(await poll(clock, { timeout: 10 })), []);
    assert.ok((clock.waits[0] ?? 0) <= 18_000, String(clock.waits[0]));
  });

  test('asks for nothing that counts while nothing happens, but the checks now and then', async () => {
    pull.checks = check('success');
    await poll(fakeClock());
    const before = stage.hub.requests.length;
    const clock = fakeClock();
    await poll(clock, { timeout: 60 });
    const asked = stage.hub.requests.slice(before);
    const counted = asked.filter(({ status }) => status !== 304);
    assert.ok(clock.waits.length >= 50, `${clock.waits.length} looks`);
    assert.ok(counted.length <= 18, `${counted.length} of ${asked.length} counted`);
  });

  test('waits out failures of the network and of the server, longer each time, and limits as long as they say', async () => {
    const broken = { status: 502, body: {} };
    const limited = {
      status: 403,
      body: { message: 'You have exceeded a secondary rate limit' },
      headers: { 'retry-after': '400' },
    };
    stage.hub.next('POST /graphql', broken, broken, broken, limited);
    pull.checks = check('success');
    const clock = fakeClock();
    assert.deepEqual(types(await poll(clock)), ['ci_passed']);
    assert.deepEqual(
      clock.waits.map((wait) => Math.round(wait / 1000)),
      [120, 400],
    );
  }).timeout(30_000);

  test('stops asking when little is left of the hour', async () => {
    pull.checks = check(null);
    stage.hub.budgets.graphql = 400;
    const clock = fakeClock();
    await poll(clock, { timeout: 90 });
    assert.ok((clock.waits[0] ?? 0) > 3_000_000, `${clock.waits[0]}`);
  });

  test('does not go on with a token that is not accepted', async () => {
    stage.hub.next('POST /graphql', { status: 401, body: { message: 'Bad credentials' } });
    await assert.rejects(poll(fakeClock()), (thrown) => Problem.is(thrown, 'no-token') && !/ghp_/.test(thrown.message));
    assert.ok(!existsSync(join(login, '.poll-active')));
  });

  test('has a marker while it runs that hooks take for a live poll, and none afterwards, however it ends', async () => {
    const { environment } = await stage.workspace();
    const states: string[] = [];
    const beats: unknown[] = [];
    const stop = new AbortController();
    const clock = fakeClock(async (wait) => {
      states.push(await pollStateOf(environment, login));
      beats.push((JSON.parse(await readFile(join(login, '.poll-active'), 'utf8')) as { heartbeat: string }).heartbeat);
      if (wait === 6) stop.abort();
    });
    await assert.rejects(poll(clock, { signal: stop.signal }), (thrown) => Problem.is(thrown, 'cancelled'));
    assert.deepEqual([...new Set(states)], ['live']);
    assert.equal(new Set(beats).size, 2, beats.join());
    assert.equal(await pollStateOf(environment, login), 'none');
    assert.equal(await stage.repository.gitIn(login, 'status', '--porcelain'), '');
  });

  test('refuses a second poll of a worktree while the first one lives, and replaces the marker of a dead one', async () => {
    const clock = fakeClock(async (wait) => {
      if (wait !== 1) return;
      await assert.rejects(
        poll(fakeClock()),
        (thrown) => Problem.is(thrown, 'in-use') && thrown.outcome === 'incomplete',
      );
    });
    await poll(clock, { timeout: 2 });
    const { environment } = await stage.workspace();
    await writeFile(join(login, '.poll-active'), JSON.stringify({ pid: 2 ** 22 + 1, host: environment.host }));
    assert.equal(await pollStateOf(environment, login), 'dead');
    await poll(fakeClock(), { timeout: 2 });
    assert.equal(await pollStateOf(environment, login), 'none');
  });

  test("refuses a marker that may be another tool's while that is young, names it, and replaces it when it is old", async () => {
    const file = join(login, '.poll-active');
    for (const text of ['', 'watching', JSON.stringify({ pid: 1, host: 'elsewhere' })]) {
      await writeFile(file, text);
      await assert.rejects(poll(fakeClock()), (thrown) => Problem.is(thrown, 'in-use') && thrown.file === file);
      assert.equal(await readFile(file, 'utf8'), text, 'it was left as it is');
      const hoursAgo = new Date(Date.now() - 5 * 3_600_000);
      await utimes(file, hoursAgo, hoursAgo);
      assert.equal((await poll(fakeClock(), { timeout: 1 })).timedOut, true);
      assert.ok(!existsSync(file));
    }
  });

  test('shares what an hour allows with the other polls of the repository, and not with dead ones', async () => {
    pull.checks = check(null);
    const { environment, repository } = await stage.workspace();
    // Programs that live until their input ends.
    const others = Array.from({ length: 9 }, () => spawn('git', ['cat-file', '--batch'], { cwd: login }));
    try {
      await updateRegistry(environment, repository, ({ worktrees }) => {
        for (const index of others.keys()) {
          const path = join(stage.home.root, `watched-${index}`);
          worktrees.set(`w${index}`, { path, branch: `w${index}`, base: 'main', pr: null });
        }
      });
      for (const [index, { pid }] of others.entries()) {
        await mkdir(join(stage.home.root, `watched-${index}`));
        const marker = join(stage.home.root, `watched-${index}`, '.poll-active');
        await writeFile(marker, JSON.stringify({ pid, host: environment.host }));
      }
      const crowded = fakeClock();
      await poll(crowded, { timeout: 2 });
      assert.equal(crowded.waits[0], 36_000);
    } finally {
      await Promise.all(others.map((child) => new Promise((done) => child.once('close', done).stdin.end())));
    }
    const alone = fakeClock();
    await poll(alone, { timeout: 2 });
    assert.equal(alone.waits[0], 15_000);
  });

  test('ends when its worktree is removed, and does not bring the folder back', async () => {
    const clock = fakeClock(async (wait) => {
      if (wait === 2) await rm(login, { recursive: true });
    });
    await assert.rejects(poll(clock), (thrown) => Problem.is(thrown, 'not-found'));
    assert.ok(!existsSync(login));
  });

  test('writes what it has seen only when that changes', async () => {
    await poll(fakeClock(), { timeout: 5 });
    const file = join(login, '.poll-state.json');
    const before = await stat(file);
    await poll(fakeClock(), { timeout: 30 });
    const after = await stat(file);
    assert.deepEqual([after.ino, after.mtimeMs], [before.ino, before.mtimeMs]);
    await writeFile(file, '{ broken');
    assert.deepEqual(events(await poll(fakeClock(), { timeout: 5 })), []);
  });

  test('says so when there is no pull request to watch', async () => {
    await stage.worktree('other');
    await assert.rejects(
      poll(fakeClock(), { name: 'other' }),
      (thrown) => Problem.is(thrown, 'not-found') && thrown.next === 'open one: `wt pr other`',
    );
  });
});
