import assert from 'node:assert/strict';
import { looksShort, readPath } from '../../../../src/core/claude/guard/pathText.ts';
import { nativePath } from '../../../../src/core/claude/nativePath.ts';

const cwd = 'C:\\r\\.worktrees\\x';

describe('how the file guard reads a path on Windows', () => {
  /** The path that is meant, before links and `..` are followed. */
  const meant: [text: string, path: string][] = [
    ['src\\a.txt', `${cwd}\\src\\a.txt`],
    ['src/a.txt', `${cwd}\\src/a.txt`],
    ['..\\..\\src\\a.txt', `${cwd}\\..\\..\\src\\a.txt`],
    ['c:\\r\\a.txt', 'c:\\r\\a.txt'],
    ['C:/r/.worktrees/x/a.txt', 'C:/r/.worktrees/x/a.txt'],
    ['C:/', 'C:/'],
    ['\\r\\a.txt', 'C:\\r\\a.txt'],
    ['/src/a.txt', 'C:\\src/a.txt'],
    ['\\\\server\\share\\a.txt', '\\\\server\\share\\a.txt'],
    ['//server/share/a.txt', '//server/share/a.txt'],
    ['\\\\?\\C:\\r\\a.txt', 'C:\\r\\a.txt'],
    ['//?/C:\\r\\a.txt', 'C:\\r\\a.txt'],
    ['\\\\?\\UNC\\server\\share\\a.txt', '\\\\server\\share\\a.txt'],
    ['.git', `${cwd}\\.git`],
    ['name with blanks.txt', `${cwd}\\name with blanks.txt`],
    ['console.ts', `${cwd}\\console.ts`],
    ['src/aux-1/null.ts', `${cwd}\\src/aux-1/null.ts`],
    ['file~', `${cwd}\\file~`],
  ];
  for (const [text, path] of meant)
    it(`${text} is ${path}`, () => assert.deepEqual(readPath(text, cwd, true), { path }));

  const faults: [text: string, reason: RegExp][] = [
    ['C:..\\..\\src\\a.txt', /the current folder of the drive C:, which is not known; write the whole path/],
    ['C:.git', /current folder of the drive C:/],
    ['c:.claude\\settings.json', /current folder of the drive c:/],
    ['C:', /current folder/],
    ['D:a.txt', /current folder of the drive D:/],
    ['a.txt:stream', /stream of a file/],
    ['.git:x', /stream/],
    ['.git::$INDEX_ALLOCATION\\config', /stream/],
    ['settings.json::$DATA', /stream/],
    ['C:\\r\\C:\\x', /stream/],
    ['\\\\?\\C:\\r\\a:b', /stream/],
    ['nul', /Windows keeps "nul" for a device/],
    ['CON.txt', /device/],
    ['src\\aux\\a.ts', /device/],
    ['COM¹', /device/],
    ['CONOUT$', /device/],
    ['\\\\.\\C:\\r\\a.txt', /a device, not a file/],
    ['//./pipe/x', /a device, not a file/],
    ['\\\\.', /a device, not a file/],
    ['\\??\\C:\\r\\a.txt', /a device, not a file/],
    ['\\\\?\\Volume{4c1b02c1-d990-11dc-99ae-806e6f6e6963}\\a', /a device, not a file/],
    ['\\\\?\\GLOBALROOT\\Device\\x', /a device, not a file/],
    ['\\\\?\\C:\\r\\..\\a.txt', /are names; write it without/],
    ['\\\\?\\C:\\r/a.txt', /are names; write it without/],
    ['a.txt.', /dot or space at the end of "a.txt."/],
    ['...', /dot or space/],
    ['src \\a.txt', /dot or space at the end of "src "/],
    ['settings.json. .', /dot or space/],
    ['a?b', /no file may have "\?" in its name/],
    ['a*', /"\*"/],
    ['a|b', /"\|"/],
    ['<a>', /"<"/],
    ['a\nb', /"\\n"/],
    ['/c/r/.worktrees/x/a.txt', /not written as Windows does; write C:\\r\\.worktrees\\x\\a\.txt/],
    ['/cygdrive/d/a', /write D:\\a/],
    ['/mnt/c/r', /write C:\\r/],
    ['/c', /write C:\\/],
    ['~\\a', /tilde/],
    ['~/a', /tilde/],
    ['file:///C:/r/a', /URL/],
    ['https://x/y', /URL/],
    ['a\0b', /NUL/],
    ['\ud800', /half a character/],
  ];
  for (const [text, reason] of faults) {
    it(`${JSON.stringify(text)} cannot be told`, () => {
      const read = readPath(text, cwd, true);
      assert.match('fault' in read ? read.fault : `no fault, but ${read.path}`, reason);
    });
  }

  it('starts from a folder that is known, drive and all', () => {
    for (const start of ['', 'r', '\\r', '/r', 'C:r', 'C:'])
      assert.match(JSON.stringify(readPath('a.txt', start, true)), /relative, and the folder/, start);
    assert.deepEqual(readPath('\\a', 'D:\\r', true), { path: 'D:\\a' });
    assert.deepEqual(readPath('\\a', '\\\\server\\share\\r', true), { path: '\\\\server\\share\\a' });
    assert.deepEqual(readPath('a', '\\\\server\\share\\r', true), { path: '\\\\server\\share\\r\\a' });
  });

  it('takes all of it for names elsewhere, but for what can only be a path of Windows', () => {
    for (const name of ['nul', 'a.txt:stream', 'a.', 'C:x', 'a?b', 'x\\y', 'a\nb'])
      assert.deepEqual(readPath(name, '/r', false), { path: `/r/${name}` });
    for (const path of ['/c/r', '/mnt/c/r', '/cygdrive/c']) assert.deepEqual(readPath(path, '/r', false), { path });
    for (const path of ['C:\\r', 'c:/r', '\\\\server\\x', '\\\\?\\C:\\r'])
      assert.match(JSON.stringify(readPath(path, '/r', false)), /another system/);
  });
});

describe('short names of Windows', () => {
  for (const name of ['GIT~1', 'git~1', 'SETTIN~1.JSO', 'CLAUDE~1', 'a~1', 'PROGRA~2', 'AB12CD~1.TX', '_~10', '~1'])
    it(`${name} may be one`, () => assert.equal(looksShort(name), true));
  for (const name of ['file~', 'a.txt~', 'a.txt.~1~', 'longer-name~1', 'a~b', 'a~1.json', 'a~1.b.c', 'v~1x', 'git'])
    it(`${name} is none`, () => assert.equal(looksShort(name), false));
});

describe('a path of Git Bash, Cygwin or WSL', () => {
  it('is written as Windows does, on Windows only', () => {
    for (const path of ['/c/r/x', '/cygdrive/c/r/x', '/mnt/c/r/x']) {
      assert.equal(nativePath(path, true), 'C:\\r\\x');
      assert.equal(nativePath(path, false), path);
    }
    assert.equal(nativePath('/c', true), 'C:\\');
    for (const path of ['C:\\r', 'c:/r', '/usr/bin', '/', '\\c\\r', 'c/r', '/cc/r'])
      assert.equal(nativePath(path, true), path);
  });
});
