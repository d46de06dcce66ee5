import assert from 'node:assert/strict';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { diffFromBase, diffTextFromBase, type DiffTextOptions } from '../../../src/core/snapshot/diff.ts';
import { findWorktree } from '../../../src/core/worktree/find.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';

suite('what a worktree changed', () => {
  let home: TestHome;
  let repository: TestRepository;
  let root: string;
  let start: string;

  setup(async () => {
    home = await testHome();
    repository = await home.repository();
    start = await repository.commit('Files', {
      'a.txt': 'a\n'.repeat(10),
      'old.txt': 'old\n'.repeat(10),
      'gone.txt': 'gone\n',
    });
    root = join(home.root, 'w', 'x');
    await repository.git('worktree', 'add', '-q', '--no-track', '-b', 'x', root);
  });
  teardown(() => home.dispose());

  const pick = async (name: string) => {
    const workspace = await testWorkspace(home, repository.root);
    return { workspace, worktree: await findWorktree(await readSnapshot(workspace), name, repository.root) };
  };
  const filesOf = async (name = 'x') => {
    const { workspace, worktree } = await pick(name);
    return diffFromBase(workspace, worktree);
  };
  const textOf = async (options: DiffTextOptions, name = 'x') => {
    const { workspace, worktree } = await pick(name);
    return diffTextFromBase(workspace, worktree, options);
  };
  const record = async (entry: object): Promise<void> =>
    repository.write(
      '.worktrees/stack.json',
      JSON.stringify({ worktrees: { x: { path: root, branch: 'x', pr: null, ...entry } } }),
    );

  test('nothing at first', async () => {
    assert.deepEqual(await filesOf(), { from: start, base: 'main', files: [] });
  });

  test('committed, staged, changed and new files, and nothing of what trunk did since', async () => {
    await repository.commit('Committed', { 'committed.txt': 'one\ntwo\n' }, root);
    await repository.commit('Trunk went on', { 'a.txt': 'trunk\n' });
    await repository.gitIn(root, 'mv', 'old.txt', 'new.txt');
    await repository.gitIn(root, 'rm', '-q', 'gone.txt');
    await repository.write(join(root, 'a.txt'), `${'a\n'.repeat(10)}more\n`);
    await repository.write(join(root, 'dir', 'not yet.txt'), 'x\n');
    await writeFile(join(root, 'picture'), Buffer.from([0, 1, 2, 255]));
    await repository.gitIn(root, 'add', 'picture');
    const { from, files } = await filesOf();
    assert.equal(from, start);
    assert.deepEqual(files, [
      { status: 'M', path: 'a.txt', added: 1, deleted: 0 },
      { status: 'A', path: 'committed.txt', added: 2, deleted: 0 },
      { status: 'D', path: 'gone.txt', added: 0, deleted: 1 },
      { status: 'R', path: 'new.txt', from: 'old.txt', added: 0, deleted: 0 },
      { status: 'A', path: 'picture' },
      { status: '?', path: 'dir/not yet.txt' },
    ]);
  });

  test('a file that became a link', async () => {
    await rm(join(root, 'a.txt'));
    await symlink('old.txt', join(root, 'a.txt'));
    const [file] = (await filesOf()).files;
    assert.deepEqual([file?.status, file?.path], ['T', 'a.txt']);
  });

  test('a file in conflict once', async () => {
    await repository.commit('Mine', { 'a.txt': 'mine\n' }, root);
    await repository.commit('Theirs', { 'a.txt': 'theirs\n' });
    await assert.rejects(repository.gitIn(root, 'merge', 'main'));
    const files = (await filesOf()).files.filter(({ path }) => path === 'a.txt');
    assert.deepEqual(
      files.map(({ status }) => status),
      ['U'],
    );
  });

  test('on a base that is another worktree’s branch, only its own', async () => {
    await repository.git('branch', 'parent');
    const parent = join(home.root, 'w', 'parent');
    await repository.git('worktree', 'add', '-q', parent, 'parent');
    const from = await repository.commit('Parent', { 'parent.txt': 'p\n' }, parent);
    await repository.gitIn(root, 'reset', '-q', '--hard', 'parent');
    await repository.commit('Child', { 'child.txt': 'c\n' }, root);
    await record({ base: 'parent' });
    const found = await filesOf();
    assert.deepEqual([found.from, found.base], [from, 'parent']);
    assert.deepEqual(
      found.files.map(({ path }) => path),
      ['child.txt'],
    );
  });

  test('after the parent was squashed into trunk, still only its own', async () => {
    const baseCommit = await repository.commit('Parent', { 'parent.txt': 'p\n' }, root);
    await repository.commit('Child', { 'child.txt': 'c\n' }, root);
    await repository.commit('Squashed parent', { 'parent.txt': 'p\n' });
    await record({ base: 'main', baseCommit });
    const found = await filesOf();
    assert.equal(found.from, baseCommit);
    assert.deepEqual(
      found.files.map(({ path }) => path),
      ['child.txt'],
    );
  });

  test('after trunk was merged into it, nothing of what came with the merge', async () => {
    await repository.commit('Child', { 'child.txt': 'c\n' }, root);
    const trunk = await repository.commit('Trunk', { 'trunk.txt': 't\n' });
    await repository.gitIn(root, 'merge', '-q', '--no-edit', 'main');
    await record({ base: 'main', baseCommit: start });
    const found = await filesOf();
    assert.equal(found.from, trunk);
    assert.deepEqual(
      found.files.map(({ path }) => path),
      ['child.txt'],
    );
  });

  test('with a recorded commit that git has lost, from the merge base', async () => {
    await record({ base: 'main', baseCommit: 'd'.repeat(40) });
    assert.equal((await filesOf()).from, start);
  });

  test('the main working tree is compared with its last commit, or with its upstream', async () => {
    await repository.commit('Committed', { 'b.txt': 'b\n' });
    await repository.write('c.txt', 'c\n');
    assert.deepEqual(
      (await filesOf('@')).files.map(({ path }) => path),
      ['c.txt'],
    );
    await repository.git('branch', '-q', 'pushed', start);
    await repository.git('branch', '-q', '--set-upstream-to=pushed');
    const found = await filesOf('@');
    assert.deepEqual(
      found.files.map(({ path }) => path),
      ['b.txt', 'c.txt'],
    );
    assert.equal(found.base, undefined);
  });

  test('a detached worktree is compared with trunk', async () => {
    await repository.gitIn(root, 'checkout', '-q', '--detach');
    await repository.commit('Child', { 'child.txt': 'c\n' }, root);
    const found = await filesOf();
    assert.deepEqual([found.base, found.files.map(({ path }) => path)], ['main', ['child.txt']]);
  });

  test('before the first commit everything is new', async () => {
    await repository.gitIn(root, 'switch', '-q', '--orphan', 'fresh');
    await repository.write(join(root, 'staged.txt'), 's\n');
    await repository.gitIn(root, 'add', 'staged.txt');
    assert.deepEqual((await filesOf()).files, [{ status: 'A', path: 'staged.txt', added: 1, deleted: 0 }]);
  });

  test('a base that is gone is named', async () => {
    await record({ base: 'deleted' });
    await assert.rejects(filesOf(), (thrown) => Problem.is(thrown, 'not-found') && /"deleted"/.test(thrown.message));
  });

  test('a folder that is missing is told', async () => {
    await rm(root, { recursive: true });
    await assert.rejects(filesOf(), (thrown) => Problem.is(thrown, 'not-found') && thrown.message.includes(root));
  });

  suite('as text', () => {
    test('a patch is git’s, byte for byte, and can be applied', async () => {
      const latin1 = Buffer.concat([Buffer.from('caf'), Buffer.from([0xe9, 0x0a])]);
      await writeFile(join(root, 'a.txt'), latin1);
      await repository.write(join(root, 'new.txt'), 'not in it\n');
      const { bytes, untracked } = await textOf({});
      assert.ok(bytes.includes(latin1));
      assert.deepEqual(untracked, ['new.txt']);
      const patch = join(home.root, 'x.patch');
      await writeFile(patch, bytes);
      await repository.git('apply', patch);
      assert.equal(await repository.git('hash-object', 'a.txt'), await repository.gitIn(root, 'hash-object', 'a.txt'));
    });

    test('whatever the user has configured for diffs, a patch can be applied', async () => {
      await repository.write(join(root, 'a.txt'), 'changed\n');
      const config: [string, string][] = [
        ['diff.external', 'false'],
        ['diff.noprefix', 'true'],
        ['diff.mnemonicPrefix', 'true'],
        ['diff.relative', 'true'],
        ['color.ui', 'always'],
        ['color.diff', 'always'],
        ['diff.upper.textconv', 'false'],
        ['core.attributesFile', join(home.root, 'attributes')],
      ];
      await repository.write(join(home.root, 'attributes'), '*.txt diff=upper\n');
      for (const [key, value] of config) await repository.git('config', key, value);
      assert.match((await textOf({})).bytes.toString(), /^diff --git a\/a\.txt b\/a\.txt\n/);
      assert.deepEqual((await filesOf()).files, [{ status: 'M', path: 'a.txt', added: 1, deleted: 10 }]);
    });

    test('the summaries list files that git does not track', async () => {
      await repository.write(join(root, 'a.txt'), 'changed\n');
      await repository.write(join(root, 'tab\there.txt'), 'x\n');
      assert.equal((await textOf({ form: 'name-status' })).bytes.toString(), 'M\ta.txt\n?\t"tab\\there.txt"\n');
      const stat = (await textOf({ form: 'stat' })).bytes.toString();
      assert.match(stat, /^ a\.txt \| 11 \+-+\n 1 file changed, .*\n "tab\\there\.txt" \| not tracked\n$/);
    });

    test('colour is given when asked for', async () => {
      await repository.write(join(root, 'a.txt'), 'changed\n');
      assert.ok((await textOf({ colour: true })).bytes.includes('\x1b[32m'));
      assert.ok(!(await textOf({})).bytes.includes('\x1b'));
    });
  });
});
