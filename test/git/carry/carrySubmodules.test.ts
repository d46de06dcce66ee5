import assert from 'node:assert/strict';
import { join } from 'node:path';
import { CarryPair } from '../../support/carryPair.ts';
import { Stacks } from '../../support/stacks.ts';

describe('carrying uncommitted work of submodules', function () {
  this.timeout(300_000);
  let pair: CarryPair;
  let remote: string;

  /** A submodule `sub` that both worktrees have at its first commit; in `a` it is checked out. */
  beforeEach(async () => {
    const at = await Stacks.start();
    pair = new CarryPair(at);
    await at.repository.git('config', '--global', 'protocol.file.allow', 'always');
    remote = join(at.home.root, 'remote');
    await at.repository.write(join(remote, 'lib.txt'), 'first\n');
    await at.repository.gitIn(remote, 'init', '--quiet');
    await at.repository.commit('First', {}, remote);
    await at.repository.git('submodule', '--quiet', 'add', remote, 'sub');
    await at.commit('main', 'Submodule', { 'top.txt': 'top\n' });
    await pair.add();
    await pair.git('a', 'submodule', '--quiet', 'update', '--init');
  });
  afterEach(() => pair.dispose());

  const inSub = (...args: string[]): Promise<string> => pair.at.repository.gitIn(pair.path('a', 'sub'), ...args);
  const staged = (name: string, path = 'sub'): Promise<string> => pair.git(name, 'rev-parse', `:${path}`);
  const said = (notes: readonly { readonly id: string; readonly args: Readonly<Record<string, unknown>> }[]): unknown =>
    notes.map(({ id, args }) => [id, ...Object.values(args)]);

  /** Another commit in `a`, staged. */
  async function second(): Promise<string> {
    await pair.at.repository.commit('Second', { 'lib.txt': 'second\n' }, pair.path('a', 'sub'));
    await pair.git('a', 'add', 'sub');
    return inSub('rev-parse', 'HEAD');
  }

  it('brings a commit that is staged, leaves both folders, and says so', async () => {
    const first = await staged('a');
    const commit = await second();
    const before = await pair.both();
    const { files, notes } = await pair.carry();
    assert.deepEqual(files, ['sub']);
    assert.deepEqual(said(notes), [
      ['carry.leftSubmodule', 'sub'],
      ['carry.linkFolder', 'sub', 'b'],
    ]);
    assert.deepEqual([await staged('a'), await staged('b')], [first, commit]);
    assert.equal(await inSub('rev-parse', 'HEAD'), commit);
    assert.equal(pair.text('a', 'sub/lib.txt'), 'second\n');
    assert.equal(await pair.status('a'), ' M sub');
    assert.equal(await pair.status('b'), 'M  sub');
    await pair.thereAndBack(before);
  });

  it('says nothing of the folder that stays as it is staged', async () => {
    const commit = await second();
    const before = await pair.both();
    const { notes } = await pair.carry('copy');
    assert.deepEqual(said(notes), [['carry.linkFolder', 'sub', 'b']]);
    assert.deepEqual([await staged('a'), await staged('b')], [commit, commit]);
    await pair.thereAndBack(before);
  });

  it('leaves what is not committed inside, beside a commit that is staged', async () => {
    const commit = await second();
    pair.write('a', 'sub/lib.txt', 'modified\n');
    pair.write('a', 'sub/untracked.txt', 'untracked\n');
    pair.write('a', 'top.txt', 'changed\n');
    const before = await pair.both();
    const { files, notes } = await pair.carry();
    assert.deepEqual(files, ['sub', 'top.txt']);
    assert.deepEqual(said(notes), [
      ['carry.leftInSubmodule', 'sub'],
      ['carry.leftSubmodule', 'sub'],
      ['carry.linkFolder', 'sub', 'b'],
    ]);
    assert.equal(await staged('b'), commit);
    assert.equal(await inSub('status', '--porcelain'), 'M lib.txt\n?? untracked.txt'.replace(/^/, ' '));
    assert.equal(pair.text('a', 'sub/untracked.txt'), 'untracked\n');
    await pair.thereAndBack(before);
  });

  it('does not take what is checked out for a change, and says that it stays', async () => {
    await pair.at.repository.commit('Second', { 'lib.txt': 'second\n' }, pair.path('a', 'sub'));
    await pair.refused({ reason: 'not-found', id: 'carry.nothingElse' });
    pair.write('a', 'top.txt', 'changed\n');
    const before = await pair.both();
    const { files, notes } = await pair.carry();
    assert.deepEqual(files, ['top.txt']);
    assert.deepEqual(said(notes), [['carry.leftSubmodule', 'sub']]);
    assert.equal(await pair.status('a'), ' M sub');
    await pair.thereAndBack(before);
  });

  it('brings one that is added, and leaves its folder, which nobody knows then', async () => {
    await pair.git('a', 'submodule', '--quiet', 'add', remote, 'libs/new');
    const before = await pair.both();
    const { files, notes } = await pair.carry();
    assert.deepEqual(files, ['.gitmodules', 'libs/new']);
    assert.deepEqual(said(notes), [
      ['carry.leftRepository', 'libs/new'],
      ['carry.linkFolder', 'libs/new', 'b'],
    ]);
    assert.match(await pair.git('b', 'ls-files', '--stage', 'libs/new'), /^160000 /);
    assert.ok(pair.isThere('b', 'libs/new'), 'git wants its folder');
    assert.equal(await pair.status('b'), 'M  .gitmodules\nA  libs/new');
    assert.equal(pair.text('a', 'libs/new/lib.txt'), 'first\n');
    assert.equal(await pair.status('a'), '?? libs/new/');
    await pair.thereAndBack(before);
  });

  it('keeps what was checked out there meanwhile when that is undone', async () => {
    await pair.git('a', 'submodule', '--quiet', 'add', remote, 'libs/new');
    await pair.carry();
    await pair.git('b', 'submodule', '--quiet', 'update', '--init');
    pair.write('b', 'libs/new/mine.txt', 'mine\n');
    await pair.undo();
    assert.equal(await pair.status('a'), 'M  .gitmodules\nA  libs/new');
    assert.equal(pair.text('b', 'libs/new/mine.txt'), 'mine\n');
  });

  it('brings one that is removed, with or without its folder', async () => {
    await pair.git('b', 'submodule', '--quiet', 'update', '--init');
    pair.write('b', 'sub/mine.txt', 'mine\n');
    await pair.git('a', 'rm', '--quiet', 'sub');
    const before = await pair.both();
    const { files, notes } = await pair.carry();
    assert.deepEqual(files, ['.gitmodules', 'sub']);
    assert.deepEqual(said(notes), [['carry.unlinkFolder', 'sub', 'b']]);
    assert.equal(pair.text('b', 'sub/mine.txt'), 'mine\n');
    assert.equal(await pair.status('b'), 'M  .gitmodules\nD  sub\n?? sub/');
    assert.equal(await pair.status('a'), '');
    await pair.thereAndBack(before);
  });

  it('leaves the folder of one that was taken out of the index', async () => {
    await pair.git('a', 'rm', '--quiet', '--cached', 'sub');
    const before = await pair.both();
    const { files, notes } = await pair.carry();
    assert.deepEqual(files, ['sub']);
    assert.deepEqual(said(notes), [['carry.leftRepository', 'sub']]);
    assert.equal(pair.text('a', 'sub/lib.txt'), 'first\n');
    assert.equal(await pair.status('a'), '');
    assert.equal(await pair.status('b'), 'D  sub');
    await pair.thereAndBack(before);
  });

  it('refuses where two commits of one do not fit, and where it became a file', async () => {
    await second();
    await pair.at.repository.git('-C', remote, 'commit', '--quiet', '--allow-empty', '-m', 'Other');
    await pair.git('b', 'submodule', '--quiet', 'update', '--init', '--remote');
    await pair.git('b', 'commit', '--quiet', '--all', '-m', 'Other');
    await pair.refused({ reason: 'conflicts', items: ['sub'] });
    await pair.git('b', 'reset', '--quiet', '--hard', 'main');
    await pair.git('a', 'rm', '--quiet', '--force', 'sub');
    pair.write('a', 'sub', 'a file\n');
    await pair.git('a', 'add', 'sub');
    await pair.refused({ reason: 'unsupported', items: ['sub'] });
  });
});
