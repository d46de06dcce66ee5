import assert from 'node:assert/strict';
import { fitForWindows, foldedName, unfitPart, windowsNameFault } from '../../../src/core/base/windowsNames.ts';

describe('names that Windows cannot hold', () => {
  const devices = [
    ...['con', 'CON', 'prn', 'aux', 'Aux', 'nul', 'NUL', 'com1', 'COM9', 'com0', 'lpt1', 'LPT9', 'LPT0'],
    ...['com¹', 'COM²', 'lpt³', 'CONIN$', 'conout$', 'CONIN$.txt'],
    ...['aux.txt', 'con.x', 'nul.tar.gz', 'com1.log', 'LPT¹.x', 'aux .txt', 'nul ', 'nul.', 'aux:x', 'con  '],
  ];
  for (const name of devices) {
    it(`${JSON.stringify(name)} is a device, whole and as a part`, () => {
      assert.equal(windowsNameFault(name), 'device');
      assert.deepEqual(unfitPart(`x/${name}/y`), { part: name, fault: 'device' });
    });
  }
  for (const character of ['<', '>', ':', '"', '|', '?', '*', '\\', '\u0001', '\n', '\u001f']) {
    it(`no name holds ${JSON.stringify(character)}`, () => {
      assert.deepEqual(unfitPart(`fine/a${character}b`), { part: `a${character}b`, fault: 'character', character });
    });
  }
  for (const name of ['a.', 'a ', 'a..', 'a. .', '...'])
    it(`${JSON.stringify(name)} ends wrongly`, () => assert.equal(windowsNameFault(name), 'end'));

  const fine = [
    ...['auxiliary', 'con-1', 'com', 'com10', 'lpt', 'console', 'nulls', 'x.aux', 'x-nul', '.aux', 'prn_', 'com⁴'],
    ...['a.b', '.git', 'ünïcödé', 'a b', "it's", 'a&b', 'a%b%', '(x)', '$x', 'conin', 'a\u007f'],
  ];
  for (const name of fine) it(`holds ${JSON.stringify(name)}`, () => assert.equal(unfitPart(`x/${name}`), undefined));

  const better: [string, string][] = [
    ['aux', 'aux-1'],
    ['AUX.txt', 'AUX-1.txt'],
    ['x/aux/y', 'x/aux-1/y'],
    ['CONIN$', 'CONIN-1'],
    ['nul .tar', 'nul-1 .tar'],
    ['con.', 'con-1'],
    ['com¹', 'com¹-1'],
    ['a<b', 'a-b'],
    ['a"<>|b', 'a-b'],
    ['a:b', 'a-b'],
    ['name.', 'name'],
    ['a. /b', 'a/b'],
    ['fine', 'fine'],
  ];
  for (const [name, fit] of better) {
    it(`offers ${fit} for ${name}, which Windows can hold, and others where that is taken`, () => {
      assert.equal(fitForWindows(name), fit);
      assert.equal(unfitPart(fit), undefined);
      const second = fitForWindows(name, 2);
      assert.notEqual(second, fit);
      assert.equal(unfitPart(second), undefined);
    });
  }

  it('folds case and the ways of writing one letter', () => {
    assert.equal(foldedName('Caf\u00e9'), foldedName('CAFE\u0301'));
    assert.equal(foldedName('cafe\u0301'), foldedName('caf\u00e9'));
    assert.notEqual(foldedName('cafe'), foldedName('caf\u00e9'));
    assert.notEqual(foldedName('straße'), foldedName('strasse'));
  });
});
