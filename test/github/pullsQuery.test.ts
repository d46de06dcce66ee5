import assert from 'node:assert/strict';
import { askStatus } from '../../src/core/github/askStatus.ts';
import { GitHub } from '../../src/core/github/client.ts';
import { HostProblem } from '../../src/core/github/failure.ts';
import { askPulls } from '../../src/core/github/pullsQuery.ts';
import { testHome, type TestHome } from '../support/tempRepo.ts';
import { testEnvironment } from '../support/workspace.ts';
import { fakeClock } from './support/fakeClock.ts';
import { startHub, type Hub, type HubAnswer } from './support/hub.ts';
import { HubState } from './support/hubState.ts';
import { refsInMemory } from './support/refs.ts';

describe('reading many pull requests with few queries', () => {
  let home: TestHome;
  let hub: Hub;
  let github: GitHub;
  const clock = fakeClock();
  const names = Array.from({ length: 240 }, (_, index) => `b${index}`);
  before(async () => (home = await testHome()));
  after(() => home.dispose());
  beforeEach(async () => {
    const tips = Object.fromEntries(['main', ...names].map((name, at) => [name, at.toString(16).padStart(40, 'a')]));
    hub = await startHub(new HubState(refsInMemory(tips)));
    github = new GitHub({
      environment: testEnvironment(home, home.root),
      repository: { host: hub.url.replace('http://', ''), protocol: 'http', owner: 'octo', repo: 'demo' },
      token: { value: 'ghp_0123456789abcdefghijABCDEFGHIJ012345', from: 'the variable GH_ENTERPRISE_TOKEN' },
      ...{ spacing: false, clock },
    });
    for (const [at, name] of names.entries()) hub.state.add(name, names[at - 1] ?? 'main');
  });
  afterEach(async () => {
    await hub.close();
    assert.deepEqual(hub.faults, []);
  });

  const read = async (branches = names): Promise<(number | undefined)[]> => {
    const { from } = await askPulls(github, branches);
    return branches.map((name) => from.get(name)?.[0]?.number);
  };
  const all = names.map((_, at) => at + 1);
  const sizes = (): (number | undefined)[] =>
    hub.requests.map(({ body }) => (body as { query: string }).query.match(/pullRequests\(/g)?.length);

  /** What GitHub answers when a query costs it too much: what it had by then, and an error. */
  const partial = (normal: () => HubAnswer): HubAnswer => {
    const whole = normal();
    const { data } = whole.body as { data: { repository: Record<string, unknown> } };
    const repository = { ...data.repository, h7: null, h8: { nodes: [] } };
    const error = { type: 'RESOURCE_LIMITS_EXCEEDED', message: 'Resource limits for this query exceeded.' };
    return { status: 200, body: { data: { repository }, errors: [{ ...error, path: ['repository', 'h7'] }] } };
  };
  const timeout = { status: 502, body: { data: null, errors: [{ message: 'Something went wrong' }] } };
  const said = 'Something went wrong while executing your query. This may be the result of a timeout, or a GitHub bug.';

  it('one query is enough, however many branches, up to five hundred', async () => {
    assert.deepEqual(await read(), all);
    assert.deepEqual(sizes(), [240]);
  });

  for (const [what, answer] of [
    ['too expensive', partial],
    ['ended after ten seconds', timeout],
    ['ended after ten seconds, in an answer', { status: 200, body: { data: null, errors: [{ message: said }] } }],
  ] as const)
    it(`a query that is ${what} is asked again in halves, which is remembered for an hour`, async () => {
      hub.next('POST /graphql', answer);
      assert.deepEqual(await read(), all);
      assert.deepEqual(await read(), all);
      assert.deepEqual(sizes(), [240, 120, 120, 120, 120]);
      await clock.sleep(3_600_001);
      assert.deepEqual(await read(), all);
      assert.equal(sizes().at(-1), 240);
    });

  it('what is still too much after some halving is a failure, never a branch without a pull request', async () => {
    hub.next('POST /graphql', ...Array.from({ length: 9 }, () => partial));
    await assert.rejects(
      read(),
      (thrown) => thrown instanceof HostProblem && /Resource limits/.test(thrown.words[0] ?? ''),
    );
    assert.deepEqual(sizes(), [240, 120, 60]);
  });

  it('a detail that the token may not see spoils nothing; a pull request that it may not see is a failure', async () => {
    const hidden =
      (path: (string | number)[], change: (pull: Record<string, unknown>) => unknown) =>
      (normal: () => HubAnswer): HubAnswer => {
        const whole = normal();
        const { data } = whole.body as { data: { repository: Record<string, { nodes: Record<string, unknown>[] }> } };
        const { h3: connection } = data.repository;
        const [pull] = connection?.nodes ?? [];
        const repository = { ...data.repository, h3: { nodes: [pull && change(pull)] } };
        const message = 'Resource not accessible by personal access token';
        const error = { type: 'FORBIDDEN', message, path: ['repository', 'h3', 'nodes', 0, ...path] };
        return { status: 200, body: { data: { repository }, errors: [error] } };
      };
    hub.next(
      'POST /graphql',
      hidden(['mergeCommit'], (pull) => ({ ...pull, mergeCommit: null })),
      hidden([], () => null),
    );
    assert.deepEqual(await read(), all);
    await assert.rejects(read(), HostProblem);
  });

  it('statuses are halved in the same way', async () => {
    hub.next('POST /graphql', timeout);
    const { pulls, branches } = await askStatus(
      github,
      all.map((number) => ({ number })),
      ['main', 'b7', 'nothing'],
    );
    assert.deepEqual(
      pulls.map((each) => each?.number),
      all,
    );
    assert.deepEqual(
      branches.map((oid) => oid !== undefined),
      [true, true, false],
    );
    assert.equal(hub.requests.length, 1 + Math.ceil(240 / 25));
  });
});
