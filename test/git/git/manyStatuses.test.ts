import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Git } from '../../../src/core/git/git.ts';
import { readManyStatuses } from '../../../src/core/git/manyStatuses.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testEnvironment } from '../../support/workspace.ts';

suite('the statuses of many working trees', () => {
  let home: TestHome;
  let roots: string[];

  setup(async () => {
    home = await testHome();
    const repositories: TestRepository[] = [];
    for (const name of ['plain', 'a "b"\n=c #d ü', '-dash', '~tilde', '%(prefix)']) {
      const repository = await home.repository(name);
      await repository.git('switch', '-q', '-c', `branch-${repositories.length}`);
      await repository.write(`new-${repositories.length}.txt`, 'new\n');
      repositories.push(repository);
    }
    roots = repositories.map(({ root }) => root);
  });
  teardown(() => home.dispose());

  const read = (wanted: readonly string[]) => readManyStatuses(new Git(testEnvironment(home, home.root)), wanted);
  const summary = (statuses: Awaited<ReturnType<typeof read>>): unknown[] =>
    statuses.map(({ branch, entries }) => [branch, entries.map(({ path }) => path)]);

  test('are told in order, whatever the paths are', async () => {
    assert.deepEqual(
      summary(await read(roots)),
      roots.map((_, index) => [`branch-${index}`, [`new-${index}.txt`]]),
    );
  });

  test('end before the last one that is surely whole when one fails', async () => {
    const broken = join(home.root, 'no repository');
    await mkdir(broken);
    const [first = '', second = '', third = ''] = roots;
    assert.deepEqual(summary(await read([first, second, broken, third])), [['branch-0', ['new-0.txt']]]);
    assert.deepEqual(await read([broken, first]), []);
  });

  test('of none are none', async () => {
    assert.deepEqual(await read([]), []);
  });
});
