import assert from 'node:assert/strict';
import { inTurn, shellKindOf, startOf } from '../../../../src/extension/base/shellLine.ts';

describe('lines that are typed into a terminal', () => {
  for (const [program, kind] of [
    ['C:\\WINDOWS\\System32\\cmd.exe', 'cmd'],
    ['C:\\WINDOWS\\System32\\WindowsPowerShell\\v1.0\\powershell.exe', 'powershell'],
    ['C:\\Program Files\\PowerShell\\7\\pwsh.exe', 'pwsh'],
    ['/usr/local/bin/pwsh', 'pwsh'],
    ['C:\\Program Files\\Git\\bin\\bash.exe', 'posix'],
    ['/bin/zsh', 'posix'],
    ['', 'posix'],
  ] as const) {
    it(`are for the shell that terminals have: ${program}`, () => assert.equal(shellKindOf(program), kind));
  }

  it('start a program whatever is in its path', () => {
    const program = "C:\\Users\\O'Neil & Co\\claude.exe";
    assert.equal(startOf(program, 'cmd'), `"${program}"`);
    assert.equal(startOf(program, 'powershell'), "& 'C:\\Users\\O''Neil & Co\\claude.exe'");
    assert.equal(startOf(program, 'posix'), "'C:\\Users\\O'\\''Neil & Co\\claude.exe'");
  });

  it('run one command after the other as long as each goes well, also in the PowerShell of Windows', () => {
    const lines = ['npm ci', 'npm test', 'x'];
    for (const kind of ['posix', 'cmd', 'pwsh'] as const) assert.equal(inTurn(lines, kind), 'npm ci && npm test && x');
    assert.equal(inTurn(lines, 'powershell'), 'npm ci; if ($?) { npm test; if ($?) { x } }');
    assert.equal(inTurn(['npm ci'], 'powershell'), 'npm ci');
  });
});
