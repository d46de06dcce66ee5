import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { Git } from '../../../src/core/git/git.ts';
import { objectId } from '../../../src/core/git/objectId.ts';
import { formatTree, parseTree, withTreeMerger } from '../../../src/core/git/treeMerger.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testEnvironment } from '../../support/workspace.ts';

for (const format of ['sha1', 'sha256'] as const) {
  suite(`objects whose ids are known beforehand (${format})`, () => {
    let home: TestHome;
    let repository: TestRepository;
    setup(async () => {
      home = await testHome();
      home.variables['GIT_DEFAULT_HASH'] = format;
      repository = await home.repository();
    });
    teardown(() => home.dispose());

    async function objectOf(name: string, kind: 'commit' | 'tree'): Promise<{ oid: string; bytes: Buffer }> {
      const oid = await repository.git('rev-parse', name);
      const git = new Git(testEnvironment(home, repository.root));
      return { oid, bytes: await git.bytes(['cat-file', kind, oid], { cwd: repository.root }) };
    }

    test('are the ids that git gives', async () => {
      await repository.commit('One', {
        'a/b.txt': 'b\n',
        'a.txt': 'a\n',
        'a-b': '-\n',
        'x y\u00e9': 'x\n',
        'z/z/z': 'z\n',
      });
      for (const [name, kind] of [
        ['HEAD', 'commit'],
        ['HEAD^{tree}', 'tree'],
      ] as const) {
        const { oid, bytes } = await objectOf(name, kind);
        assert.equal(objectId(kind, bytes, oid), oid);
      }
    });

    test('are found for a tree whatever the order of its entries was', async () => {
      await repository.commit('One', { 'a/b.txt': 'b\n', 'a.txt': 'a\n', 'a-b': '-\n', a0: '0\n', 'x y\u00e9': 'x\n' });
      const { oid, bytes } = await objectOf('HEAD^{tree}', 'tree');
      const entries = [...parseTree(bytes, oid.length / 2)].reverse();
      assert.deepEqual(formatTree(new Map(entries)), bytes);
    });
  });
}

suite('a git that does not write what it is told', () => {
  let home: TestHome;
  let repository: TestRepository;
  setup(async () => {
    home = await testHome();
    repository = await home.repository();
    await repository.commit('Base', { 'one.txt': '1\n', 'two.txt': '2\n' });
  });
  teardown(() => home.dispose());

  async function merge(mktree: string): Promise<string | undefined> {
    const tree = (name: string): Promise<string> => repository.git('rev-parse', `${name}^{tree}`);
    const base = await tree('HEAD');
    await repository.commit('Ours', { 'one.txt': 'new\n' });
    const ours = await tree('HEAD');
    await repository.git('checkout', '--quiet', '--detach', 'HEAD~1');
    await repository.commit('Theirs', { 'two.txt': 'new\n' });
    const theirs = await tree('HEAD');
    const binary = join(home.root, 'other-git');
    await repository.write(binary, `#!/bin/sh\ncase "$*" in *mktree*) ${mktree} ;; esac\nexec git "$@"\n`);
    await chmod(binary, 0o755);
    const git = new Git(testEnvironment(home, repository.root), { binary });
    return withTreeMerger(git, join(repository.root, '.git'), undefined, (merger) => merger.merge(base, ours, theirs));
  }

  test('is told from one that does', async () => {
    assert.match((await merge(':')) ?? '', /^[0-9a-f]{40}$/);
  });

  for (const [how, mktree] of [
    ['it writes another one', 'head -c 1 >/dev/null; echo 4b825dc642cb6eb9a060e54bf8d69288fbee4904; exit 0'],
    ['it fails', 'echo "fatal: No space left on device" >&2; exit 128'],
    ['it ends without a word', 'exit 0'],
  ]) {
    test(`makes the merge fail: ${how}`, async () => {
      await assert.rejects(
        merge(mktree ?? ''),
        (thrown) => Problem.is(thrown, 'git-failed') || Problem.is(thrown, 'not-writable'),
      );
    });
  }
});
