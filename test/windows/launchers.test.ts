import assert from 'node:assert/strict';
import { join } from 'node:path';
import { spawnAndWait } from '../cli/support/wt.ts';
import type { TestRepository } from '../support/tempRepo.ts';
import { gitShell, patience, windowsHome, type WindowsHome } from '../support/windows/home.ts';

describe('the launchers on Windows', () => {
  let home: WindowsHome;
  let repository: TestRepository;
  before(async () => {
    home = await windowsHome();
    repository = await home.repository();
    await home.done(repository.root, 'create', 'one');
  });
  after(() => home.dispose());

  const bin = (name: string): string => join(repository.root, '.worktrees', 'bin', name);

  it('start wt from cmd, with its arguments and its exit code', async () => {
    const cmd = (line: string) => home.command(repository.root, 'cmd.exe', `/d /s /c "${line}"`);
    const listed = await cmd(`"${bin('wt.cmd')}" list --porcelain`);
    assert.equal(listed.code, 0, listed.stderr);
    assert.match(listed.stdout, /^one\t/m);
    const refused = await cmd(`"${bin('wt.cmd')}" info "no such one"`);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /no such one/);
  });

  it('start wt from the sh of Git for Windows', async () => {
    const shell = await gitShell(home);
    const { code, stdout, stderr } = await spawnAndWait(
      shell,
      [bin('wt'), 'list', '--porcelain'],
      repository.root,
      home.variables,
      { patience },
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^one\t/m);
  });
});
