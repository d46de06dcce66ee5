import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shellWord } from '../../../src/core/base/quoted.ts';
import type { TestRepository } from '../../support/tempRepo.ts';
import { atTerminal } from '../support/terminal.ts';
import { needsTerminal, skipBecause } from '../../support/skip.ts';
import { isInstalled, spawnAndWait, wtHome, wtProgram, type Ran, type WtHome } from '../support/wt.ts';
import { shareOf } from '../../support/share.ts';

/** A folder that means much to a shell, and nothing where it is only passed on. */
const odd = '-n $(touch pwned) `touch pwned`; touch pwned\n"two" \'lines\' *~ é';

/** What a person may have in their profile, before the line of wt. */
const profiles = {
  bash: `shopt -s expand_aliases; set -euo pipefail; set -o noclobber
alias wt='wt --no-color' rm=false mktemp=false read=false
cd() { echo overridden; return 3; }
eval "$(command wt shell-init bash)"; eval "$(command wt shell-init bash)"
`,
  zsh: `setopt aliases err_exit no_unset pipe_fail no_clobber auto_pushd
alias wt='wt --no-color' rm=false mktemp=false read=false
cd() { echo overridden; return 3 }
eval "$(command wt shell-init zsh)"; eval "$(command wt shell-init zsh)"
`,
  fish: `function cd; echo overridden; return 3; end
command wt shell-init fish | source; command wt shell-init fish | source
`,
} as const;

/** The same in all shells, but for how a variable gets the output of a command, and what runs on its own. */
const steps = (shell: keyof typeof profiles, oddPath: string): string => {
  const fish = shell === 'fish';
  const here = (label: string): string => `printf '%s=%s\\0' ${label} "$PWD"`;
  const failing = (line: string): string =>
    fish ? `${line}; printf 'code=%s\\0' $status` : `code=0; ${line} || code=$?; printf 'code=%s\\0' "$code"`;
  const quiet = '2>/dev/null >/dev/null';
  return [
    `wt create one ${quiet}`,
    here('create'),
    `wt switch - ${quiet}`,
    here('back'),
    `wt switch - ${quiet}`,
    here('forth'),
    `wt switch ^ ${quiet}`,
    here('main'),
    `wt switch - ${quiet}`,
    `wt switch @ ${quiet}`,
    failing(`wt switch nowhere ${quiet}`),
    here('refused'),
    fish ? 'set answer (wt cd one)' : 'answer=$(wt cd one)',
    `printf 'captured=%s\\0' "$answer"`,
    ...(fish ? [] : [here('captured'), `(wt cd one >/dev/null; ${here('inside')})`]),
    ...(fish ? [`wt cd @ ${quiet}`] : []),
    `command wt switch one ${quiet}`,
    `wt switch one --no-cd ${quiet}`,
    here('stays'),
    `wt cd ${shellWord(oddPath)} >/dev/null`,
    here('odd'),
    // Its own streams and code, and nothing of the file for what it runs.
    `printf 'piped\\n' | wt exec one -- sh -c 'printf "%s,%s\\0" "$(cat)" "\${WT_CD_FILE-none}"'`,
    failing(`wt exec one -- sh -c 'exit 7'`),
    `command mkdir -p ${shellWord(join(oddPath, 'deep'))}; builtin cd -- ${shellWord(join(oddPath, 'deep'))}`,
    `wt cleanup one ${quiet}`,
    here('elsewhere'),
    `wt cleanup . ${quiet}`,
    here('removed'),
  ].join('\n');
};

