import assert from 'node:assert/strict';
import { layOut, type Column } from '../../../src/cli/table.ts';

const columns: Column[] = [
  { title: 'NAME', yields: 0 },
  { title: 'STATE', yields: 1 },
  { title: 'PATH', yields: 2 },
];
const red = (text: string): string => `\u001b[31m${text}\u001b[39m`;

describe('a table', () => {
  it('aligns columns with a gap of two and nothing at the end of a line', async () => {
    assert.equal(
      await layOut(
        columns,
        [
          ['a', 'clean', 'x'],
          ['long name', '', 'y'],
        ],
        undefined,
      ),
      'NAME       STATE  PATH\na          clean  x\nlong name         y',
    );
  });

  it('leaves out a column that says nothing, and the titles where there are none', async () => {
    assert.equal(await layOut(columns, [['a', '', 'x']], undefined), 'NAME  PATH\na     x');
    assert.equal(
      await layOut(
        [
          { title: '', yields: 0 },
          { title: '', yields: 1 },
        ],
        [['a', 'b']],
        undefined,
      ),
      'a  b',
    );
  });

  it('counts wide characters, joined emoji and colours as a terminal shows them', async () => {
    const lines = (
      await layOut(
        columns,
        [
          ['日本', red('x'), '|'],
          ['👩‍👩‍👧', 'é', '|'],
          ['abcd', 'y', '|'],
        ],
        undefined,
      )
    ).split('\n');
    assert.deepEqual(lines, ['NAME  STATE  PATH', `日本  ${red('x')}      |`, '👩‍👩‍👧    é      |', 'abcd  y      |']);
  });

  it('cuts what yields first, down to leaving it out, before it cuts the next', async () => {
    const row = ['name', 'a state of some length', 'a/path/of/some/length'];
    assert.equal((await layOut(columns, [row], 44)).split('\n')[1], 'name  a state of some length  a/path/of/som…');
    assert.equal((await layOut(columns, [row], 34)).split('\n')[1], 'name  a state of some length');
    assert.equal((await layOut(columns, [row], 20)).split('\n')[1], 'name  a state of so…');
    assert.equal((await layOut(columns, [row], 3)).split('\n')[1], 'na…');
  });

  it('cuts between whole characters and keeps colours closed', async () => {
    const one: Column[] = [{ title: '', yields: 0 }];
    assert.equal(await layOut(one, [['日本語日本語']], 6), '日本…');
    assert.equal(await layOut(one, [[`${red('abc')} ${red('def')} more`]], 6), `${red('abc')} \u001b[31md…\u001b[39m`);
    assert.equal(await layOut(one, [['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧']], 4), '👩‍👩‍👧…');
  });
});
