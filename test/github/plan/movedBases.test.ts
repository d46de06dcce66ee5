import assert from 'node:assert/strict';
import { assertMatches } from '../../cli/support/schema.ts';
import { wtHome, type WtHome } from '../../cli/support/wt.ts';
import { mergePull, deleteMerged } from '../support/hubMerge.ts';
import { programsOn } from '../support/programs.ts';
import { makeStage, type Stage } from '../support/stage.ts';

describe('a branch that has another base here than its pull request has on GitHub', function () {
  this.timeout(300_000);
  let home: WtHome;
  let stage: Stage;
  beforeEach(async () => {
    home = await wtHome();
    stage = await makeStage(home);
    await openStack('a', 'b', 'c');
  });
  afterEach(() => stage.close());
  const { done, openStack } = programsOn(() => ({ home, stage }));

  const bases = (): string[] => {
    stage.hub.state.settle();
    return [...stage.hub.state.pulls.values()].map(({ head, base, state }) => `${head} into ${base} ${state}`);
  };
  const notesOf = async (...args: string[]): Promise<string[]> => {
    const before = stage.hub.requests.length;
    const ran = await done(...args, '--json');
    const changes = stage.hub.requests
      .slice(before)
      .filter(({ method, path }) => method !== 'GET' && path !== '/graphql');
    assert.deepEqual(changes, [], 'it changes nothing on GitHub');
    const json = ran.json();
    const { notes } = (json['operation'] instanceof Object ? json['operation'] : json) as { notes?: string[] };
    return (notes ?? []).filter((note) => note.startsWith('GitHub still has'));
  };
  const says = (which: string, next: string): string =>
    `GitHub still has ${which}: \`wt pr ${next} --stack\` pushes what has moved and`;

  it('is named after a move, for each of a reorder, and set by what is named', async () => {
    assert.deepEqual(await notesOf('move', 'b', '--onto', 'main'), [
      `${says('#2 of b into a', 'b')} gives it main, in an order in which nothing counts as merged.`,
    ]);
    const [second] = await notesOf('move', 'a', '--onto', 'b');
    assert.ok(second?.startsWith(says('#1 of a into main', 'a')), second);
    assert.deepEqual(bases(), ['a into main open', 'b into a open', 'c into b open']);
    await done('pr', 'a', '--stack');
    assert.deepEqual(bases(), ['a into b open', 'b into main open', 'c into b open']);
    assert.deepEqual(await notesOf('rebase', 'a', '--stack', '--offline'), []);
  });

  it('is named after a rebase onto another base, an undo and a redo', async () => {
    const [moved] = await notesOf('rebase', 'c', '--onto', 'a');
    assert.ok(moved?.startsWith(says('#3 of c into b', 'c')), moved);
    assert.deepEqual(await notesOf('undo'), []);
    const [again] = await notesOf('redo');
    assert.ok(again?.startsWith(says('#3 of c into b', 'c')), again);
    await done('push', 'c');
    assert.deepEqual(bases(), ['a into main open', 'b into a open', 'c into a open']);
    const [back] = await notesOf('undo');
    assert.ok(back?.startsWith(says('#3 of c into a', 'c')), back);
  });

  it('is named after its base was renamed with its branch, and not where only the worktree was', async () => {
    assert.deepEqual(await notesOf('rename', 'c', 'third'), []);
    const ran = await done('rename', 'a', 'first', '--branch', 'first', '--json');
    assertMatches('rename', ran.json());
    assert.match(ran.stdout, /GitHub still has #2 of b into a/);
  });

  it('is not named where GitHub has set the new base itself, once it was asked', async () => {
    const pull = stage.hub.state.pulls.get(1) ?? assert.fail();
    mergePull(stage.hub.state, pull, 'squash');
    deleteMerged(stage.hub.state, pull);
    await done('poll', 'b', '--timeout', '0.02');
    assert.deepEqual(await notesOf('rebase', 'b', '--stack'), []);
    assert.deepEqual(bases().slice(1), ['b into main open', 'c into b open']);
  });
});
