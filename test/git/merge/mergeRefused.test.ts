import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Merges } from '../../support/merges.ts';

suite('a merge that cannot begin', () => {
  let merges: Merges;
  setup(async () => {
    merges = await Merges.start();
    await merges.at.create('x');
    await merges.commit('x', { 'x.txt': 'x\n' });
  });
  teardown(() => merges.dispose());

  /** Refused for the reason with words, incomplete, with a next step, and without a trace. */
  async function assertRefused(reason: string, words: RegExp, into = merges.root, name = 'x'): Promise<void> {
    const problem = await merges.refusal(name, { into });
    assert.equal(problem.reason, reason, problem.message);
    assert.match(problem.message, words);
    assert.equal(problem.outcome, 'incomplete');
    assert.ok(problem.next);
    assert.equal(existsSync(join(merges.root, '.git/worktree-stacks/operations/_merge.json')), false);
  }
  const main = 'main';

  test('into itself', () => assertRefused('usage', /is on that very branch, x/, merges.at.path('x')));

  test('into a detached HEAD', async () => {
    await merges.git('.', 'checkout', '-q', '--detach');
    await assertRefused('unsupported', /on no branch/);
  });

  test('into a tree without a commit', async () => {
    await merges.git('.', 'checkout', '-q', '--orphan', 'fresh');
    await assertRefused('unsupported', /has no commit yet/);
  });

  test('over a merge that somebody else has begun', async () => {
    await merges.git('.', 'checkout', '-q', '-b', 'side');
    await merges.commit('', { 'x.txt': 'side\n' });
    await merges.git('.', 'checkout', '-q', main);
    await merges.git('.', 'merge', '-q', '--no-commit', '--no-ff', 'side');
    await assertRefused('in-use', /another merge is under way/);
    await assert.rejects(merges.abort('x'), { reason: 'in-use', next: /git merge --abort/ });
    assert.equal(await merges.git('.', 'rev-parse', 'MERGE_HEAD'), await merges.git('.', 'rev-parse', 'side'));
  });

  test('during a cherry-pick and during a rebase, each by its name', async () => {
    await merges.commit('', { 'x.txt': 'ours\n' });
    await assert.rejects(merges.git('.', 'cherry-pick', 'x'));
    await assertRefused('in-use', /a cherry-pick is under way/);
    await merges.git('.', 'cherry-pick', '--abort');
    await assert.rejects(merges.git('.', 'rebase', 'x'));
    await assertRefused('in-use', /a rebase is under way/);
  });

  test('of a worktree whose branch is being rebased, is detached, or does not exist', async () => {
    await merges.commit('', { 'x.txt': 'ours\n' });
    await assert.rejects(merges.git('.worktrees/x', 'rebase', main));
    await assertRefused('in-use', /a rebase of its branch x is under way/);
    await merges.git('.worktrees/x', 'rebase', '--abort');
    await merges.git('.worktrees/x', 'checkout', '-q', '--detach');
    await merges.git('.', 'branch', '-D', 'x');
    await assertRefused('unsupported', /on no branch/);
    await assert.rejects(merges.source('nothing'), { reason: 'not-found' });
  });

  test('from a branch that has nothing in common', async () => {
    await merges.git('.worktrees/x', 'checkout', '-q', '--orphan', 'apart');
    await merges.commit('x', { 'apart.txt': '' });
    const problem = await merges.refusal('x');
    assert.match(problem.message, /no commit in common with main/);
  });

  test('into changes that are not committed, each of which it names', async () => {
    await merges.at.repository.write('README.md', 'changed\n');
    await merges.at.repository.write('untracked.txt', '');
    const problem = await merges.refusal('x');
    assert.equal(problem.reason, 'dirty');
    assert.deepEqual(problem.items, [' M README.md', '?? untracked.txt']);
    assert.equal(await readFile(join(merges.root, 'README.md'), 'utf8'), 'changed\n');
  });

  test('over an ignored file that the other side has committed', async () => {
    const ignored = join(merges.at.home.root, 'ignored');
    await merges.at.repository.write(ignored, 'x.txt\n');
    await merges.git('.', 'config', 'core.excludesFile', ignored);
    await merges.at.repository.write('x.txt', 'my secret\n');
    const problem = await merges.refusal('x');
    assert.equal(problem.reason, 'dirty');
    assert.deepEqual(problem.items, ['x.txt']);
    assert.equal(await readFile(join(merges.root, 'x.txt'), 'utf8'), 'my secret\n');
    await merges.at.repository.write('x.txt', 'x\n');
    assert.equal((await merges.merge('x')).state, 'merged');
  });

  test('over uncommitted notes that it would have to change', async () => {
    const notes = 'agents/learnings.md';
    await merges.commit('', { [notes]: '# Learnings\n\n## When one\n\n- a\n' });
    await merges.at.create('y');
    await merges.commit('y', { [notes]: '# Learnings\n\n## When one\n\n- a\n\n## When two\n\n- b\n' });
    const mine = '# Learnings\n\n## When one\n\n- a\n- mine\n';
    await merges.at.repository.write(notes, mine);
    await assertRefused('dirty', /agents\/learnings\.md has notes that are not committed/, merges.root, 'y');
    assert.equal(await readFile(join(merges.root, notes), 'utf8'), mine);
    await merges.merge('y', { commitNotes: true });
    assert.equal(await merges.git('.', 'log', '-1', '--format=%s', 'HEAD^1'), 'Session notes before merging wt/y');
    const text = await readFile(join(merges.root, notes), 'utf8');
    assert.match(text, /- mine/);
    assert.match(text, /## When two/);
    assert.equal(await merges.git('.', 'status', '--porcelain'), '');
  });

  test('leaves uncommitted notes alone that it does not have to change', async () => {
    await merges.commit('', { 'agents/session.md': '# Session\n', 'agents/jobs.md': '# Jobs\n' });
    await merges.at.repository.write('agents/session.md', '# Session\n\nmine\n');
    await merges.at.repository.write('agents/learnings.md', '# Learnings\n\nnew\n');
    assert.equal((await merges.merge('x')).state, 'merged');
    assert.equal(await readFile(join(merges.root, 'agents/session.md'), 'utf8'), '# Session\n\nmine\n');
    assert.equal(await readFile(join(merges.root, 'agents/learnings.md'), 'utf8'), '# Learnings\n\nnew\n');
    assert.equal(await merges.git('.', 'status', '--porcelain'), ' M agents/session.md\n?? agents/learnings.md');
  });
});
