import assert from 'node:assert/strict';
import { Git } from '../../../src/core/git/git.ts';
import { withTreeMerger } from '../../../src/core/git/treeMerger.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testEnvironment } from '../../support/workspace.ts';

suite('merging trees that are trivial to merge', () => {
  let home: TestHome;
  let repository: TestRepository;
  setup(async () => {
    home = await testHome();
    repository = await home.repository();
    await repository.commit('Base', {
      'd/one.txt': '1\n',
      'd/two.txt': '2\n',
      'e/f/g.txt': 'g\n',
      'x y\u00e9.txt': 'x\n',
      'only/one.txt': 'o\n',
    });
    await repository.git('branch', 'base');
  });
  teardown(() => home.dispose());

  /** What both sides make of the base; ours is what git itself makes of it, where it does not conflict. */
  async function merge(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<string | undefined> {
    const trees: string[] = [];
    for (const [branch, change] of [
      ['one', one],
      ['other', other],
    ] as const) {
      await repository.git('switch', '--quiet', '-c', branch, 'base');
      await change();
      await repository.git('add', '--all');
      await repository.git('commit', '--quiet', '--allow-empty', '-m', branch);
      trees.push(await repository.git('rev-parse', 'HEAD^{tree}'));
    }
    const git = new Git(testEnvironment(home, repository.root));
    const base = await repository.git('rev-parse', 'base^{tree}');
    const [ours = '', theirs = ''] = trees;
    const merged = await withTreeMerger(git, `${repository.root}/.git`, undefined, (merger) =>
      merger.merge(base, ours, theirs),
    );
    if (merged !== undefined) {
      assert.equal(merged, (await repository.git('merge-tree', '--write-tree', 'one', 'other')).split('\n')[0]);
      await repository.git('fsck', '--strict', '--no-dangling');
    }
    return merged;
  }
  const write = (file: string, text: string) => () => repository.write(file, text);
  const remove = (file: string) => () => repository.git('rm', '--quiet', '-r', file);

  test('gives what git gives, in folders and below them, with odd names', async () => {
    assert.ok(
      await merge(
        async () => {
          await write('d/one.txt', 'new\n')();
          await write('x y\u00e9.txt', 'new\n')();
          await write('a.b/c', 'new\n')();
        },
        async () => {
          await write('d/two.txt', 'new\n')();
          await write('a', 'new\n')();
          await remove('e')();
        },
      ),
    );
  });

  test('leaves no folder behind that nothing is left in', async () => {
    await repository.commit('More', { 'only/two.txt': 't\n' });
    await repository.git('branch', '--force', 'base', 'HEAD');
    assert.ok(await merge(remove('only/one.txt'), remove('only/two.txt')));
  });

  for (const [what, one, other] of [
    ['both change one file', write('d/one.txt', 'a\n'), write('d/one.txt', 'b\n')],
    [
      'one renames what the other changes',
      () => repository.git('mv', 'd/one.txt', 'd/new.txt'),
      write('d/one.txt', '1\nb\n'),
    ],
    ['one renames what the other deletes', () => repository.git('mv', 'd/one.txt', 'd/new.txt'), remove('d/one.txt')],
    [
      'one renames a folder that the other adds to',
      () => repository.git('mv', 'd', 'new'),
      write('d/three.txt', '3\n'),
    ],
    ['one puts a folder where the other puts a file', write('n/x', 'x\n'), write('n', 'n\n')],
  ] as const) {
    test(`leaves it to git where ${what}`, async () => {
      assert.equal(await merge(one, other), undefined);
    });
  }
});
