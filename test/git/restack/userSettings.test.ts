import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { redo, undo } from '../../../src/core/recovery/undo.ts';
import { Stacks } from '../../support/stacks.ts';
import { shareOf } from '../../support/share.ts';

/** Settings that change what git writes or prints, as people have them. */
const settings: Readonly<Record<string, string>> = {
  'an index in two parts': 'core.splitIndex=true',
  'an index with more in it': 'core.untrackedCache=true core.fsmonitor=true index.version=4',
  'a large tree': 'feature.manyFiles=true core.preloadIndex=false gc.auto=1',
  'files and refs': 'core.autocrlf=input core.abbrev=4 core.logAllRefUpdates=false core.warnAmbiguousRefs=false',
  'what status and diff print':
    'status.showUntrackedFiles=no status.renames=copies color.ui=always diff.external=false diff.noprefix=true diff.renames=copies diff.ignoreSubmodules=all',
  'what log prints': 'log.showSignature=true log.decorate=full format.pretty=oneline i18n.logOutputEncoding=latin1',
  'commits and merges':
    'commit.cleanup=scissors commit.verbose=true merge.ff=only merge.renames=false merge.autoStash=true merge.conflictStyle=diff3 rerere.enabled=true',
  rebases: 'rebase.autoStash=true rebase.updateRefs=true rebase.missingCommitsCheck=error rebase.backend=apply',
  'branches and submodules': 'submodule.recurse=true branch.autoSetupRebase=always branch.autoSetupMerge=always',
};

describe('the settings of git that people have', function () {
  this.timeout(300_000);

  /** A rebase of a stack, taken back and done again, with work of every kind in the worktrees: all that can be seen of it after each step. */
  async function life(chosen = ''): Promise<unknown[]> {
    const at = await Stacks.start({
      GIT_AUTHOR_DATE: '2030-01-01T00:00:00Z',
      GIT_COMMITTER_DATE: '2030-01-01T00:00:00Z',
    });
    try {
      for (const setting of chosen.split(' ').filter(Boolean)) await at.git('main', 'config', ...setting.split('='));
      await at.commit('main', 'Files', { 'one.txt': 'one\n', 'two.txt': 'two\n', 'gone.txt': 'gone\n' });
      await at.add('low', 'main', { 'low.txt': 'low\n' });
      await at.add('high', 'low', { 'high.txt': 'high\n' });
      await writeFile(join(at.path('high'), 'staged.txt'), 'staged\n');
      await at.git('high', 'add', 'staged.txt');
      await writeFile(join(at.path('high'), 'high.txt'), 'high, changed\n');
      await writeFile(join(at.path('low'), 'new.txt'), 'new\n');
      await at.git('main', 'rm', '--quiet', 'gone.txt');
      await at.commit('main', 'News', { 'two.txt': 'two of main\n' });
      const seen = async (): Promise<unknown> => [
        await at.repository.git('log', '--no-decorate', '--no-color', '--format=%s %T %P', 'high'),
        await Promise.all(
          ['low', 'high'].map((name) =>
            at.git(name, '-c', 'color.ui=false', 'status', '--porcelain', '--untracked-files=normal'),
          ),
        ),
        await Promise.all(['low', 'high'].map((name) => at.git(name, 'ls-files', '--stage'))),
      ];
      const steps = [await seen()];
      const { branches } = await at.rebase('low', { wholeStack: true });
      steps.push(
        branches.map(({ branch, outcome, why }) => [branch, outcome, why]),
        await seen(),
      );
      await undo(at.workspace, undefined);
      steps.push(await seen());
      await redo(at.workspace);
      return [...steps, await seen()];
    } finally {
      await at.dispose();
    }
  }

  let plain: unknown[];
  before(async () => {
    plain = await life();
    assert.deepEqual(plain[1], [
      ['low', 'moves', undefined],
      ['high', 'moves', undefined],
    ]);
    assert.deepEqual(plain[3], plain[0], 'an undo brings back what there was');
  });
  for (const [title, chosen] of shareOf(Object.entries(settings), 2))
    it(`change nothing of what a restack, its undo and its redo do: ${title}`, async () => {
      assert.deepEqual(await life(chosen), plain);
    });
});
