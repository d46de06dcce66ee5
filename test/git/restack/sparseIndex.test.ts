import assert from 'node:assert/strict';
import { writeFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { Stacks } from '../../support/stacks.ts';

/* Git 2.39 damages a sparse index where names of new files are staged while folders outside of the cone are files in it. */
describe('a restack that has stopped in a sparse checkout', function () {
  this.timeout(300_000);
  let at: Stacks;
  afterEach(() => at.dispose());

  it('commits all files there are, or nothing, whatever names of new files are staged beside what was resolved', async () => {
    at = await Stacks.start();
    const folders = ['in', 'in/sub', 'out', 'out/deep', 'out/b', 'zed/y'];
    const files = folders.flatMap((folder) =>
      ['1', '2', '3'].map((name): [string, string] => [`${folder}/${name}`, `${name}\n`]),
    );
    await at.commit('main', 'Base', Object.fromEntries([...files, ['top', 't\n']]));
    await at.add('a', 'main', { 'in/1': 'a\n', 'in/new': 'a\n', 'out/new/1': 'a\n' }, { 'in/2': 'a\n' });
    await at.commit('main', 'Move on', { 'in/1': 'main\n', 'out/2': 'main\n', 'out/other/1': 'main\n' });
    await at.git('a', 'sparse-checkout', 'set', '--cone', '--sparse-index', 'in');
    const before = await at.tip('a');
    const write = async (path: string, text: string): Promise<void> => {
      await mkdir(dirname(join(at.path('a'), path)), { recursive: true });
      await writeFile(join(at.path('a'), path), text);
    };
    const named = ['in/named', 'named-too', 'in/sub/named', 'in/folder/named'];
    const rebased = await at.rebase('a');
    assert.ok(rebased.stop, 'it has stopped');
    for (const path of named) await write(path, 'n\n');
    await write('in/1', 'both\n');
    await at.git('a', 'add', '--intent-to-add', ...named);
    await at.git('a', 'add', 'in/1');
    const entries = (await at.git('a', 'ls-files', '--stage')).split('\n');
    if (new Set(entries).size < entries.length) {
      const isRefused = (thrown: unknown): boolean => {
        assert.ok(Problem.is(thrown, 'inconsistent'), String(thrown));
        assert.match(thrown.next ?? '', /read-tree HEAD/);
        return true;
      };
      await assert.rejects(at.resume('a'), isRefused);
      await assert.rejects(at.abort('a'), isRefused);
      await at.git('a', '-c', 'index.sparse=false', 'read-tree', 'HEAD');
      await at.git('a', 'sparse-checkout', 'reapply');
      await at.abort('a');
      assert.equal(await at.tip('a'), before);
      await at.git('a', 'reset', '--quiet', '--hard');
      await at.rebase('a');
      await write('in/1', 'both\n');
      await at.git('a', 'add', 'in/1');
    }
    await at.resume('a');
    const made = (await at.git('main', 'ls-tree', '-r', '--name-only', 'a')).split('\n');
    assert.equal(new Set(made).size, made.length);
    const wanted = [...files.map(([path]) => path), 'top', 'in/new', 'out/new/1', 'out/other/1'];
    assert.deepEqual(
      wanted.filter((path) => !made.includes(path)),
      [],
    );
    assert.equal(await at.git('main', 'show', 'a:in/1'), 'both');
    assert.deepEqual(await at.subjects('a'), ['a 1', 'a 2']);
  });
});
