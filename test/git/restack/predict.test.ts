import { textOf } from '../../../src/core/messages/message.ts';
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Git } from '../../../src/core/git/git.ts';
import type { StatusEntry } from '../../../src/core/git/status.ts';
import { predict, type Prediction } from '../../../src/core/restack/predict.ts';
import { PredictionCache } from '../../../src/core/restack/predictionCache.ts';
import { readStack } from '../../../src/core/stack/readStack.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { oldGit } from '../../support/oldGit.ts';
import { Stacks } from '../../support/stacks.ts';

describe('predicting conflicts', function () {
  this.timeout(300_000);
  let at: Stacks;
  beforeEach(async () => {
    at = await Stacks.start();
    await at.commit('main', 'Files', { 'shared.txt': '1\n2\n3\n', 'other.txt': 'o\n' });
    await at.add('a', 'main', { 'shared.txt': '1\na\n3\n' });
    await at.add('a2', 'a', { 'a2.txt': 'x\n' });
    await at.add('b', 'main', { 'b.txt': 'b\n' });
    await at.add('c', 'main');
  });
  afterEach(() => at.dispose());

  async function ask(cache?: PredictionCache): Promise<Prediction> {
    const snapshot = await readSnapshot(at.workspace);
    return predict(at.workspace, await readStack(at.workspace, { snapshot }), cache ? { cache } : {});
  }
  const words = ({ conflicts }: Prediction): string[] =>
    conflicts.map(({ worktree, with: other, kind, files }) => `${worktree} ${kind} ${other}: ${files.join()}`).sort();

  it('finds none where nobody is in anybody’s way', async () => {
    const { conflicts, left } = await ask();
    assert.deepEqual([conflicts, left], [[], []]);
  });

  it('finds those with the base and between siblings, not between those that stand on one another', async () => {
    await at.commit('b', 'b 2', { 'shared.txt': '1\nb\n3\n' });
    await at.commit('main', 'News', { 'b.txt': 'main\n' });
    assert.deepEqual(words(await ask()), ['a sibling b: shared.txt', 'a2 sibling b: shared.txt', 'b base main: b.txt']);
  });

  it('tells a conflict with a base that has gone on once, and what its uncommitted changes add', async () => {
    await at.commit('a2', 'a2 2', { 'shared.txt': '1\na2\n3\n', 'other.txt': 'a2\n' });
    await at.commit('a', 'a 2', { 'shared.txt': '1\nmore\n3\n' });
    assert.deepEqual(words(await ask()), ['a2 base a: shared.txt']);
    await at.repository.write(join(at.path('a'), 'other.txt'), 'a\n');
    assert.deepEqual(words(await ask()), ['a sibling a2: other.txt', 'a2 base a: shared.txt']);
  });

  it('counts what is not committed, untracked files too, and touches nothing', async () => {
    await at.repository.write(join(at.path('c'), 'shared.txt'), '1\nc\n3\n');
    await at.repository.write(join(at.path('c'), 'b.txt'), 'c\n');
    const before = await at.picture();
    const index = await at.git('c', 'ls-files', '--stage');
    assert.deepEqual(words(await ask()), ['a sibling c: shared.txt', 'a2 sibling c: shared.txt', 'b sibling c: b.txt']);
    assert.deepEqual(await at.picture(), before);
    assert.equal(await at.git('c', 'ls-files', '--stage'), index);
  });

  it('is remembered as long as nothing changes', async () => {
    await at.repository.write(join(at.path('c'), 'shared.txt'), '1\nc\n3\n');
    const cache = await PredictionCache.load(at.workspace.repository);
    const first = await ask(cache);
    assert.equal(first.known, 0);
    await cache.keep(at.workspace.repository);
    const later = await PredictionCache.load(at.workspace.repository);
    const second = await ask(later);
    assert.equal(second.known, second.pairs);
    assert.deepEqual(second.conflicts, first.conflicts);
    await at.repository.write(join(at.path('c'), 'shared.txt'), '1\nanother\n3\n');
    const third = await ask(later);
    assert.ok(third.known < third.pairs);
    assert.deepEqual(words(third), words(first));
    await at.repository.write(join(at.path('c'), 'shared.txt'), '1\n2\n3\n');
    assert.deepEqual((await ask(later)).conflicts, []);
  });

  describe('within a bound', () => {
    async function askFor(cache: PredictionCache, trees: number, pairs: number): Promise<Prediction> {
      const statuses = new Map<string, readonly StatusEntry[]>();
      const onStatus = (path: string, entries: readonly StatusEntry[]): void => void statuses.set(path, entries);
      const snapshot = await readSnapshot(at.workspace, { onStatus });
      const state = await readStack(at.workspace, { snapshot });
      // Files that were written just now are not trusted to stay as they are.
      const environment = { ...at.workspace.environment, now: () => new Date(Date.now() + 60_000) };
      return predict({ ...at.workspace, environment }, state, { cache, statuses, bound: { trees, pairs } });
    }

    it('merges no more pairs than that, those with a base first, and the rest later', async () => {
      await at.commit('b', 'b 2', { 'shared.txt': '1\nb\n3\n' });
      await at.commit('main', 'News', { 'b.txt': 'main\n' });
      const cache = new PredictionCache();
      assert.deepEqual(words(await askFor(cache, 0, 0)), []);
      assert.deepEqual(words(await askFor(cache, 0, 3)), ['b base main: b.txt']);
      const all = words(await ask());
      assert.equal(all.length, 3);
      assert.deepEqual(words(await askFor(cache, 0, 100)), all);
      assert.deepEqual(words(await askFor(cache, 0, 0)), all);
    });

    it('reads no more changed working trees than that, and knows one again that is as it was', async () => {
      await at.repository.write(join(at.path('c'), 'shared.txt'), '1\nc\n3\n');
      await at.repository.write(join(at.path('b'), 'shared.txt'), '1\nb\n3\n');
      const cache = new PredictionCache();
      const none = await askFor(cache, 0, 100);
      assert.deepEqual([...none.compared].sort(), ['a', 'a2']);
      const all = words(await ask());
      assert.deepEqual(words(await askFor(cache, 2, 100)), all);
      assert.deepEqual(words(await askFor(cache, 0, 0)), all, 'nothing was read or merged again');
      await at.repository.write(join(at.path('c'), 'shared.txt'), '1\nother\n3\n');
      assert.deepEqual([...(await askFor(cache, 0, 0)).compared].sort(), ['a', 'a2', 'b']);
      await at.repository.write(join(at.path('b'), 'folder/new.txt'), 'new\n');
      assert.deepEqual([...(await askFor(cache, 0, 0)).compared].sort(), ['a', 'a2'], 'a folder may hold anything');
      cache.forgetCommits();
      assert.deepEqual([...(await askFor(cache, 0, 0)).compared].sort(), ['a', 'a2']);
    });
  });

  it('leaves a worktree out whose folder is gone, and a branch without a commit in common', async () => {
    await rm(at.path('b'), { recursive: true });
    await at.git('c', 'switch', '--quiet', '--orphan', 'alone');
    await at.commit('c', 'alone', { 'shared.txt': 'x\n' });
    const { left, conflicts } = await ask();
    assert.deepEqual(
      left.map(({ worktree, why }) => [worktree, textOf(why)]),
      [['b', 'its folder is not there']],
    );
    assert.deepEqual(conflicts, []);
  });

  it('works with a git that compares only two commits at a time', async () => {
    await at.commit('b', 'b 2', { 'shared.txt': '1\nb\n3\n' });
    const expected = words(await ask());
    const old = { ...at.workspace, git: new Git(at.workspace.environment, { binary: oldGit }) };
    const snapshot = await readSnapshot(old);
    assert.deepEqual(words(await predict(old, await readStack(old, { snapshot }))), expected);
    assert.equal(expected.length, 2);
  });
});
