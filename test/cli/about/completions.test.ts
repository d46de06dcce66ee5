import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bashReply, splitBashLine } from '../../../src/cli/bashLine.ts';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertMatches } from '../support/schema.ts';
import { needsTerminal, skipBecause } from '../../support/skip.ts';
import { isInstalled, spawnAndWait, wtHome, wtProgram, type WtHome } from '../support/wt.ts';

describe('a bash line', () => {
  it('is taken apart as bash would, up to the cursor', () => {
    assert.deepEqual(splitBashLine('wt switch fe'), { before: ['switch'], current: 'fe', openQuote: '' });
    assert.deepEqual(splitBashLine('wt switch '), { before: ['switch'], current: '', openQuote: '' });
    assert.deepEqual(splitBashLine(`A=1 wt -C 'a b' info x\\ y "q z`), {
      before: ['-C', 'a b', 'info', 'x y'],
      current: 'q z',
      openQuote: '"',
    });
  });

  it('gets back only what bash will put in the place of its own last word, quoted', () => {
    const reply = (line: string, candidate: string): string => bashReply(candidate, splitBashLine(line), ' =:');
    assert.equal(reply('wt create --base=fe', '--base=feat'), 'feat');
    assert.equal(reply('wt switch fix', "fix it's"), "fix\\ it\\'s");
    assert.equal(reply("wt switch 'fix", 'fix it'), 'fix it');
    assert.equal(reply('wt switch 日', '日本'), '日本');
  });
});

