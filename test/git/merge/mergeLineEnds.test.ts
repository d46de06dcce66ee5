import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { redo, undo } from '../../../src/core/recovery/undo.ts';
import { windowsLineEnds } from '../../support/lineEnds.ts';
import { Merges } from '../../support/merges.ts';
import { shareOf } from '../../support/share.ts';

const session = 'agents/session.md';
const lines = (...each: string[]): string => each.map((line) => `${line}\r\n`).join('');
const tasks = (...each: string[]): string => lines('# Session', '', '## Tasks', ...each);

describe('merging a worktree with line ends of Windows', function () {
  this.timeout(300_000);
  let merges: Merges;
  afterEach(() => merges.dispose());
  const read = (file: string): Promise<string> => readFile(join(merges.root, file), 'utf8');
  const status = (): Promise<string> => merges.git('.', 'status', '--porcelain');

  for (const [way, { config, attributes }] of shareOf(Object.entries(windowsLineEnds), 2))
    it(`merges files and the session file, and comes undone: ${way}`, async () => {
      merges = await Merges.start();
      // Its line ends are those of other systems.
      await merges.git('.', 'rm', '--quiet', 'README.md');
      for (const setting of config) await merges.git('.', 'config', ...setting.split('='));
      await merges.commit('', {
        ...(attributes === '' ? {} : { '.gitattributes': attributes }),
        'one.txt': lines('1', '2', '3', '4', '5'),
        [session]: tasks('- [ ] **A** — a'),
      });
      await merges.at.create('x');
      assert.equal(await readFile(join(merges.at.path('x'), 'one.txt'), 'utf8'), lines('1', '2', '3', '4', '5'));
      await merges.commit('x', {
        'one.txt': lines('1 of x', '2', '3', '4', '5'),
        [session]: tasks('- [ ] **A** — a', '- [ ] **B** — b'),
      });
      await merges.commit('', {
        'one.txt': lines('1', '2', '3', '4', '5 of main'),
        [session]: tasks('- [ ] **A** — a', '- [ ] **C** — c'),
      });
      const head = await merges.git('.', 'rev-parse', 'HEAD');
      const texts = (): Promise<string[]> => Promise.all(['one.txt', session].map(read));
      const old = await texts();

      assert.equal((await merges.merge('x')).state, 'merged');
      const merged = await texts();
      assert.equal(merged[0], lines('1 of x', '2', '3', '4', '5 of main'));
      for (const task of ['A', 'B', 'C']) assert.match(merged[1] ?? '', new RegExp(`\\*\\*${task}\\*\\*`));
      for (const text of merged) assert.doesNotMatch(text, /(?<!\r)\n/);
      for (const file of ['one.txt', session]) assert.doesNotMatch(await merges.git('.', 'show', `HEAD:${file}`), /\r/);
      assert.equal(await status(), '');

      const { workspace } = merges.at;
      await undo(workspace);
      assert.deepEqual([await texts(), await merges.git('.', 'rev-parse', 'HEAD'), await status()], [old, head, '']);
      await redo(workspace);
      assert.deepEqual([await texts(), await status()], [merged, '']);
    });
});
