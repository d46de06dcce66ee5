import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../support/tempRepo.ts';
import { windowsHome, type WindowsHome } from '../support/windows/home.ts';

describe('many commands at once on Windows', () => {
  let home: WindowsHome;
  let repository: TestRepository;
  before(async () => {
    home = await windowsHome();
    repository = await home.repository();
    await home.done(repository.root, 'create', 'first');
  });
  after(() => home.dispose());

  it('all succeed, and no entry is lost', async () => {
    const made = ['a', 'b', 'c', 'd'];
    const commands = [
      ...made.map((name) => ['create', name]),
      ...[1, 2, 3].map(() => ['switch', 'first']),
      ...[1, 2, 3].map(() => ['list', '--json']),
    ];
    const ran = await Promise.all(commands.map((args) => home.wt(repository.root, args)));
    assert.deepEqual(
      ran.flatMap(({ code, stderr }, index) => (code === 0 ? [] : `${commands[index]?.join(' ')}: ${stderr}`)),
      [],
    );
    const registry = JSON.parse(await readFile(join(repository.root, '.worktrees', 'stack.json'), 'utf8')) as {
      worktrees: object;
    };
    assert.deepEqual(Object.keys(registry.worktrees).sort(), [...made, 'first'].sort());
    const listed = await repository.git('worktree', 'list', '--porcelain');
    for (const name of made) assert.match(listed, new RegExp(`/\\.worktrees/${name}$`, 'm'));
  });
});