describe('completions', () => {
  let home: WtHome;
  let repository: TestRepository;
  before(async () => {
    home = await wtHome();
    repository = await home.repository();
    await repository.git(
      'worktree',
      'add',
      '--quiet',
      '-b',
      'feat-auth',
      join(repository.root, '.worktrees', 'feat-auth'),
    );
    await repository.git(
      'worktree',
      'add',
      '--quiet',
      '-b',
      'odd',
      join(repository.root, '.worktrees', 'odd $(touch pwned) name'),
    );
    await repository.git('worktree', 'lock', '--reason', 'why', join(repository.root, '.worktrees', 'feat-auth'));
    await repository.git('branch', 'release-1');
    await mkdir(join(home.root, 'bin'));
    await writeFile(join(home.root, 'bin', 'wt'), `#!/bin/sh\nexec '${process.execPath}' '${wtProgram}' "$@"\n`);
    await chmod(join(home.root, 'bin', 'wt'), 0o755);
  });
  after(() => home.dispose());

  const fish = async (...words: string[]): Promise<string[]> => {
    const ran = await home.wt(repository.root, ['complete', 'fish', '--', ...words]);
    assert.deepEqual([ran.code, ran.stderr], [0, '']);
    return ran.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t')[0] ?? '');
  };

  it('name the commands, but not those for machines', async () => {
    const commands = await fish('');
    assert.ok(commands.includes('create') && commands.includes('state'));
    assert.equal(
      commands.some((each) => ['hook', 'complete', 'delete-trash'].includes(each)),
      false,
    );
    assert.deepEqual(await fish('state', ''), ['context', 'begin', 'progress', 'end', 'cleanup', 'db']);
    assert.deepEqual(await fish('state', 'db', ''), ['init', 'migrate', 'sync', 'query', 'status', 'install']);
  });

  it('answer PowerShell, whose word has a sign before it, since it may be empty', async () => {
    for (const [word, expected] of [
      ['=', 'feat-auth\tfeat-auth · locked: why'],
      ['=fe', 'feat-auth\tfeat-auth · locked: why'],
    ] as const) {
      const ran = await home.wt(repository.root, ['complete', 'powershell', '--', 'switch', word]);
      const told = ran.stdout.split('\n').find((line) => line.startsWith('feat-auth'));
      assert.equal(told, expected, ran.stdout);
    }
  });

  it('name worktrees where a command takes one', async () => {
    for (const words of [
      ['cleanup', 'x', ''],
      ['info', '--json', ''],
      ['path', '--worktree', ''],
    ]) {
      assert.deepEqual((await fish(...words)).sort(), ['feat-auth', 'odd $(touch pwned) name'], words.join(' '));
    }
  });

  it('offer the main working tree where one goes somewhere', async () => {
    for (const command of ['switch', 'cd'])
      assert.deepEqual((await fish(command, '')).sort(), ['^', 'feat-auth', 'odd $(touch pwned) name'], command);
  });

  it('name branches for --base, also behind an equals sign', async () => {
    assert.deepEqual((await fish('create', 'x', '--base', '')).sort(), ['feat-auth', 'main', 'odd', 'release-1']);
    assert.ok((await fish('create', '--base=re')).includes('--base=release-1'));
    assert.ok((await fish('create', 'x', '-b', '')).includes('release-1'));
  });

  it('name the options of the command at hand and those of all', async () => {
    const options = await fish('list', '-');
    assert.ok(options.includes('--porcelain') && options.includes('--json'));
    assert.equal(options.includes('--base'), false);
  });

  it('leave paths to the shell', async () => {
    assert.deepEqual(await fish('add-commit', ''), [':file']);
    assert.deepEqual(await fish('list', '-C', ''), [':folder']);
  });

  it('name what can follow `wt exec`: a worktree, then a command, then what that takes', async () => {
    assert.deepEqual((await fish('exec', '')).sort(), ['feat-auth', 'odd $(touch pwned) name']);
    assert.ok((await fish('exec', 'feat-auth', '-')).includes('--stack'));
    for (const words of [['feat-auth'], ['feat-auth', '--'], ['--all'], ['--'], ['--all', '--jobs', '2', '--']])
      assert.deepEqual(await fish('exec', ...words, ''), [':program'], words.join(' '));
    for (const words of [
      ['feat-auth', 'git', '-'],
      ['--all', 'git', ''],
      ['--', 'git', 'log', '--'],
    ])
      assert.deepEqual(await fish('exec', ...words), [':file'], words.join(' '));
  });

  it('offer what a new worktree can be made of, and ask no server for it', async () => {
    const other = await home.repository('begun');
    await other.git('branch', 'spare');
    await other.git('worktree', 'add', '--quiet', '-b', 'taken', join(other.root, '.worktrees', 'taken'));
    for (const branch of ['spare', 'main', 'team/mate'])
      await other.git('update-ref', `refs/remotes/origin/${branch}`, 'main');
    await mkdir(join(other.root, 'agents'));
    await writeFile(join(other.root, 'agents/session.md'), '# Session\n\n## Pending Tasks\n\n- [ ] **Write docs**\n');
    const known = join(other.root, '.git/worktree-stacks');
    await mkdir(known, { recursive: true });
    const pull = { number: 7, title: 'Fix\na typo', branch: 'fix', base: 'main', fork: 'alice', draft: true };
    const cache = { version: 1, asked: 1, pulls: [pull, { number: 'broken' }] };
    await writeFile(join(known, 'open-pull-requests.json'), JSON.stringify(cache));
    const ran = await home.wt(other.root, ['complete', 'fish', '--', 'create', '']);
    assert.deepEqual(ran.stdout.trimEnd().split('\n'), [
      'spare\tStart',
      'team/mate\tcontinues origin/team/mate',
      'pr:7\tFix a typo, from alice, draft',
      '--task=Write docs\ta task of the session file',
    ]);
    const bash = await home.wt(other.root, ['complete', 'bash', '--', 'wt create pr:', ' =:']);
    assert.equal(bash.stdout.trim(), '7');
    await writeFile(join(known, 'open-pull-requests.json'), '{');
    const without = await home.wt(other.root, ['complete', 'fish', '--', 'create', '']);
    assert.doesNotMatch(without.stdout, /pr:/);
    assert.match(without.stdout, /^spare/);
  });

  it('have nothing to say about a new name, and outside of a repository', async () => {
    assert.deepEqual(await fish('rename', 'feat-auth', ''), []);
    const ran = await home.wt(home.root, ['complete', 'fish', '--', 'switch', '']);
    assert.deepEqual([ran.code, ran.stdout, ran.stderr], [0, '', '']);
  });

  it('refuse a shell that they do not know', async () => {
    const ran = await home.wt(repository.root, ['shell-init', 'tcsh']);
    assert.equal(ran.code, 2);
    assert.match(ran.stderr, /use one of bash, zsh, fish/);
  });

  it('are given as JSON too', async () => {
    const ran = await home.wt(repository.root, ['completions', 'bash', '--json']);
    assertMatches('shell-init', ran.json());
  });

  for (const { shell, args, setup } of [
    { shell: 'bash', args: '--norc --noprofile -i', setup: undefined },
    {
      shell: 'zsh',
      args: '-i',
      setup: ['.zshrc', 'autoload -Uz compinit; compinit -u\nsource <(wt shell-init zsh)\n'],
    },
    { shell: 'fish', args: '-i', setup: ['.config/fish/config.fish', 'wt shell-init fish | source\n'] },
  ] as const) {
    it(`work in ${shell}, typed at its prompt`, async function () {
      needsTerminal(this);
      if (!isInstalled(shell)) skipBecause(this, `${shell} is not installed`);
      if (setup) {
        await mkdir(join(home.root, setup[0], '..'), { recursive: true });
        await writeFile(join(home.root, setup[0]), setup[1]);
      }
      // The first command leads the shell elsewhere.
      const at = (file: string): string => `'${join(repository.root, file)}'`;
      // Tabs as a person types them: a command, a worktree, an odd name that must stay a name, an option, a branch behind `=`, a file.
      const typed = [
        shell === 'bash' ? 'eval "$(wt shell-init bash)"' : '',
        `wt swit\tfeat-\t> ${at('switch.txt')}`,
        `wt path --worktree odd\t READ\t> ${at('path.txt')}`,
        `wt list --porc\t> ${at('list.txt')}`,
        `wt create --base=relea\t ${shell} --json > ${at('create.txt')}`,
        'exit',
      ];
      const ran = await spawnAndWait(
        'script',
        ['-qec', `${shell} ${args}`, '/dev/null'],
        repository.root,
        {
          ...home.variables,
          ZDOTDIR: home.root,
          TERM: 'xterm',
          PATH: `${join(home.root, 'bin')}:${home.variables['PATH'] ?? ''}`,
        },
        { input: typed.map((line) => `${line}\n`).join('') },
      );
      const written = async (file: string): Promise<string> =>
        readFile(join(repository.root, file), 'utf8').catch(() => `no ${file}; the terminal showed:\n${ran.stdout}`);
      assert.equal(await written('switch.txt'), `${join(repository.root, '.worktrees', 'feat-auth')}\n`);
      assert.equal(
        await written('path.txt'),
        `${join(repository.root, '.worktrees', 'odd $(touch pwned) name', 'README.md')}\n`,
      );
      assert.match(await written('list.txt'), /^feat-auth\tfeat-auth\t/m);
      assert.match(await written('create.txt'), /"base": "release-1"/);
      await assert.rejects(readFile(join(repository.root, 'pwned')), { code: 'ENOENT' });
    });
  }
});
