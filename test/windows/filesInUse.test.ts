import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepository } from '../support/tempRepo.ts';
import { windowsHome, type WindowsHome } from '../support/windows/home.ts';

describe('files that other programs have open on Windows', () => {
  let home: WindowsHome;
  let repository: TestRepository;
  before(async () => {
    home = await windowsHome();
    repository = await home.repository();
    await wt('create', 'first');
  });
  after(() => home.dispose());

  const at = (...path: string[]): string => join(repository.root, '.worktrees', ...path);
  const wt = (...args: string[]): Promise<string> => home.done(repository.root, ...args);

  it('are written all the same while somebody reads them again and again', async () => {
    const reader = setInterval(() => {
      try {
        readFileSync(at('stack.json'));
      } catch {
        // It is being replaced.
      }
    }, 5);
    try {
      await wt('create', 'second');
      await wt('switch', 'second');
    } finally {
      clearInterval(reader);
    }
    assert.match(readFileSync(at('stack.json'), 'utf8'), /"second"/);
  });

  it('are named where they stay open, and nothing is left of what was begun', async () => {
    const held = openSync(at('stack.json'), 'r');
    try {
      const { code, stderr } = await home.wt(repository.root, ['create', 'third']);
      assert.equal(code, 1, stderr);
      assert.match(stderr, /stack\.json/);
      assert.match(stderr, /another program/);
      assert.equal(existsSync(at('third')), false);
      assert.equal(await repository.git('for-each-ref', 'refs/heads/third'), '');
    } finally {
      closeSync(held);
    }
    await wt('create', 'third');
  });

  it('leave an empty folder where a shell stands in a worktree that is removed, until it has ended', async () => {
    const shell = spawn(process.execPath, ['-e', 'console.log(1); process.stdin.resume()'], {
      cwd: at('third'),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    try {
      await once(shell.stdout, 'data');
      const { code, stderr } = await home.wt(repository.root, ['cleanup', 'third']);
      assert.equal(code, 0, stderr);
      assert.match(stderr, /third/);
      assert.doesNotMatch(await wt('list', '--porcelain'), /third/);
      assert.equal(existsSync(at('third', 'README.md')), false);
    } finally {
      shell.stdin.end();
      await once(shell, 'close');
    }
    await home.wt(repository.root, ['doctor', '--fix']);
    await wt('doctor');
    assert.equal(existsSync(at('third')), false);
  });
});
