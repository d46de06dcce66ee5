import assert from 'node:assert/strict';
import { CarryPair } from '../../support/carryPair.ts';
import { windowsLineEnds, type LineEnds } from '../../support/lineEnds.ts';
import { shareOf } from '../../support/share.ts';

const lines = (...each: string[]): string => each.map((line) => `${line}\r\n`).join('');

describe('carrying uncommitted work with line ends of Windows', function () {
  this.timeout(300_000);
  let pair: CarryPair;
  afterEach(() => pair.dispose());

  /** Both worktrees on a commit of these files. */
  async function start({ config, attributes }: LineEnds, files: Record<string, string>): Promise<void> {
    pair = await CarryPair.start({});
    const { at } = pair;
    // Its line ends are those of other systems.
    await at.git('main', 'rm', '--quiet', 'README.md');
    for (const setting of config) await at.git('main', 'config', ...setting.split('='));
    await at.commit('main', 'Lines', { ...files, ...(attributes === '' ? {} : { '.gitattributes': attributes }) });
    for (const name of ['a', 'b']) await at.git(name, 'reset', '--quiet', '--hard', 'main');
  }

  for (const [way, lineEnds] of shareOf(Object.entries(windowsLineEnds), 2)) {
    it(`keeps them, in what is merged with the work of the other side too: ${way}`, async () => {
      const files = { 'one.txt': lines('1', '2', '3', '4', '5'), 'two.txt': lines('two'), 'gone.txt': lines('gone') };
      await start(lineEnds, files);
      const { at } = pair;
      await at.commit('b', 'Theirs', { 'one.txt': lines('1', '2', '3', '4', '5 of b') });
      pair.write('a', 'one.txt', lines('1 of a', '2', '3', '4', '5'));
      await at.git('a', 'add', 'one.txt');
      pair.write('a', 'two.txt', lines('two', 'unstaged'));
      pair.write('a', 'new.txt', lines('new'));
      await at.git('a', 'rm', '--quiet', 'gone.txt');
      const [before, status] = [await pair.both(), await pair.status('a')];

      await pair.carry();
      assert.equal(pair.text('b', 'one.txt'), lines('1 of a', '2', '3', '4', '5 of b'));
      assert.equal(pair.text('b', 'two.txt'), lines('two', 'unstaged'));
      assert.equal(pair.text('b', 'new.txt'), lines('new'));
      assert.equal(await pair.status('b'), status);
      for (const [file, text] of Object.entries(files)) assert.equal(pair.text('a', file), text);
      assert.equal(await pair.status('a'), '');
      assert.doesNotMatch(await at.git('b', 'show', ':one.txt'), /\r/);
      await pair.thereAndBack(before);
    });

    it(`stops where both sides have changed a line, and touches nothing: ${way}`, async () => {
      await start(lineEnds, { 'one.txt': lines('1', '2') });
      await pair.at.commit('b', 'Theirs', { 'one.txt': lines('1 of b', '2') });
      pair.write('a', 'one.txt', lines('1 of a', '2'));
      await pair.refused({ reason: 'conflicts', items: ['one.txt'] });
    });
  }
});
