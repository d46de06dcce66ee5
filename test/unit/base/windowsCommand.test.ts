import assert from 'node:assert/strict';
import { programOnPath, windowsStart } from '../../../src/core/base/windowsCommand.ts';

describe('how a command is started on Windows', () => {
  const variables = { Path: 'C:\\tools;C:\\node', PATHEXT: '.EXE;.CMD', ComSpec: 'C:\\cmd.exe' };
  const files = ['C:\\node\\npm.CMD', 'C:\\tools\\git.EXE', 'C:\\w\\a\\run.bat', 'C:\\node\\git.CMD'];
  const start = (program: string, ...args: string[]) =>
    windowsStart(program, args, 'C:\\w\\a', variables, (path) => files.includes(path));

  it('is by itself for a program, the first one on the path, with its arguments as they are', () => {
    assert.deepEqual(start('git', 'a b', '"'), { program: 'C:\\tools\\git.EXE', args: ['a b', '"'], verbatim: false });
    assert.deepEqual(start('nope', 'x'), { program: 'nope', args: ['x'], verbatim: false });
  });

  it('is never what lies in the current folder, whatever the path says', () => {
    const here = { Path: '.;bin;;C:\\node;C:\\tools', PATHEXT: '.EXE;.CMD' };
    const isFile = (path: string): boolean => !path.startsWith('C:\\node') || files.includes(path);
    assert.equal(programOnPath('git', here, isFile), 'C:\\tools\\git.exe');
    assert.equal(programOnPath('git.exe', here, isFile), 'C:\\tools\\git.exe');
    assert.equal(programOnPath('git', { Path: '.' }, isFile), undefined);
    assert.equal(programOnPath('bin\\git', here, isFile), undefined);
    assert.equal(windowsStart('npm', [], 'C:\\w\\a', { Path: '.' }, isFile).program, 'npm');
  });

  it('is through cmd.exe for a batch file, all of it between quotes, so that no sign means anything there', () => {
    const { program, args, verbatim } = start('npm', 'run', 'a b', '%PATH%', '"&|', 'end\\', 'in\\"quotes', '');
    assert.deepEqual([program, verbatim, args.slice(0, -1)], ['C:\\cmd.exe', true, ['/e:on', '/v:off', '/d', '/c']]);
    assert.equal(
      args.at(-1),
      '""C:\\node\\npm.CMD" "run" "a b" "%%cd:~,%PATH%%cd:~,%" """&|" "end\\\\" "in\\\\""quotes" """',
    );
  });

  it('is refused for a line break, which cmd.exe takes for the end of the command', () => {
    assert.throws(() => start('npm', 'run', 'a\nb'), { code: 'EINVAL' });
  });

  it('finds what is named by a path from the folder that it runs in', () => {
    assert.match(start('.\\run.bat').args.at(-1) ?? '', /C:\\w\\a\\run\.bat/);
    assert.match(start('./run').program, /run$/, 'no such extension: left to Windows');
  });
});
