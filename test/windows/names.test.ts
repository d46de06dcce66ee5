import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { abandoned, pendingFolder, writePending } from '../../src/core/operations/store.ts';
import type { TestRepository } from '../support/tempRepo.ts';
import { testWorkspace } from '../support/workspace.ts';
import { windowsHome, type WindowsHome } from '../support/windows/home.ts';

describe('names that Windows cannot hold, on Windows', () => {
  let home: WindowsHome;
  let repository: TestRepository;
  before(async () => {
    home = await windowsHome();
    repository = await home.repository();
  });
  after(() => home.dispose());

  const refs = (): Promise<string> => repository.git('for-each-ref', '--format=%(refname)');

  it('are refused with one that works, and leave nothing behind', async () => {
    const before = await refs();
    for (const [args, next] of [
      [['aux'], 'wt create aux-1'],
      [['ok', '--branch', 'x/nul.y'], 'wt create ok --branch x/nul-1.y'],
    ] as const) {
      const { code, stderr } = await home.wt(repository.root, ['create', ...args]);
      assert.equal(code, 1, stderr);
      assert.match(stderr, /Windows keeps/);
      assert.ok(stderr.includes(`\`${next}\``), stderr);
    }
    assert.equal(await refs(), before);
    assert.equal(existsSync(join(repository.root, '.worktrees')), false);
  });

  it('are recovered from where an earlier version has left half of a worktree', async () => {
    const workspace = await testWorkspace(home, repository.root);
    const path = join(repository.root, '.worktrees', 'aux');
    const started = new Date().toISOString();
    const startCommit = await repository.git('rev-parse', 'HEAD');
    const entry = { path, branch: 'aux', base: 'main', pr: null, created: started, lifecycle: 'created' };
    const data = {
      ...{
        name: 'aux',
        slug: 'aux',
        path,
        relativePath: '.worktrees/aux',
        branch: 'aux',
        newBranch: true,
        startCommit,
      },
      ...{ firstMade: join(repository.root, '.worktrees'), folderThere: false, entry },
    };
    await mkdir(path, { recursive: true });
    await writePending(workspace.repository, {
      kind: 'create',
      key: 'aux',
      owner: { pid: abandoned, host: '' },
      started,
      data,
    });
    const { code, stderr } = await home.wt(repository.root, ['list']);
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stderr, /warning|could not/i);
    assert.equal(existsSync(path), false);
    assert.deepEqual(await readdir(pendingFolder(workspace.repository)), []);
  });
});
