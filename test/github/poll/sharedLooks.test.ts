import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSession } from '../../../src/core/github/connect.ts';
import type { PollTarget } from '../../../src/core/github/poll/query.ts';
import { newsOf, type News, type Told } from '../../../src/core/github/poll/changes.ts';
import { pollTogether, readKnown, type Poll } from '../../../src/core/github/poll/sharedPoll.ts';
import type { GitHub } from '../../../src/core/github/client.ts';
import type { PullRequestStatus } from '../../../src/core/github/status.ts';
import { readRegistry, updateRegistry } from '../../../src/core/repository/registry.ts';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';
import { testHome } from '../../support/tempRepo.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { mergePull } from '../support/hubMerge.ts';
import type { HubPull } from '../support/hubState.ts';
import { makeStage, type Stage } from '../support/stage.ts';

const minute = 60_000;

describe('windows that look at pull requests together', () => {
  let stage: Stage;
  let pull: HubPull;
  let target: PollTarget;
  const clock = fakeClock();

  beforeEach(async () => {
    stage = await makeStage(await testHome());
    const path = await stage.worktree('login');
    await stage.repository.git('push', '--quiet', 'origin', 'login');
    pull = stage.hub.state.add('login', 'main');
    target = { name: 'login', path, branch: 'login', number: pull.number };
  });
  afterEach(() => stage.close());

  const window = async (): Promise<{ workspace: Workspace; github: GitHub }> => {
    const workspace = await stage.workspace();
    return { workspace, github: (await openSession(workspace, { clock, spacing: false })).github };
  };
  const look = async (maxAge: number, from?: { workspace: Workspace; github: GitHub }): Promise<Poll> => {
    const { workspace, github } = from ?? (await window());
    return pollTogether(workspace, github, [target], { maxAge });
  };
  const kinds = ({ news }: Poll): News[] => news.flatMap((each) => [...each.news]);
  const requests = (): number => stage.hub.requests.length;
  const file = (): string => join(stage.repository.root, '.git/worktree-stacks/pull-requests.json');

  it('take over what another one has asked a moment ago', async () => {
    const first = await look(minute);
    const asked = requests();
    const second = await look(minute);
    assert.deepEqual([first.asked, second.asked, requests()], [true, false, asked]);
    assert.deepEqual(second.known.statuses.get(1), JSON.parse(JSON.stringify(first.known.statuses.get(1))));
    await clock.sleep(2 * minute);
    assert.equal((await look(minute)).asked, true);
  });

  it('ask once when several want to know at the same moment', async () => {
    const windows = await Promise.all([window(), window(), window()]);
    await Promise.all(windows.map((each) => look(minute, each)));
    assert.equal(stage.hub.count(/^POST \/graphql/), 1);
  });

  it('ask in any case when a person wants to know', async () => {
    await look(minute);
    pull.checks = [{ name: 'build', status: 'completed', conclusion: 'success' }];
    const { known } = await look(0);
    assert.equal(known.statuses.get(1)?.checks.state, 'passed');
  });

  it('ask for nothing but news while everything is at rest, and GitHub does not count that', async () => {
    const one = await window();
    await look(minute, one);
    for (let each = 0; each < 3; each++) {
      await clock.sleep(2 * minute);
      await look(minute, one);
    }
    assert.equal(stage.hub.count(/^POST \/graphql/), 2);
    assert.ok(stage.hub.count(/^GET /, 304) >= 2);
  });

  it('tell what needs a person once, and by one of them only', async () => {
    await look(0);
    pull.checks = [{ name: 'build', status: 'completed', conclusion: 'failure' }];
    pull.reviews = [{ login: 'ada', state: 'CHANGES_REQUESTED' }] as never;
    assert.deepEqual(kinds(await look(0)).sort(), ['changes-requested', 'checks-failed']);
    assert.deepEqual(kinds(await look(0)), []);
    pull.state = 'closed';
    assert.deepEqual(kinds(await look(0)), ['closed']);
    assert.deepEqual(kinds(await look(0)), []);
  });

  it('write down what became of a pull request, once', async () => {
    const { environment, repository } = await stage.workspace();
    await updateRegistry(environment, repository, ({ worktrees }) => {
      const entry = worktrees.get('login');
      if (entry) worktrees.set('login', { ...entry, pr: { number: pull.number, url: '' } });
    });
    const read = async () => {
      const { revision, worktrees } = await readRegistry(repository);
      return [revision, worktrees.get('login')?.pr?.['state'], worktrees.get('login')?.lifecycle];
    };
    // What it is into is recorded with the first look.
    await look(0);
    const [before] = await read();
    await look(0);
    assert.deepEqual(await read(), [before, undefined, undefined]);
    const commit = mergePull(stage.hub.state, pull, 'squash');
    await look(0);
    assert.deepEqual(await read(), [Number(before) + 1, 'merged', 'merged']);
    assert.equal(await stage.repository.git('rev-parse', 'origin/main'), commit, 'it was fetched');
    await look(0);
    assert.deepEqual(await read(), [Number(before) + 1, 'merged', 'merged']);
  });

  it('show what was known last without asking anybody, also after a restart', async () => {
    await look(0);
    const asked = requests();
    const known = await readKnown((await stage.workspace()).repository);
    assert.equal(known.statuses.get(1)?.draft, true);
    assert.equal(requests(), asked);
  });

  it('keep nothing secret in the file that they share', async () => {
    await look(0);
    assert.doesNotMatch(await readFile(file(), 'utf8'), /ghp_|token/i);
  });

  it('start anew when the file cannot be read, or its writer has died in the middle of a look', async () => {
    await look(0);
    await writeFile(file(), '{ "version": 1, "asked": ');
    assert.equal((await look(minute)).asked, true);
    const left = JSON.parse(await readFile(file(), 'utf8')) as object;
    const looking = { pid: 2 ** 22 - 1, host: (await import('node:os')).hostname(), since: clock.now() };
    await writeFile(file(), JSON.stringify({ ...left, looking }));
    await clock.sleep(2 * minute);
    assert.equal((await look(minute)).asked, true);
  });

  it('let the next look ask after one that failed', async () => {
    await look(0);
    const down = { status: 403, body: { message: 'Resource not accessible' } };
    stage.hub.next(/^POST \/graphql/, down);
    await assert.rejects(look(0), /HTTP 403/);
    const { known, asked } = await look(0);
    assert.deepEqual([asked, known.statuses.size], [true, 1]);
  });
});

