import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepository } from '../support/tempRepo.ts';
import { decisionOf, otherDrive, windowsHome, type WindowsHome } from '../support/windows/home.ts';

describe("Claude Code's hooks on Windows", () => {
  let home: WindowsHome;
  let repository: TestRepository;
  let one: string;
  before(async () => {
    home = await windowsHome();
    repository = await home.repository();
    one = join(repository.root, (await home.done(repository.root, 'create', 'one')).trim());
  });
  after(() => home.dispose());

  const call = (tool: string, input: object, cwd: string, more: object = {}): object => ({
    ...{ hook_event_name: 'PreToolUse', session_id: 's1', tool_use_id: 't1' },
    ...{ tool_name: tool, tool_input: input, cwd },
    ...more,
  });
  const slashes = (path: string): string => path.replaceAll('\\', '/');

  it('lead a session to its worktree, however the drive is written', async () => {
    for (const cwd of [repository.root, otherDrive(repository.root), slashes(otherDrive(repository.root))]) {
      const input = { hook_event_name: 'SessionStart', session_id: 's1', source: 'startup', cwd };
      const { stdout } = await home.hook(cwd, ['session-start'], input);
      assert.match(stdout, /one/, cwd);
    }
  });

  it('let an agent write inside its worktree only, however the path is written', async () => {
    const fileGuard = async (file: string, cwd = one): Promise<string> =>
      decisionOf(await home.hook(cwd, ['file-guard', one, 'one'], call('Write', { file_path: file }, cwd)));
    const inside = join(one, 'src', 'a.txt');
    for (const file of [inside, otherDrive(inside), slashes(inside), `${one}/src\\a.txt`, inside.toUpperCase()])
      assert.equal(await fileGuard(file), 'allow', file);
    const outside = join(repository.root, 'src', 'a.txt');
    for (const file of [outside, slashes(otherDrive(outside)), `${one}\\..\\..\\src/a.txt`, join(one, '.GIT')])
      assert.equal(await fileGuard(file), 'deny', file);
    assert.equal(await fileGuard(inside, otherDrive(one)), 'allow');
  });

  it('keep an agent from pushing, by whatever name git has', async () => {
    const bashGuard = async (command: string): Promise<string> =>
      decisionOf(await home.hook(one, ['bash-guard', one, 'one'], call('Bash', { command }, one)));
    for (const command of ['git.exe push', '"C:\\Program Files\\Git\\cmd\\git.exe" push', 'cmd //c "git push"'])
      assert.equal(await bashGuard(command), 'deny', command);
    assert.equal(await bashGuard('git.exe status'), 'none');
  });

  it('know the worktree of an agent by the name it was given', async () => {
    const worker = { agent_type: 'wt-one', agent_id: 'a1' };
    const guard = async (file: string): Promise<string> =>
      decisionOf(
        await home.hook(
          repository.root,
          ['guard'],
          call('Write', { file_path: file, content: '' }, otherDrive(repository.root), worker),
        ),
      );
    assert.equal(await guard(otherDrive(join(one, 'a.txt'))), 'allow');
    assert.equal(await guard(join(repository.root, 'a.txt')), 'deny');
  });

  it('make a worktree that Claude Code asks for, and name its folder', async () => {
    const cwd = otherDrive(repository.root);
    const input = { hook_event_name: 'WorktreeCreate', session_id: 's1', cwd, name: 'asked' };
    const { stdout } = await home.hook(cwd, ['worktree-create'], input);
    const made = join(repository.root, '.worktrees', 'asked');
    assert.equal(join(stdout.trim()).toLowerCase(), made.toLowerCase());
    assert.ok(existsSync(join(made, 'README.md')));
  });
});
