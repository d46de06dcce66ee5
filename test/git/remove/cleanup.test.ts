import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegistry, updateRegistry } from '../../../src/core/repository/registry.ts';
import { readActive, writeActive } from '../../../src/core/repository/stateFile.ts';
import { deleteBranch } from '../../../src/core/remove/deleteBranch.ts';
import { Problem } from '../../../src/core/base/problem.ts';
import { Removals } from '../../support/removals.ts';
import { testWorkspace } from '../../support/workspace.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { texts } from '../../support/texts.ts';
import { shareOf } from '../../support/share.ts';

describe('removing a worktree', () => {
  let at: Removals;
  beforeEach(async () => {
    at = await Removals.start();
  });
  afterEach(() => at.dispose());

  it('takes its folder, its branch without work, its entry and nothing else', async () => {
    const path = await at.add('one');
    const other = await at.add('two');
    const removed = await at.remove('one');
    assert.equal(removed.branchDeleted, true);
    assert.equal(existsSync(path), false);
    assert.deepEqual(await at.listed(), [at.repository.root, other]);
    assert.deepEqual(await at.branches(), ['main', 'two']);
    assert.deepEqual([...(await readRegistry(at.workspace.repository)).worktrees.keys()], ['two']);
    assert.deepEqual((await readdir(join(at.repository.root, '.worktrees'))).sort(), ['stack.json', 'two']);
    assert.deepEqual(await readdir(join(at.repository.root, '.git', 'worktree-stacks', 'trash')), []);
    assert.deepEqual(await readdir(join(at.repository.root, '.git', 'worktree-stacks', 'operations')), []);
    assert.equal(await at.repository.git('status', '--porcelain'), '');
  });

  it('keeps a branch with work that is nowhere else, and says so', async () => {
    await at.add('one', { commits: 1 });
    const removed = await at.remove('one');
    assert.equal(removed.branchDeleted, false);
    assert.equal(removed.branchKept?.name, 'one');
    assert.equal(textOf(removed.branchKept?.why ?? ''), 'it is not merged into main');
    assert.deepEqual(await at.branches(), ['main', 'one']);
  });

  it('deletes a branch that was merged, with its configuration', async () => {
    await at.add('one', { commits: 2 });
    await at.repository.git('config', 'branch.one.description', 'the first');
    await at.repository.git('merge', '--quiet', '--no-ff', '-m', 'Merge one', 'one');
    const removed = await at.remove('one');
    assert.equal(removed.branchDeleted, true);
    assert.deepEqual(removed.backups, []);
    assert.doesNotMatch(await readFile(join(at.repository.root, '.git', 'config'), 'utf8'), /branch "one"/);
  });

  it('deletes a branch that was squash-merged, although trunk conflicts with it by now, and keeps its commits in a backup', async () => {
    await at.add('one', { commits: 2 });
    const tip = await at.repository.git('rev-parse', 'one');
    await at.repository.git('config', 'diff.noprefix', 'true');
    await at.repository.git('config', 'diff.renames', 'copies');
    await at.repository.git('merge', '--quiet', '--squash', 'one');
    await at.repository.git('commit', '--quiet', '-m', 'One (#1)');
    await at.repository.commit('Later', { 'one-1.txt': 'something else\n' });
    const removed = await at.remove('one');
    assert.equal(removed.branchDeleted, true);
    assert.equal(removed.backups.length, 1);
    assert.equal(await at.repository.git('rev-parse', removed.backups[0]?.ref ?? ''), tip);
  });

  it('deletes a branch whose work is only in the trunk of the remote', async () => {
    await at.add('one', { commits: 1 });
    await at.repository.git('update-ref', 'refs/remotes/origin/main', 'one');
    assert.equal((await at.remove('one')).branchDeleted, true);
  });

  it('never deletes a branch that another worktree has checked out', async () => {
    await at.add('one');
    const twin = join(at.repository.root, '.worktrees', 'twin');
    await at.repository.git('worktree', 'add', '--quiet', '--force', twin, 'one');
    const removed = await at.remove(twin);
    assert.equal(removed.path, twin);
    assert.equal(removed.branchDeleted, false);
    assert.match(textOf(removed.branchKept?.why ?? ''), /also checked out in .*one/);
    assert.deepEqual(await at.listed(), [at.repository.root, join(at.repository.root, '.worktrees', 'one')]);
  });

  it('keeps a branch that somebody checks out after it was looked at', async () => {
    await at.add('one');
    const removal = await at.inspect('one');
    assert.equal(removal.branch?.decision, 'delete');
    const twin = join(at.repository.root, '.worktrees', 'twin');
    await at.repository.git('worktree', 'add', '--quiet', '--force', twin, 'one');
    const removed = await at.act(removal);
    assert.match(textOf(removed.branchKept?.why ?? ''), /checked out elsewhere/);
    assert.equal(await at.repository.gitIn(twin, 'symbolic-ref', '--short', 'HEAD'), 'one');
  });

  it('keeps a branch that a rebase elsewhere has taken off HEAD', async () => {
    await at.add('one');
    const removal = await at.inspect('one');
    const twin = await at.add('twin', { commits: 1 });
    await at.repository.git('worktree', 'list');
    const gitDir = await at.repository.gitIn(twin, 'rev-parse', '--absolute-git-dir');
    await at.repository.write(join(gitDir, 'rebase-merge', 'head-name'), 'refs/heads/one\n');
    const removed = await at.act(removal);
    assert.equal(removed.branchDeleted, false);
    assert.ok((await at.branches()).includes('one'));
  });

  it('keeps a branch that has moved since it was looked at', async () => {
    const two = await at.add('two', { commits: 1 });
    const oid = await at.repository.git('rev-parse', 'main');
    await at.repository.gitIn(two, 'checkout', '--quiet', '--detach');
    const why = await deleteBranch(at.workspace, { name: 'two', oid, backup: undefined });
    assert.equal(why?.id, 'remove.movedMeanwhile');
    assert.ok((await at.branches()).includes('two'));
  });

  it('stops when its branch was moved or left after it was looked at', async () => {
    const path = await at.add('one');
    await at.add('two', { commits: 1 });
    const removal = await at.inspect('one');
    await at.repository.git('update-ref', 'refs/heads/one', 'two');
    await assert.rejects(at.act(removal), /one was not removed: something was written to it since/);
    await at.repository.git('update-ref', 'refs/heads/one', 'main');
    await at.repository.gitIn(path, 'checkout', '--quiet', '--detach');
    await assert.rejects(at.act(removal), { id: 'remove.notRemovedSince' });
    assert.ok(existsSync(join(path, 'README.md')));
    assert.equal(await at.repository.gitIn(path, 'status', '--porcelain'), '');
  });

  it('never deletes the trunk, wherever it is checked out', async () => {
    await at.repository.git('checkout', '--quiet', '-b', 'elsewhere');
    const path = join(at.repository.root, '.worktrees', 'trunk');
    await at.repository.git('worktree', 'add', '--quiet', path, 'main');
    const removed = await at.remove('trunk');
    assert.equal(removed.branchDeleted, false);
    assert.equal(textOf(removed.branchKept?.why ?? ''), 'it is the trunk');
  });

  it('sets its dependents onto its own base when its branch goes, and keeps what is recorded of them', async () => {
    await at.add('one', { commits: 1 });
    await at.add('two', { base: 'one', commits: 1 });
    await at.add('three', { base: 'two' });
    await at.repository.git('merge', '--quiet', '--no-ff', 'one');
    const before = (await readRegistry(at.workspace.repository)).worktrees.get('two');
    const removed = await at.remove('one');
    assert.deepEqual(removed.dependents, [{ name: 'two', from: 'one', to: 'main' }]);
    const { worktrees } = await readRegistry(at.workspace.repository);
    assert.deepEqual(worktrees.get('two'), { ...before, base: 'main' });
    assert.equal(worktrees.get('three')?.base, 'two');
  });

  it('leaves a branch that stays as the base of its dependents', async () => {
    await at.add('one', { commits: 1 });
    await at.add('two', { base: 'one', commits: 1 });
    const removed = await at.remove('one');
    assert.deepEqual([removed.branchDeleted, removed.dependents], [false, []]);
    assert.equal((await readRegistry(at.workspace.repository)).worktrees.get('two')?.base, 'one');
  });

  it('goes into the base when its own branch is merged into that', async () => {
    await at.add('one', { commits: 1 });
    await at.add('two', { base: 'one', commits: 1 });
    await at.repository.gitIn(join(at.repository.root, '.worktrees', 'one'), 'merge', '--quiet', 'two');
    assert.equal((await at.remove('two')).branchDeleted, true);
  });

  it('clears the state file only if that names it', async () => {
    const one = await at.add('one');
    const two = await at.add('two');
    const { environment, repository } = at.workspace;
    await writeActive(environment, repository, { path: two, branch: 'two', created: '2026-01-06' });
    assert.equal((await at.remove('one')).clearedActive, false);
    assert.equal((await readActive(repository))?.path, two);
    assert.equal((await at.remove('two')).clearedActive, true);
    assert.equal(await readActive(repository), undefined);
    assert.equal(existsSync(one), false);
  });

  it('makes no .claude folder where there is none', async () => {
    await at.add('one');
    await at.remove('one');
    assert.equal(existsSync(join(at.repository.root, '.claude')), false);
  });

  it('leaves a state file alone that it cannot read, and says so', async () => {
    await at.add('one');
    await at.repository.write('.claude/dev-worktree.local.md', 'broken');
    const removed = await at.remove('one');
    assert.match(texts(removed.notes).join(), /dev-worktree\.local\.md, line 1/);
    assert.equal(await readFile(join(at.repository.root, '.claude', 'dev-worktree.local.md'), 'utf8'), 'broken');
  });

  it('takes its agent with it and no other', async () => {
    await at.add('one');
    await at.repository.write('.claude/agents/wt-one.md', 'x');
    await at.repository.write('.claude/agents/wt-one-more.md', 'x');
    await at.remove('one');
    assert.deepEqual(await readdir(join(at.repository.root, '.claude', 'agents')), ['wt-one-more.md']);
  });

  it('stops before anything is touched when the registry cannot be read', async () => {
    const path = await at.add('one');
    const file = join(at.repository.root, '.worktrees', 'stack.json');
    await writeFile(file, '{ "worktrees": ');
    await assert.rejects(at.remove('one'), (thrown) => Problem.is(thrown, 'unreadable-file'));
    assert.ok(existsSync(path));
    assert.equal(await readFile(file, 'utf8'), '{ "worktrees": ');
    assert.deepEqual(await at.listed(), [at.repository.root, path]);
  });

  it('is not hindered by a worktree that another tool has made', async () => {
    await at.add('one', { registered: false });
    const removed = await at.remove('one');
    assert.equal(removed.branchDeleted, true);
    assert.deepEqual(await at.listed(), [at.repository.root]);
  });

  for (const name of shareOf(
    ['two words', "it's", 'say "so"', 'fix#12', 'Überblick-日本', 'line\nbreak', '-dash', '[a]*?'],
    3,
  )) {
    it(`works for a folder called ${JSON.stringify(name)}`, async () => {
      const path = join(at.repository.root, '.worktrees', name);
      await at.repository.git('worktree', 'add', '--quiet', '-b', 'branch', path);
      await at.repository.write(join(path, name, 'file'), 'untracked\n');
      const removed = await at.remove(path, { force: true });
      assert.equal(existsSync(path), false);
      assert.deepEqual(await at.listed(), [at.repository.root]);
      assert.equal(await at.repository.git('show', `${removed.backups[0]?.ref ?? ''}:${name}/file`), 'untracked');
    });
  }

  it('works from inside another worktree', async () => {
    await at.add('one');
    const two = await at.add('two');
    await at.remove('one', { workspace: await testWorkspace(at.home, two) });
    assert.deepEqual(await at.listed(), [at.repository.root, two]);
  });

  it('works in a bare layout, and keeps the branch that its HEAD names', async () => {
    const root = join(at.home.root, 'layout');
    await mkdir(root);
    await at.repository.gitIn(root, 'clone', '--quiet', '--bare', at.repository.root, '.bare');
    await writeFile(join(root, '.git'), 'gitdir: ./.bare\n');
    await at.repository.gitIn(root, 'worktree', 'add', '--quiet', 'main', 'main');
    await at.repository.gitIn(root, 'worktree', 'add', '--quiet', '-b', 'one', 'one');
    const workspace = await testWorkspace(at.home, root);
    assert.equal((await at.remove('one', { workspace })).branchDeleted, true);
    const removed = await at.remove('main', { workspace });
    assert.equal(removed.branchDeleted, false);
    assert.equal(existsSync(join(root, 'main')), false);
    assert.equal(await at.repository.gitIn(root, 'for-each-ref', '--format=%(refname:short)', 'refs/heads'), 'main');
  });

  it('works below a root that is reached through a link', async () => {
    const link = join(at.home.root, 'linked');
    await symlink(at.repository.root, link);
    const path = await at.add('one');
    const workspace = await testWorkspace(at.home, link);
    const removed = await at.remove('one', { workspace });
    assert.equal(removed.path, join(link, '.worktrees', 'one'));
    assert.equal(existsSync(path), false);
    assert.deepEqual([...(await readRegistry(at.workspace.repository)).worktrees.keys()], []);
  });

  it('keeps entries and keys of the registry that it does not know', async () => {
    await at.add('one');
    const { environment, repository } = at.workspace;
    await updateRegistry(environment, repository, ({ worktrees }) => {
      worktrees.set('ghost', { path: '/nowhere/ghost', branch: 'ghost', base: 'main', pr: null, colour: 'blue' });
    });
    await at.remove('one');
    assert.deepEqual(
      [...(await readRegistry(repository)).worktrees],
      [['ghost', { path: '/nowhere/ghost', branch: 'ghost', base: 'main', pr: null, colour: 'blue' }]],
    );
  });

  it('marks its record in the tracking file', async () => {
    await at.repository.write('.worktrees.yml', 'tracking_file: .tools/worktrees.json\n');
    await at.repository.write(
      '.tools/worktrees.json',
      JSON.stringify({ worktrees: [{ path: '.worktrees/one' }, { path: '.worktrees/two' }], note: 1 }),
    );
    await at.add('one');
    await at.remove('one', { workspace: await testWorkspace(at.home, at.repository.root) });
    const tracked = JSON.parse(await readFile(join(at.repository.root, '.tools', 'worktrees.json'), 'utf8')) as {
      worktrees: object[];
    };
    const [one, two] = tracked.worktrees;
    assert.deepEqual(
      { ...tracked, last_updated: '', worktrees: [{ ...one, updated_at: '' }, two] },
      {
        worktrees: [{ path: '.worktrees/one', status: 'removed', updated_at: '' }, { path: '.worktrees/two' }],
        note: 1,
        last_updated: '',
      },
    );
  });
});
