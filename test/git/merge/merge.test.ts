import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Merges } from '../../support/merges.ts';
import { heard, texts } from '../../support/texts.ts';

describe('merging a worktree', () => {
  let merges: Merges;
  beforeEach(async () => {
    merges = await Merges.start();
  });
  afterEach(() => merges.dispose());

  const read = (file: string): Promise<string> => readFile(join(merges.root, file), 'utf8');
  const parents = async (commit: string): Promise<string[]> =>
    (await merges.git('.', 'rev-list', '--parents', '--max-count=1', commit)).split(' ').slice(1);
  const message = (commit = 'HEAD'): Promise<string> => merges.git('.', 'log', '-1', '--format=%B', commit);

  it('makes one merge commit, also where git could only move on, and names the slug', async () => {
    await merges.at.create('Feature-X');
    const before = await merges.git('.', 'rev-parse', 'HEAD');
    const theirs = await merges.commit('feature-x', { 'a.txt': 'a\n' });
    const steps: string[] = [];
    const merged = await merges.merge('Feature-X', { progress: heard((step) => steps.push(step)) });
    assert.equal(merged.state, 'merged');
    assert.equal(merged.commit, await merges.git('.', 'rev-parse', 'HEAD'));
    assert.deepEqual(await parents('HEAD'), [before, theirs]);
    assert.equal(await message(), '🔀 Merge wt/feature-x\n\nWt-Merge: feature-x');
    assert.equal(await read('a.txt'), 'a\n');
    assert.equal(await merges.git('.', 'status', '--porcelain'), '');
    for (const phase of ['inspecting', 'files', 'session files', 'committing', 'checks']) {
      assert.ok(
        steps.some((step) => step.includes(phase)),
        `${phase} is not in ${steps.join('; ')}`,
      );
    }
  });

  it('done again gives the same commit and changes nothing', async () => {
    await merges.at.create('x');
    await merges.commit('x', { 'a.txt': 'a\n' });
    const first = await merges.merge('x');
    const again = await merges.merge('x');
    assert.equal(again.state, 'already');
    assert.equal(again.commit, first.commit);
    assert.equal(await merges.git('.', 'rev-parse', 'HEAD'), first.commit);
    assert.equal(existsSync(join(merges.root, '.git/worktree-stacks/operations/_merge.json')), false);
  });

  it('of a worktree without commits of its own has nothing to do', async () => {
    await merges.at.create('x');
    const merged = await merges.merge('x');
    assert.deepEqual([merged.state, merged.commit], ['already', undefined]);
    await merges.commit('', { 'later.txt': '' });
    assert.deepEqual((await merges.merge('x')).state, 'already');
  });

  it('merges what has come since, with a second merge commit', async () => {
    await merges.at.create('x');
    await merges.commit('x', { 'a.txt': 'a\n' });
    await merges.merge('x');
    const theirs = await merges.commit('x', { 'b.txt': 'b\n' });
    await merges.merge('x');
    assert.equal((await parents('HEAD'))[1], theirs);
  });

  it('takes a message, behind the configured prefix', async () => {
    await merges.at.configure('merge: { message_prefix: "merge:" }\n');
    await merges.at.create('x');
    await merges.commit('x', { 'a.txt': 'a\n' });
    await merges.merge('x', { message: 'The #1 feature\n\n# not a comment' });
    assert.match(await message(), /^merge: The #1 feature\n\n# not a comment\n/);
  });

  it('merges into a linked worktree', async () => {
    await merges.at.create('x');
    await merges.at.create('y');
    await merges.commit('x', { 'a.txt': 'a\n' });
    const merged = await merges.merge('x', { into: merges.at.path('y') });
    assert.equal(await merges.git('.worktrees/y', 'rev-parse', 'HEAD'), merged.commit);
    assert.equal(existsSync(join(merges.root, 'a.txt')), false);
  });

  it('merges a branch whose folder is missing, and one that has no worktree', async () => {
    await merges.at.create('x');
    await merges.commit('x', { 'a.txt': 'a\n' });
    await rm(merges.at.path('x'), { recursive: true });
    const merged = await merges.merge('x');
    assert.match(texts(merged.notes).join(), /folder of x cannot be found/);
    await merges.git('.', 'branch', 'plain/branch', 'HEAD~1');
    assert.equal((await merges.source('plain/branch')).slug, 'plain-branch');
    await merges.git('.', 'worktree', 'add', '-q', '-b', 'other', '.worktrees/other');
    await merges.commit('other', { 'o.txt': 'o\n' });
    await merges.git('.', 'worktree', 'remove', '.worktrees/other');
    assert.match(texts((await merges.merge('other')).notes).join(), /No worktree has the branch other/);
    assert.equal(await read('o.txt'), 'o\n');
  });

  it('says what of the worktree is not committed and stays out', async () => {
    await merges.at.create('x');
    await merges.commit('x', { 'a.txt': 'a\n' });
    await merges.at.repository.write(join(merges.at.path('x'), 'b.txt'), 'b\n');
    assert.match(texts((await merges.merge('x')).notes).join(), /A change in x is not committed/);
    assert.equal(existsSync(join(merges.root, 'b.txt')), false);
  });

  it('is not led astray by how the user has configured merges and commits', async () => {
    const settings = {
      'merge.ff': 'only',
      'pull.rebase': 'true',
      'merge.conflictStyle': 'zdiff3',
      'merge.autoStash': 'true',
      'branch.main.mergeOptions': '--squash',
      'rerere.enabled': 'true',
      'rerere.autoUpdate': 'true',
      'commit.cleanup': 'strip',
      'commit.verbose': 'true',
      'submodule.recurse': 'true',
      'core.commentChar': 'W',
      'grep.column': 'true',
      'grep.patternType': 'fixed',
      'diff.noprefix': 'true',
      'status.showUntrackedFiles': 'no',
    };
    for (const [name, value] of Object.entries(settings)) await merges.git('.', 'config', name, value);
    await merges.at.create('x');
    const theirs = await merges.commit('x', { 'README.md': 'theirs\n', 'c.txt': 'c\n' });
    await merges.commit('', { 'README.md': 'ours\n' });
    assert.equal((await merges.refusal('x')).reason, 'conflicts');
    await merges.at.repository.write('README.md', 'both\n');
    await merges.git('.', 'add', 'README.md');
    await merges.merge('x');
    assert.equal((await parents('HEAD'))[1], theirs);
    assert.match(await message(), /\n\nWt-Merge: x$/);
  });

  it('signs the merge commit where that is configured, and can be gone on with when it cannot be signed', async () => {
    await merges.at.create('x');
    await merges.commit('x', { 'a.txt': 'a\n' });
    await merges.git('.', 'config', 'commit.gpgSign', 'true');
    await merges.git('.', 'config', 'gpg.program', 'false');
    const problem = await merges.refusal('x');
    assert.equal(problem.outcome, 'incomplete');
    assert.match(problem.message, /could not be signed/);
    await merges.git('.', 'config', 'commit.gpgSign', 'false');
    assert.equal((await merges.merge('x')).state, 'merged');
  });

  it('stops when a hook refuses, keeps what is merged, and goes on when it no longer does', async () => {
    for (const hook of ['pre-commit', 'commit-msg']) {
      const name = hook.slice(0, 3);
      await merges.at.create(name);
      await merges.commit(name, { [`${name}.txt`]: 'a\n' });
      const file = join(merges.root, '.git/hooks', hook);
      await merges.at.repository.write(file, '#!/bin/sh\necho "the hook says no" >&2\nexit 1\n');
      await chmod(file, 0o755);
      const problem = await merges.refusal(name);
      assert.equal(problem.outcome, 'incomplete');
      assert.ok(problem.items.includes('the hook says no'), problem.items.join('\n'));
      assert.match(problem.next ?? '', new RegExp(`wt merge ${name}`));
      await rm(file);
      assert.equal((await merges.merge(name)).state, 'merged');
    }
  });
});
