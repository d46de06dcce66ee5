import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testHome } from '../../support/tempRepo.ts';
import { PullStack } from '../support/pullStack.ts';
import { makeStage, type Stage } from '../support/stage.ts';
import { isInShare, isThorough } from '../../support/share.ts';

describe('wt pr --stack that is killed', function () {
  this.timeout(300_000);
  let stage: Stage;
  let stack: PullStack;
  beforeEach(async () => {
    stage = await makeStage(await testHome());
    stack = new PullStack(stage);
  });
  afterEach(() => stage.close());

  const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);

  it('after any request is completed by the next one', async () => {
    for (const name of ['a', 'b', 'c']) await stack.add(name);
    const first = await stack.pr();
    assert.equal(first.code, 0, first.failure);
    await stack.assertWhole('at the beginning');
    const second = stack.open('b');
    assert.ok(second);
    second.body = `A person wrote this.\n\n${second.body}`;
    stack.words.set(second.number, 'A person wrote this.');
    // Everything at once: another order, one between, one on top, and new commits below.
    await stack.rebuild(['b', 'a', 'c']);
    await stack.add('between', 1);
    await stack.add('top');
    await stack.grow('b');
    const { root } = stage.repository;
    const server = join(stage.home.root, 'server');
    const { pulls } = stage.hub.state;
    const kept = join(stage.home.root, 'kept');
    await copy(root, `${kept}-root`);
    await copy(server, `${kept}-server`);
    const before = structuredClone([...pulls]);
    const restore = async (): Promise<void> => {
      for (const [place, from] of [
        [root, `${kept}-root`],
        [server, `${kept}-server`],
      ] as const) {
        await rm(place, { recursive: true });
        await copy(from, place);
      }
      pulls.clear();
      for (const [number, pull] of structuredClone(before)) pulls.set(number, pull);
    };
    const whole = await stack.pr();
    assert.deepEqual([whole.code, whole.left], [0, []], whole.failure);
    await stack.assertWhole('after a run that nobody killed');
    let kills = 0;
    for (const [index, line] of whole.requests.entries()) {
      // To be killed after something was only read is to be killed before it; `--thorough` tries those as well.
      if (!isThorough && /^(?:GET|FETCH|POST \/graphql)/.test(line)) continue;
      if (!isInShare(kills++, 3)) continue;
      const request = index + 1;
      const what = `when killed after request ${request}, ${line}`;
      await restore();
      const killed = await stack.pr(request);
      assert.equal(killed.code, null, `${what}: it was not killed`);
      stack.assertKept(what);
      const again = await stack.pr();
      assert.deepEqual([again.code, again.left], [0, []], `${what}: ${again.failure}`);
      await stack.assertWhole(what);
    }
  });
});
