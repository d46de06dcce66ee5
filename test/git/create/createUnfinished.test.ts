import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Git } from '../../../src/core/git/git.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';
import { Creations } from '../../support/creations.ts';
import { shareOf } from '../../support/share.ts';

describe('a creation that could not be taken back when it failed', function () {
  this.timeout(300_000);
  let at: Creations;
  beforeEach(async () => {
    at = await Creations.start();
    await at.repository.commit('Files', { 'a.txt': 'a\n' });
  });
  afterEach(() => at.dispose());

  /** A workspace whose git goes through a script first: `git` there is the real one, `$record` git's record of the new worktree. */
  async function withGit(script: string): Promise<Workspace> {
    const binary = join(at.home.root, 'another-git');
    const record = `record='${join(at.repository.root, '.git/worktrees/x')}'`;
    await writeFile(binary, ['#!/bin/sh', record, 'case "$*" in', script, 'esac', 'exec git "$@"', ''].join('\n'));
    await chmod(binary, 0o755);
    return { ...at.workspace, git: new Git(at.workspace.environment, { binary }) };
  }
  /** It ends as if git could do nothing more, also not remove what it has begun. */
  const dying = (rest: string): string =>
    `*'worktree add'*) git "$@" 2>/dev/null; ${rest}; echo 'fatal: Read-only file system' >&2; exit 128 ;;\n*'update-ref -d'*) exit 128 ;;`;

  const begun: Readonly<Record<string, string>> = {
    'no HEAD': 'rm "$record/HEAD" "$record/commondir"',
    'an empty HEAD': ': > "$record/HEAD"',
    'a HEAD that is no commit': 'printf "%040d\\n" 0 > "$record/HEAD"',
    'an empty commondir, with which git can list no worktrees': ': > "$record/commondir"',
    'nothing but a lock': 'rm -r "$record"/*; printf initializing > "$record/locked"',
    'half of the path of the worktree':
      'rm -r "$record"/*; printf / > "$record/gitdir"; printf init > "$record/locked"',
    'nothing at all': 'rm -r "$record"/*',
  };
  for (const [what, script] of shareOf(Object.entries(begun), 2)) {
    it(`is taken back by the next command, and can be repeated: git’s record has ${what}`, async () => {
      const before = await at.traces();
      const workspace = await withGit(dying(script));
      await assert.rejects(at.create('x', {}, workspace), {
        message: /the disk is read-only\. Rolling back failed too/,
        outcome: 'incomplete',
      });
      assert.deepEqual(await recoverInterrupted(at.workspace), []);
      assert.deepEqual(await at.traces(), before);
      await at.repository.git('fsck', '--no-dangling');
      await at.create('x');
      assert.deepEqual((await at.traces()).records, ['x']);
    });
  }

  it('is taken back by the next command: the branch could not be deleted', async () => {
    const before = await at.traces();
    const workspace = await withGit("*'update-ref -d'*) echo 'fatal: No space left on device' >&2; exit 128 ;;");
    const failing = { approveSetup: async () => true };
    await at.configure('setup: ["exit 1"]\n');
    const configured = { ...workspace, configuration: at.workspace.configuration };
    await assert.rejects(at.create('x', failing, configured), { id: 'operations.rollingBackFailed' });
    const left = await at.traces();
    assert.deepEqual([left.branches, left.pending], [['main', 'x'], ['x.json']]);
    assert.deepEqual(await recoverInterrupted(at.workspace), []);
    const after = await at.traces();
    assert.deepEqual({ ...after, status: before.status }, before);
  });

  it('leaves a branch alone that somebody has made at the same commit', async () => {
    const workspace = await withGit("*'worktree add'*) git branch -D x -q; git branch x; exit 128 ;;");
    await assert.rejects(at.create('x', {}, workspace), { reason: 'git-failed' });
    const { branches, pending, records } = await at.traces();
    assert.deepEqual({ branches, pending, records }, { branches: ['main', 'x'], pending: [], records: [] });
  });

  it('takes back a branch that a git has made which failed all the same', async () => {
    const before = await at.traces();
    const workspace = await withGit("*'--create-reflog'*) git \"$@\"; echo 'fatal: write error' >&2; exit 128 ;;");
    await assert.rejects(at.create('x', {}, workspace), { reason: 'git-failed' });
    assert.deepEqual(await at.traces(), before);
  });

  it('git’s own lock on a worktree that it makes is looked for, and removed where it was left', async () => {
    const workspace = await withGit(
      '*\'worktree add\'*) git "$@" || exit; printf initializing > "$record/locked"; exit ;;',
    );
    await at.create('x', {}, workspace);
    assert.equal(existsSync(join(at.repository.root, '.git/worktrees/x/HEAD')), true);
    assert.equal(existsSync(join(at.repository.root, '.git/worktrees/x/locked')), false);
  });
});
