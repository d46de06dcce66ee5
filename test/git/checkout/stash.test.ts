import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { restoreStash, stashChanges, type Stash } from '../../../src/core/checkout/stash.ts';
import type { Checkout } from '../../../src/core/checkout/checkout.ts';
import { Stacks } from '../../support/stacks.ts';

describe('what is stashed for a retry', function () {
  this.timeout(300_000);
  let at: Stacks;
  let checkout: Checkout;
  const file = (name: string): string => join(at.path('a'), name);
  const text = (name: string): Promise<string> => readFile(file(name), 'utf8');
  const list = (): Promise<string> => at.git('a', 'stash', 'list', '--format=%gs');
  const status = (): Promise<string> => at.git('a', 'status', '--porcelain');
  const stash = async (name = 'before a rebase'): Promise<Stash> => {
    const made = await stashChanges(at.workspace, checkout, name);
    assert.ok(made);
    assert.equal(await status(), '');
    return made;
  };
  beforeEach(async () => {
    at = await Stacks.start();
    await at.commit('main', 'Files', { 'one.txt': '1\n2\n3\n4\n5\n', 'two.txt': 'two\n' });
    await at.add('a', 'main', { 'a.txt': 'a\n' });
    checkout = { path: at.path('a'), gitDir: join(at.repository.root, '.git/worktrees/a') };
  });
  afterEach(() => at.dispose());

  it('comes back as it was: staged, changed and new files', async () => {
    await writeFile(file('one.txt'), '1\n2\n3\n4\nfive\n');
    await at.git('a', 'add', 'one.txt');
    await writeFile(file('two.txt'), 'changed\n');
    await writeFile(file('new.txt'), 'new\n');
    const before = await status();
    const made = await stash();
    // The branch moves on, and another worktree stashes something of its own.
    await at.commit('a', 'More', { 'three.txt': 'three\n' });
    await writeFile(join(at.repository.root, 'two.txt'), 'of main\n');
    await at.git('main', 'stash', 'push', '--message', 'of somebody else');
    assert.deepEqual(await restoreStash(at.workspace, checkout, made), { state: 'restored' });
    assert.equal(await status(), before);
    assert.deepEqual([await text('two.txt'), await text('new.txt')], ['changed\n', 'new\n']);
    assert.equal(await list(), 'On main: of somebody else', 'only ours is dropped');
  });

  it('is nothing where nothing is changed, and never takes the stash of somebody else for its own', async () => {
    await writeFile(file('two.txt'), 'changed\n');
    await at.git('a', 'stash', 'push', '--message', 'of somebody else');
    assert.equal(await stashChanges(at.workspace, checkout, 'before a rebase'), undefined);
    await writeFile(file('two.txt'), 'again\n');
    await assert.rejects(stashChanges(at.workspace, checkout, 'of somebody else'), { id: 'checkout.stashTaken' });
    assert.equal(await text('two.txt'), 'again\n');
    assert.equal(await list(), 'On a: of somebody else');
  });

  it('comes back with conflicts where both have changed a line, and stays in the list', async () => {
    await writeFile(file('one.txt'), 'mine\n2\n3\n4\n5\n');
    const made = await stash();
    await at.commit('a', 'Other', { 'one.txt': 'theirs\n2\n3\n4\n5\n' });
    assert.deepEqual(await restoreStash(at.workspace, checkout, made), { state: 'conflicts', files: ['one.txt'] });
    assert.match(await text('one.txt'), /theirs[^]*mine/);
    assert.equal(await list(), 'On a: before a rebase');
    // Asked once more it does not pile one conflict on the other.
    assert.deepEqual(await restoreStash(at.workspace, checkout, made), { state: 'conflicts', files: ['one.txt'] });
  });

  it('comes back unstaged, and is kept, where only what was staged does not fit', async () => {
    await writeFile(file('one.txt'), 'one\n2\n3\n4\n5\n');
    await at.git('a', 'add', 'one.txt');
    await writeFile(file('one.txt'), '1\n2\n3\n4\nfive\n');
    const made = await stash();
    await at.commit('a', 'Other', { 'one.txt': 'other\n2\n3\n4\n5\n' });
    const { state } = await restoreStash(at.workspace, checkout, made);
    assert.equal(state, 'unstaged');
    assert.equal(await text('one.txt'), 'other\n2\n3\n4\nfive\n');
    assert.equal(await list(), 'On a: before a rebase', 'it still has what was staged');
  });

  it('waits for an operation to end, and never overwrites what was written meanwhile', async () => {
    await writeFile(file('two.txt'), 'changed\n');
    await writeFile(file('new.txt'), 'new\n');
    const made = await stash();
    await at.git('a', 'bisect', 'start');
    assert.equal((await restoreStash(at.workspace, checkout, made)).state, 'waits');
    await at.git('a', 'bisect', 'reset');
    await writeFile(file('two.txt'), 'of an agent\n');
    await writeFile(file('new.txt'), 'of an agent\n');
    assert.equal((await restoreStash(at.workspace, checkout, made)).state, 'kept');
    assert.deepEqual([await text('two.txt'), await text('new.txt')], ['of an agent\n', 'of an agent\n']);
    await at.git('a', 'checkout', '--', '.');
    assert.equal((await restoreStash(at.workspace, checkout, made)).state, 'kept', 'a new file is in the way');
    assert.equal(await text('new.txt'), 'of an agent\n');
    assert.equal(await list(), 'On a: before a rebase');
    assert.equal(await at.git('a', 'show', `${made.oid}^3:new.txt`), 'new');
    await at.git('a', 'stash', 'drop');
    assert.deepEqual((await restoreStash(at.workspace, checkout, made)).state, 'kept');
  });
});
