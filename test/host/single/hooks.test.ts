import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { environmentOf } from '../../../src/core/base/environment.ts';
import { userConfigurationFile } from '../../../src/core/repository/userHooks.ts';
import { extensionUnderTest, folderOfWindow } from '../../support/hostWindow.ts';

describe('the hooks of the user', () => {
  const file = userConfigurationFile(environmentOf(process));
  const out = join(dirname(file), 'hooks-of-the-test.txt');
  const run = (command: string, argument: object): Thenable<unknown> =>
    vscode.commands.executeCommand(`worktreeStacks.${command}`, { ask: false, ...argument });

  before(async () => {
    await extensionUnderTest();
    await mkdir(dirname(file), { recursive: true });
    const say = `echo "$WT_HOOK $WT_NAME" >> ${JSON.stringify(out)}`;
    const events = ['after_create', 'before_merge', 'after_merge', 'before_remove', 'after_remove'];
    await writeFile(file, `hooks:\n${events.map((event) => `  ${event}: '${say}'\n`).join('')}`);
  });
  after(async () => {
    await rm(file);
    await rm(out, { force: true });
  });

  it('run around what is done in VS Code', async () => {
    await run('create', { name: 'sorrel', base: 'main', then: 'stay' });
    await run('cleanup', { worktree: 'sorrel' });
    assert.equal(existsSync(join(folderOfWindow(), '.worktrees/sorrel')), false);
    assert.deepEqual((await readFile(out, 'utf8')).trim().split('\n'), [
      'after_create sorrel',
      'before_remove sorrel',
      'after_remove sorrel',
    ]);
  });
});
