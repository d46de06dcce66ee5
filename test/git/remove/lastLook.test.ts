import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeWorktree } from '../../../src/core/remove/remove.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { writePending } from '../../../src/core/operations/store.ts';
import { deleteTrash } from '../../../src/core/trash/trash.ts';
import { readTrash } from '../../../src/core/trash/trashEntry.ts';
import { Problem } from '../../../src/core/base/problem.ts';
import { Removals } from '../../support/removals.ts';
import { testWorkspace } from '../../support/workspace.ts';
import { shareOf } from '../../support/share.ts';

describe('the last look at a worktree that is staged for deletion', () => {
  let at: Removals;
  let path: string;
  beforeEach(async () => {
    at = await Removals.start();
    await at.repository.commit('Some files', { 'src/a.txt': 'a\n', 'src/b.txt': 'b\n', '.gitignore': '/out/\n.env\n' });
    path = await at.add('one');
  });
  afterEach(() => at.dispose());

  /** Removes the worktree, with something done between the look and the removal; the bin that waits to be deleted. */
  const removeWith = async (between: () => Promise<unknown>, workspace = at.workspace): Promise<string> => {
    const removal = await at.inspect('one', workspace);
    await between();
    const bins: string[] = [];
    const options = { lookLater: true, deleteLater: (folder: string) => bins.push(folder) };
    await removeWorktree(workspace, removal, options);
    assert.equal(existsSync(path), false);
    assert.deepEqual(await at.listed(), [at.repository.root]);
    return bins[0] ?? assert.fail('Nothing was staged.');
  };
  const kept = async (): Promise<string[]> =>
    (await readdir(join(at.repository.root, '.worktrees'))).filter((name) => name.startsWith('.trash-'));
  const lateWork = async (bin: string): Promise<Problem> => {
    let problem: unknown;
    await deleteTrash(at.workspace.git, bin).catch((thrown: unknown) => (problem = thrown));
    if (Problem.is(problem, 'would-lose-work')) return problem;
    return assert.fail(`It was not kept: ${String(problem)}`);
  };

  it('lets a tree go that is as it was, with its bin', async () => {
    const bin = await removeWith(async () => {
      await at.repository.write(join(path, 'out', 'main.js'), 'ignored\n');
    });
    await deleteTrash(at.workspace.git, bin);
    assert.deepEqual(await kept(), []);
    assert.equal(existsSync(bin), false);
    assert.deepEqual(await at.branches(), ['main']);
  });

  const changes: Readonly<Record<string, readonly [late: readonly string[], change: () => Promise<unknown>]>> = {
    'a new file': [['new.txt'], () => writeFile(join(path, 'new.txt'), 'new\n')],
    'a changed file': [['src/a.txt'], () => writeFile(join(path, 'src', 'a.txt'), 'c\n')],
    'a new folder': [['more/'], () => at.repository.write(join(path, 'more', 'deep', 'file'), 'new\n')],
    'what was staged': [
      ['src/a.txt'],
      async () => {
        await writeFile(join(path, 'src', 'a.txt'), 'staged\n');
        await at.repository.gitIn(path, 'add', '--all');
      },
    ],
    'a commit': [['c.txt'], () => at.repository.commit('Late', { 'c.txt': 'c\n' }, path)],
  };
  for (const [what, [late, change]] of shareOf(Object.entries(changes), 2)) {
    it(`keeps a tree for ${what}, and every later command tells of it until it is gone`, async () => {
      const bin = await removeWith(change);
      const problem = await lateWork(bin);
      const [name, ...others] = await kept();
      assert.ok(name !== undefined && others.length === 0);
      const tree = join(at.repository.root, '.worktrees', name);
      assert.ok(problem.message.includes(tree), problem.message);
      assert.deepEqual(problem.items, late);
      assert.equal(await readFile(join(tree, 'src', 'b.txt'), 'utf8'), 'b\n');
      for (let time = 0; time < 2; time++) {
        assert.deepEqual(
          (await recoverInterrupted(at.workspace)).map(({ message, items }) => [message, items]),
          [[problem.message, late]],
        );
      }
      assert.ok(existsSync(tree));
      await rm(tree, { recursive: true });
      assert.deepEqual(await recoverInterrupted(at.workspace), []);
      assert.equal(existsSync(bin), false);
    });
  }

  it('a late commit stays on its branch', async () => {
    await lateWork(await removeWith(() => at.repository.commit('Late', { 'c.txt': 'c\n' }, path)));
    assert.equal(await at.repository.git('log', '--format=%s', '-1', 'one'), 'Late');
  });

  it('keeps a tree for a copied file that was changed', async () => {
    for (const folder of [at.repository.root, path]) await writeFile(join(folder, '.env'), 'KEY=1\n');
    const workspace = await testWorkspace(at.home, at.repository.root);
    const bin = await removeWith(() => writeFile(join(path, '.env'), 'KEY=2\n'), workspace);
    assert.deepEqual((await lateWork(bin)).items, ['.env']);
  });

  it('does not care for files that are gone', async () => {
    const bin = await removeWith(() => unlink(join(path, 'src', 'a.txt')));
    await deleteTrash(at.workspace.git, bin);
    assert.deepEqual(await kept(), []);
  });

  it('goes on deleting what a killed process has half deleted', async () => {
    const bin = await removeWith(async () => undefined);
    const pending = await readTrash(bin);
    assert.ok(pending?.data.look);
    await writePending(at.workspace.repository, { ...pending, data: { ...pending.data, look: undefined } });
    const tree = join(at.repository.root, '.worktrees', (await kept())[0] ?? '');
    await rm(join(tree, '.gitignore'));
    await rm(join(bin, 'record'), { recursive: true });
    await deleteTrash(at.workspace.git, bin);
    assert.deepEqual(await kept(), []);
  });

  it('looks also when nobody has deleted the tree in time', async () => {
    const bin = await removeWith(() => writeFile(join(path, 'new.txt'), 'new\n'));
    const later = new Date(Date.now() + 3_600_000);
    const environment = { ...at.workspace.environment, now: () => later };
    const problems = await recoverInterrupted({ ...at.workspace, environment });
    assert.deepEqual(
      problems.map(({ items }) => items),
      [['new.txt']],
    );
    assert.equal((await kept()).length, 1);
    assert.ok(existsSync(bin));
  });

  it("reads every file when git's record of the worktree is lost", async () => {
    const [fine, changed] = [await removeWith(async () => undefined), 'two'];
    await rm(join(fine, 'record'), { recursive: true });
    await deleteTrash(at.workspace.git, fine);
    assert.deepEqual(await kept(), []);
    path = await at.add(changed);
    const removal = await at.inspect(changed);
    await writeFile(join(path, 'src', 'a.txt'), 'x\n');
    let bin = '';
    await removeWorktree(at.workspace, removal, { lookLater: true, deleteLater: (folder) => (bin = folder) });
    await rm(join(bin, 'record'), { recursive: true });
    assert.deepEqual((await lateWork(bin)).items, ['src/a.txt']);
  });

  it('keeps a tree that git cannot look at', async () => {
    const bin = await removeWith(async () => undefined);
    await writeFile(join(bin, 'record', 'index'), 'broken');
    const problem = await lateWork(bin);
    assert.match(problem.message, /What was one is kept in .*\.trash-one-/);
    assert.equal((await kept()).length, 1);
  });

  it('is taken before the removal is decided where the caller does not ask for less', async () => {
    const removal = await at.inspect('one');
    await writeFile(join(path, 'new.txt'), 'new\n');
    await assert.rejects(at.act(removal), /one was not removed: something was written to it since/);
    assert.ok(existsSync(join(path, 'new.txt')));
  });
});
