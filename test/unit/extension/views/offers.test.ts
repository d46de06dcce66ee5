import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { root } from '../../../../scripts/lib/install.mjs';
import type { Worktree } from '../../../../src/core/worktree/model.ts';
import { canTake, offersOf, type Offer } from '../../../../src/extension/views/offers.ts';
import type { RowFacts } from '../../../../src/extension/views/rowFacts.ts';
import { worktreeModel } from '../../../support/worktreeModel.ts';

const clean = { total: 0, staged: 0, unstaged: 0, untracked: 0, conflicts: 0, submodules: 0 };
const dirty = { ...clean, total: 2, unstaged: 2 };
const entry = { branch: 'quince' } as unknown as Worktree['entry'];
const base = (ahead: number): Worktree['base'] => ({
  ...{ branch: 'main', recorded: true, exists: true },
  distance: { ahead, behind: 0 },
});
const stopped = (here: boolean): Pick<RowFacts, 'stack'> => ({
  stack: { stacked: true, needsRestack: true, cycle: undefined, stopped: { here, at: 'quince' }, predicted: [] },
});

describe('what the menu of a row offers', () => {
  const offers = (change: Partial<Worktree> = {}, row: RowFacts = {}): string =>
    offersOf(worktreeModel('quince', 'main', { changes: clean, entry, base: base(1), ...change }), {
      ...{ trunk: 'main', sharing: 'pullRequests' },
      ...row,
    }).join(' ');

  it('carries, opens and describes changes only where there are some', () => {
    assert.equal(offers(), 'merge share pull pulls rename remove');
    assert.equal(offers({ changes: dirty }), 'changes carry message merge share pull pulls rename remove');
    assert.doesNotMatch(offers({ changes: { ...dirty, conflicts: 1 } }), /carry/, 'a stash came back with conflicts');
    assert.equal(offers({ changes: undefined }), offers(), 'not known yet');
    assert.equal(offers({ changes: dirty, condition: 'broken' }), offers(), 'its folder cannot be read');
  });

  it('carries changes only to where they can be put', () => {
    const takes = (change: Partial<Worktree>): boolean => canTake(worktreeModel('quince', 'main', change));
    assert.deepEqual([takes({}), takes({ changes: clean }), takes({ changes: dirty })], [true, true, true]);
    assert.deepEqual(
      [
        takes({ changes: { ...dirty, conflicts: 1 } }),
        ...(['missing', 'moved', 'broken'] as const).map((condition) => takes({ condition })),
        ...(['merge', 'rebase', 'bisect'] as const).map((operation) => takes({ operation })),
      ],
      Array.from({ length: 7 }, () => false),
    );
  });

  it('renames what has a name of its own, and adopts the others', () => {
    assert.equal(offers({ entry: undefined }), 'adopt merge share pull pulls remove');
    assert.doesNotMatch(offers({ entry: undefined, branch: undefined }), /rename|adopt/);
    assert.doesNotMatch(offers({ entry: undefined, branch: 'main' }), /rename|adopt/, 'the trunk is no stacked branch');
    assert.doesNotMatch(offers({ entry: undefined, condition: 'missing' }), /adopt/);
  });

  it('moves, names and shares no branch that something holds', () => {
    for (const operation of ['rebase', 'am'] as const)
      assert.equal(offers({ operation, changes: dirty }), 'changes remove', operation);
    assert.equal(offers({ operation: 'bisect', changes: dirty }), 'changes merge remove');
    for (const operation of ['merge', 'cherry-pick', 'revert'] as const)
      assert.equal(offers({ operation, changes: dirty }), 'changes merge share pull pulls remove', operation);
    assert.equal(offers({ changes: dirty }, stopped(true)), 'changes remove', 'a restack has stopped here');
    assert.doesNotMatch(offers({ changes: dirty }, stopped(false)), /carry|message|rename/, 'it waits for another one');
  });

  it('shares only where that can be done, and what may be shared', () => {
    const shared = (change: Partial<Worktree>, row: RowFacts = {}): string =>
      offers(change, row)
        .split(' ')
        .filter((each) => ['share', 'pull', 'pulls'].includes(each))
        .join(' ');
    assert.equal(shared({}), 'share pull pulls');
    assert.equal(shared({}, { sharing: undefined }), 'share pull pulls', 'nobody knows yet that it cannot be');
    assert.equal(shared({}, { sharing: 'push' }), 'share', 'a remote that is not on GitHub');
    assert.equal(shared({}, { sharing: 'nowhere' }), '', 'no remote');
    assert.equal(shared({ base: base(0) }), 'share pulls', 'no commit of its own, but those around it may have some');
    for (const change of [
      { main: true },
      { branch: undefined },
      { branch: 'main', entry: undefined },
      { branch: 'master', entry: undefined },
      { branch: 'other' },
    ])
      assert.equal(shared(change), '', JSON.stringify(change));
  });

  it('removes what nobody has locked; a session of Claude Code that has ended locks nothing', () => {
    assert.match(offers({ lockReason: `claude session quince (pid ${process.pid} start 1)` }), /remove/);
    assert.doesNotMatch(offers({ lockReason: '' }), /remove/);
    assert.doesNotMatch(offers({ lockReason: 'on the usb disk' }), /remove/);
    assert.equal(offers({ main: true, entry: undefined, branch: 'main' }), '');
  });

  it('is what the manifest asks for, and nothing else', async () => {
    const all = [offers({ changes: dirty }), offers({ entry: undefined })].flatMap(
      (each) => each.split(' ') as Offer[],
    );
    const asked = (await readFile(join(root, 'package.json'), 'utf8')).matchAll(/\bcan:(\w+)/g);
    assert.deepEqual([...new Set([...asked].map(([, offer]) => offer))].toSorted(), [...new Set(all)].toSorted());
  });
});
