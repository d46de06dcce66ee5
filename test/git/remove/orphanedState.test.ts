import assert from 'node:assert/strict';
import { access, cp, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findOrphanedState, removeOrphanedState, type OrphanedState } from '../../../src/core/remove/orphanedState.ts';
import { ensureStateDirectory } from '../../../src/core/repository/stateDirectory.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';
import { texts } from '../../support/texts.ts';

describe('state that was left behind', () => {
  let home: TestHome;
  let repository: TestRepository;
  beforeEach(async () => {
    home = await testHome();
    repository = await home.repository();
  });
  afterEach(() => home.dispose());

  const at = (...parts: string[]): string => join(repository.root, '.worktrees', ...parts);
  const there = (path: string): Promise<boolean> =>
    access(path).then(
      () => true,
      () => false,
    );
  const add = async (name: string, path = at(name)): Promise<void> => {
    await repository.git('worktree', 'add', '--quiet', '-b', name, path);
    await ensureStateDirectory(path);
  };
  /** Takes the worktree away as another tool would, and leaves its state. */
  const lose = async (name: string, path = at(name)): Promise<void> => {
    await cp(join(path, '.claude-state'), join(home.root, 'kept'), { recursive: true });
    await repository.git('worktree', 'remove', '--force', path);
    await mkdir(path, { recursive: true });
    await rename(join(home.root, 'kept'), join(path, '.claude-state'));
  };
  const find = async (): Promise<OrphanedState[]> => {
    const workspace = await testWorkspace(home, repository.root);
    return findOrphanedState(workspace, await readSnapshot(workspace, { withChanges: false }));
  };

  it('is none of a worktree that is there', async () => {
    await add('one');
    assert.deepEqual(await find(), []);
  });

  it('is found and removed with its empty folder', async () => {
    await add('one');
    await lose('one');
    const [orphan] = await find();
    assert.deepEqual([orphan?.folder, orphan?.kept, orphan?.alone], [at('one'), undefined, true]);
    if (orphan) await removeOrphanedState(orphan);
    assert.equal(await there(at('one')), false);
    assert.deepEqual(await find(), []);
  });

  it('is removed alone where there is something else in the folder', async () => {
    await add('one');
    await lose('one');
    await writeFile(at('one', 'notes.md'), 'precious\n');
    const [orphan] = await find();
    if (orphan) await removeOrphanedState(orphan);
    assert.deepEqual([await there(at('one', 'notes.md')), await there(at('one', '.claude-state'))], [true, false]);
  });

  it('is found at a path that the registry names', async () => {
    const path = join(home.root, 'far', 'away');
    await add('far', path);
    await lose('far', path);
    assert.deepEqual(await find(), []);
    await repository.write(
      '.worktrees/stack.json',
      JSON.stringify({ worktrees: { far: { path, branch: 'far', base: 'main' } } }),
    );
    assert.deepEqual(
      (await find()).map(({ folder }) => folder),
      [path],
    );
  });

  it('stays where it belongs to a worktree at another place', async () => {
    await add('one');
    await mkdir(at('copy'), { recursive: true });
    await cp(at('one', '.claude-state'), at('copy', '.claude-state'), { recursive: true });
    const [orphan] = await find();
    assert.equal(orphan?.kept?.id, 'remove.stateOfAnother');
    if (orphan) await removeOrphanedState(orphan);
    assert.equal(await there(at('copy', '.claude-state')), true);
  });

  it('stays where it is a link, has no id, or another repository has come', async () => {
    await add('link');
    await lose('link');
    await rename(at('link', '.claude-state'), join(home.root, 'target'));
    await symlink(join(home.root, 'target'), at('link', '.claude-state'));
    await mkdir(at('anonymous', '.claude-state'), { recursive: true });
    await add('clone');
    await lose('clone');
    await repository.gitIn(at('clone'), 'init', '--quiet');
    const kept = (await find()).map(({ kept: why }) => why);
    assert.equal(kept.length, 3);
    assert.ok(
      kept.every((why) => why !== undefined),
      texts(kept.map((why) => why ?? '')).join(),
    );
  });
});
