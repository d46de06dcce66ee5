import assert from 'node:assert/strict';
import { appendFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { seeStatuses } from '../../src/core/snapshot/seenStatuses.ts';
import { testHome, type TestHome, type TestRepository } from '../support/tempRepo.ts';
import { testWorkspace } from '../support/workspace.ts';

describe('clean worktrees on Windows', () => {
  let home: TestHome;
  let repository: TestRepository;
  before(async () => {
    home = await testHome();
    repository = await home.repository();
    await repository.git('config', 'core.autocrlf', 'true');
  });
  after(() => home.dispose());

  it('and changed files are seen without a status, though Git for Windows has other numbers on record', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const head = await repository.commit('Files', { '.gitignore': 'build/\n', 'docs/Füße.md': 'x\n' });
    const trees = names.map((name) => ({
      head,
      path: join(home.root, name),
      gitDir: join(repository.root, '.git', 'worktrees', name),
    }));
    for (const { path, gitDir } of trees) {
      await repository.git('worktree', 'add', '-q', path);
      await repository.write(join(path, 'build', 'out.txt'), 'x');
      const later = new Date(Date.now() + 60_000);
      await utimes(join(gitDir, 'index'), later, later);
    }
    await appendFile(join(home.root, 'c', 'docs', 'Füße.md'), 'more\r\n');
    const { git, environment, repository: own } = await testWorkspace(home, repository.root);
    const options = { environment, signal: new AbortController().signal, onLook: () => undefined };
    const seen = await seeStatuses(git, own.commonDir, trees, options);
    const changed = [{ kind: 'changed', code: '.M', path: 'docs/Füße.md' }];
    assert.deepEqual(
      [...seen],
      names.map((name) => [join(home.root, name), name === 'c' ? changed : []]),
    );
  });
});
