import assert from 'node:assert/strict';
import { sep } from 'node:path';
import { fromMovable, toMovable } from '../../../src/core/repository/movablePaths.ts';
import type { Repository } from '../../../src/core/repository/identity.ts';

const native = (path: string): string => path.split('/').join(sep);
const repositoryAt = (mainRoot: string, commonDir = `${mainRoot}/.git`): Repository => ({
  commonDir: native(commonDir),
  mainRoot: native(mainRoot),
  bare: false,
  name: 'repo',
});
const onDisk = (repository: Repository, value: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(toMovable(repository, value))) as Record<string, unknown>;

suite('paths in files that are read after a move', () => {
  const here = repositoryAt('/home/ada/repo');
  const there = repositoryAt('/mnt/disk/renamed');

  test('follow the main root and the common directory, at any depth; others stay', () => {
    const written = onDisk(here, {
      path: native('/home/ada/repo/.worktrees/a b'),
      gitDir: native('/home/ada/repo/.git/worktrees/a'),
      root: native('/home/ada/repo'),
      common: native('/home/ada/repo/.git'),
      moves: [{ worktrees: [{ path: native('/home/ada/repo/x') }] }],
      sibling: native('/home/ada/repo-x'),
      elsewhere: native('/srv/tree'),
      number: 3,
      none: null,
    });
    assert.ok(!JSON.stringify(written).includes(JSON.stringify(native('/home/ada/repo/')).slice(1, -1)));
    assert.deepEqual(fromMovable(there, written), {
      path: native('/mnt/disk/renamed/.worktrees/a b'),
      gitDir: native('/mnt/disk/renamed/.git/worktrees/a'),
      root: native('/mnt/disk/renamed'),
      common: native('/mnt/disk/renamed/.git'),
      moves: [{ worktrees: [{ path: native('/mnt/disk/renamed/x') }] }],
      sibling: native('/home/ada/repo-x'),
      elsewhere: native('/srv/tree'),
      number: 3,
      none: null,
    });
  });

  test('are what they were where nothing was moved, whatever the texts look like', () => {
    const texts = [
      '<main root>/x',
      '<main root>',
      '<main rooted',
      '<common directory>/y',
      '<real main root>',
      '<text>',
      '<text><main root>',
      '',
      native('/home/ada/repo//twice'),
      native('/home/ada/repo/../up'),
      `${native('/home/ada/repo/first')}\nsecond line\n`,
    ];
    const value = { texts, deep: { texts } };
    assert.deepEqual(fromMovable(here, onDisk(here, value)), value);
    assert.deepEqual(fromMovable(there, onDisk(here, { text: texts.at(-1) })), { text: texts.at(-1) });
  });

  test('keep their spelling when the main root was reached through a link', () => {
    const linked = repositoryAt('/link/repo', '/real/repo/.git');
    const value = {
      spelled: native('/link/repo/.worktrees/a'),
      real: native('/real/repo/.worktrees/a'),
      gitDir: native('/real/repo/.git/worktrees/a'),
    };
    assert.deepEqual(fromMovable(linked, onDisk(linked, value)), value);
    assert.deepEqual(fromMovable(there, onDisk(linked, value)), {
      spelled: native('/mnt/disk/renamed/.worktrees/a'),
      real: native('/mnt/disk/renamed/.worktrees/a'),
      gitDir: native('/mnt/disk/renamed/.git/worktrees/a'),
    });
  });

  test('of a bare repository follow its common directory', () => {
    const bare = repositoryAt('/srv/project', '/srv/project/.bare');
    const value = { path: native('/srv/project/.worktrees/a'), gitDir: native('/srv/project/.bare/worktrees/a') };
    assert.deepEqual(fromMovable(repositoryAt('/opt/p', '/opt/p/.bare'), onDisk(bare, value)), {
      path: native('/opt/p/.worktrees/a'),
      gitDir: native('/opt/p/.bare/worktrees/a'),
    });
  });

  test('of an earlier version are absolute, and read as they are', () => {
    const old = { version: 1, path: '/home/ada/repo/.worktrees/a', title: '<main root>/x' };
    assert.deepEqual(fromMovable(there, old), old);
  });
});
