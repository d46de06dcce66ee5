import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { redo, undo } from '../../../src/core/recovery/undo.ts';
import { predict } from '../../../src/core/restack/predict.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { readStack } from '../../../src/core/stack/readStack.ts';
import { Stacks } from '../../support/stacks.ts';
import { shareOf } from '../../support/share.ts';

const session = 'agents/session.md';
const tasks = (...lines: string[]): string =>
  Buffer.from(['# Session', '', '## Tasks', ...lines, ''].join('\r\n')).toString('latin1');

/** What decides of line ends, as Git for Windows is installed and as teams have it in `.gitattributes`. */
const ways: Readonly<Record<string, { readonly config: readonly string[]; readonly attributes: string }>> = {
  'core.autocrlf=true, and core.safecrlf=true, which refuses what could not be turned back': {
    config: ['core.autocrlf=true', 'core.safecrlf=true'],
    attributes: '',
  },
  'text eol=crlf of the team': { config: [], attributes: '* text eol=crlf\r\n' },
  'files in UTF-16': {
    config: ['core.autocrlf=true'],
    attributes: '*.txt text working-tree-encoding=UTF-16LE eol=crlf\r\n',
  },
};

describe('line ends of Windows', function () {
  this.timeout(300_000);
  for (const [name, { config, attributes }] of shareOf(Object.entries(ways), 2))
    it(`stay as git has them through a restack, undo and redo: ${name}`, async () => {
      const at = await Stacks.start();
      const wide = name.includes('UTF-16');
      const text = (...lines: string[]): string =>
        Buffer.from(lines.map((line) => `${line}\r\n`).join(''), wide ? 'utf16le' : 'utf8').toString('latin1');
      /** Commits files that hold these bytes. */
      const commit = async (worktree: string, files: Record<string, string>): Promise<void> => {
        const root = worktree === 'main' ? at.repository.root : at.path(worktree);
        for (const [path, bytes] of Object.entries(files)) {
          await at.repository.write(join(root, path), '');
          await writeFile(join(root, path), bytes, 'latin1');
        }
        await at.git(worktree, 'add', '--all');
        await at.git(worktree, 'commit', '--quiet', '-m', Object.keys(files).join());
      };
      /** Every file of a worktree is as git would write it, and git finds nothing changed. */
      const isClean = async (worktree: string): Promise<void> => {
        const root = worktree === 'main' ? at.repository.root : at.path(worktree);
        await at.git(worktree, 'update-index', '--really-refresh');
        assert.equal(await at.git(worktree, 'status', '--porcelain'), '', worktree);
        for (const path of ['one.txt', session]) {
          const now = await readFile(join(root, path), 'latin1');
          const lone = path === session || !wide ? /(?<!\r)\n/ : /(?<!\r\0)\n/;
          assert.doesNotMatch(now, lone, `${worktree} ${path}`);
          assert.doesNotMatch(await at.git(worktree, 'show', `:${path}`), /\r/, `${worktree} ${path} in the index`);
        }
      };
      try {
        await at.git('main', 'rm', '--quiet', 'README.md');
        for (const setting of config) await at.git('main', 'config', ...setting.split('='));
        if (attributes !== '') await commit('main', { '.gitattributes': attributes });
        await commit('main', { 'one.txt': text('1', '2', '3', '4', '5'), [session]: tasks('- [ ] **A** — a') });
        await at.add('low', 'main');
        await commit('low', { 'one.txt': text('1 of low', '2', '3', '4', '5'), 'low.txt': text('low') });
        await commit('low', { [session]: tasks('- [ ] **A** — a', '- [ ] **B** — b') });
        await at.add('high', 'low');
        await commit('high', { 'high.txt': text('high') });
        await at.add('beside', 'main');
        await commit('beside', { 'one.txt': text('1', '2', '3', '4', '5 of beside'), 'b.txt': text('b') });
        await commit('main', { 'one.txt': text('1', '2', '3', '4', '5 of main') });
        await commit('main', { [session]: tasks('- [ ] **A** — a', '- [ ] **C** — c') });

        // What is foretold is what a merge meets.
        const snapshot = await readSnapshot(at.workspace);
        const { conflicts } = await predict(at.workspace, await readStack(at.workspace, { snapshot }));
        const foretold = conflicts.map(({ worktree, files, kind }) => `${kind} ${worktree}: ${files.join()}`);
        assert.deepEqual(foretold, ['base beside: one.txt']);
        await assert.rejects(at.git('beside', 'merge', 'main'));
        assert.equal(await at.git('beside', 'diff', '--name-only', '--diff-filter=U'), 'one.txt');
        await at.git('beside', 'merge', '--abort');

        const before = await at.picture();
        const worktrees = ['main', 'low', 'high', 'beside'];
        const { branches } = await at.rebase('low', { wholeStack: true });
        assert.deepEqual(
          branches.map(({ branch, outcome }) => `${branch} ${outcome}`),
          ['low moves', 'high moves'],
        );
        for (const each of worktrees) await isClean(each);
        const merged = await readFile(join(at.path('high'), session), 'utf8');
        for (const task of ['A', 'B', 'C']) assert.match(merged, new RegExp(`\\*\\*${task}\\*\\*`));
        const after = await at.picture();
        await undo(at.workspace, undefined);
        for (const each of worktrees) await isClean(each);
        assert.deepEqual(await at.picture(), before);
        await redo(at.workspace);
        for (const each of worktrees) await isClean(each);
        assert.deepEqual(await at.picture(), after);
      } finally {
        await at.dispose();
      }
    });
});