describe('the news of a pull request', () => {
  const status = (more: Partial<PullRequestStatus>): PullRequestStatus => ({
    ...{ number: 1, url: '', title: '', state: 'open', draft: false, headBranch: 'login', headCommit: 'a' },
    ...{ baseBranch: 'main', mergeCommit: undefined, mergeable: 'yes', review: undefined, remarks: 0, unresolved: 0 },
    checks: { state: 'none', passed: 0, failed: 0, pending: 0 },
    ...more,
  });
  const failed: PullRequestStatus['checks'] = { state: 'failed', passed: 0, failed: 1, pending: 0 };
  const pending: PullRequestStatus['checks'] = { state: 'pending', passed: 0, failed: 0, pending: 1 };
  /** What is told over several looks. */
  const told = (...looks: PullRequestStatus[]): (readonly News[])[] => {
    let memory: Told | undefined;
    return looks.map((each) => {
      const judged = newsOf(memory, each);
      memory = judged.told;
      return judged.news;
    });
  };

  it('are none at the first sight, whatever is so', () => {
    assert.deepEqual(told(status({ checks: failed, mergeable: 'conflicts' }), status({ checks: failed })), [[], []]);
    assert.deepEqual(told(status({ state: 'merged' })), [[]]);
  });

  it('tell failed checks once for each commit', () => {
    const first = status({ checks: failed });
    const next = status({ checks: failed, headCommit: 'b' });
    assert.deepEqual(told(status({}), first, first, status({ checks: pending }), first, next, next), [
      ...[[], ['checks-failed'], [], [], [], ['checks-failed'], []],
    ]);
  });

  it('do not tell conflicts again because GitHub has forgotten them for a moment', () => {
    const looks = (['yes', 'conflicts', 'unknown', 'conflicts', 'yes', 'conflicts'] as const).map((mergeable) =>
      status({ mergeable }),
    );
    assert.deepEqual(told(...looks), [[], ['conflicts'], [], [], [], ['conflicts']]);
  });

  it('tell changes that were requested again after an approval', () => {
    const looks = ([undefined, 'changes_requested', 'approved', 'changes_requested'] as const).map((review) =>
      status({ review }),
    );
    assert.deepEqual(told(...looks), [[], ['changes-requested'], [], ['changes-requested']]);
  });

  it('tell the end, and that of one that was reopened', () => {
    const closed = status({ state: 'closed', checks: failed });
    assert.deepEqual(told(status({}), closed, closed, status({}), status({ state: 'merged' })), [
      ...[[], ['closed'], [], [], ['merged']],
    ]);
  });
});
