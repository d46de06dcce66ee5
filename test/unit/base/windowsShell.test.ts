import assert from 'node:assert/strict';
import { findGitShell, windowsShellStart } from '../../../src/core/base/windowsShell.ts';

describe('the shell of commands on Windows', () => {
  const find = (variables: Record<string, string>, ...files: string[]): string | undefined =>
    findGitShell(variables, (path) => files.some((each) => each.toLowerCase() === path.toLowerCase()));

  for (const [title, path, git, sh] of [
    ['of an installed git', 'C:\\Git\\cmd', 'C:\\Git\\cmd\\git.exe', 'C:\\Git\\bin\\sh.exe'],
    ['in Git Bash itself', 'C:\\Git\\mingw64\\bin', 'C:\\Git\\mingw64\\bin\\git.exe', 'C:\\Git\\bin\\sh.exe'],
    ['of a git that was unpacked', 'D:\\g\\mingw64\\bin', 'D:\\g\\mingw64\\bin\\git.exe', 'D:\\g\\usr\\bin\\sh.exe'],
    ['of MSYS2', 'C:\\msys64\\usr\\bin', 'C:\\msys64\\usr\\bin\\git.exe', 'C:\\msys64\\usr\\bin\\sh.exe'],
    ['of Scoop', 'C:\\s\\shims', 'C:\\s\\shims\\git.exe', 'C:\\s\\apps\\git\\current\\bin\\sh.exe'],
  ] as const) {
    it(`is the sh that comes with git: ${title}`, () => {
      assert.equal(find({ Path: `C:\\other;;relative;${path}` }, git, sh)?.toLowerCase(), sh.toLowerCase());
    });
  }

  it('is that of a git that is installed and not on the path', () => {
    assert.equal(find({ PATH: '', programfiles: 'C:\\P' }, 'C:\\P\\Git\\bin\\sh.exe'), 'C:\\P\\Git\\bin\\sh.exe');
    const claude = { CLAUDE_CODE_GIT_BASH_PATH: 'D:\\G\\bin\\bash.exe' };
    assert.equal(find(claude, 'D:\\G\\bin\\sh.exe'), 'D:\\G\\bin\\sh.exe');
  });

  it('is never the bash of Windows itself, which runs in WSL', () => {
    const path = { Path: 'C:\\Windows\\System32', ProgramFiles: 'C:\\P' };
    assert.equal(find(path, 'C:\\Windows\\System32\\bash.exe', 'C:\\Windows\\System32\\sh.exe'), undefined);
  });

  it('gets the line in a variable, so that no quoting of Windows touches it', () => {
    const line = `printf '%s\\\\n' "a b" | grep '\\\\' && echo "$HOME"`;
    const isFile = (path: string): boolean => ['C:\\Git\\cmd\\git.exe', 'C:\\Git\\bin\\sh.exe'].includes(path);
    const start = windowsShellStart(line, { PATH: 'C:\\Git\\cmd' }, isFile);
    assert.equal(start.program, 'C:\\Git\\bin\\sh.exe');
    assert.deepEqual(Object.values(start.variables), [line]);
    assert.ok(!start.args.join(' ').includes('printf'));
    assert.equal(start.verbatim, false);
  });

  it('finds the programs of git where its sh does not put them on the path itself', () => {
    const isFile = (path: string): boolean =>
      ['C:\\msys64\\usr\\bin\\git.exe', 'C:\\msys64\\usr\\bin\\sh.exe'].includes(path);
    const { variables } = windowsShellStart('ls', { Path: 'X;C:\\msys64\\usr\\bin' }, isFile);
    assert.equal(variables['Path'], 'C:\\msys64\\usr\\bin;X;C:\\msys64\\usr\\bin');
  });

  it('is cmd.exe without one, with the line as it is', () => {
    const start = windowsShellStart('echo "a b" & exit 3', { comspec: 'C:\\W\\cmd.exe' }, () => false);
    assert.deepEqual(start, {
      program: 'C:\\W\\cmd.exe',
      args: ['/d', '/s', '/c', '"echo "a b" & exit 3"'],
      verbatim: true,
      variables: {},
    });
    assert.equal(windowsShellStart('x', {}, () => false).program, 'cmd.exe');
  });
});
