import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { extensionUnderTest } from '../../support/hostWindow.ts';

describe('a machine without git', () => {
  let handle: TestHandle;

  before(async () => {
    const error: NodeJS.ErrnoException | undefined = spawnSync('git', ['--version']).error;
    assert.equal(error?.code, 'ENOENT', 'the suite is to run without git');
    handle = await extensionUnderTest();
  });

  it('says that git is missing, and not that there is no repository', () => {
    assert.equal(handle.keys.get('worktreeStacks.state'), 'noGit');
  });

  it('shows no rows, so that the view can say where to get git', async () => {
    assert.deepEqual(await handle.view.getChildren(), []);
  });

  it('says above the view what could not be started', () => {
    assert.match(handle.view.tree.message ?? '', /^Git could not be started/);
  });
});
