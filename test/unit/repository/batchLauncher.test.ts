import assert from 'node:assert/strict';
import { batchHook, batchStart } from '../../../src/core/repository/batchLauncher.ts';

describe('launchers for cmd.exe', () => {
  const at = (runtime: string, program: string, variables: Record<string, string> = {}) => ({
    runtime,
    program,
    variables,
  });
  const plain = at('C:\\Program Files (x86)\\nodejs\\node.exe', 'C:\\a & b\\100%\\hook.js');

  for (const [title, text] of [
    ['wt', batchStart(plain)],
    ['a hook', batchHook(plain, ['--quick'])],
  ] as const) {
    it(`have no blocks that a bracket in a path would end, and every path between quotes: ${title}`, () => {
      assert.match(text, /^set "PROGRAM=C:\\a & b\\100%%\\hook\.js"\r$/m);
      assert.match(text, /^set "RUNTIME=C:\\Program Files \(x86\)\\nodejs\\node\.exe"\r$/m);
      for (const line of text.split('\r\n')) assert.doesNotMatch(line, /\($|^\)/, line);
      assert.doesNotMatch(text, /[^\r]\n/);
      for (const [, label] of text.matchAll(/goto (\w+)/g)) assert.ok(text.includes(`\r\n:${label}\r\n`), label);
    });
  }

  it('take a person’s folder from a variable, since such files are read in the code page of the console', () => {
    const person = { LocalAppData: 'C:\\Users\\José\\AppData\\Local', USERPROFILE: 'C:\\Users\\José' };
    const text = batchStart(
      at('c:\\users\\josé\\appdata\\local\\Programs\\Code.exe', 'C:\\Users\\José\\.vscode\\wt.js', person),
    );
    assert.match(text, /set "PROGRAM=%USERPROFILE%\\\.vscode\\wt\.js"\r/);
    assert.match(text, /set "RUNTIME=%LOCALAPPDATA%\\Programs\\Code\.exe"\r/);
    assert.match(text, /set "ELECTRON_RUN_AS_NODE=1"/);
    assert.doesNotMatch(text, /[^\x00-\x7f]|chcp/);
    assert.match(batchStart(at('C:\\node.exe', 'D:\\проект\\wt.js', person)), /^chcp 65001 >nul\r\nset "PROGRAM=D/m);
  });

  it('start a hook without what Node would obey before it, and deny whatever is not understood', () => {
    const text = batchHook(plain, ['--quick']);
    for (const line of ['set "NODE_OPTIONS="', 'set "NODE_EXTRA_CA_CERTS="', 'if not "%CODE%"=="0" goto failed'])
      assert.ok(text.includes(`${line}\r\n`), line);
    const exits = [...text.matchAll(/^exit \/b (\d)\r$/gm)].map(([, code]) => code);
    // The one 0 follows the answer.
    assert.deepEqual(exits.filter((code) => code === '0').length, 1);
    assert.match(text, /type "%ANSWER%"\r\nrmdir \/s \/q "%FOLDER%" 2>nul\r\nexit \/b 0\r/);
  });
});
