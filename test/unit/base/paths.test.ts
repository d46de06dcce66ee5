import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { pathRules } from '../../../src/core/base/pathRules.ts';
import { pathSystem, type Disk } from '../../support/pathSystems.ts';

const windows = (more: Partial<Disk> = {}): Disk => ({
  system: 'windows',
  ignoresCase: true,
  holds: ['C:\\Program Files\\Repo\\src', 'D:\\', '\\\\server\\share\\repo'],
  links: { 'C:\\PROGRA~1': 'C:\\Program Files', 'Z:': '\\\\server\\share' },
  ...more,
});
const mac = (ignoresCase: boolean): Disk => ({
  system: 'posix',
  ignoresCase,
  ignoresForm: true,
  holds: ['/private/tmp/repo/src', '/Users/zoe/Repo', '/Users/zoe/caf\u0065\u0301'],
  links: { '/tmp': '/private/tmp', '/var': '/private/var' },
});
const linux: Disk = { system: 'posix', ignoresCase: false, holds: ['/home/zoe/Repo', '/home/zoe/café'] };

describe('paths of Windows', () => {
  const rules = pathRules(pathSystem(windows()));

  it('take every spelling of a folder for the same path', () => {
    const one = 'C:\\Program Files\\Repo';
    for (const other of [
      'c:\\Program Files\\Repo',
      'C:/Program Files/Repo',
      'c:/program files/REPO/',
      'C:\\Program Files\\.\\x\\..\\Repo\\',
      '\\\\?\\C:\\Program Files\\Repo',
      '\\\\?\\c:\\Program Files\\repo',
      '\\\\.\\C:\\Program Files\\Repo',
      '//?/c:/Program Files/Repo',
    ])
      deepStrictEqual([other, rules.samePath(one, other), rules.samePath(other, one)], [other, true, true]);
    for (const other of ['D:\\Program Files\\Repo', 'C:\\Program Files\\Repo2', 'C:\\Program Files', 'C:\\', 'C:'])
      deepStrictEqual([other, rules.samePath(one, other), rules.samePath(other, one)], [other, false, false]);
  });

  it('give what lies below a folder, spelled as it was written', () => {
    const below = (folder: string, path: string): string | undefined => rules.pathBelow(folder, path);
    strictEqual(below('c:\\program files\\repo', 'C:\\Program Files\\Repo\\Src\\A.ts'), 'Src\\A.ts');
    strictEqual(below('c:\\', 'C:\\Program Files'), 'Program Files');
    strictEqual(below('C:\\', 'c:\\'), '');
    strictEqual(below('\\\\?\\C:\\r', 'c:/r/x'), 'x');
    strictEqual(below('\\\\?\\UNC\\server\\share\\repo', '\\\\SERVER\\share\\repo\\x'), 'x');
    strictEqual(below('C:\\r', 'C:\\r2'), undefined);
    strictEqual(below('C:\\r', 'C:\\r\\..\\s'), undefined);
    strictEqual(below('C:\\r', 'C:\\r\\..x'), '..x');
  });

  it('keep a prefix without which they would name something else', () => {
    for (const path of ['\\\\?\\C:\\r.', '\\\\?\\C:\\r \\x', '\\\\.\\pipe\\x', '\\\\?\\Volume{1}\\x', '\\\\.\\NUL'])
      strictEqual(rules.absolute(path), path);
    strictEqual(rules.absolute('\\\\?\\C:\\'), 'C:\\');
  });

  it('follow short names, drives of servers and case to the same place', async () => {
    for (const [one, other] of [
      ['C:\\PROGRA~1\\Repo', 'c:\\program files\\repo'],
      ['C:\\progra~1\\repo\\not\\there', 'C:\\Program Files\\Repo\\Not\\There'],
      ['Z:\\repo', '\\\\server\\share\\REPO'],
    ] as const) {
      deepStrictEqual([one, await rules.samePlace(one, other)], [one, true]);
      deepStrictEqual([one, rules.samePlaceNow(one, other)], [one, !one.includes('not')]);
    }
    strictEqual(await rules.samePlace('C:\\Program Files\\Repo', 'D:\\Repo'), false);
  });

  it('end at the root, however they begin', () => {
    for (const [path, root] of [
      ['c:\\repo\\x', 'C:\\'],
      ['\\\\?\\C:\\repo', 'C:\\'],
      ['\\\\server\\share\\repo', '\\\\server\\share\\'],
      ['C:\\', 'C:\\'],
      ['repo', 'C:\\'],
    ] as const)
      strictEqual([...rules.upFrom(path)].at(-1), root);
  });
});

describe('paths of macOS', () => {
  it('ignore case where the disk does so, and nowhere else', () => {
    for (const ignoresCase of [true, false]) {
      const rules = pathRules(pathSystem(mac(ignoresCase)));
      strictEqual(rules.samePath('/Users/zoe/Repo', '/users/Zoe/REPO'), ignoresCase);
      strictEqual(rules.isWithin('/Users/zoe/repo', '/Users/zoe/Repo/src'), ignoresCase);
      // What is not there is in a folder that tells.
      strictEqual(rules.samePath('/Users/zoe/Repo/New', '/Users/zoe/Repo/new'), ignoresCase);
    }
  });

  it('take the two ways to write an accent for one name', () => {
    for (const ignoresCase of [true, false]) {
      const rules = pathRules(pathSystem(mac(ignoresCase)));
      strictEqual(rules.samePath('/Users/zoe/caf\u00e9', '/Users/zoe/cafe\u0301'), true);
      strictEqual(rules.pathBelow('/Users/zoe/caf\u00e9', '/Users/zoe/cafe\u0301/src'), 'src');
    }
  });

  it('lead through /tmp and /var to the real folders', async () => {
    const rules = pathRules(pathSystem(mac(true)));
    strictEqual(await rules.samePlace('/tmp/repo', '/private/tmp/repo'), true);
    strictEqual(await rules.samePlace('/tmp/Repo/not/there', '/private/tmp/repo/not/there'), true);
    strictEqual(rules.samePlaceNow('/tmp/REPO/src', '/private/tmp/repo/src'), true);
    strictEqual(await rules.realPathOf('/tmp/REPO'), '/private/tmp/repo');
  });
});

describe('paths of Linux', () => {
  it('tell case and accents apart, but on a disk that does not', () => {
    const usual = pathRules(pathSystem(linux));
    strictEqual(usual.samePath('/home/zoe/Repo', '/home/zoe/repo'), false);
    strictEqual(usual.samePath('/home/zoe/caf\u00e9', '/home/zoe/cafe\u0301'), false);
    const stick = pathRules(pathSystem({ ...linux, ignoresCase: true }));
    strictEqual(stick.samePath('/home/zoe/Repo', '/home/zoe/repo'), true);
  });

  it('are compared without asking the disk where they are spelled alike or differ in more than letters', () => {
    const system = pathSystem(linux);
    const { isWithin, samePath } = pathRules(system);
    for (const path of ['/home/zoe/Repo', '/home/zoe/Repo/src', '/home/zoe/Repo2', '/home', '/', '/home/zoe/Repo/../x'])
      strictEqual(samePath('/home/zoe/Repo', path) && !isWithin('/home/zoe/Repo', path), false);
    strictEqual(system.asked, 0);
    for (let count = 0; count < 3; count++) isWithin('/home/zoe/Repo', '/home/zoe/repo/src');
    strictEqual(system.asked, 2);
  });
});
