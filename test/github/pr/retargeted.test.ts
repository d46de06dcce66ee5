import assert from 'node:assert/strict';
import { join } from 'node:path';
import { assertMatches } from '../../cli/support/schema.ts';
import { wtHome, type Ran, type WtHome } from '../../cli/support/wt.ts';
import type { HubPull } from '../support/hubState.ts';
import { programsOn } from '../support/programs.ts';
import { makeStage, type Stage } from '../support/stage.ts';
import { shareOf } from '../../support/share.ts';

describe('a pull request that somebody has put into another branch on GitHub', function () {
  this.timeout(300_000);
  let home: WtHome;
  let stage: Stage;
  let pull: HubPull;
  const { done } = programsOn(() => ({ home, stage }));
  const base = async (): Promise<unknown> =>
    ((await done('info', 'two', '--json')).json()['base'] as { branch: string }).branch;
  const poll = async (): Promise<Record<string, unknown>[]> => {
    const ran = await done('poll', 'two', '--timeout', '0.01');
    assertMatches('poll', ran.json());
    return ran.json()['events'] as Record<string, unknown>[];
  };
  beforeEach(async () => {
    home = await wtHome();
    stage = await makeStage(home);
    // Only the remote has it.
    await stage.onServer('branch', 'release', 'main');
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    await done('pr', 'two', '--stack');
    pull = stage.hub.state.pulls.get(2) ?? assert.fail('there is no #2');
    await poll();
  });
  afterEach(() => stage.close());
  const choices = async (into: string): Promise<string[]> => {
    pull.base = into;
    const ran = await done('poll', 'two', '--timeout', '0.05');
    assertMatches('poll', ran.json());
    const [event, another] = ran.json()['events'] as { reason: string; into: string; next: string[] }[];
    assert.deepEqual([event?.reason, event?.into, another], ['retargeted', into, undefined]);
    for (const word of event?.next.slice(0, 2) ?? []) assert.ok(ran.stderr.includes(word), `${word}: ${ran.stderr}`);
    return event?.next ?? [];
  };
  const run = (command: string | undefined): Promise<Ran> => done(...(command ?? '').split(' ').slice(1));

  for (const into of shareOf(['main', 'release'], 2))
    it(`the first command that poll names accepts ${into}`, async () => {
      const [accept, , again] = await choices(into);
      assert.equal(again, 'wt poll two');
      await run(accept);
      assert.equal(await base(), into);
      await done('push', 'two');
      assert.deepEqual([pull.base, pull.state], [into, 'open']);
      const path = join(stage.repository.root, '.worktrees', 'two');
      assert.equal(await stage.repository.gitIn(path, 'log', '--format=%s', `origin/${into}..HEAD`), 'Add two.txt');
      assert.deepEqual(await poll(), []);
    });

  it('the second one sets the old one again, and a push alone changes neither', async () => {
    const [, restore] = await choices('release');
    assert.match((await done('push', 'two')).stderr, /^$|is into release on GitHub, and was left there/);
    assert.equal(pull.base, 'release');
    await run(restore);
    assert.deepEqual([pull.base, await base()], ['one', 'one']);
    assert.deepEqual(await poll(), []);
  });
});
