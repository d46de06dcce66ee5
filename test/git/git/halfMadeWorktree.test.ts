import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '../../../src/core/base/log.ts';
import { Git } from '../../../src/core/git/git.ts';
import { testHome, type TestHome } from '../../support/tempRepo.ts';
import { testEnvironment } from '../../support/workspace.ts';

suite('a worktree that another process is just making', () => {
  let home: TestHome;

  setup(async () => (home = await testHome()));
  teardown(() => home.dispose());

  test('does not keep anybody from listing the others', async () => {
    const repository = await home.repository();
    await repository.git('worktree', 'add', '-q', '.worktrees/one', '-b', 'one');
    const commondir = join(repository.root, '.git', 'worktrees', 'one', 'commondir');
    await writeFile(commondir, '');
    let failed = 0;
    const log = {
      ...silentLog,
      // The other process gets to its next line when git has failed once.
      debug: (line: string) => {
        if (!line.includes('exit 128')) return;
        failed++;
        writeFileSync(commondir, '../..\n');
      },
    };
    const git = new Git({ ...testEnvironment(home, repository.root), log });
    const list = await git.text(['worktree', 'list', '--porcelain'], { cwd: repository.root });
    assert.equal(failed, 1);
    assert.match(list, /branch refs\/heads\/one/);
  });
});
