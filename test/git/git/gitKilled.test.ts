import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { Git } from '../../../src/core/git/git.ts';
import { readBranches } from '../../../src/core/git/refs.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testEnvironment, testWorkspace } from '../../support/workspace.ts';

suite('a git that is killed or crashes', () => {
  let home: TestHome;
  let repository: TestRepository;
  setup(async () => {
    home = await testHome();
    repository = await home.repository();
  });
  teardown(() => home.dispose());

  /** A git that ends by a signal where its arguments match, after it has said what it would say. */
  async function crashing(pattern: string): Promise<Git> {
    const binary = join(home.root, 'crashing-git');
    const script = ['#!/bin/sh', 'case "$*" in', `${pattern}) git "$@"; kill -ABRT $$ ;;`, 'esac', 'exec git "$@"', ''];
    await writeFile(binary, script.join('\n'));
    await chmod(binary, 0o755);
    return new Git(testEnvironment(home, repository.root), { binary });
  }
  const at = (): { cwd: string } => ({ cwd: repository.root });
  const failed = (thrown: unknown): boolean => Problem.is(thrown, 'git-failed');

  test('has failed, whatever it has said before', async () => {
    const git = await crashing('*');
    await assert.rejects(git.run(['rev-parse', 'HEAD'], at()), failed);
    await assert.rejects(git.text(['rev-parse', 'HEAD'], at()), failed);
    await assert.rejects(git.line(['rev-parse', 'HEAD'], at()), failed);
    await assert.rejects(git.bytes(['rev-parse', 'HEAD'], at()), failed);
    await assert.rejects(
      git.converse(['rev-parse', 'HEAD'], at(), (talk) => talk.end()),
      failed,
    );
  });

  test('makes no worktree look clean', async () => {
    await repository.write('new.txt', 'mine\n');
    const workspace = { ...(await testWorkspace(home, repository.root)), git: await crashing('*status*') };
    const { worktrees } = await readSnapshot(workspace).catch(() => ({ worktrees: [] }));
    assert.deepEqual(
      worktrees.filter(({ changes }) => changes?.total === 0),
      [],
    );
  });

  test('does not hide the branches where a lost commit makes it crash', async () => {
    const git = await crashing('*committerdate*');
    const branches = await readBranches(git, join(repository.root, '.git'));
    assert.deepEqual([...branches.keys()], ['main']);
  });
});
