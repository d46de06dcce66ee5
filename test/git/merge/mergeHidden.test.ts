import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { planUndo } from '../../../src/core/recovery/undo.ts';
import { addCommit } from '../../../src/core/worktree/addCommit.ts';
import { cleanTree, hiddenChanges } from '../../../src/core/worktree/cleanTree.ts';
import { Merges } from '../../support/merges.ts';
import { addSubmodules, commitInSubmodule } from '../../support/mergeSubmodules.ts';
import { shareOf } from '../../support/share.ts';

describe('files whose changes git is told to overlook', function () {
  this.timeout(300_000);
  let merges: Merges;
  beforeEach(async () => {
    merges = await Merges.start();
    await merges.commit('', { 'conf/local': 'a\n', 'other.txt': 'a\n' });
    await merges.at.create('x');
  });
  afterEach(() => merges.dispose());

  const conf = (): Promise<string> => readFile(join(merges.root, 'conf/local'), 'utf8');
  const marks = ['assume-unchanged', 'skip-worktree'] as const;
  const hide = async (mark: string, text = 'my settings\n', folder = '.', file = 'conf/local'): Promise<void> => {
    await merges.git(folder, 'update-index', `--${mark}`, file);
    await writeFile(join(merges.root, folder, file), text);
  };

  for (const mark of shareOf(marks, 2)) {
    describe(`by ${mark}`, () => {
      it('stop a merge that would overwrite them, before anything', async () => {
        await merges.commit('x', { 'conf/local': 'x\n', 'other.txt': 'x\n' });
        await hide(mark);
        const head = await merges.git('.', 'rev-parse', 'HEAD');
        for (const kind of ['changed', 'deleted', 'renamed']) {
          if (kind === 'deleted') await merges.git('.worktrees/x', 'rm', '--quiet', 'conf/local');
          if (kind === 'renamed') {
            await merges.git('.worktrees/x', 'checkout', '--quiet', 'main', '--', 'conf/local');
            await merges.git('.worktrees/x', 'mv', 'conf/local', 'conf/shared');
          }
          if (kind !== 'changed') await merges.git('.worktrees/x', 'commit', '--quiet', '-m', kind);
          const problem = await merges.refusal('x');
          assert.deepEqual([problem.reason, problem.outcome], ['dirty', 'incomplete'], kind);
          assert.deepEqual(problem.items, [`conf/local (${mark})`]);
          assert.match(problem.next ?? '', new RegExp(`git update-index --no-${mark} conf/local`));
          assert.equal(await conf(), 'my settings\n', kind);
          assert.equal(await merges.git('.', 'status', '--porcelain'), '');
          assert.equal(await merges.git('.', 'rev-parse', 'HEAD'), head);
        }
      });

      it('stay as they are in a merge that does not touch them, when it is taken back, and when it cannot be done', async () => {
        await merges.commit('x', { 'other.txt': 'x\n' });
        await hide(mark);
        await merges.merge('x');
        assert.equal(await conf(), 'my settings\n');
        assert.deepEqual(await hiddenChanges(merges.at.workspace, merges.root), [`conf/local (${mark})`]);
        await merges.commit('x', { 'other.txt': 'xx\n' });
        await merges.commit('', { 'other.txt': 'ours\n' });
        assert.equal((await merges.refusal('x')).reason, 'conflicts');
        assert.equal(await conf(), 'my settings\n');
        await merges.abort('x');
        assert.equal(await conf(), 'my settings\n');
        // A filter that fails makes git reset all files.
        await writeFile(join(merges.root, '.git/info/attributes'), 'new.txt filter=bad\n');
        await merges.git('.', 'config', 'filter.bad.smudge', 'false');
        await merges.git('.', 'config', 'filter.bad.required', 'true');
        await merges.git('.worktrees/x', 'reset', '--quiet', '--hard', 'main');
        await writeFile(join(merges.at.path('x'), 'new.txt'), 'new\n');
        await merges.git('.worktrees/x', '-c', 'filter.bad.clean=cat', 'add', 'new.txt');
        await merges.git('.worktrees/x', '-c', 'filter.bad.clean=cat', 'commit', '--quiet', '-m', 'New');
        assert.match((await merges.refusal('x')).message, /filter bad .* is as it was/);
        assert.equal(await conf(), 'my settings\n');
        assert.match(await merges.git('.', 'ls-files', '-v', 'conf/local'), mark === 'skip-worktree' ? /^S/ : /^h/);
      });

      it('stop the undo of a merge that brought them, and are still there', async () => {
        await merges.commit('x', { 'conf/local': 'x\n' });
        await merges.merge('x');
        await hide(mark);
        const thrown: unknown = await planUndo(merges.at.workspace).catch((problem: unknown) => problem);
        assert.ok(Problem.is(thrown));
        assert.equal(thrown.outcome, 'incomplete');
        assert.equal(await conf(), 'my settings\n');
      });

      it('are refused by a commit that names them, and left out of one that names their folder', async () => {
        await hide(mark);
        const { workspace } = merges.at;
        const thrown: unknown = await addCommit(workspace, merges.root, ['conf/local'], 'Mine').catch(
          (problem: unknown) => problem,
        );
        assert.ok(Problem.is(thrown, 'dirty'));
        assert.deepEqual(thrown.items, [`conf/local (${mark})`]);
        await writeFile(join(merges.root, 'conf/more'), 'more\n');
        await addCommit(workspace, merges.root, ['conf'], 'More');
        assert.equal(await merges.git('.', 'show', '--format=', '--name-only', 'HEAD'), 'conf/more');
        assert.equal(await conf(), 'my settings\n');
      });

      it('in a submodule stop the merge as well', async () => {
        const first = 'libs/first one';
        await addSubmodules(merges);
        await merges.at.create('y');
        await commitInSubmodule(merges, merges.at.path('y'), [first], { 'first.txt': 'theirs\n' });
        await commitInSubmodule(merges, merges.root, [first], { 'ours.txt': 'ours\n' });
        await hide(mark, 'mine\n', first, 'first.txt');
        const problem = await merges.refusal('y');
        assert.deepEqual([problem.reason, problem.items], ['dirty', [`${first}/first.txt (${mark})`]]);
        assert.equal(await readFile(join(merges.root, first, 'first.txt'), 'utf8'), 'mine\n');
        assert.deepEqual(await cleanTree(merges.at.workspace, merges.root), []);
        assert.deepEqual(await hiddenChanges(merges.at.workspace, merges.root), problem.items);
      });
    });
  }

  it('that are marked and not changed are merged like any other, and put back', async () => {
    await merges.commit('x', { 'conf/local': 'x\n' });
    await merges.git('.', 'update-index', '--assume-unchanged', 'conf/local');
    await merges.merge('x');
    assert.equal(await conf(), 'x\n');
  });

  it('in a sparse checkout are those that somebody has made outside of it', async () => {
    await mkdir(join(merges.root, 'kept'));
    await merges.git('.', 'sparse-checkout', 'set', '--no-cone', '/*', '!/conf/');
    await merges.git('.', 'config', 'sparse.expectFilesOutsideOfPatterns', 'true');
    await mkdir(join(merges.root, 'conf'), { recursive: true });
    await writeFile(join(merges.root, 'conf/local'), 'my settings\n');
    await merges.commit('x', { 'conf/local': 'x\n' });
    assert.equal((await merges.refusal('x')).reason, 'dirty');
    assert.equal(await conf(), 'my settings\n');
    await merges.git('.', 'sparse-checkout', 'disable').catch(() => undefined);
    await chmod(merges.root, 0o755);
  });
});
