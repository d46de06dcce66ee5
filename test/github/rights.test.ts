import assert from 'node:assert/strict';
import { askStatus } from '../../src/core/github/askStatus.ts';
import { openSession } from '../../src/core/github/connect.ts';
import { assertMatches } from '../cli/support/schema.ts';
import { wtHome, type Ran, type WtHome } from '../cli/support/wt.ts';
import { setRules } from './support/hubProtection.ts';
import { makeStage, type Stage } from './support/stage.ts';
import { shareOf } from '../support/share.ts';

for (const graphql of shareOf([true, false], 2))
  describe(`a token that may not see everything${graphql ? '' : ', without GraphQL'}`, () => {
    let home: WtHome;
    let stage: Stage;
    beforeEach(async () => {
      home = await wtHome();
      stage = await makeStage(home, { graphql });
      const path = await stage.worktree('one');
      await stage.repository.git('push', '--quiet', 'origin', 'one');
      assert.equal((await wt('pr', 'one')).code, 0);
      stage.hub.state.pulls.get(1)?.checks.push({ name: 'build', status: 'completed', conclusion: 'success' });
      stage.hub.state.readsChecks = false;
      await stage.commit(path, 'more.txt');
    });
    afterEach(() => stage.close());
    const wt = (...args: string[]): Promise<Ran> =>
      home.wt(stage.repository.root, args, { variables: stage.variables });

    it('polls what may be seen, and names the permission for what may not', async () => {
      Object.assign(stage.hub.state.pulls.get(1) ?? {}, { comments: 2 });
      const polled = await wt('poll', 'one', '--timeout', '0.01');
      assert.equal(polled.code, 0, polled.stderr);
      assertMatches('poll', polled.json());
      const [pull] = polled.json()['pull_requests'] as { checks: { state: string }; remarks: number }[];
      assert.deepEqual([pull?.checks.state, pull?.remarks], ['unknown', 2]);
      const events = polled.json()['events'] as { type: string }[];
      assert.deepEqual(
        events.map(({ type }) => type),
        ['review_comments'],
      );
      assert.deepEqual(polled.json()['missing_permissions'], ['Checks: read, Commit statuses: read']);
      assert.match(polled.stderr, /does not show the checks to this token: .* `Checks: read, Commit statuses: read`/);
    }).timeout(300_000);

    it('rebases by what GitHub says of the pull requests', async () => {
      await stage.worktree('two', 'one');
      const ran = await wt('rebase', 'two', '--dry-run', '--json');
      assert.equal(ran.code, 0, ran.stderr);
      assert.doesNotMatch(JSON.stringify(ran.json()['notes'] ?? []), /detected from local data/);
    }).timeout(300_000);

    it('asks for nothing twice that has not changed', async () => {
      const { github } = await openSession(await stage.workspace(), { spacing: false });
      const first = await askStatus(github, [{ number: 1 }]);
      const before = stage.hub.requests.length;
      assert.deepEqual((await askStatus(github, [{ number: 1 }])).pulls, first.pulls);
      const counted = stage.hub.requests.slice(before).filter(({ status }) => status === 200);
      assert.ok(counted.length <= 1, JSON.stringify(counted));
    });
  });

describe('what GitHub keeps of a pull request', () => {
  let home: WtHome;
  let stage: Stage;
  beforeEach(async () => {
    home = await wtHome();
    stage = await makeStage(home);
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    assert.equal((await wt('pr', 'two', '--stack', '--register')).code, 0);
  });
  afterEach(() => stage.close());
  const wt = (...args: string[]): Promise<Ran> => home.wt(stage.repository.root, args, { variables: stage.variables });
  const poll = async (): Promise<Record<string, unknown>[]> => {
    const polled = await wt('poll', '--all', '--timeout', '0.01');
    assert.equal(polled.code, 0, polled.stderr);
    assertMatches('poll', polled.json());
    const pulls = polled.json()['pull_requests'] as Record<string, unknown>[];
    return pulls.sort((one, other) => Number(one['number']) - Number(other['number']));
  };

  for (const ruleset of shareOf([true, false], 2))
    it(`is said in the row: checks and reviews that ${ruleset ? 'a ruleset' : 'a protected branch'} demands`, async () => {
      const rules = { checks: ['build', 'lint'], approvals: 2, ruleset };
      setRules(stage.hub.state, stage.bare, { main: rules });
      const [one, two] = await poll();
      assert.deepEqual(one?.['demands'], { checks: ['build', 'lint'], reviews: 2, queue: false });
      assert.deepEqual([one?.['blocked'], two?.['demands'], two?.['blocked']], [true, null, false]);
      assert.match(
        (await wt('stack')).stdout,
        /\+-- one \(#1 open, needs build, lint, 2 reviews, GitHub stack 40 \(1 of 2\)\)/,
      );
      assert.match((await wt('list')).stdout, /#2 GitHub stack 40 \(2 of 2\)/);
      assert.match((await wt('info', 'one')).stdout, /its base wants build, lint, 2 reviews/);
      setRules(stage.hub.state, stage.bare, {});
      stage.hub.state.stacks.clear();
      await poll();
      assert.doesNotMatch((await wt('stack')).stdout, /needs|GitHub stack/);
    }).timeout(300_000);

  it('is said in the row: a merge queue', async () => {
    setRules(stage.hub.state, stage.bare, { main: { mergeQueue: true, ruleset: true } });
    Object.assign(stage.hub.state.pulls.get(1) ?? {}, { queued: true, draft: false });
    const [one] = await poll();
    assert.deepEqual([one?.['state'], one?.['demands']], ['queued', { checks: [], reviews: 0, queue: true }]);
    assert.match((await wt('list')).stdout, /#1 in the merge queue/);
    assert.match((await wt('info', 'one')).stdout, /merged by a queue/);
    const kept = await wt('cleanup', 'one', '--json');
    assert.equal(kept.code, 1);
    assertMatches('cleanup', kept.json());
    assert.match(kept.stdout, /pull request #1 waits in the merge queue/);
    assert.equal(stage.hub.state.pulls.get(2)?.base, 'one');
    // Out of the queue it may go.
    Object.assign(stage.hub.state.pulls.get(1) ?? {}, { queued: false });
    const removed = await wt('cleanup', 'one', '--force');
    assert.equal(removed.code, 0, removed.stderr);
  }).timeout(300_000);

  it('is asked for without rules where a server does not know them, and without stacks where there are none', async () => {
    stage.hub.state.nativeStacks = false;
    const message = "Field 'rules' doesn't exist on type 'Ref'";
    stage.hub.next('POST /graphql', { status: 200, body: { errors: [{ message }] } });
    const before = stage.hub.count(/^GET .*\/pulls\/\d+$/);
    const [one] = await poll();
    assert.deepEqual([one?.['state'], one?.['demands'], one?.['github_stack']], ['open', null, null]);
    assert.equal(stage.hub.count(/^GET .*\/pulls\/\d+$/), before);
  }).timeout(300_000);
});
