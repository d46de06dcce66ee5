import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, readFile, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { catalogue } from '../../../src/cli/definitions/catalogue.ts';
import { globalOptions } from '../../../src/cli/definitions/definition.ts';
import type { TestRepository } from '../../support/tempRepo.ts';
import { oldGit } from '../../support/oldGit.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { skipBecause } from '../../support/skip.ts';
import { spawnAndWait, wtHome, wtProgram, type WtHome } from '../support/wt.ts';
import { WtProcess } from '../support/wtProcess.ts';
import { shareOf } from '../../support/share.ts';

const root = resolve(import.meta.dirname, '../../..');

describe('the frame of wt', () => {
  let home: WtHome;
  let repository: TestRepository;
  /** For what each command is asked. */
  let program: WtProcess;
  before(async () => {
    home = await wtHome();
    repository = await home.repository();
    program = new WtProcess(join(dirname(wtProgram), 'wtProgram.js'), home.variables);
  });
  after(async () => {
    await program.stop();
    await home.dispose();
  });

  const said = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await program.run(home.root, args, '', 60_000);
    assert.deepEqual([code, stderr], [0, ''], args.join(' '));
    return stdout;
  };

  it('prints the version of the package', async () => {
    const { version } = JSON.parse(await readFile(resolve(root, 'package.json'), 'utf8')) as { version: string };
    const ran = await home.wt(home.root, ['--version']);
    assert.deepEqual([ran.code, ran.stdout, ran.stderr], [0, `${version}\n`, '']);
  });

  it('lists in its help every command that works, and none that is for machines', async () => {
    const help = await home.done(home.root, '--help');
    for (const { name, group } of catalogue) {
      assert.equal(new RegExp(`^  ${name}\\b`, 'm').test(help), group !== undefined, name);
    }
    assert.match(help, /Exit codes:\n {2}0 done, 1 not completed/);
  });

  const offered = catalogue.filter((each) => each.group !== undefined);
  for (const { name, options = [] } of offered) {
    it(`documents "wt ${name}" with its options in docs/cli.md`, async () => {
      const text = await readFile(resolve(root, 'docs/cli.md'), 'utf8');
      for (const words of [`wt ${name}`, ...options.map(({ syntax }) => syntax.split(' ')[0] ?? '')])
        assert.ok(text.includes(words), words);
    });
  }

  for (const { name, group, options = [], examples = [] } of shareOf(offered, 3)) {
    it(`explains "wt ${name}" with its options and an example`, async () => {
      assert.ok(group);
      const help = await said(...name.split(' '), '--help');
      for (const { syntax } of [...options, ...globalOptions]) assert.ok(help.includes(syntax), syntax);
      assert.ok(examples.length > 0);
      for (const [line] of examples) assert.ok(help.includes(line), line);
    });

    it(`publishes the schema of "wt ${name} --json"`, async () => {
      const schema = JSON.parse(await said('schema', ...name.split(' '))) as { title: string };
      assert.match(schema.title, new RegExp(`^wt ${name}`));
    });
  }

  it('prints schemas that need no second file', async () => {
    assert.doesNotMatch(await home.done(home.root, 'schema', 'list'), /definitions\.schema\.json/);
  });

  it('names all schemas, as JSON too', async () => {
    const ran = await home.wt(home.root, ['schema', '--json']);
    assertMatches('schema', ran.json());
    assert.deepEqual((ran.json()['schemas'] as string[]).join('\n'), (await home.done(home.root, 'schema')).trimEnd());
  });

  it('explains a command to `wt help` as well', async () => {
    assert.equal(await home.done(home.root, 'help', 'list'), await home.done(home.root, 'list', '--help'));
    const progress = await home.done(home.root, 'state', 'progress', '--help');
    assert.equal(await home.done(home.root, 'help', 'state', 'progress'), progress);
    assert.equal(await home.done(home.root, 'help'), await home.done(home.root, '--help'));
    assert.match((await home.wt(home.root, ['help', 'nope'])).stderr, /Unknown command 'nope'/);
  });

  it('says which command was probably meant', async () => {
    const ran = await home.wt(repository.root, ['creat', 'x']);
    assert.deepEqual([ran.code, ran.stdout], [2, '']);
    assert.equal(ran.stderr, "wt: Unknown command 'creat' (Did you mean create?)\nnext: see `wt --help`\n");
  });

  it('names our command where other tools call it otherwise, and knows the short names', async () => {
    for (const [typed, meant] of [
      ['delete', 'cleanup'],
      ['status', 'list'],
      ['continue', 'rebase --continue'],
    ] as const) {
      const ran = await home.wt(home.root, [typed, 'x']);
      assert.deepEqual([ran.code, ran.stderr], [2, `wt: Unknown command '${typed}'.\nnext: use \`wt ${meant}\`\n`]);
    }
    for (const [alias, name] of [
      ['ls', 'list'],
      ['new', 'create'],
      ['rm', 'cleanup'],
      ['remove', 'cleanup'],
      ['restack', 'rebase'],
    ] as const)
      assert.match(await home.done(home.root, alias, '--help'), new RegExp(`^Usage: wt ${name}\\|`), alias);
    assert.match(await home.done(home.root, 'create', '--help'), /^ {2}-b, --base <branch> /m);
  });

  it('takes an unknown option for a usage error, and says so in JSON when asked to', async () => {
    const ran = await home.wt(repository.root, ['list', '--colour', '--json']);
    assert.equal(ran.code, 2);
    assertFailure(ran.json(), 'usage');
    assert.match(ran.stderr, /^wt: Unknown option '--colour'.*\nnext: see `wt list --help`\n$/s);
  });

  it('takes a missing argument for a usage error', async () => {
    const ran = await home.wt(repository.root, ['merge']);
    assert.deepEqual([ran.code, ran.stdout], [2, '']);
    assert.match(ran.stderr, /Missing required argument 'name'/);
  });

  it('names the commands that a half one can be', async () => {
    const ran = await home.wt(repository.root, ['state']);
    assert.equal(ran.code, 2);
    assert.match(ran.stderr, /not complete.*\n.*\n {2}wt state context\n/);
  });

  it('says what is wrong outside of a repository, without a stack trace', async () => {
    for (const args of [['list'], ['create', 'x'], [], ['active'], ['state', 'context'], ['clean-tree']]) {
      const ran = await home.wt(home.root, args);
      assert.deepEqual([ran.code, ran.stdout], [2, ''], args.join(' '));
      assert.equal(
        ran.stderr,
        'wt: This is not inside a git repository.\nnext: change to a folder of the repository, or run `git init`\n',
      );
    }
  });

  it('runs in the folder that -C names, each relative to the one before', async () => {
    const context = await home.wt(home.root, ['-C', 'project', '-C', '.', 'state', 'context', '--json']);
    assert.equal(context.json()['worktree_root'], repository.root);
  });

  it('names a folder of -C that does not exist', async () => {
    const ran = await home.wt(home.root, ['list', '-C', 'nowhere', '--json']);
    assert.equal(ran.code, 2);
    assertFailure(ran.json(), 'not-found');
    assert.match(ran.stderr, /nowhere does not exist/);
  });

  it('tells git commands on standard error with --verbose, and only there', async () => {
    const [quiet, verbose] = [
      await home.wt(repository.root, ['list']),
      await home.wt(repository.root, ['list', '--verbose']),
    ];
    assert.equal(verbose.stdout, quiet.stdout);
    assert.equal(quiet.stderr.includes('[git]'), false);
    assert.match(verbose.stderr, /\[git\] .*worktree list/);
  });

  it('names a git that is missing', async () => {
    const ran = await home.wt(repository.root, ['list', '--json'], { variables: { PATH: '' } });
    assert.equal(ran.code, 2);
    assertFailure(ran.json(), 'no-git');
  });

  for (const [what, known] of [
    ['at its first question', 'never'],
    ['at a later one', 'rev-parse'],
  ] as const) {
    it(`names a git that is too old, and fails ${what}`, async () => {
      const lines = [
        '#!/bin/sh',
        `case "$*" in *${known}*) PATH="\${PATH#*:}" exec git "$@" ;; esac`,
        'case "$*" in *version) echo "git version 2.30.2"; exit 0 ;; esac',
        'echo "error: unknown switch" >&2',
        'exit 129',
        '',
      ];
      await repository.write(join(home.root, 'old', 'git'), lines.join('\n'));
      await chmod(join(home.root, 'old', 'git'), 0o755);
      const ran = await home.wt(repository.root, ['list', '--json'], {
        variables: { PATH: `${join(home.root, 'old')}:${process.env['PATH']}` },
      });
      assert.equal(ran.code, 2);
      assertFailure(ran.json(), 'old-git');
      assert.match(ran.stderr, /^wt: This git is 2\.30;.*\nnext: update git\n$/);
    });
  }

  it('says below which version of git what is missing', async () => {
    const variables = { PATH: `${dirname(oldGit)}:${process.env['PATH']}` };
    const told = await home.wt(repository.root, ['doctor'], { variables });
    assert.match(told.stderr, /^Below git 2\.39 \(this is 2\.38\) `wt predict`.*\.$/m);
    const { git } = (await home.wt(repository.root, ['doctor', '--json'], { variables })).json();
    assert.equal((git as { version: string }).version, '2.38');
    assert.equal((git as { missing: string[] }).missing.length, 1);
  });

  it('says that its folder was deleted under its feet', async function () {
    if (process.platform !== 'linux') skipBecause(this, 'only Linux lets a folder be deleted in which a process is');
    const script = `mkdir gone && cd gone && rmdir ../gone && exec '${process.execPath}' '${wtProgram}' list --json`;
    const ran = await spawnAndWait('sh', ['-c', script], home.root, home.variables);
    assert.equal(ran.code, 2);
    assertFailure(ran.json(), 'not-found');
    assert.equal(ran.stderr, 'wt: The current folder does not exist any more.\nnext: change to another folder\n');
  });

  it('can be started through a link', async () => {
    const link = join(home.root, 'wt-link');
    await symlink(wtProgram, link);
    const ran = await home.wt(repository.root, ['create', 'linked', '--json'], { program: link });
    assert.equal(ran.code, 0, ran.stderr);
    const launcher = await readFile(join(repository.root, '.worktrees', 'bin', 'wt'), 'utf8');
    assert.ok(launcher.includes(wtProgram), launcher);
    assert.equal((await home.wt(repository.root, ['cleanup', 'linked'], { program: link })).code, 0);
  });

  it('colours when told to, and not otherwise', async () => {
    const coloured = async (variables: Record<string, string>, ...more: string[]): Promise<boolean> =>
      (await home.wt(repository.root, ['list', ...more], { variables })).stdout.includes('\u001b[');
    assert.equal(await coloured({}), false);
    assert.equal(await coloured({ FORCE_COLOR: '1' }), true);
    assert.equal(await coloured({ FORCE_COLOR: '0' }), false);
    assert.equal(await coloured({ FORCE_COLOR: '1', NO_COLOR: '1' }), false);
    assert.equal(await coloured({ FORCE_COLOR: '1' }, '--no-color'), false);
  });

  it('survives a reader that closes the pipe', async () => {
    const child = spawn(process.execPath, [wtProgram, 'schema', 'list'], {
      env: home.variables,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stderr: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk.toString()));
    child.stdout.destroy();
    const code = await new Promise((ended) => child.once('close', ended));
    assert.deepEqual([code, stderr.join('')], [0, '']);
  });

  it('says where one is, and what to do next', async () => {
    const text = await home.done(repository.root);
    assert.match(text, /^repository {2}project, 0 worktrees beside the main one\nworktree {4}main, the main one\n/);
    assert.equal(text.split('Next\n')[1]?.trimEnd().split('\n').length, 3);
    const ran = await home.wt(repository.root, ['--json']);
    assertMatches('here', ran.json());
    assert.deepEqual([ran.json()['active'], (ran.json()['next'] as unknown[]).length], [null, 3]);
  });
});
