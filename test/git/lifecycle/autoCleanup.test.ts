import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finishedBy, isRemovalOffered } from '../../../src/core/lifecycle/autoCleanup.ts';
import { recordRun, recordRunEnded } from '../../../src/core/lifecycle/recordRun.ts';
import { isRemovalOfferedAfter } from '../../../src/core/merge/finished.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import type { Worktree } from '../../../src/core/worktree/model.ts';
import type { MergeOptions } from '../../../src/core/merge/model.ts';
import { Merges } from '../../support/merges.ts';

describe('the removal of a worktree is offered', function () {
  this.timeout(300_000);
  let merges: Merges;
  beforeEach(async () => {
    merges = await Merges.start();
    await merges.commit('', { 'own.txt': 'own\n' });
  });
  afterEach(() => merges.dispose());

  const workspace = (): Merges['at']['workspace'] => merges.at.workspace;
  const worktree = async (name: string): Promise<Worktree> => {
    const found = (await readSnapshot(workspace())).worktrees.find((each) => each.name === name);
    return found ?? assert.fail(`there is no ${name}`);
  };
  const offered = async (name: string): Promise<boolean> => isRemovalOffered(workspace(), await worktree(name));
  /** Makes a worktree with a commit of its own. */
  const make = async (name: string, more: { autoCleanup?: boolean; base?: string } = {}): Promise<void> => {
    await merges.at.create({ name, ...more });
    await merges.commit(name, { [`${name}.txt`]: 'x\n' });
  };
  /** Merges a worktree; whether its removal is offered then. */
  const merge = async (name: string, options: MergeOptions & { into?: string } = {}): Promise<boolean> => {
    const snapshot = await readSnapshot(workspace(), { withChanges: false });
    const source = await merges.source(name);
    const merged = await merges.merge(name, options);
    const { into = merges.root } = options;
    const left = source.notes.length > 0;
    return isRemovalOfferedAfter(workspace(), snapshot, merged, { path: source.path, into, left });
  };

  it('after a merge into its base or the trunk', async () => {
    await make('a');
    assert.equal(await offered('a'), false, 'its work is not done yet');
    assert.equal(await merge('a'), true);
    assert.equal(await offered('a'), true);
    assert.equal(await merge('a'), true, 'it was merged before');
    await merges.commit('a', { 'more.txt': 'x\n' });
    assert.equal(await offered('a'), false, 'its work goes on');
    await make('b', { base: 'a' });
    assert.equal(await merge('b', { into: merges.at.path('a') }), true);
    await make('c');
    assert.equal(await merge('c', { into: merges.at.path('b') }), false, 'it came into something else');
    await merges.at.create('empty');
    assert.equal(await merge('empty'), false, 'there was nothing to merge');
    await make('d');
    await writeFile(join(merges.at.path('d'), 'notes.txt'), 'later\n');
    assert.equal(await merge('d'), false, 'something is not committed');
    assert.equal(await offered('d'), false);
  });

  it('only when the checks have passed', async () => {
    await merges.commit('', { 'package.json': '{"scripts":{"test":"true"}}' });
    await make('a');
    const snapshot = await readSnapshot(workspace(), { withChanges: false });
    const how = { path: merges.at.path('a'), into: merges.root, left: false };
    for (const [state, expected] of [
      ['passed', true],
      ['none', true],
      ['unapproved', false],
    ] as const) {
      const merged = { commit: 'x', checks: { state, command: undefined } };
      assert.equal(await isRemovalOfferedAfter(workspace(), snapshot, merged, how), expected, state);
    }
  });

  it('when the workflow that ran in it has ended, until another one begins', async () => {
    await merges.at.create({ name: 'a', workflowRunId: 'r1' });
    assert.equal(await offered('a'), false);
    await recordRunEnded(workspace(), 'a', { run_id: 'r1' });
    assert.equal(finishedBy(await worktree('a')), 'ended');
    assert.equal(await offered('a'), true);
    await recordRun(workspace(), 'a', { run_id: 'r2', work_id: null });
    assert.equal(await offered('a'), false);
  });

  it('as its own record says, else as it was made, else as the team has configured', async () => {
    await make('plain');
    await make('never', { autoCleanup: false });
    await make('always', { autoCleanup: true });
    for (const name of ['plain', 'never', 'always']) await merge(name);
    const all = async (): Promise<boolean[]> => [
      await offered('plain'),
      await offered('never'),
      await offered('always'),
    ];
    assert.deepEqual(await all(), [true, false, true]);
    await merges.at.configure('worktree: { auto_cleanup: false }\n');
    assert.deepEqual(await all(), [false, false, true]);
    await merges.at.configure('tracking_file: t.json\nworktree: { auto_cleanup: false }\n');
    assert.deepEqual(await all(), [false, false, true], 'there is no record yet');
    await make('later');
    const file = join(merges.root, 't.json');
    const { worktrees } = JSON.parse(await readFile(file, 'utf8')) as { worktrees: Record<string, unknown>[] };
    const said = new Map(worktrees.map((each) => [each['branch'], each['auto_cleanup']]));
    assert.deepEqual(
      ['plain', 'never', 'always', 'later'].map((name) => said.get(name)),
      [false, false, true, false],
    );
    const edited = worktrees.map((each) => ({ ...each, auto_cleanup: each['branch'] === 'never' ? true : 'perhaps' }));
    await writeFile(file, JSON.stringify({ worktrees: edited }));
    assert.deepEqual(await all(), [false, true, true], 'what is no answer decides nothing');
    await writeFile(file, '{');
    assert.deepEqual(await all(), [false, false, true], 'nor does a file that cannot be read');
  });
});
