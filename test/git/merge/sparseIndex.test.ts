import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { abortInGit, continueInGit } from '../../../src/core/merge/continueGit.ts';
import { Problem } from '../../../src/core/base/problem.ts';
import { Merges } from '../../support/merges.ts';

/*
 * Git 2.39 damages a sparse index as soon as the name of a new file is staged alone while folders outside of the cone are files in it: one
 * file is named many times, and others are lost. Where the git of the machine does so, nothing is committed or rolled back from that index;
 * where it does not, the same files come of it as with a full one.
 */
describe('a conflict in a sparse index with names of new files', function () {
  this.timeout(300_000);
  let merges: Merges;
  const root = (): string => merges.root;
  const git = (...args: string[]): Promise<string> => merges.git('.', ...args);
  const filesIn = async (commit: string): Promise<string[]> =>
    (await git('ls-tree', '-r', '--name-only', commit)).split('\n');
  const isDamaged = async (): Promise<boolean> => {
    const entries = (await git('ls-files', '--stage')).split('\n');
    return new Set(entries).size < entries.length;
  };

  beforeEach(async () => {
    merges = await Merges.start();
    const folders = ['in', 'in/sub', 'out', 'out/deep', 'out/b', 'zed/y'];
    const files = folders.flatMap((folder) =>
      ['1', '2', '3'].map((name): [string, string] => [`${folder}/${name}`, `${name}\n`]),
    );
    await merges.commit('', Object.fromEntries([...files, ['top', 't\n']]));
    await merges.at.create('x');
    await merges.commit('x', { 'in/1': 'x\n', 'out/deep/1': 'x\n', 'in/new': 'x\n', 'out/new/1': 'x\n' });
    await merges.commit('', { 'in/1': 'main\n', 'out/2': 'main\n', 'out/other/1': 'main\n' });
    await git('sparse-checkout', 'set', '--cone', '--sparse-index', 'in');
  });
  afterEach(() => merges.dispose());

  /** Resolves the conflict, beside names of new files as editors and people stage them. */
  const resolve = async (): Promise<void> => {
    const files = { 'in/named': 'n\n', 'named-too': 'n\n', 'in/sub/named': 'n\n', 'in/folder/named': 'n\n' };
    for (const [path, text] of Object.entries({ ...files, 'in/1': 'both\n' }))
      await merges.at.repository.write(path, text);
    await git('add', '--intent-to-add', ...Object.keys(files));
    await git('add', 'in/1');
  };
  /** What the refusal says to do. */
  const mend = async (): Promise<void> => {
    await git('-c', 'index.sparse=false', 'read-tree', 'HEAD');
    await git('sparse-checkout', 'reapply');
    assert.equal(await isDamaged(), false);
  };
  const isRefusal = (thrown: unknown): boolean => {
    assert.ok(Problem.is(thrown, 'inconsistent'), String(thrown));
    assert.match(thrown.message, /Git has damaged the index/);
    assert.equal(thrown.outcome, 'incomplete');
    assert.match(thrown.next ?? '', /read-tree HEAD/);
    return true;
  };

  const begin = {
    ours: async (): Promise<void> => {
      await assert.rejects(merges.merge('x'), (thrown) => Problem.is(thrown, 'conflicts'));
    },
    git: async (): Promise<void> => {
      await assert.rejects(git('merge', '--no-edit', 'x'));
    },
  };
  const at = (): Parameters<typeof continueInGit>[1] => ({
    ...{ name: 'main', slug: 'main', path: root(), gitDir: join(root(), '.git') },
  });
  const goOn = {
    ours: (): Promise<unknown> => merges.merge('x'),
    git: (): Promise<unknown> => continueInGit(merges.at.workspace, at(), 'continue'),
  };
  const abort = {
    ours: (): Promise<unknown> => merges.abort('x'),
    git: (): Promise<unknown> => abortInGit(merges.at.workspace, at()),
  };

  for (const way of ['ours', 'git'] as const) {
    it(`is not merged with files missing, and can be begun again: ${way === 'ours' ? 'a merge of wt' : 'one begun with git'}`, async () => {
      const before = await filesIn('HEAD');
      const head = await git('rev-parse', 'HEAD');
      await begin[way]();
      await resolve();
      if (await isDamaged()) {
        await assert.rejects(goOn[way](), isRefusal);
        assert.equal(await git('rev-parse', 'HEAD'), head);
        assert.match(await git('rev-parse', 'MERGE_HEAD'), /^[0-9a-f]+$/);
        if (way === 'ours') await assert.rejects(abort[way](), isRefusal);
        assert.equal(await readFile(join(root(), 'in/1'), 'utf8'), 'both\n');
        await mend();
        // Ours says which files are not as before, since it does not know whose they are by now.
        if (way === 'ours') await assert.rejects(abort[way](), (thrown) => Problem.is(thrown, 'not-writable'));
        else await abort[way]();
        await git('restore', '--', 'in/1');
        assert.deepEqual((await git('ls-files')).split('\n').sort(), before.sort());
        assert.equal(await git('diff', '--cached', 'HEAD'), '');
        const kept = await git('for-each-ref', '--format=%(refname)', 'refs/wt-backup');
        assert.equal(await git('show', `${kept.split('\n').at(-1)}:in/1`), 'both');
        for (const path of ['in/named', 'named-too', 'in/sub/named', 'in/folder'])
          await rm(join(root(), path), { recursive: true, force: true });
        await git('reset', '--quiet', '--hard');
        await begin[way]();
        await merges.at.repository.write('in/1', 'both\n');
        await git('add', 'in/1');
      }
      await goOn[way]();
      const files = await filesIn('HEAD');
      assert.equal(new Set(files).size, files.length);
      for (const path of [...before, 'in/new', 'out/new/1']) assert.ok(files.includes(path), `${path} is lost`);
      assert.equal(await git('show', 'HEAD:in/1'), 'both');
      assert.equal(await git('show', 'HEAD:out/deep/1'), 'x');
      assert.equal((await git('rev-list', '--parents', '-1', 'HEAD')).split(' ').length, 3);
    });
  }
});
