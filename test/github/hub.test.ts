import assert from 'node:assert/strict';
import { join } from 'node:path';
import { testHome } from '../support/tempRepo.ts';
import { deleteMerged, mergePull, renameBranch, type MergeMethod } from './support/hubMerge.ts';
import { setRules } from './support/hubProtection.ts';
import { makeStage, type Stage } from './support/stage.ts';

describe('the stand-in for GitHub keeps its rules', () => {
  let stage: Stage;
  beforeEach(async () => (stage = await makeStage(await testHome())));
  afterEach(() => stage.close());

  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${stage.hub.url}/api/v3/repos/octo/demo${path}`, {
      method,
      headers: { authorization: 'token x', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as never,
    };
  };
  const refused = async (number: number, change: object): Promise<string> => {
    const { status, body } = await ask('PATCH', `/pulls/${number}`, change);
    assert.equal(status, 422, JSON.stringify(body));
    return (body as { errors: { message: string }[] }).errors[0]?.message ?? '';
  };
  const open = async (head: string, base: string, more: object = {}) =>
    (await ask('POST', '/pulls', { head, base, title: head, draft: true, ...more })).status;
  const pull = (number: number) => {
    stage.hub.state.settle();
    return stage.hub.state.pulls.get(number) ?? assert.fail(`there is no #${number}`);
  };
  const states = (): string[] => {
    stage.hub.state.settle();
    return [...stage.hub.state.pulls.values()].map(({ head, base, state, mergedAt }) =>
      [head, base, mergedAt === null ? state : 'merged'].join(' '),
    );
  };
  const push = (...args: string[]) => stage.repository.git('push', '--quiet', 'origin', ...args);

  /** main <- one <- two, pushed, with a pull request each. */
  const two = async (): Promise<void> => {
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    await push('one', 'two');
    assert.deepEqual([await open('one', 'main'), await open('two', 'one')], [201, 201]);
  };

  it('one whose head is in its base is merged, after a push or another base, and there is no way back', async () => {
    await two();
    await stage.repository.git('push', '--quiet', 'origin', 'two:one');
    assert.deepEqual(states(), ['one main open', 'two one merged']);
    assert.match(await refused(2, { state: 'open' }), /is merged/);
    assert.match(await refused(2, { base: 'main' }), /closed pull request/);
    await stage.worktree('three');
    await push('three');
    await stage.repository.git('push', '--quiet', 'origin', 'two:four');
    assert.equal(await open('three', 'main'), 201);
    await stage.repository.git('push', '--quiet', 'origin', 'three:five');
    await ask('PATCH', '/pulls/3', { base: 'five' });
    assert.deepEqual(states().slice(2), ['three five merged']);
  });

  it('a closed one is reopened only where its branches are what they were', async () => {
    await two();
    await ask('PATCH', '/pulls/2', { state: 'closed' });
    assert.match(await refused(2, { base: 'main' }), /closed pull request/);
    const tip = await stage.repository.git('rev-parse', 'two');
    await push('--force', `${tip}~1:refs/heads/two`);
    assert.match(await refused(2, { state: 'open' }), /force-pushed/);
    await push(':two');
    assert.match(await refused(2, { state: 'open' }), /two branch has been deleted/);
    await push('two', ':one');
    assert.match(await refused(2, { state: 'open' }), /base branch was deleted/);
    await push('one');
    assert.equal((await ask('PATCH', '/pulls/2', { state: 'open' })).status, 200);
    assert.deepEqual(states(), ['one main closed', 'two one open']);
  });

  it('a base that is deleted closes what stands on it, and is replaced where it was merged', async () => {
    await two();
    await push(':one');
    assert.deepEqual(states(), ['one main closed', 'two one closed']);
    await push('one');
    await ask('PATCH', '/pulls/1', { state: 'open' });
    await ask('PATCH', '/pulls/2', { state: 'open' });
    mergePull(stage.hub.state, pull(1), 'squash');
    assert.deepEqual(states(), ['one main merged', 'two one open']);
    deleteMerged(stage.hub.state, pull(1));
    assert.deepEqual(states(), ['one main merged', 'two main open']);
    assert.equal(stage.hub.state.refs.get('one'), undefined);
  });

  for (const method of ['merge', 'squash', 'rebase'] satisfies MergeMethod[])
    it(`merges for real: ${method}`, async () => {
      stage.hub.state.deletesMerged = true;
      await two();
      const path = join(stage.repository.root, '.worktrees', 'one');
      await stage.commit(path, 'more.txt');
      await push('one');
      const head = await stage.onServer('rev-parse', 'one');
      const oid = mergePull(stage.hub.state, pull(1), method);
      assert.equal(await stage.onServer('rev-parse', 'main'), oid);
      assert.deepEqual([pull(1).mergeCommit, pull(1).headOid, pull(2).base], [oid, head, 'main']);
      assert.equal(await stage.onServer('diff', '--name-only', head, 'main'), '');
      const parents = (await stage.onServer('show', '--no-patch', '--format=%P', 'main')).split(' ');
      assert.deepEqual([parents.length, parents.includes(head)], method === 'merge' ? [2, true] : [1, false]);
      assert.equal(
        (
          await stage.onServer('log', '--format=%s', `main~${method === 'rebase' ? 2 : 1}..main`, '--first-parent')
        ).split('\n').length,
        method === 'rebase' ? 2 : 1,
      );
    });

  it('refuses long words, a second one, and one without commits', async () => {
    await two();
    assert.equal(await open('two', 'main', { title: 'x'.repeat(257) }), 422);
    assert.equal(await open('two', 'main', { body: 'x'.repeat(65_537) }), 422);
    assert.match(await refused(2, { title: 'x'.repeat(257) }), /title is too long/);
    assert.equal(await open('two', 'one'), 422);
    assert.equal(await open('one', 'two'), 422);
    assert.equal(await open('two', 'main', { title: 'x'.repeat(256), body: 'x'.repeat(65_536) }), 201);
    assert.match(await refused(2, { base: 'main' }), /already exists/);
  });

  it('renames the default branch, and pull requests follow', async () => {
    await two();
    renameBranch(stage.hub.state, 'main', 'trunk');
    assert.deepEqual(states(), ['one trunk open', 'two one open']);
    assert.equal((await ask('GET', '')).body['default_branch' as never], 'trunk');
    assert.match(await stage.repository.git('ls-remote', '--symref', 'origin', 'HEAD'), /refs\/heads\/trunk/);
  });

  it('keeps protected branches, takes what was pushed out of the queue, and answers what has not changed without a body', async () => {
    await two();
    setRules(stage.hub.state, stage.bare, { one: { push: 'nobody' }, two: { push: 'forward', ruleset: true } });
    const path = join(stage.repository.root, '.worktrees', 'two');
    await stage.commit(path, 'more.txt');
    pull(2).queued = true;
    await push('two');
    assert.equal(pull(2).queued, false);
    await assert.rejects(push('--force', 'two~1:two'), /GH013: .* refs\/heads\/two/);
    await assert.rejects(push('two:one'), /GH006: .* refs\/heads\/one/);
    const first = await ask('GET', '/pulls/1');
    const etag = first.headers.get('etag') ?? '';
    assert.equal((await ask('GET', '/pulls/1', undefined, { 'if-none-match': etag })).status, 304);
    stage.hub.state.readsChecks = false;
    assert.equal((await ask('GET', '/commits/one/check-runs')).status, 403);
    assert.match(
      (await ask('GET', '/pulls?per_page=1')).headers.get('link') ?? '',
      /\/api\/v3\/repos\/octo\/demo\/pulls\?/,
    );
  });
});
