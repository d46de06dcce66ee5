import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEmulator, type Emulator } from 'emulate';
import { openSession, type HostSession } from '../../src/core/github/connect.ts';
import { apiVariable } from '../../src/core/github/hosts.ts';
import { updatePullRequest } from '../../src/core/github/operations.ts';
import { watchPullRequests } from '../../src/core/github/poll/loop.ts';
import { openPullRequests, type OpenedAll } from '../../src/core/github/pr/openPullRequests.ts';
import type { PullRequestOptions } from '../../src/core/github/pr/options.ts';
import { testHome } from '../support/tempRepo.ts';
import { checkedProxy, type CheckedProxy } from './support/checkedProxy.ts';
import { fakeClock } from './support/fakeClock.ts';
import { makeStage, type Stage } from './support/stage.ts';
import { verbatim } from '../../src/core/messages/message.ts';

const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** What the emulator leaves out of its answers, although GitHub's description has it; nothing of ours reads it. */
const leftOut = ['network_count', 'subscribers_count', 'annotations_url'].map((name) => `required property '${name}'`);

// The emulator is somebody else's reading of GitHub. It has no GraphQL, so all of this goes through the REST interface.
describe('against an emulator of GitHub that others have written', () => {
  let stage: Stage;
  let emulator: Emulator;
  let proxy: CheckedProxy;
  let session: HostSession;
  beforeEach(async () => {
    const seed = {
      tokens: { [token]: { login: 'octo', scopes: ['repo'] } },
      github: { users: [{ login: 'octo' }], repos: [{ owner: 'octo', name: 'demo', auto_init: true }] },
    };
    emulator = await createEmulator({ service: 'github', port: await freePort(), seed });
    stage = await makeStage(await testHome());
    proxy = await checkedProxy(emulator.url);
    stage.variables[apiVariable] = proxy.url;
    session = await openSession(await stage.workspace(), { spacing: false, clock: fakeClock() });
  });
  afterEach(async () => {
    await proxy.close();
    await emulator.close();
    await stage.close();
    assert.deepEqual(proxy.requestFaults, [], 'requests departed from what GitHub publishes');
    assert.deepEqual(
      proxy.answerFaults.filter((fault) => !leftOut.some((each) => fault.includes(each))),
      [],
      'the emulator departs from what GitHub publishes in more than is known',
    );
  });

  const pr = async (name: string, options: PullRequestOptions): Promise<OpenedAll> => {
    const { workspace, snapshot, worktree } = await stage.look(name);
    return openPullRequests(workspace, snapshot, worktree, session, options);
  };
  const brief = ({ pullRequests }: OpenedAll): string[] =>
    pullRequests.map(
      ({ name, number, base, draft, action }) => `${name} #${number} into ${base} ${draft ? 'draft ' : ''}${action}`,
    );

  it('opens, keeps and renames the drafts of a stack', async () => {
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    await stage.worktree('three', 'two');
    assert.deepEqual(brief(await pr('two', { stack: true })), [
      'one #1 into main draft created',
      'two #2 into one draft created',
      'three #3 into two draft created',
    ]);
    assert.deepEqual(brief(await pr('two', { title: 'Another title', body: 'Other words.' })), [
      'two #2 into one draft updated',
    ]);
    await updatePullRequest(session.github, 3, { base: 'main' });
    assert.deepEqual(brief(await pr('two', { stack: true })), [
      'one #1 into main draft unchanged',
      'two #2 into one draft unchanged',
      'three #3 into two draft updated',
    ]);
  }).timeout(300_000);

  it('tells of failed checks and of remarks', async () => {
    await stage.worktree('one');
    await pr('one', {});
    const post = async (path: string, body: object): Promise<void> => {
      const headers = { authorization: `token ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(`${emulator.url}/repos/octo/demo/${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.text()}`);
    };
    const watch = async (): Promise<string[]> => {
      const { workspace, worktree } = await stage.look('one');
      const { found } = await watchPullRequests(workspace, session.github, [worktree], { timeout: 30 });
      return found.flatMap(({ events }) => events.map(({ type }) => type));
    };
    const first = await watch();
    assert.ok(!first.includes('ci_failure'), first.join());
    const { headCommit } = await head();
    await post('check-runs', { name: 'build', head_sha: headCommit, status: 'completed', conclusion: 'failure' });
    assert.deepEqual(await watch(), ['ci_failure']);
    await post('pulls/1/reviews', { event: 'COMMENT', body: 'Please look again.' });
    assert.deepEqual(await watch(), ['review_comments']);
  }).timeout(300_000);

  const head = async (): Promise<{ headCommit: string }> => {
    const data = await session.github.ask(verbatim('show it'), (host, at) =>
      host.rest.pulls.get({ ...at, pull_number: 1 }),
    );
    return { headCommit: data.head.sha };
  };
});
