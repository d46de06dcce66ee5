import assert from 'node:assert/strict';
import { join } from 'node:path';
import { assertMatches } from '../../cli/support/schema.ts';
import { testHome } from '../../support/tempRepo.ts';
import { wtHome, type Ran, type WtHome } from '../../cli/support/wt.ts';
import { close, keptClosed } from '../support/hubRules.ts';
import type { HubPull } from '../support/hubState.ts';
import { programsOn } from '../support/programs.ts';
import { PullStack } from '../support/pullStack.ts';
import { makeStage, type Stage } from '../support/stage.ts';

describe('a stack of which somebody has closed pull requests', function () {
  this.timeout(300_000);
  let home: WtHome;
  let stage: Stage;
  beforeEach(async () => {
    home = await wtHome();
    stage = await makeStage(home);
  });
  afterEach(() => stage.close());

  const { wt, done, openStack: stack, rebased } = programsOn(() => ({ home, stage }));
  const pull = (number: number): HubPull => stage.hub.state.pulls.get(number) ?? assert.fail(`there is no #${number}`);
  const path = (name: string): string => join(stage.repository.root, '.worktrees', name);
  const there = (branch: string): Promise<string> => stage.onServer('rev-parse', `refs/heads/${branch}`);
  const here = (branch: string): Promise<string> => stage.repository.git('rev-parse', `refs/heads/${branch}`);
  /** What each open pull request is into, and the files that it shows. */
  const shown = async (): Promise<string[]> => {
    stage.hub.state.settle();
    const open = [...stage.hub.state.pulls.values()].filter(({ state }) => state === 'open');
    return Promise.all(
      open.map(async ({ number, head, base }) => {
        const files = await stage.onServer('log', '--format=', '--name-only', `${base}..${head}`);
        return `#${number} ${head} into ${base}: ${files.split('\n').sort().join(' ')}`;
      }),
    );
  };
  /** `wt pr --stack` with branches that it leaves, and says so. */
  const left = async (name: string, ...names: string[]): Promise<Ran> => {
    const ran = await wt('pr', name, '--stack', '--json');
    assert.equal(ran.code, 1, ran.stderr);
    assertMatches('pr', ran.json());
    assert.deepEqual(
      (ran.json()['left'] as { name: string }[]).map((each) => each.name),
      names,
    );
    return ran;
  };
  const reopen = (number: number): void => {
    assert.equal(keptClosed(stage.hub.state, pull(number)), undefined);
    pull(number).state = 'open';
  };

  it('in the middle: the one above skips it, and goes back when it is reopened', async () => {
    await stack('a', 'b', 'c');
    await done('poll', 'c', '--timeout', '0.01');
    close(pull(2));
    await rebased('a');
    const ran = await left('a', 'b');
    const skipped = ['#1 a into main: a.txt', '#3 c into a: b.txt c.txt'];
    assert.deepEqual(await shown(), skipped);
    const [, second] = ran.json()['pull_requests'] as { note: string }[];
    assert.match(
      second?.note ?? '',
      /^#2 of b is closed and its branch was not pushed; .*`wt pr c` sets the base again$/,
    );
    // Whoever watches it is not told of what wt has done itself.
    const polled = await done('poll', 'c', '--timeout', '0.01');
    assert.doesNotMatch(polled.stdout, /retargeted/);
    // Of one branch alone as well, and a second time nothing is written.
    await done('pr', 'c');
    const before = stage.hub.requests.length;
    await left('a', 'b');
    assert.equal((await wt('push', 'a', '--stack')).code, 1);
    const written = stage.hub.requests
      .slice(before)
      .filter(({ method, path: to }) => method !== 'GET' && to !== '/graphql');
    assert.deepEqual(written, []);
    assert.deepEqual(await shown(), skipped);
    // A new one on top of it as well.
    await stage.worktree('d', 'b');
    await left('a', 'b');
    assert.deepEqual(await shown(), [...skipped, '#4 d into a: b.txt d.txt']);
    reopen(2);
    await done('push', 'a', '--stack');
    const whole = ['#1 a into main: a.txt', '#2 b into a: b.txt', '#3 c into b: c.txt', '#4 d into b: d.txt'];
    assert.deepEqual(await shown(), whole);
    await done('pr', 'a', '--stack');
    assert.deepEqual(await shown(), whole);
  });

  it('replaced alone, or pushed by hand, it has the ones above again', async () => {
    await stack('a', 'b', 'c');
    close(pull(2));
    await rebased('a');
    const pushed = await wt('push', 'a', '--stack');
    assert.match(pushed.stderr, /#3 is into a now, instead of b: #2 of b is closed and its branch was not pushed/);
    assert.deepEqual(await shown(), ['#1 a into main: a.txt', '#3 c into a: b.txt c.txt']);
    const replaced = await done('pr', 'b', '--replace');
    assert.match(replaced.stderr, /Pull request #3 is into b now, instead of a\./);
    assert.deepEqual(await shown(), ['#1 a into main: a.txt', '#3 c into b: c.txt', '#4 b into a: b.txt']);
    // The same with the next one that is closed.
    close(pull(4));
    await rebased('a');
    await left('a', 'b');
    assert.deepEqual(await shown(), ['#1 a into main: a.txt', '#3 c into a: b.txt c.txt']);
    // Pushed by hand it is on the remote as it is here.
    await stage.repository.git('push', '--quiet', '--force', 'origin', 'b');
    await left('a', 'b');
    assert.deepEqual(await shown(), ['#1 a into main: a.txt', '#3 c into b: c.txt']);
  });

  it('whose branch was deleted on GitHub as well: it is not made anew with other commits', async () => {
    await stack('a', 'b', 'c');
    close(pull(2));
    await stage.onServer('update-ref', '-d', 'refs/heads/b');
    // GitHub closes what was into it.
    stage.hub.state.settle();
    assert.equal(pull(3).state, 'closed');
    await rebased('a');
    const ran = await left('a', 'b');
    const [error] = ran.json()['left'] as { error: { message: string; next: string } }[];
    assert.match(error?.error.message ?? '', /#2 is closed and its branch deleted on GitHub/);
    assert.match(error?.error.next ?? '', /restore the branch .*`wt pr b --replace`.*`wt push b --rewrite`/);
    assert.deepEqual(await shown(), ['#1 a into main: a.txt', '#3 c into a: b.txt c.txt']);
    await assert.rejects(there('b'));
    const alone = await wt('push', 'b');
    assert.match(alone.stderr, /b was not pushed: its pull request #2 is closed and its branch deleted/);
    // Restored with the commit that it had, it can be reopened.
    await stage.onServer('update-ref', 'refs/heads/b', pull(2).headOid);
    reopen(2);
    await done('pr', 'a', '--stack');
    assert.deepEqual(await shown(), ['#1 a into main: a.txt', '#2 b into a: b.txt', '#3 c into b: c.txt']);
    assert.equal(await there('b'), await here('b'));
  });

  it('with commits only added it is pushed as ever, and the one above stays', async () => {
    await stack('a', 'b', 'c');
    close(pull(2));
    await stage.commit(path('b'), 'more.txt');
    await done('rebase', 'c');
    await done('push', 'c');
    // Alone, it does not skip what the next push of the stack brings there.
    assert.equal(pull(3).base, 'b');
    await left('a', 'b');
    assert.deepEqual(await shown(), ['#1 a into main: a.txt', '#3 c into b: c.txt']);
    assert.equal(keptClosed(stage.hub.state, pull(2)), undefined);
  });
});

describe('pull requests above closed ones', function () {
  this.timeout(300_000);
  let stage: Stage;
  let stack: PullStack;
  beforeEach(async () => {
    stage = await makeStage(await testHome());
    stack = new PullStack(stage);
    for (const name of ['a', 'b', 'c', 'd']) await stack.add(name);
    assert.equal((await stack.pr()).code, 0);
  });
  afterEach(() => stage.close());

  const closing = (...names: string[]): void => {
    for (const name of names) {
      const pull = stack.open(name) ?? assert.fail(`${name} has no pull request`);
      close(pull);
      stack.closed.add(pull.number);
    }
  };
  const reopening = (number: number): void => {
    const pull = stage.hub.state.pulls.get(number) ?? assert.fail();
    assert.equal(keptClosed(stage.hub.state, pull), undefined);
    pull.state = 'open';
    stack.closed.delete(number);
  };
  /** Runs it, killed first; what each branch has its pull request into afterwards. */
  const bases = async (what: string, killedAfter = 20): Promise<string> => {
    await stack.pr(killedAfter);
    stack.assertKept(what);
    const ran = await stack.pr();
    assert.equal(ran.left.length, stack.closed.size, `${ran.failure} ${ran.left.join()}`);
    await stack.assertWhole(what);
    return stack.order.map((name) => `${name} ${stack.open(name)?.base ?? '-'}`).join(', ');
  };

  it('two in a row, with one of them reopened before the other', async () => {
    closing('b', 'c');
    await stack.grow('a');
    assert.equal(await bases('with two closed'), 'a main, b -, c -, d a');
    reopening(3);
    assert.equal(await bases('with one reopened'), 'a main, b -, c a, d c');
    reopening(2);
    assert.equal(await bases('with both reopened'), 'a main, b a, c b, d c');
  });

  it('the lowest one, and one that has another place by now', async () => {
    closing('a');
    await stack.rebuild(['b', 'c', 'a', 'd']);
    assert.equal(await bases('reordered'), 'b main, c b, a -, d c');
    await stack.rebuild(['a', 'd', 'c', 'b']);
    await stack.grow('a');
    assert.equal(await bases('at the bottom'), 'a -, d main, c d, b c');
    reopening(1);
    assert.equal(await bases('reopened'), 'a main, d a, c d, b c');
  });
});