describe('wt shell-init', () => {
  let home: WtHome;
  let repository: TestRepository;
  let temp: string;
  let count = 0;
  before(async () => {
    home = await wtHome();
    await mkdir(join(home.root, 'bin'));
    await writeFile(join(home.root, 'bin', 'wt'), `#!/bin/sh\nexec '${process.execPath}' '${wtProgram}' "$@"\n`, {
      mode: 0o755,
    });
    temp = join(home.root, "temp 'files'");
    await mkdir(temp);
  });
  after(() => home.dispose());
  beforeEach(async () => {
    repository = await home.repository(`project ${++count}`);
  });

  const variables = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
    ...home.variables,
    PATH: `${join(home.root, 'bin')}:${home.variables['PATH'] ?? ''}`,
    TMPDIR: temp,
    ...more,
  });
  const run = async (shell: string, script: string, more?: Readonly<Record<string, string>>): Promise<Ran> => {
    const file = join(home.root, `script.${shell}`);
    await writeFile(file, script);
    return spawnAndWait(shell, [...(shell === 'zsh' ? ['-f'] : []), file], repository.root, variables(more));
  };

  for (const shell of shareOf(['bash', 'zsh', 'fish'] as const, 3)) {
    it(`leads ${shell} to what is made, chosen and left, whatever the folders and the profile are`, async function () {
      if (!isInstalled(shell)) skipBecause(this, `${shell} is not installed`);
      const { root } = repository;
      const oddPath = join(root, '.worktrees', odd);
      await repository.git('worktree', 'add', '--quiet', '-b', 'odd', oddPath);
      const ran = await run(shell, `${profiles[shell]}${steps(shell, oddPath)}`);
      const one = join(root, '.worktrees', 'one');
      const fish = shell === 'fish';
      assert.deepEqual(
        ran.stdout.split('\0'),
        [
          `create=${one}`,
          `back=${root}`,
          `forth=${one}`,
          `main=${root}`,
          'code=2',
          `refused=${root}`,
          `captured=${one}`,
          ...(fish ? [] : [`captured=${root}`, `inside=${one}`]),
          `stays=${root}`,
          `odd=${oddPath}`,
          'piped,none',
          'code=7',
          `elsewhere=${join(oddPath, 'deep')}`,
          `removed=${root}`,
          '',
        ],
        ran.stderr,
      );
      assert.deepEqual([ran.code, ran.stderr], [0, '']);
      assert.deepEqual(await readdir(temp), []);
      assert.equal(existsSync(join(root, 'pwned')) || existsSync(join(oddPath, 'pwned')), false);
    });

    it(`leaves ${shell} alone for an agent, and without a place for the file`, async function () {
      if (!isInstalled(shell)) skipBecause(this, `${shell} is not installed`);
      const script = `${profiles[shell]}wt create one 2>/dev/null\nprintf '%s\\n' "$PWD"\n`;
      const agent = await run(shell, script, { CLAUDECODE: '1' });
      assert.deepEqual([agent.stdout, agent.code], [`.worktrees/one\n${repository.root}\n`, 0]);
      await home.done(repository.root, 'cleanup', 'one');
      const homeless = await run(shell, script, { TMPDIR: join(home.root, 'nowhere') });
      assert.deepEqual([homeless.stdout, homeless.code], [`.worktrees/one\n${repository.root}\n`, 0]);
      assert.deepEqual(await readdir(temp), []);
    });
  }

  it('writes into nothing but the empty file of a shell', async () => {
    const file = join(home.root, 'mine');
    await writeFile(file, 'mine\n');
    const ran = await home.wt(repository.root, ['cd'], { variables: { WT_CD_FILE: file } });
    assert.equal(ran.code, 0);
    assert.match(ran.stderr, /Your shell could not be told where to go; `cd .*` goes there\./);
    const none = await home.wt(repository.root, ['cd'], { variables: { WT_CD_FILE: join(home.root, 'none') } });
    assert.deepEqual([none.code, existsSync(join(home.root, 'none'))], [0, false]);
  });

  it('says once that a shell can follow, at a terminal only', async function () {
    needsTerminal(this);
    const hint = /shell-init --install/;
    const create = async (name: string): Promise<string> => {
      const start = { cwd: repository.root, variables: variables({ SHELL: '/bin/bash' }) };
      const terminal = atTerminal(['env', 'SHELL=/bin/bash', 'wt', 'create', name], start);
      assert.equal(await terminal.ended(), 0, terminal.screen());
      return terminal.screen();
    };
    assert.doesNotMatch((await home.wt(repository.root, ['create', 'zero'])).stderr, hint);
    assert.match(await create('one'), hint);
    assert.doesNotMatch(await create('two'), hint);
  });

  it('quotes nothing of a path in PowerShell, and keeps to literal paths', async () => {
    const script = await home.done(repository.root, 'shell-init', 'pwsh');
    assert.match(script, /Set-Location -LiteralPath \$wtTo\b/);
    assert.match(script, /Remove-Item -LiteralPath \$wtFile\b/);
    assert.doesNotMatch(script, /Invoke-Expression|\biex\b|(?<!Get)-Command\b/);
    assert.equal(script, await home.done(repository.root, 'shell-init', 'powershell'));
  });
});
