import { deepStrictEqual } from 'node:assert/strict';
import { pathRules } from '../../../src/core/base/pathRules.ts';
import { asThePersonSeesIt, respell } from '../../../src/core/repository/spelling.ts';
import { pathSystem, type Disk } from '../../support/pathSystems.ts';

const windows: Disk = {
  system: 'windows',
  ignoresCase: true,
  holds: ['C:\\Program Files\\Repo\\src', 'C:\\Repo\\.worktrees\\one', '\\\\server\\share\\repo\\src'],
  links: { 'C:\\PROGRA~1': 'C:\\Program Files', 'Z:': '\\\\server\\share', 'C:\\link': 'C:\\Repo' },
};
const mac: Disk = {
  system: 'posix',
  ignoresCase: true,
  ignoresForm: true,
  holds: ['/private/tmp/Repo/src', '/Users/zoe/cafe\u0301/src'],
  links: { '/tmp': '/private/tmp', '/Users/link': '/Users/zoe' },
};

describe('the main root as the person spells it', () => {
  for (const [disk, root, folder, expected] of [
    // As VS Code and its terminals call every folder.
    [windows, 'C:/Repo', 'c:\\Repo', 'C:\\Repo'],
    [windows, 'c:/repo', 'C:\\Repo', 'C:\\Repo'],
    [windows, 'c:/repo', 'c:\\repo\\.worktrees\\one', 'C:\\Repo'],
    [windows, 'C:/Program Files/Repo', 'c:\\PROGRA~1\\repo\\src', 'C:\\PROGRA~1\\repo'],
    [windows, 'C:/Repo', '\\\\?\\C:\\Repo', 'C:\\Repo'],
    [windows, 'C:/Repo', 'c:\\link\\.worktrees', 'C:\\link'],
    [windows, '//server/share/repo', 'z:\\repo\\src', 'Z:\\repo'],
    [windows, '//server/share/repo', '\\\\?\\UNC\\Server\\share\\repo', '\\\\server\\share\\repo'],
    [windows, 'C:/Repo', 'D:\\elsewhere', 'C:\\Repo'],
    [mac, '/private/tmp/Repo', '/tmp/Repo/src', '/tmp/Repo'],
    [mac, '/private/tmp/repo', '/private/tmp/REPO', '/private/tmp/Repo'],
    [mac, '/Users/zoe/caf\u00e9', '/Users/zoe/cafe\u0301/src', '/Users/zoe/cafe\u0301'],
  ] as const)
    it(`is ${expected} from ${folder}`, async () => {
      const found = await asThePersonSeesIt(root, folder, pathRules(pathSystem(disk)));
      deepStrictEqual(found.replaceAll('/', '\\'), expected.replaceAll('/', '\\'));
    });
});

describe('other paths of the repository', () => {
  for (const [disk, root, path, expected] of [
    [windows, 'c:\\Repo', 'C:\\Repo\\.worktrees\\one', 'c:\\Repo\\.worktrees\\one'],
    [windows, 'c:\\', 'C:\\Repo', 'c:\\Repo'],
    [windows, 'c:\\Repo', 'C:\\Repo-x', 'C:\\Repo-x'],
    [windows, 'C:\\repo', 'C:\\repo-x', 'C:\\repo-x'],
    [windows, 'C:\\PROGRA~1\\Repo', 'C:\\Program Files\\Repo-x', 'C:\\PROGRA~1\\Repo-x'],
    [windows, 'C:\\link', 'C:\\Repo\\.worktrees\\one', 'C:\\link\\.worktrees\\one'],
    [windows, 'C:\\link', 'C:\\Other', 'C:\\Other'],
    [windows, 'Z:\\repo', '\\\\server\\share\\repo-x', 'Z:\\repo-x'],
    [mac, '/tmp/Repo', '/private/tmp/Repo-x', '/tmp/Repo-x'],
    [mac, '/tmp/repo', '/private/tmp/Repo/src', '/tmp/repo/src'],
    [mac, '/Users/link/caf\u00e9', '/Users/zoe/cafe\u0301/x', '/Users/link/caf\u00e9/x'],
    [mac, '/', '/x', '/x'],
  ] as const)
    it(`spell ${path} as ${expected} where the main root is ${root}`, async () => {
      const spell = await respell(root, pathRules(pathSystem(disk)));
      deepStrictEqual(spell(path), expected);
    });
});
