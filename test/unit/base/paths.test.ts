import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { resolveFrom } from '../../../src/core/base/paths.ts';
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

describe('folders on servers', () => {
  const rules = pathRules(pathSystem(windows()));
  const repo = '\\\\server\\share\\repo';

  it('are one however they are spelled', () => {
    for (const other of [
      '\\\\SERVER\\Share\\REPO',
      '//server/share/repo/',
      '\\\\?\\UNC\\server\\share\\repo',
      '\\\\?\\unc\\Server\\share\\repo\\',
      '//?/UNC/server/share/repo',
      '\\\\server\\share\\x\\..\\repo\\.',
    ])
      deepStrictEqual([other, rules.samePath(repo, other), rules.samePath(other, repo)], [other, true, true]);
    for (const other of [
      '\\\\server\\other\\repo',
      '\\\\other\\share\\repo',
      '\\\\server\\share',
      '\\server\\share\\repo',
      'C:\\share\\repo',
      '\\\\.\\UNC\\server\\share2\\repo',
    ])
      deepStrictEqual([other, rules.samePath(repo, other), rules.samePath(other, repo)], [other, false, false]);
  });

  it('have a root with a backslash behind it and without, which holds all of the share', () => {
    for (const root of ['\\\\server\\share', '\\\\server\\share\\', '\\\\?\\UNC\\server\\share', '//SERVER/share/']) {
      strictEqual(rules.absolute(root).toLowerCase(), '\\\\server\\share\\');
      deepStrictEqual([root, rules.pathBelow(root, `${repo}\\x`)], [root, 'repo\\x']);
      deepStrictEqual([root, rules.pathBelow(root, '\\\\server\\share\\')], [root, '']);
    }
    strictEqual(rules.pathBelow('\\\\server\\share', '\\\\server\\share2\\repo'), undefined);
    strictEqual(rules.pathBelow(repo, '\\\\server\\share\\repo-x'), undefined);
    strictEqual(rules.pathBelow(repo, `${repo}\\..\\other`), undefined);
  });

  it('are climbed to the root of the share, and no further', () => {
    for (const path of [`${repo}\\x`, '\\\\?\\UNC\\server\\share\\repo\\x', '//server/share/repo/x'])
      deepStrictEqual([...rules.upFrom(path)], [`${repo}\\x`, repo, '\\\\server\\share\\']);
    deepStrictEqual([...rules.upFrom('\\\\server\\share')], ['\\\\server\\share\\']);
    deepStrictEqual([...rules.upFrom(`${repo}\\..\\..\\..\\..`)], ['\\\\server\\share\\']);
    // What only exists with the prefix keeps it, and ends too.
    strictEqual([...rules.upFrom('\\\\?\\UNC\\server\\share\\repo.')].at(-1), '\\\\?\\UNC\\');
  });

  it('are named as they lie to one another, with forward slashes', () => {
    const { relativeTo, displayPath } = rules;
    strictEqual(relativeTo(repo, `${repo}\\.worktrees\\one`), '.worktrees/one');
    strictEqual(relativeTo(repo, '\\\\?\\UNC\\SERVER\\share\\repo-x\\one'), '../repo-x/one');
    strictEqual(relativeTo('\\\\server\\share', `${repo}\\x`), 'repo/x');
    strictEqual(relativeTo(repo, '\\\\server\\other\\x'), '//server/other/x');
    strictEqual(relativeTo(repo, 'c:\\x'), 'C:/x');
    strictEqual(relativeTo('C:\\x', repo), '//server/share/repo');
    strictEqual(displayPath(repo, '//server/share/repo/src/a.ts'), 'src/a.ts');
    strictEqual(displayPath(repo, repo), '.');
    strictEqual(displayPath(repo, '\\\\server\\other'), '\\\\server\\other');
  });

  it('keep their name while the server is away', async () => {
    const away = '\\\\?\\UNC\\away\\share\\repo\\x';
    strictEqual(await rules.realPathOf(away), '\\\\away\\share\\repo\\x');
    strictEqual(await rules.samePlace(away, '\\\\AWAY\\share\\repo\\x'), true);
    strictEqual(await rules.samePlace(away, repo), false);
  });

  it('tell small and capital letters apart where the server does so, as those of WSL', () => {
    const holds = ['\\\\wsl.localhost\\Debian\\home\\zoe\\Repo'];
    const wsl = pathRules(pathSystem(windows({ ignoresCase: false, holds, links: {} })));
    const [home = ''] = holds;
    strictEqual(wsl.samePath(home, '\\\\wsl.localhost\\Debian\\home\\zoe\\repo'), false);
    strictEqual(wsl.isWithin(home, '//wsl.localhost/Debian/home/zoe/Repo/src'), true);
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

describe('a path seen from a folder', () => {
  it('is what node:path resolves it to, whatever it is', () => {
    const names = ['', '.', '..', '...', '.git', 'a', 'b c', 'ü', 'x.', '~'];
    const part = fc.constantFrom(...names);
    const path = fc
      .tuple(fc.constantFrom('', '/', '//'), fc.array(part), fc.constantFrom('', '/'))
      .map(([start, parts, end]) => start + parts.join('/') + end);
    fc.assert(fc.property(path, (file) => strictEqual(resolveFrom('/r/s', file), resolve('/r/s', file))));
  });
});
