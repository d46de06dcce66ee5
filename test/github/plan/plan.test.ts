import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { assertMatches } from '../../cli/support/schema.ts';
import { wtHome, type WtHome } from '../../cli/support/wt.ts';
import type { HubPull } from '../support/hubState.ts';
import { mergePull } from '../support/hubMerge.ts';
import { setRules } from '../support/hubProtection.ts';
import { programsOn } from '../support/programs.ts';
import { refsInMemory } from '../support/refs.ts';
import { makeStage, type Stage } from '../support/stage.ts';
import { shareOf } from '../../support/share.ts';

/** With the built program, against a server that keeps GitHub's rules and a real remote. */
describe('heads and bases together', () => {
  let home: WtHome;
  let stage: Stage;
  beforeEach(async () => {
    home = await wtHome();
    stage = await makeStage(home);
  });
  afterEach(() => stage.close());

  const { run: wt, done, openStack: stack, rebased } = programsOn(() => ({ home, stage }));
  const pull = (number: number): HubPull => stage.hub.state.pulls.get(number) ?? assert.fail(`there is no #${number}`);
  const pulls = (): string[] =>
    [...stage.hub.state.pulls.values()].map(
      ({ number, head, base, state, mergedAt }) => `#${number} ${head} into ${base} ${mergedAt ? 'merged' : state}`,
    );
  const path = (name: string): string => join(stage.repository.root, '.worktrees', name);
  const there = (branch: string): Promise<string> => stage.onServer('rev-parse', `refs/heads/${branch}`);
  const here = (branch: string): Promise<string> => stage.repository.git('rev-parse', `refs/heads/${branch}`);
  const assertPushed = async (...branches: string[]): Promise<void> => {
    for (const branch of branches) assert.equal(await there(branch), await here(branch), branch);
  };

  for (const command of shareOf([['push'], ['pr']], 2)) {
    it(`wt ${command[0]}: a reordered stack keeps every pull request, and nothing of it counts as merged`, async () => {
      await stack('a', 'b', 'c');
      await done('move', 'b', '--onto', 'main');
      await done('move', 'a', '--onto', 'b');
      await done(...command, 'a', '--stack');
      assert.deepEqual(pulls(), ['#1 a into b open', '#2 b into main open', '#3 c into b open']);
      await assertPushed('a', 'b');
      const before = stage.hub.requests.length;
      await done(...command, 'a', '--stack');
      const again = stage.hub.requests.slice(before).map(({ method }) => method);
      assert.deepEqual(again, ['GET', 'GET']);
      await done('rebase', 'a', '--stack');
      assert.equal(await stage.repository.git('log', '--format=%s', 'main..a'), 'Add a.txt\nAdd b.txt');
    }).timeout(300_000);
  }

  it('a branch that takes over the commits of the one above leaves that one open, for a person to close', async () => {
    await stack('a', 'b', 'c');
    await stage.repository.gitIn(path('a'), 'merge', '--quiet', '--ff-only', 'b');
    const ran = await done('push', 'a', '--stack');
    assert.match(ran.stderr, /Pull request #2 is into main now, instead of a, since all of its commits are there/);
    assert.deepEqual(pulls(), ['#1 a into main open', '#2 b into main open', '#3 c into b open']);
    assert.equal(await there('a'), await here('b'));
  }).timeout(300_000);

  it('a branch that somebody has merged by hand is merged: GitHub may say so', async () => {
    await stack('a', 'b');
    await stage.repository.gitIn(path('a'), 'merge', '--quiet', '--no-ff', '--no-edit', 'b');
    await done('push', 'a');
    assert.deepEqual(pulls(), ['#1 a into main open', '#2 b into a merged']);
  }).timeout(300_000);

  it('without GitHub nothing is pushed that would close a pull request, and what cannot do that is', async () => {
    await stack('a', 'b');
    await done('move', 'b', '--onto', 'main');
    await done('move', 'a', '--onto', 'b');
    const tips = [await there('a'), await there('b')];
    const ran = await wt(['push', 'a', '--stack'], { variables: { GH_ENTERPRISE_TOKEN: '' } });
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /GitHub would take #2 \(b into a\) for merged, and could not be asked/);
    assert.deepEqual([await there('a'), await there('b')], tips);
    await done('push', 'a', '--stack');
    await stage.commit(path('a'), 'more.txt');
    const alone = await wt(['push', 'a'], { variables: { GH_ENTERPRISE_TOKEN: '' } });
    assert.equal(alone.code, 0, alone.stderr);
    assert.deepEqual(pulls(), ['#1 a into b open', '#2 b into main open']);
  }).timeout(300_000);

  it('a branch that was renamed here is pushed under its new name, and said to have left its pull request behind', async () => {
    await stack('a');
    await stage.repository.git('branch', '-m', 'a', 'z');
    const ran = await done('push', 'a');
    assert.match(ran.stderr, /Pull request #1 of a is of the branch a, which is called z here now.*`wt pr a` says/);
    await assertPushed('z');
    assert.deepEqual(pulls(), ['#1 a into main open']);
  }).timeout(300_000);

  it('a push that is refused leaves every pull request where it was', async () => {
    await stack('a', 'b');
    await done('move', 'b', '--onto', 'main');
    await done('move', 'a', '--onto', 'b');
    setRules(stage.hub.state, stage.bare, { a: { push: 'forward' } });
    const ran = await wt(['push', 'a', '--stack']);
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /a was not pushed: rules of origin protect it/);
    assert.deepEqual(pulls(), ['#1 a into main open', '#2 b into a open']);
  }).timeout(300_000);

  it('a push that arrived although its connection broke closes nothing, and the next run does the rest', async () => {
    await stack('a', 'b', 'c');
    await done('move', 'b', '--onto', 'main');
    await done('move', 'a', '--onto', 'b');
    stage.hub.afterWrite = (line) => line !== 'PUSH';
    const ran = await wt(['push', 'a', '--stack']);
    stage.hub.afterWrite = undefined;
    assert.notEqual(ran.code, 0, ran.stdout);
    await assertPushed('a', 'b');
    assert.deepEqual(
      pulls().filter((each) => !each.endsWith('open')),
      [],
    );
    await done('push', 'a', '--stack');
    assert.deepEqual(pulls(), ['#1 a into b open', '#2 b into main open', '#3 c into b open']);
  }).timeout(300_000);

  for (const at of [1]) {
    it(`killed after request ${at}, the next run completes it`, async () => {
      await stack('a', 'b');
      await done('move', 'b', '--onto', 'main');
      await done('move', 'a', '--onto', 'b');
      let left = at;
      let kill: (() => void) | undefined;
      stage.hub.afterRequest = (line) => {
        if (/^(?:GET|FETCH)|graphql/.test(line) || --left > 0) return true;
        kill?.();
        return false;
      };
      await wt(['push', 'a', '--stack'], { onStart: (child) => (kill = () => child.kill('SIGKILL')) });
      stage.hub.afterRequest = undefined;
      await done('push', 'a', '--stack');
      assert.deepEqual(pulls(), ['#1 a into b open', '#2 b into main open']);
      await assertPushed('a', 'b');
    }).timeout(300_000);
  }

  it('a pull request of the same branch into a release is left alone and named, whether it is the latest or the only one', async () => {
    await stage.onServer('branch', 'release', 'main');
    await stage.worktree('fix');
    await done('push', 'fix');
    stage.hub.state.add('fix', 'release');
    const opened = await done('pr', 'fix');
    assert.match(opened.stderr, /#1 of the same branch is into release, and was left alone/);
    stage.hub.state.add('fix', 'release-2', { state: 'closed' });
    await stage.commit(path('fix'), 'more.txt');
    await done('push', 'fix');
    await done('pr', 'fix', '--title', 'Better');
    assert.deepEqual(pulls(), ['#1 fix into release open', '#2 fix into main open', '#3 fix into release-2 closed']);
    assert.deepEqual([pull(1).title, pull(2).title], ['fix', 'Better']);
  }).timeout(300_000);

  it('a pull request that was opened by hand into the trunk is taken over, with its words, and gets the base of its branch', async () => {
    await stage.onServer('branch', 'release', 'main');
    await stack('a', 'b');
    const c = await stage.worktree('c', 'b');
    await done('push', 'c');
    const written = 'Written by a person.\r\n\r\n- [ ] to do';
    stage.hub.state.forks.set('eve/demo', refsInMemory({ c: '1'.repeat(40), d: '1'.repeat(40) }));
    stage.hub.state.add('c', 'main', { headOwner: 'eve', body: 'not ours' });
    stage.hub.state.add('c', 'release', { body: 'a backport' });
    stage.hub.state.add('c', 'main', { title: 'By hand', body: written, draft: false });
    // A push touches none that nobody has taken over, and says so.
    await stage.commit(c, 'more.txt');
    const pushed = await done('push', 'c');
    assert.match(
      pushed.stderr,
      /Pull request #5 of c is into main on GitHub, and was left there; `wt pr c` gives it b/,
    );
    assert.equal(pull(5).base, 'main');
    const ran = await done('pr', 'a', '--stack');
    assert.match(
      ran.stderr,
      /Took over pull request #5 of c into b\.\n {2}it was into main before; its text stays as it is/,
    );
    assert.deepEqual([pull(5).title, pull(5).draft], ['By hand', false]);
    assert.ok(pull(5).body.startsWith(written), pull(5).body);
    assert.deepEqual([pull(3).body, pull(4).body], ['not ours', 'a backport']);
    assert.deepEqual(pulls().slice(2), ['#3 c into main open', '#4 c into release open', '#5 c into b open']);
    // Only of a fork, or only into something else: another one is opened.
    await stage.worktree('d', 'c');
    stage.hub.state.add('d', 'main', { headOwner: 'eve' });
    await done('push', 'd');
    stage.hub.state.add('d', 'release');
    await done('pr', 'd');
    assert.deepEqual(pulls().slice(5), ['#6 d into main open', '#7 d into release open', '#8 d into c open']);
    // Where one into the base is there as well, that one is it.
    await stage.worktree('e', 'd');
    await done('push', 'e');
    stage.hub.state.add('e', 'd');
    stage.hub.state.add('e', 'main');
    const both = await done('pr', 'e');
    assert.match(
      both.stderr,
      /Took over draft pull request #9 of e into d\.\n {2}#10 of the same branch is into main, and was left alone/,
    );
  }).timeout(300_000);

  it('what was closed with its base is reopened before its head is replaced', async () => {
    for (const command of ['push', 'pr']) {
      const [low, high] = [`${command}-low`, `${command}-high`];
      await stack(low, high);
      const number = [...stage.hub.state.pulls.values()].find(({ head }) => head === high)?.number ?? 0;
      await done('move', high, '--onto', 'main');
      await stage.onServer('update-ref', '-d', `refs/heads/${low}`);
      stage.hub.state.settle();
      assert.equal(pull(number).state, 'closed');
      const ran = await done(command, high);
      assert.deepEqual([pull(number).state, pull(number).base], ['open', 'main'], ran.stderr);
      await assertPushed(high);
      assert.equal(stage.hub.state.refs.get(low), undefined);
    }
  }).timeout(300_000);

  it('where that is too late, a new draft names the old one, and the rest goes on', async () => {
    await stack('a', 'b', 'c');
    await stage.onServer('update-ref', '-d', 'refs/heads/a');
    stage.hub.state.settle();
    await done('move', 'b', '--onto', 'main');
    await stage.repository.git('push', '--quiet', '--force', 'origin', 'b');
    const ran = await done('pr', 'b', '--stack');
    assert.deepEqual(pulls().slice(1), ['#2 b into a closed', '#3 c into b open', '#4 b into main open']);
    assert.match(pull(4).body, /^In place of #2, which was closed when its base was deleted\./);
    assert.match(ran.stderr, /it takes the place of #2/);
    await assertPushed('b', 'c');
    await done('pr', 'b', '--stack');
    assert.equal(stage.hub.state.pulls.size, 4);
  }).timeout(300_000);

  it('long titles and texts are cut at a word, the table leaves first, and the rest goes on', async () => {
    const a = await stage.worktree('a');
    await stage.worktree('b', 'a');
    await stage.repository.gitIn(
      a,
      'commit',
      '--quiet',
      '--amend',
      '-m',
      `${'wörd '.repeat(80)}\n\n${'text '.repeat(15_000)}`,
    );
    await done('rebase', 'b');
    await done('pr', 'a', '--stack');
    assert.ok(pull(1).title.length <= 256 && pull(1).title.endsWith('wörd…'), pull(1).title);
    assert.ok(pull(1).body.length <= 65_536 && pull(1).body.endsWith(' text…\n'), pull(1).body.slice(-20));
    assert.match(pull(2).body, /- #2 ← this one\n- #1/);
    // A text that leaves no room for the table.
    pull(2).body = 'x'.repeat(65_500);
    await done('pr', 'a', '--stack');
    assert.equal(pull(2).body, 'x'.repeat(65_500));
    // One that GitHub does not take for a reason of its own.
    await stage.worktree('c', 'b');
    await stage.worktree('d', 'b');
    stage.hub.next('POST /repos/octo/demo/pulls', {
      status: 422,
      body: {
        message: 'Validation Failed',
        documentation_url: 'https://docs.example.com',
        errors: [{ resource: 'PullRequest', code: 'custom', message: 'no' }],
      },
    });
    const ran = await wt(['pr', 'a', '--stack', '--json']);
    assert.equal(ran.code, 1, ran.stderr);
    assertMatches('pr', ran.json());
    assert.deepEqual(
      (ran.json()['left'] as { name: string }[]).map(({ name }) => name),
      ['c'],
    );
    assert.equal(pull(3).head, 'd');
  }).timeout(300_000);

  it('a remote branch that is gone is made again, and what became of its pull request is said', async () => {
    await stack('a', 'b');
    await stage.onServer('update-ref', '-d', 'refs/heads/b');
    stage.hub.state.settle();
    const pushed = await done('push', 'b');
    assert.match(pushed.stderr, /Pushed b to origin\/b, a new branch/);
    assert.match(pushed.stderr, /Pull request #2 of b is closed: reopen it at .*, or .*`wt pr b --replace`/);
    await assertPushed('b');
    const merged = pull(1);
    Object.assign(merged, { state: 'closed', mergedAt: new Date().toISOString() });
    await stage.onServer('update-ref', '-d', 'refs/heads/a');
    const refused = await wt(['push', 'a']);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /its pull request #1 was merged/);
  }).timeout(300_000);

  it('an approved pull request wants --rewrite of both commands, a queued one --force', async () => {
    await stack('a');
    Object.assign(pull(1), { draft: false, reviews: [{ login: 'eve', state: 'APPROVED' }] });
    await rebased('a');
    const before = await there('a');
    for (const command of ['push', 'pr']) {
      const ran = await wt([command, 'a']);
      assert.equal(ran.code, 1);
      assert.match(ran.stderr, /#1 is approved, and replacing its commits can undo that[^]*wt push a --rewrite/);
    }
    assert.equal(await there('a'), before);
    pull(1).queued = true;
    const queued = await wt(['push', 'a', '--rewrite']);
    assert.equal(queued.code, 1);
    assert.match(queued.stderr, /#1 waits in the merge queue[^]*wt push a --force/);
    await done('push', 'a', '--rewrite', '--force');
    await assertPushed('a');
  }).timeout(300_000);

  it('what a person writes between our reading and our writing stays', async () => {
    await stack('a', 'b');
    await stage.worktree('c', 'b');
    stage.hub.afterRequest = (line) => {
      if (/^POST .*\/pulls$/.test(line)) pull(1).body = `Written meanwhile.\r\n\r\n${pull(1).body}`;
    };
    await done('pr', 'a', '--stack');
    stage.hub.afterRequest = undefined;
    assert.match(pull(1).body, /^Written meanwhile\.\r\n\r\n[^]*- #3\r?\n- #2\r?\n- #1 ← this one/);
  }).timeout(300_000);

  it('of a stack the protected branch is named, wherever it is, and whichever hook refuses', async () => {
    for (const name of ['a', 'b', 'c']) await stage.worktree(name, name === 'a' ? 'main' : name === 'b' ? 'a' : 'b');
    setRules(stage.hub.state, stage.bare, { b: { push: 'nobody', ruleset: true } });
    const byRule = await wt(['push', 'a', '--stack']);
    assert.equal(byRule.code, 1);
    assert.match(byRule.stderr, /b was not pushed: rules of origin protect it/);
    setRules(stage.hub.state, stage.bare, {});
    // GitHub refuses the whole push, and names the branch in words only.
    const hook = '#!/bin/sh\necho "error: GH006: Protected branch update failed for refs/heads/b." >&2\nexit 1\n';
    await stage.repository.write(join(stage.bare, 'hooks', 'pre-receive'), hook);
    await chmod(join(stage.bare, 'hooks', 'pre-receive'), 0o755);
    const byWords = await wt(['push', 'a', '--stack']);
    assert.match(byWords.stderr, /b was not pushed: rules of origin protect it/);
  }).timeout(300_000);

  it('one that a person has closed in the middle is named with what can be done, and the rest goes on', async () => {
    await stack('a', 'b', 'c');
    pull(2).state = 'closed';
    await rebased('a');
    const old = await there('b');
    const ran = await wt(['pr', 'a', '--stack', '--json']);
    assert.equal(ran.code, 1);
    assertMatches('pr', ran.json());
    const [left] = ran.json()['left'] as { name: string; number: number; error: { next: string } }[];
    assert.deepEqual([left?.name, left?.number], ['b', 2]);
    assert.match(left?.error.next ?? '', /reopen it .*wt pr b --replace/);
    await assertPushed('a', 'c');
    assert.equal(await there('b'), old, 'once its head is replaced nobody can reopen it');
    assert.deepEqual(pulls(), ['#1 a into main open', '#2 b into a closed', '#3 c into a open']);
    const pushed = await wt(['push', 'a', '--stack', '--json']);
    assert.equal(pushed.code, 1);
    assertMatches('push', pushed.json());
    // Both choices.
    await done('pr', 'b', '--replace');
    assert.deepEqual(pulls().slice(3), ['#4 b into a open']);
    assert.match(pull(4).body, /^In place of #2\./);
    await assertPushed('b');
    await done('pr', 'a', '--stack');
  }).timeout(300_000);

  it('what was merged into another branch than its base gets another pull request', async () => {
    await stack('a', 'b');
    mergePull(stage.hub.state, pull(2));
    await done('move', 'b', '--onto', 'main');
    const ran = await done('pr', 'b');
    assert.deepEqual(pulls(), ['#1 a into main open', '#2 b into a merged', '#3 b into main open']);
    assert.match(ran.stderr, /#2 was merged into a, and not into its base/);
    await assertPushed('b');
  }).timeout(300_000);
});
