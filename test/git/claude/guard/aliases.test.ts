import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { guardCommand } from '../../../../src/core/claude/guard/bashGuard.ts';
import { aliasesOf } from '../../../../src/core/claude/guard/gitAliases.ts';
import { testHome, type TestHome, type TestRepository } from '../../../support/tempRepo.ts';
import { commandCases } from '../../../unit/claude/guard/cases.ts';

const execute = promisify(execFile);

suite('the shell guard and the aliases of a repository', () => {
  let home: TestHome;
  let repository: TestRepository;

  setup(async () => {
    home = await testHome();
    repository = await home.repository();
  });
  teardown(() => home.dispose());

  const decide = async (command: string, cwd = repository.root): Promise<string> => {
    const input = { cwd, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } };
    const environment = { variables: home.variables, milliseconds: () => 0 };
    const permission = await guardCommand(input, { path: repository.root, branch: 'main' }, environment);
    return permission.kind === 'none' ? 'none' : JSON.stringify(permission);
  };

  for (const row of commandCases().filter(({ setup }) => setup !== undefined)) {
    test(`${row.expect} (${row.id}): ${row.command} after ${row.setup}`, async () => {
      await execute('sh', ['-eu', '-c', row.setup!], { cwd: repository.root, env: home.variables });
      assert.match(await decide(row.command), new RegExp(`"kind":"${row.expect}"`));
    });
  }

  test('an alias of the user’s own configuration counts', async () => {
    await repository.git('config', '--global', 'alias.up', '!git fetch && git rebase');
    assert.match(await decide('git up'), /`git fetch` in the git alias up/);
  });

  test('an alias that reads passes, and so does a word that is none', async () => {
    await repository.git('config', 'alias.st', 'status -sb');
    assert.equal(await decide('git st && git nothing-of-that-name'), 'none');
  });

  test('an alias is found from a subfolder and through -C', async () => {
    await repository.git('config', 'alias.p', 'push');
    await mkdir(join(repository.root, 'sub'));
    assert.match(await decide('git p', join(repository.root, 'sub')), /deny/);
    assert.match(await decide(`git -C ${repository.root} p`, home.root), /deny/);
    assert.match(await decide(`cd ${repository.root} && git p`, home.root), /deny/);
  });

  test('a configuration that git cannot read denies', async () => {
    await repository.write('.git/config', '[alias\n');
    assert.match(await decide('git p'), /could not check/);
  });

  test('a folder that is not there has no aliases', async () => {
    const lookUp = aliasesOf(home.variables);
    assert.equal(await lookUp('p', join(home.root, 'gone')), undefined);
  });
});
