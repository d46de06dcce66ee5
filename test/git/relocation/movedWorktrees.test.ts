import assert from 'node:assert/strict';
import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { locate } from '../../../src/core/repository/identity.ts';
import { readRegistry, updateRegistry } from '../../../src/core/repository/registry.ts';
import { writeActive } from '../../../src/core/repository/stateFile.ts';
import { createWorktree } from '../../../src/core/create/create.ts';
import type { Snapshot, Worktree } from '../../../src/core/worktree/model.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { outOfLink, relink } from '../../../src/core/relocation/relink.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';

describe('worktrees that are not where they were', () => {
  let home: TestHome;
  let repository: TestRepository;

  beforeEach(async () => {
    home = await testHome();
    repository = await home.repository();
  });
  afterEach(() => home.dispose());

  const snapshotIn = async (folder: string): Promise<Snapshot> => readSnapshot(await testWorkspace(home, folder));

  const named = async (folder: string, name: string): Promise<Worktree> => {
    const found = (await snapshotIn(folder)).worktrees.find((each) => each.name === name);
    assert.ok(found, `no worktree named ${name}`);
    return found;
  };

  /** Two worktrees of ours, one on the other, with uncommitted work. */
  const make = async (): Promise<void> => {
    const workspace = await testWorkspace(home, repository.root);
    await createWorktree(workspace, { name: 'plum', workId: '7', createdBy: 'test' });
    await createWorktree(workspace, { name: 'pear', base: 'plum', task: 'Pears', createdBy: 'test' });
    await repository.write('.worktrees/plum/new.txt', 'hours of work\n');
  };

  /** Puts the links of all worktrees right that need it; which these are. */
  const relinkIn = async (folder: string): Promise<string[]> => {
    const workspace = await testWorkspace(home, folder);
    const all = outOfLink(await readSnapshot(workspace));
    for (const each of all) assert.equal(await relink(workspace, each), true);
    return all.map(({ name }) => name).sort();
  };

  const pointerOf = (folder: string): Promise<string> => readFile(join(folder, '.git'), 'utf8');

  const summary = ({ id, path, condition, staleLink, changes, base, entry, active }: Worktree): unknown => ({
    id,
    path,
    condition,
    staleLink,
    changed: changes?.total,
    base: base?.branch,
    task: entry?.task,
    workId: entry?.workId,
    active,
  });

  const pearAt = (path: string, more: Partial<Record<string, unknown>> = {}): unknown => ({
    id: 'pear',
    path,
    condition: 'fine',
    staleLink: true,
    changed: 0,
    base: 'plum',
    task: 'Pears',
    workId: undefined,
    active: true,
    ...more,
  });

  it('a renamed repository: its worktrees are found, keep all that is known of them, and work once they are linked', async () => {
    await make();
    const moved = join(home.root, 'renamed');
    await rename(repository.root, moved);
    const plum = join(moved, '.worktrees', 'plum');
    const pear = join(moved, '.worktrees', 'pear');
    const unlinked = { condition: 'moved', staleLink: false, changed: undefined };
    assert.deepEqual(summary(await named(moved, 'pear')), pearAt(pear, unlinked));
    assert.deepEqual(await relinkIn(moved), ['pear', 'plum']);
    assert.equal(await repository.gitIn(plum, 'status', '--short'), '?? new.txt');
    assert.deepEqual(summary(await named(moved, 'plum')), {
      id: 'plum',
      path: plum,
      condition: 'fine',
      staleLink: false,
      changed: 1,
      base: 'main',
      task: undefined,
      workId: '7',
      active: false,
    });
    assert.deepEqual(summary(await named(plum, 'pear')), pearAt(pear, { staleLink: false }));
    assert.deepEqual(await relinkIn(moved), []);
  });

  it('a container and its host that see the repository at two paths in turn', async () => {
    await make();
    const there = join(home.root, 'workspaces', 'app');
    await mkdir(join(home.root, 'workspaces'));
    await rename(repository.root, there);
    await relinkIn(there);
    await rename(there, repository.root);
    // From now on git works at both places without us.
    for (const [from, to] of [
      [repository.root, there],
      [there, repository.root],
      [repository.root, there],
    ] as const) {
      await rename(from, to);
      const pear = await named(to, 'pear');
      assert.deepEqual(
        [pear.path, pear.condition, pear.base?.branch],
        [join(to, '.worktrees', 'pear'), 'fine', 'plum'],
      );
      await repository.gitIn(pear.path, 'commit', '-q', '--allow-empty', '-m', `seen at ${to}`);
    }
  });

  it('the registry holds paths below the main root relative to it, and others whole', async () => {
    await make();
    const workspace = await testWorkspace(home, repository.root);
    const elsewhere = join(home.root, 'elsewhere');
    await updateRegistry(workspace.environment, workspace.repository, ({ worktrees }) => {
      worktrees.set('far', { path: elsewhere, branch: 'far', base: 'main', pr: null });
    });
    const text = await readFile(join(repository.root, '.worktrees', 'stack.json'), 'utf8');
    const { worktrees } = JSON.parse(text) as { worktrees: Record<string, { path: string }> };
    assert.deepEqual(
      Object.values(worktrees).map(({ path }) => path),
      ['.worktrees/plum', '.worktrees/pear', elsewhere],
    );
    assert.ok(!text.includes(repository.root));
    const read = await readRegistry(workspace.repository);
    assert.equal(read.worktrees.get('pear')?.path, join(repository.root, '.worktrees', 'pear'));
  });

  describe('with a .git file that git wrote', () => {
    /** As earlier versions and git itself leave it: absolute paths everywhere, no id. */
    const makeOld = async (path = join(repository.root, '.worktrees', 'pear')): Promise<void> => {
      await repository.git('worktree', 'add', '-q', '-b', 'pear', path);
      const entry = {
        path,
        branch: 'pear',
        base: 'plum',
        pr: { number: 3, url: 'https://example.com/3' },
        task: 'Pears',
      };
      await repository.write('.worktrees/stack.json', JSON.stringify({ version: 1, worktrees: { pear: entry } }));
      await repository.git('branch', 'plum');
    };

    it('a renamed repository: the folder is found, and needs a repair', async () => {
      await makeOld();
      const moved = join(home.root, 'renamed');
      await rename(repository.root, moved);
      const pear = await named(moved, 'pear');
      const path = join(moved, '.worktrees', 'pear');
      assert.deepEqual([pear.path, pear.condition, pear.entry?.pr?.number], [path, 'moved', 3]);
      await repository.gitIn(moved, 'worktree', 'repair', path);
      const repaired = await named(moved, 'pear');
      assert.deepEqual(await relinkIn(moved), []);
      assert.deepEqual([repaired.condition, repaired.staleLink, repaired.base?.branch], ['fine', false, 'plum']);
    });

    it('inside such a worktree the repository is found although git finds none', async () => {
      await makeOld();
      const moved = join(home.root, 'renamed');
      await rename(repository.root, moved);
      const inside = join(moved, '.worktrees', 'pear', 'deep');
      await mkdir(inside);
      const { git } = await testWorkspace(home, moved);
      const { repository: found, worktreeRoot, gitDir } = await locate(git, inside);
      assert.deepEqual(
        [found.mainRoot, worktreeRoot, gitDir],
        [moved, join(moved, '.worktrees', 'pear'), join(moved, '.git', 'worktrees', 'pear')],
      );
    });

    it('a worktree of another repository that was put below this one is not taken for its own', async () => {
      await makeOld();
      const other = await home.repository('other');
      await other.git('worktree', 'add', '-q', '-b', 'pear', join(home.root, 'stray', 'pear'));
      await rename(join(home.root, 'stray', 'pear'), join(repository.root, 'stray'));
      await rm(other.root, { recursive: true });
      const { git } = await testWorkspace(home, repository.root);
      const thrown = await locate(git, join(repository.root, 'stray')).catch((reason: unknown) => reason);
      assert.match(String((thrown as Error).message), /points to .*other.*no git directory any more/);
      const pear = await named(repository.root, 'pear');
      assert.deepEqual([pear.path, pear.condition], [join(repository.root, '.worktrees', 'pear'), 'fine']);
    });

    it('a worktree beside a repository that was moved together with it', async () => {
      await mkdir(join(home.root, 'code'));
      const first = join(home.root, 'code', 'project');
      await rename(repository.root, first);
      await repository.gitIn(first, 'worktree', 'add', '-q', '-b', 'fig', join(home.root, 'code', 'project-fig'));
      await rename(join(home.root, 'code'), join(home.root, 'work'));
      const fig = await named(join(home.root, 'work', 'project'), 'project-fig');
      assert.deepEqual([fig.path, fig.condition], [join(home.root, 'work', 'project-fig'), 'moved']);
      assert.deepEqual(await relinkIn(join(home.root, 'work', 'project')), ['project-fig']);
      assert.equal(await repository.gitIn(fig.path, 'status', '--short'), '');
    });
  });

  it('git worktree move: the entry follows by the id', async () => {
    await make();
    const to = join(home.root, 'elsewhere');
    await repository.git('worktree', 'move', '.worktrees/pear', to);
    assert.deepEqual(summary(await named(repository.root, 'pear')), pearAt(to, { staleLink: false }));
  });

  it('a folder renamed by hand beside where it was is found', async () => {
    await make();
    const to = join(repository.root, '.worktrees', 'by-hand');
    await rename(join(repository.root, '.worktrees', 'pear'), to);
    assert.deepEqual(summary(await named(repository.root, 'pear')), pearAt(to));
    assert.deepEqual(await relinkIn(repository.root), ['pear']);
    assert.match(await repository.git('worktree', 'list'), /by-hand/);
  });

  it('a folder moved far away by hand is found from within, and missing from outside', async () => {
    await make();
    const to = join(home.root, 'far', 'away');
    await mkdir(join(home.root, 'far'));
    const from = join(repository.root, '.worktrees', 'pear');
    await rename(from, to);
    const outside = await named(repository.root, 'pear');
    assert.deepEqual([outside.path, outside.condition, outside.entry?.task], [from, 'missing', 'Pears']);
    const workspace = await testWorkspace(home, to);
    const here = { root: to, gitDir: join(repository.root, '.git', 'worktrees', 'pear') };
    const inside = await readSnapshot({ ...workspace, here });
    const pear = inside.worktrees.find(({ name }) => name === 'pear');
    assert.ok(pear);
    assert.deepEqual(summary(pear), pearAt(to));
  });

  it('of two folders that claim to be one worktree neither is believed', async () => {
    await make();
    const home1 = join(repository.root, '.worktrees');
    await cp(join(home1, 'pear'), join(home1, 'one'), { recursive: true });
    await rename(join(home1, 'pear'), join(home1, 'two'));
    assert.equal((await named(repository.root, 'pear')).condition, 'missing');
  });

  it('what a removal has staged is not taken for the worktree', async () => {
    await make();
    const folders = join(repository.root, '.worktrees');
    await rename(join(folders, 'pear'), join(folders, '.trash-pear-0123456789ab'));
    assert.equal((await named(repository.root, 'pear')).condition, 'missing');
    await rename(join(folders, '.trash-pear-0123456789ab'), join(folders, '.restore-pear-01234567'));
    assert.equal((await named(repository.root, 'pear')).condition, 'missing');
  });

  it('a copy of the repository does not take the worktrees of the original for its own', async () => {
    await make();
    const copy = join(home.root, 'copy');
    const pear = join(repository.root, '.worktrees', 'pear');
    await rename(repository.root, join(home.root, 'for-a-moment'));
    const plumThere = (await snapshotIn(join(home.root, 'for-a-moment'))).worktrees.find(({ name }) => name === 'plum');
    assert.ok(plumThere);
    await relink(await testWorkspace(home, join(home.root, 'for-a-moment')), plumThere);
    await rename(join(home.root, 'for-a-moment'), repository.root);
    await cp(repository.root, copy, { recursive: true });
    assert.equal((await named(copy, 'pear')).condition, 'foreign');
    assert.deepEqual(summary(await named(repository.root, 'pear')), pearAt(pear, { staleLink: false }));
    // Where the pointer is relative, the copy has worktrees of its own.
    const plum = await named(copy, 'plum');
    assert.deepEqual([plum.path, plum.condition, plum.changes?.total], [join(copy, '.worktrees', 'plum'), 'fine', 1]);
  });

  it('an entry without an id belongs to the worktree with its branch, and an id beats both branch and path', async () => {
    await repository.git('worktree', 'add', '-q', '-b', 'a', '.worktrees/a');
    await repository.git('worktree', 'add', '-q', '-b', 'b', '.worktrees/b');
    const at = (name: string): string => join(repository.root, '.worktrees', name);
    const entries = {
      first: { path: at('gone'), branch: 'a', base: 'main', pr: null },
      second: { id: 'b', path: at('a'), branch: 'renamed', base: 'main', pr: null },
      third: { id: 'gone', path: at('b'), branch: 'b', base: 'main', pr: null },
    };
    await repository.write('.worktrees/stack.json', JSON.stringify({ version: 1, worktrees: entries }));
    const { worktrees } = await snapshotIn(repository.root);
    assert.deepEqual(
      worktrees.slice(1).map(({ id, name }) => [id, name]),
      [
        ['a', 'first'],
        ['b', 'second'],
      ],
    );
  });

  it('the active worktree is known by its branch when its path is no worktree any more', async () => {
    await make();
    const workspace = await testWorkspace(home, repository.root);
    const active = { path: '/nowhere/.worktrees/plum', branch: 'plum', created: '2026-01-02' };
    await writeActive(workspace.environment, workspace.repository, active);
    assert.equal((await named(repository.root, 'plum')).active, true);
  });

  it('a worktree behind a link out of the repository gets an absolute pointer, and one within it a relative one', async () => {
    const disk = join(home.root, 'disk');
    await mkdir(disk);
    await symlink(disk, join(repository.root, 'link'));
    await repository.git('worktree', 'add', '-q', '-b', 'x', 'link/x');
    await repository.git('worktree', 'add', '-q', '-b', 'y', 'deep/er/y');
    const moved = join(home.root, 'renamed');
    await rename(repository.root, moved);
    const workspace = await testWorkspace(home, moved);
    for (const each of (await readSnapshot(workspace)).worktrees.slice(1)) {
      const path = each.name === 'x' ? join(moved, 'link', 'x') : each.path;
      await relink(workspace, { ...each, path });
    }
    assert.equal(await pointerOf(join(disk, 'x')), `gitdir: ${join(moved, '.git', 'worktrees', 'x')}\n`);
    assert.equal(await pointerOf(join(moved, 'deep', 'er', 'y')), 'gitdir: ../../../.git/worktrees/y\n');
    for (const name of ['link/x', 'deep/er/y'])
      assert.equal(await repository.gitIn(join(moved, name), 'status', '--short'), '');
  });

  it('a folder that is not the worktree (any more) is not linked', async () => {
    await make();
    const pear = await named(repository.root, 'pear');
    await rm(join(pear.path, '.git'));
    await assert.rejects(relink(await testWorkspace(home, repository.root), pear), /is not the worktree pear any more/);
  });
});
