import assert from 'node:assert/strict';
import { environmentOf } from '../../../src/core/base/environment.ts';
import { extensionsOf, foldersOfPath, programOnPath, windowsStart } from '../../../src/core/base/windowsCommand.ts';
import { inAnyCase, valueOf } from '../../../src/core/base/windowsVariables.ts';

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

  it('looks in the folders of a path with quotes, empty parts and the letters of any case', () => {
    const path = 'C:\\tools;"C:\\with; semicolon";;"D:\\quoted\\";.;bin;"";C:\\half"way;C:\\"last"\\x';
    const expected = ['C:\\tools', 'C:\\with; semicolon', 'D:\\quoted\\', 'C:\\halfway;C:\\last\\x'];
    for (const name of ['PATH', 'Path', 'path']) assert.deepEqual(foldersOfPath({ [name]: path }), expected);
    for (const none of [{}, { PATH: '' }, { PATH: ';;' }]) assert.deepEqual(foldersOfPath(none), []);
    const isFile = (file: string): boolean => file.toLowerCase() === 'c:\\with; semicolon\\npm.cmd';
    const { args } = windowsStart('npm', [], 'C:\\w', { pAtH: path, pathext: '.exe;.cmd' }, isFile);
    assert.equal(args.at(-1), '""C:\\with; semicolon\\npm.cmd""');
  });

  it('leaves out the extensions of programs that can be started, whatever PATHEXT says', () => {
    const all = ['.COM', '.EXE', '.BAT', '.CMD'];
    for (const none of [{}, { PATHEXT: '' }, { PATHEXT: ';' }, { PATHEXT: '.JS;.VBS' }])
      assert.deepEqual(extensionsOf(none), all);
    assert.deepEqual(extensionsOf({ PathExt: '.Com;; .cmd ;.JS;.exe;' }), ['.Com', '.cmd', '.exe']);
    // A script that Windows would hand to another host does not hide the program of that name.
    const files = ['C:\\a\\tool.JS', 'C:\\b\\tool.exe'];
    const variables = { PATH: 'C:\\a;C:\\b', PATHEXT: '.JS;.exe' };
    assert.equal(windowsStart('tool', [], 'C:\\w', variables, (path) => files.includes(path)).program, files[1]);
  });

  it('takes of two spellings of a variable the one that Node gives to a child', () => {
    assert.equal(valueOf({ Path: 'two', PATH: 'one', path: 'three' }, 'path'), 'one');
  });
});

describe('the variables of Windows', () => {
  const written = { Path: 'C:\\x', editor: 'code --wait', HOME: 'C:\\h', Home: 'C:\\other', myOwn: '1' };

  it('are found by their names in capital letters, and listed, copied and passed on as they are written', () => {
    const variables = inAnyCase(written);
    const found = ['PATH', 'EDITOR', 'HOME', 'Home', 'MYOWN', 'NONE'].map((name) => variables[name]);
    assert.deepEqual(found, ['C:\\x', 'code --wait', 'C:\\h', 'C:\\other', '1', undefined]);
    assert.deepEqual([Object.keys(variables), { ...variables }], [Object.keys(written), written]);
    // Node passes on what a loop over the names finds.
    const passed: string[] = [];
    for (const name in variables) passed.push(name);
    assert.deepEqual(passed, Object.keys(written));
  });

  it('are such in the environment of a process there, and nowhere else', () => {
    const on = (platform: NodeJS.Platform) => environmentOf({ ...process, platform, env: written });
    assert.equal(on('win32').variables['EDITOR'], 'code --wait');
    assert.equal(on('linux').variables['EDITOR'], undefined);
  });
});
