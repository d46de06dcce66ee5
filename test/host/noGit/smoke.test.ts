import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

describe('smoke, no git', () => {
  it('finds no git from inside the extension host', () => {
    const { error } = spawnSync('git', ['--version']);
    assert.equal((error as NodeJS.ErrnoException | undefined)?.code, 'ENOENT');
  });
});
