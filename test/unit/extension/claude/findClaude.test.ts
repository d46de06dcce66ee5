import assert from 'node:assert/strict';
import { findClaude } from '../../../../src/extension/claude/findClaude.ts';

describe('where Claude Code is on Windows', () => {
  const variables = {
    Path: 'C:\\tools;;C:\\npm',
    PATHEXT: '.COM;.EXE;.CMD',
    UserProfile: 'C:\\Users\\me',
    APPDATA: 'C:\\Users\\me\\Roaming',
  };
  const find = (...files: string[]) =>
    findClaude({ variables, platform: 'win32' }, 'powershell', (path) =>
      Promise.resolve(files.some((file) => file.toLowerCase() === path.toLowerCase())),
    );

  it('is on the path first, with any of its endings', async () => {
    assert.deepEqual(await find('C:\\npm\\claude.cmd', 'C:\\Users\\me\\.local\\bin\\claude.exe'), {
      program: 'C:\\npm\\claude.CMD',
      command: 'claude',
    });
  });

  for (const program of [
    'C:\\Users\\me\\.local\\bin\\claude.exe',
    'C:\\Users\\me\\.claude\\local\\claude.exe',
    'C:\\Users\\me\\Roaming\\npm\\claude.cmd',
  ]) {
    it(`is where its installers put it, and is started by its path: ${program}`, async () => {
      assert.deepEqual(await find(program), { program, command: `& '${program}'` });
    });
  }

  it('is nowhere', async () => assert.equal(await find('C:\\elsewhere\\claude.exe'), undefined));
});
