import assert from 'node:assert/strict';
import { Problem } from '../../src/core/base/problem.ts';
import { askAboutBranches, askStatus } from '../../src/core/github/askStatus.ts';
import { GitHub } from '../../src/core/github/client.ts';
import { HostProblem } from '../../src/core/github/failure.ts';
import {
  branchTip,
  createPullRequest,
  getPullRequest,
  openPullRequestsInto,
} from '../../src/core/github/operations.ts';
import { nextPoll } from '../../src/core/github/poll/schedule.ts';
import { withStackTable } from '../../src/core/github/pr/stackTable.ts';
import { toChecks } from '../../src/core/github/status.ts';
import { testHome, type TestHome } from '../support/tempRepo.ts';
import { testEnvironment } from '../support/workspace.ts';
import { fakeClock, type FakeClock } from './support/fakeClock.ts';
import { startHub, type Hub } from './support/hub.ts';
import { HubState } from './support/hubState.ts';
import { refsInMemory } from './support/refs.ts';
import { verbatim } from '../../src/core/messages/message.ts';

const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
const oid = (digit: string): string => digit.repeat(40);

describe('talking to GitHub', () => {
  let home: TestHome;
  let hub: Hub;
  let lines: string[];
  let github: GitHub;
  const start = async (options: { graphql?: boolean; clock?: FakeClock; spacing?: boolean } = {}): Promise<void> => {
    hub = await startHub(
      new HubState(refsInMemory({ main: oid('a'), one: oid('b'), two: oid('c') })),
      undefined,
      options,
    );
    lines = [];
    const note = (line: string): void => void lines.push(line);
    const log = { debug: note, info: note, warn: note, error: note };
    github = new GitHub({
      environment: { ...testEnvironment(home, home.root), log },
      repository: { host: hub.url.replace('http://', ''), protocol: 'http', owner: 'octo', repo: 'demo' },
      token: { value: secret, from: 'the variable GH_ENTERPRISE_TOKEN' },
      spacing: options.spacing ?? false,
      ...(options.clock ? { clock: options.clock } : {}),
    });
  };
  before(async () => (home = await testHome()));
  after(() => home.dispose());
  afterEach(async () => {
    await hub.close();
    assert.deepEqual(hub.faults, []);
    assert.ok(!lines.join('\n').includes(secret), 'the token was logged');
  });

  const failure = async (asked: Promise<unknown>): Promise<HostProblem> => {
    const thrown: unknown = await asked.then(
      () => assert.fail('it succeeded'),
      (problem: unknown) => problem,
    );
    assert.ok(thrown instanceof HostProblem, String(thrown));
    assert.ok(!`${thrown.message}${thrown.next}${thrown.items.join('')}`.includes(secret));
    return thrown;
  };

  it('tries a read again after a failure of the server, and a write never', async () => {
    await start();
    hub.next(/^GET /, { status: 502, body: {} });
    assert.equal(await branchTip(github, 'main'), oid('a'));
    assert.equal(hub.count(/^GET /), 2);
    hub.next(/^POST /, { status: 502, body: {} }, { status: 502, body: {} });
    const wanted = { title: 'x', body: '', head: 'one', headRepo: undefined, base: 'main', draft: true };
    assert.equal((await failure(createPullRequest(github, wanted))).status, 502);
    assert.equal(hub.count(/^POST /), 1);
  });

  it('waits a moment when GitHub asks for it, and gives up with the time when it is long', async () => {
    const clock = fakeClock();
    await start({ clock });
    const slow = (seconds: number) => ({
      status: 429,
      body: { message: 'slow down' },
      headers: { 'retry-after': String(seconds) },
    });
    hub.next(/^GET /, slow(20));
    assert.equal(await branchTip(github, 'main'), oid('a'));
    assert.deepEqual(clock.waits, [20_000]);
    hub.next(/^GET /, slow(1200));
    const problem = await failure(branchTip(github, 'main'));
    assert.deepEqual(
      [problem.reason, problem.outcome, problem.next],
      ['rate-limited', 'incomplete', 'try again in 20 minutes'],
    );
  });

  it('knows an exhausted hour by its headers, and tells a refusal from it', async () => {
    await start();
    const reset = String(Math.floor(Date.now() / 1000) + 600);
    hub.next(/^GET /, {
      status: 403,
      body: { message: 'no' },
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
    });
    assert.equal((await failure(branchTip(github, 'main'))).reason, 'rate-limited');
    const sso = { 'x-github-sso': 'required; url=https://github.example.com/orgs/octo/sso?x=1' };
    hub.next(/^GET /, {
      status: 403,
      body: { message: 'Resource protected by organization SAML enforcement.' },
      headers: sso,
    });
    const refusal = await failure(branchTip(github, 'main'));
    assert.equal(refusal.reason, 'host-refused');
    assert.match(refusal.next ?? '', /orgs\/octo\/sso/);
  });

  it('says where a token is from that is not accepted, and that a host cannot be reached', async () => {
    await start();
    hub.next(/^GET /, { status: 401, body: { message: 'Bad credentials' } });
    assert.match(
      (await failure(branchTip(github, 'main'))).message,
      /does not accept the token from the variable GH_ENTERPRISE_TOKEN/,
    );
    const nowhere = github.at({ host: '127.0.0.1:65533', protocol: 'http', owner: 'octo', repo: 'demo' });
    assert.equal((await failure(branchTip(nowhere, 'main'))).reason, 'offline');
  }).timeout(30_000);

  it('can be called off while GitHub is silent', async () => {
    await start();
    const stop = new AbortController();
    hub.next(/^GET /, (normal) => {
      stop.abort();
      return normal();
    });
    await assert.rejects(branchTip(github, 'main', stop.signal), (thrown) => Problem.is(thrown, 'cancelled'));
  });

  it('can be called off between writes that are kept apart, and says what is waited for otherwise', async () => {
    await start({ spacing: true });
    const stop = new AbortController();
    const wanted = (head: string) => ({ title: 'x', body: '', head, headRepo: undefined, base: 'main', draft: true });
    await createPullRequest(github, wanted('one'));
    const second = createPullRequest(github, wanted('two'), stop.signal);
    stop.abort();
    await assert.rejects(second, (thrown) => Problem.is(thrown, 'cancelled'));
    assert.equal(hub.state.pulls.size, 1);
  });

  it('asks for what is unchanged without it being counted', async () => {
    await start();
    hub.state.add('one', 'main');
    const ask = () =>
      github.askForNews('pulls', verbatim('list'), (host, at) =>
        host.rest.pulls.list({ ...at, state: 'all', per_page: 100 }),
      );
    const first = await ask();
    const second = await ask();
    assert.deepEqual([first.changed, second.changed, second.data], [true, false, first.data]);
    assert.equal(github.budget('core')?.remaining, 4999);
    hub.state.add('two', 'one');
    assert.equal((await ask()).changed, true);
  });

  it('gives the states of branches to whoever plans a rebase, queued told from merged', async () => {
    await start();
    hub.state.add('one', 'main', { state: 'closed', mergedAt: new Date().toISOString() });
    hub.state.add('two', 'one', { queued: true, reviews: [{ login: 'grace', state: 'APPROVED' }] });
    const known = { numbers: new Map([['two', 2]]), heads: ['octo/demo'] };
    const found = await askAboutBranches(github, ['one', 'two', 'none'], known, undefined);
    assert.deepEqual(
      [...found].map(([branch, { number, state, headCommit, mergeCommit, baseBranch, draft, review }]) => [
        branch,
        { number, state, headCommit, mergeCommit, baseBranch, draft, review },
      ]),
      [
        [
          'one',
          {
            number: 1,
            state: 'merged',
            headCommit: oid('b'),
            mergeCommit: undefined,
            baseBranch: 'main',
            draft: true,
            review: undefined,
          },
        ],
        [
          'two',
          {
            number: 2,
            state: 'queued',
            headCommit: oid('c'),
            mergeCommit: undefined,
            baseBranch: 'one',
            draft: true,
            review: 'approved',
          },
        ],
      ],
    );
    assert.equal(hub.requests.length, 1);
  });

  for (const graphql of [true, false]) {
    it(`takes no branch of another repository for one here, ${graphql ? 'with' : 'without'} GraphQL`, async () => {
      await start({ graphql });
      hub.state.forks.set('eve/demo', hub.state.refs);
      hub.state.forks.set('octo/copy', hub.state.refs);
      hub.state.add('one', 'main');
      hub.state.add('one', 'main', { headOwner: 'eve', state: 'closed', mergedAt: new Date().toISOString() });
      hub.state.add('one', 'main', { headRepo: 'copy', state: 'closed', mergedAt: new Date().toISOString() });
      const numbers = async (heads: string[]): Promise<unknown[]> =>
        [...(await askAboutBranches(github, ['one'], { numbers: new Map(), heads }, undefined)).values()].map(
          ({ number }) => number,
        );
      assert.deepEqual(await numbers(['octo/demo']), [1]);
      assert.deepEqual(await numbers(['octo/demo', 'eve/demo']), [2]);
      assert.deepEqual(await numbers(['octo/copy']), [3]);
      assert.deepEqual(await numbers(['ada/demo']), []);
    });
  }

  it('asks for fifty pull requests in one query, for more in several, and survives one that is gone', async () => {
    await start();
    for (let count = 0; count < 120; count++) hub.state.add('one', 'main');
    const wanted = [...Array.from({ length: 120 }, (_, index) => ({ number: index + 1 })), { number: 999 }];
    const { pulls, branches } = await askStatus(github, wanted, ['main', 'nothing']);
    assert.equal(hub.requests.length, 3);
    assert.deepEqual(
      [pulls.length, pulls.filter((each) => each !== undefined).length, branches],
      [121, 120, [oid('a'), undefined]],
    );
  });

  it('asks one by one where the host has no GraphQL, for the same answer', async () => {
    const prepare = (): void => {
      const checks = [
        { name: 'build', status: 'completed', conclusion: 'success' },
        { name: 'lint', status: 'in_progress', conclusion: null },
      ];
      hub.state.add('one', 'main', { checks, comments: 2, reviews: [{ login: 'grace', state: 'APPROVED' }] });
    };
    await start({ graphql: false });
    prepare();
    const slow = await askStatus(
      github,
      [{ number: 1 }, { branch: 'one', heads: ['octo/demo'] }, { number: 7 }],
      ['main'],
    );
    await hub.close();
    await start();
    prepare();
    const quick = await askStatus(
      github,
      [{ number: 1 }, { branch: 'one', heads: ['octo/demo'] }, { number: 7 }],
      ['main'],
    );
    assert.deepEqual({ ...slow, rate: undefined }, { ...quick, rate: undefined });
  });

  it('does without what an older server does not know, and says when the whole repository cannot be seen', async () => {
    await start();
    hub.state.add('one', 'main');
    const message = "Field 'isInMergeQueue' doesn't exist on type 'PullRequest'";
    hub.next('POST /graphql', { status: 200, body: { errors: [{ message }] } });
    assert.equal((await askStatus(github, [{ number: 1 }])).pulls[0]?.state, 'open');
    const elsewhere = github.at({ ...github.repository, repo: 'other' });
    hub.next('POST /graphql', {
      status: 200,
      body: {
        data: { repository: null },
        errors: [{ type: 'NOT_FOUND', message: 'Could not resolve to a Repository.' }],
      },
    });
    const problem = await failure(askStatus(elsewhere, [{ number: 1 }]));
    assert.deepEqual([problem.reason, /HTTP/.test(problem.message)], ['not-found', false]);
    assert.match(problem.next ?? '', /scope/);
  });

  it('reads all pages of the pull requests into a branch', async () => {
    await start();
    for (let count = 0; count < 3; count++) hub.state.add('two', 'one');
    assert.equal((await openPullRequestsInto(github, 'one')).length, 3);
    assert.equal(await getPullRequest(github, 77), undefined);
  });
});

