import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { withoutRepositoryVariables } from '../../../src/core/git/repositoryVariables.ts';

describe("the environment of a person's command in another worktree", () => {
  it('lacks every variable that git calls local to a repository, and no other', () => {
    const local = execFileSync('git', ['rev-parse', '--local-env-vars'], { encoding: 'utf8' }).trim().split('\n');
    assert.ok(local.includes('GIT_DIR'));
    const kept = {
      PATH: '/bin',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_EDITOR: 'vi',
      GIT_SSH_COMMAND: 'ssh -v',
      GIT_CONFIG_GLOBAL: '/g',
    };
    const lost = Object.fromEntries(
      [...local, 'git_dir', 'GIT_CONFIG_KEY_0', 'GIT_CONFIG_VALUE_10'].map((name) => [name, 'x']),
    );
    assert.deepEqual(withoutRepositoryVariables({ ...kept, ...lost, UNSET: undefined }), kept);
  });
});
