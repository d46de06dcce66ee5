import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertMatches } from '../support/schema.ts';
import { needsTerminal, skipBecause } from '../../support/skip.ts';
import { atTerminal, type TypedTerminal } from '../support/terminal.ts';
import { isInstalled, wtHome, wtProgram, type WtHome } from '../support/wt.ts';

describe('wt switch without a name', () => {
  let home: WtHome;
  let repository: TestRepository;
  const at = (name: string): string => join(repository.root, '.worktrees', name);
  before(async () => {
    home = await wtHome();
    repository = await home.repository();
    for (const name of ['login', 'search', 'odd $(touch pwned) one'])
      await repository.git('worktree', 'add', '--quiet', '-b', name.replaceAll(/\W+/g, '-'), at(name));
  });
  after(() => home.dispose());
  beforeEach(async () => {
    await home.wt(repository.root, ['active', '--clear']);
  });

  const active = async (): Promise<string> => (await home.wt(repository.root, ['active'])).stdout.trim();

  /** A path on which fzf is, or nothing but what every system has. */
  async function start(finder: boolean, variables: Readonly<Record<string, string>> = {}): Promise<TypedTerminal> {
    const folder = join(home.root, finder ? 'with' : 'without');
    await mkdir(folder, { recursive: true });
    if (!finder) {
      // It is on the path of the machine, and cannot run there.
      await writeFile(join(folder, 'fzf'), '#!/bin/sh\nexit 2\n');
      await chmod(join(folder, 'fzf'), 0o755);
    }
    return atTerminal([process.execPath, wtProgram, 'switch'], {
      cwd: repository.root,
      variables: {
        ...home.variables,
        ...variables,
        PATH: [folder, dirname(process.execPath), home.variables['PATH'] ?? ''].join(delimiter),
      },
    });
  }

  it('is refused where nobody can pick', async () => {
    const ran = await home.wt(repository.root, ['switch']);
    assert.equal(ran.code, 2);
    assert.match(ran.stderr, /no terminal to pick it in\.\nnext: name one: `wt switch <name>`/);
    assertMatches('failure', (await home.wt(repository.root, ['switch', '--json'])).json());
    assert.equal(await active(), '');
  });

  it('shows a list that what is typed makes shorter', async function () {
    needsTerminal(this);
    const terminal = await start(false);
    await terminal.type('sea', 'Switch to which worktree?');
    await terminal.type('\r', 'sea');
    assert.equal(await terminal.ended(), 0, terminal.screen());
    assert.match(terminal.screen(), /search is now the active worktree/);
    assert.equal(await active(), at('search'));
  });

  it('changes nothing when the list is left with Escape or Ctrl-C', async function () {
    needsTerminal(this);
    for (const key of ['\u001b', '\u0003']) {
      const terminal = await start(false);
      await terminal.type(key, 'login');
      assert.equal(await terminal.ended(), 130, terminal.screen());
      assert.match(terminal.screen(), /Nothing was picked/);
      assert.equal(await active(), '');
    }
  });

  it('asks by number on a terminal that cannot draw', async function () {
    needsTerminal(this);
    const terminal = await start(false, { TERM: 'dumb' });
    const number = (): string => /(\d)\) +login/.exec(terminal.screen())?.[1] ?? '';
    await terminal.type('', '[1-4]');
    await terminal.type(`${number()}\n`, '');
    assert.equal(await terminal.ended(), 0, terminal.screen());
    assert.equal(await active(), at('login'));
  });

  it('hands the list to fzf, with a preview, whatever the names are', async function () {
    needsTerminal(this);
    if (!isInstalled('fzf')) skipBecause(this, 'fzf is not installed');
    const terminal = await start(true);
    await terminal.type('pwned', 'wt switch');
    await terminal.type('\r', at('odd $(touch pwned) one'));
    assert.equal(await terminal.ended(), 0, terminal.screen());
    assert.equal(await active(), at('odd $(touch pwned) one'));
    const left = await start(true);
    await left.type('\u001b', 'wt switch');
    assert.equal(await left.ended(), 130, left.screen());
    assert.equal(await active(), at('odd $(touch pwned) one'));
  });
});
