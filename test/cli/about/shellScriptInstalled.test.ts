import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertMatches } from '../support/schema.ts';
import { needsTerminal, skipBecause } from '../../support/skip.ts';
import { isInstalled, spawnAndWait, wtHome, wtProgram, type WtHome } from '../support/wt.ts';
import { shareOf } from '../../support/share.ts';

interface Change {
  readonly file: string;
  readonly change: string;
  readonly backup: string | null;
}

describe('the script of a shell that is installed', () => {
  let home: WtHome;
  let repository: TestRepository;
  before(async () => {
    home = await wtHome();
    repository = await home.repository();
    await repository.git('worktree', 'add', '--quiet', '-b', 'one', join(repository.root, '.worktrees', 'one'));
  });
  after(() => home.dispose());

  const start = process.platform === 'darwin' ? '.bash_profile' : '.bashrc';
  const at = (file: string): string => join(home.root, file);
  const done = async (...words: string[]): Promise<Change[]> => {
    const ran = await home.wt(home.root, ['shell-init', ...words, '--json'], {
      variables: { SHELL: '/usr/bin/bash' },
    });
    assertMatches('shell-init', ran.json());
    assert.equal(ran.code, 0, ran.stderr);
    return ran.json()['files'] as Change[];
  };
  const changes = (files: readonly Change[]): string[] => files.map(({ change }) => change);

  it('tell what was done to which file, and keep a copy', async () => {
    await writeFile(at(start), 'alias ll=ls\n');
    const ran = await home.done(home.root, 'shell-init', 'bash', '--install');
    assert.match(ran, /^wrote .*\bwt\.bash\nchanged .* \(before: .*\.before-wt\)\n$/);
    assert.deepEqual(changes(await done('--install')), ['unchanged', 'unchanged']);
    assert.deepEqual(changes(await done('--uninstall')), ['changed', 'removed']);
    assert.equal(await readFile(at(start), 'utf8'), 'alias ll=ls\n');
  });

  it('are refused for a shell that is not known, without one, and both ways at once', async () => {
    for (const words of [['tcsh', '--install'], ['--install', '--uninstall'], []])
      assert.equal((await home.wt(home.root, ['shell-init', ...words])).code, 2, words.join(' '));
    const ran = await home.wt(home.root, ['shell-init', '--install'], { variables: { SHELL: '/bin/tcsh' } });
    assert.match(ran.stderr, /use one of bash, zsh, fish/);
    assert.equal(existsSync(at('.tcshrc')), false);
  });

  it('print the folder of a worktree for wt cd, and leave the active one', async () => {
    const { root } = repository;
    assert.equal(await home.done(root, 'cd', 'one'), `${join(root, '.worktrees', 'one')}\n`);
    assert.equal(await home.done(join(root, '.worktrees', 'one'), 'cd'), `${root}\n`);
    assertMatches('cd', (await home.wt(root, ['cd', 'one', '--json'])).json());
    assert.equal((await home.wt(root, ['active'])).code, 1);
    await repository.git('worktree', 'add', '--quiet', '-b', 'gone', join(root, '.worktrees', 'gone'));
    await rm(join(root, '.worktrees', 'gone'), { recursive: true });
    const ran = await home.wt(root, ['cd', 'gone']);
    assert.deepEqual([ran.code, ran.stdout], [1, '']);
    assert.match(ran.stderr, /next: run `wt cleanup gone`/);
  });

  for (const shell of shareOf(['bash', 'zsh', 'fish'], 3)) {
    it(`take ${shell} to the folder, when typed at its prompt`, async function () {
      needsTerminal(this);
      if (!isInstalled(shell)) skipBecause(this, `${shell} is not installed`);
      await mkdir(at('bin'), { recursive: true });
      await writeFile(at('bin/wt'), `#!/bin/sh\nexec '${process.execPath}' '${wtProgram}' "$@"\n`, { mode: 0o755 });
      await done(shell, '--install');
      const pwd = (file: string): string => `command pwd > '${at(file)}'`;
      const typed = [
        'wt cd one',
        pwd('cd'),
        'wt cd',
        pwd('back'),
        'wt switch one',
        pwd('switch'),
        'wt cd nowhere',
        pwd('nowhere'),
        `wt cd > '${at('printed')}'`,
        pwd('goes'),
        'exit',
      ];
      const ran = await spawnAndWait(
        'script',
        ['-qec', `${shell} -i`, '/dev/null'],
        repository.root,
        { ...home.variables, ZDOTDIR: home.root, TERM: 'xterm', PATH: `${at('bin')}:${home.variables['PATH'] ?? ''}` },
        { input: typed.map((line) => `${line}\n`).join('') },
      );
      const read = async (file: string): Promise<string> =>
        readFile(at(file), 'utf8').catch(() => `no ${file}: ${ran.stdout}`);
      const one = join(repository.root, '.worktrees', 'one');
      const files = ['cd', 'back', 'switch', 'nowhere', 'printed', 'goes'];
      const found = await Promise.all(files.map(async (file) => (await read(file)).trimEnd()));
      assert.deepEqual(found, [one, repository.root, one, one, repository.root, repository.root], ran.stdout);
      await done(shell, '--uninstall');
    });
  }
});