describe('checks of a commit', () => {
  for (const [counts, overall, state] of [
    [[], undefined, 'none'],
    [[], 'EXPECTED', 'pending'],
    [[['SUCCESS', 3]], 'SUCCESS', 'passed'],
    [[['SUCCESS', 3]], 'EXPECTED', 'pending'],
    [
      [
        ['SUCCESS', 3],
        ['QUEUED', 1],
      ],
      'PENDING',
      'pending',
    ],
    [
      [
        ['SKIPPED', 1],
        ['NEUTRAL', 1],
      ],
      undefined,
      'passed',
    ],
    [
      [
        ['SUCCESS', 3],
        ['FAILURE', 1],
        ['IN_PROGRESS', 1],
      ],
      'FAILURE',
      'failed',
    ],
    [[['A_WORD_OF_TOMORROW', 1]], undefined, 'pending'],
    [[['timed_out', 1]], undefined, 'failed'],
  ] as const) {
    it(`${JSON.stringify(counts)} with ${overall ?? 'no word'} are ${state}`, () => {
      assert.equal(
        toChecks(
          counts.map(([word, count]) => ({ state: word, count })),
          overall,
        ).state,
        state,
      );
    });
  }
});

describe('the schedule of a poll', () => {
  const calm = { pending: false, focused: true, failures: 0, queries: 1, budget: undefined };
  const seconds = (situation: object, random = 0.5): number =>
    Math.round(nextPoll(fakeClock(undefined, random), { ...calm, ...situation }) / 1000);

  it('is quick while something is pending, slow when nobody looks, and never in step', () => {
    assert.deepEqual([seconds({ pending: true }), seconds({}), seconds({ focused: false })], [15, 60, 300]);
    assert.deepEqual([seconds({}, 0), seconds({}, 0.999)], [48, 72]);
  });

  it('backs off to a quarter of an hour, and spends no more than a thousand queries an hour', () => {
    assert.deepEqual(
      [1, 2, 3, 9].map((failures) => seconds({ failures })),
      [120, 240, 480, 900],
    );
    assert.equal(seconds({ pending: true, queries: 10 }), 36);
  });

  it('waits for the next hour when little is left', () => {
    const resetAt = Date.now() + 1_000_000;
    assert.ok(seconds({ budget: { limit: 5000, remaining: 499, resetAt } }) > 900);
    assert.equal(seconds({ budget: { limit: 5000, remaining: 501, resetAt } }), 60);
  });
});

describe('the table of a stack in a text', () => {
  it('is put at the end, found again, changed in place and taken away, and leaves every other byte alone', () => {
    const text = 'Words.\n\n```\n<!-- other -->\n```';
    const first = withStackTable(text, [1, 2], 2, 'main');
    assert.ok(first.startsWith(`${text}\n\n<!--`));
    assert.equal(withStackTable(first, [1, 2], 2, 'main'), first);
    const moved = `${first}\n\nMore words.  `;
    const second = withStackTable(moved, [1, 2, 3], 2, 'main');
    assert.ok(
      second.startsWith(`${text}\n\n<!--`) && second.endsWith('\n\nMore words.  ') && second.includes('- #3\n'),
    );
    assert.equal(withStackTable(second, [2], 2, 'main'), `${text}\n\nMore words.  `);
    assert.equal(withStackTable('', [2], 2, 'main'), '');
  });

  it('goes by the line breaks of the text, and is there once however often it was copied', () => {
    const text = withStackTable('Words.\r\n', [1, 2], 1, 'main');
    assert.ok(!/[^\r]\n/.test(text));
    assert.equal(withStackTable(`${text}\r\n${text}`, [1, 2], 1, 'main').split('keeps itself').length, 2);
  });
});
