import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { needsTerminal } from '../../support/skip.ts';
import { repositoryForEach, spawnAndWait, wtProgram, type WtHome } from '../support/wt.ts';

describe('wt create', () => {
  let home: WtHome;
  let repository: TestRepository;
  let count: number;
  repositoryForEach((at) => ({ home, repository, count } = at));

  const registry = async (): Promise<Record<string, Record<string, unknown>>> =>
    (
      JSON.parse(await readFile(join(repository.root, '.worktrees', 'stack.json'), 'utf8')) as {
        worktrees: Record<string, Record<string, unknown>>;
      }
    ).worktrees;
  const at = (name: string): string => join(repository.root, '.worktrees', name);

  it('prints the relative path of the new worktree and nothing else', async () => {
    const ran = await home.wt(repository.root, ['create', 'feat-auth', '--task', 'Log in', '--work-id', 'T-7']);
    assert.deepEqual([ran.code, ran.stdout], [0, '.worktrees/feat-auth\n']);
    assert.equal(await repository.gitIn(at('feat-auth'), 'symbolic-ref', '--short', 'HEAD'), 'feat-auth');
    assert.equal(await repository.git('status', '--porcelain'), '');
    const { task, workId, base, baseCommit, createdBy } = (await registry())['feat-auth'] ?? {};
    assert.deepEqual(
      [task, workId, base, baseCommit, createdBy],
      ['Log in', 'T-7', 'main', await repository.git('rev-parse', 'main'), 'wt'],
    );
  });

  it('prints the agreed fields as JSON', async () => {
    const ran = await home.wt(repository.root, ['new', 'x', '--json']);
    assertMatches('create', ran.json());
    const { success, path, absolute_path, branch, created_at } = ran.json();
    assert.deepEqual([success, path, absolute_path, branch], [true, '.worktrees/x', at('x'), 'x']);
    assert.match(String(created_at), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('stacks on another worktree, which list and info then show', async () => {
    await home.done(repository.root, 'create', 'one');
    await home.done(at('one'), 'create', 'two');
    await home.done(repository.root, 'create', 'three', '--base', 'two');
    const { stack } = JSON.parse(await home.done(repository.root, 'info', 'three', '--json')) as { stack: string[] };
    assert.deepEqual(stack, ['main', 'one', 'two', 'three']);
  });

  it('makes it beside the others when it is called from a worktree or a subfolder', async () => {
    await home.done(repository.root, 'create', 'one');
    await mkdir(join(at('one'), 'deep'));
    assert.equal(await home.done(join(at('one'), 'deep'), 'create', 'two', '--base', 'main'), '.worktrees/two\n');
    await stat(join(at('two'), 'README.md'));
  });

  it('makes it in the submodule when it is called there', async () => {
    const parent = await home.repository(`parent-${count}`);
    await parent.git('submodule', '--quiet', 'add', repository.root, 'lib');
    await parent.git('commit', '--quiet', '-m', 'Add lib');
    const lib = join(parent.root, 'lib');
    await home.done(lib, 'create', 'inside');
    await stat(join(lib, '.worktrees', 'inside', 'README.md'));
    await assert.rejects(stat(join(parent.root, '.worktrees')), { code: 'ENOENT' });
  });

  it('makes it in a bare layout', async () => {
    const bare = join(home.root, `bare-${count}`);
    await mkdir(bare);
    await repository.git('clone', '--quiet', '--bare', repository.root, join(bare, '.bare'));
    await repository.write(join(bare, '.git'), 'gitdir: ./.bare\n');
    await repository.gitIn(bare, 'worktree', 'add', '--quiet', join(bare, 'main'), 'main');
    const ran = await home.wt(join(bare, 'main'), ['create', 'x', '--json']);
    assert.equal(ran.code, 0, ran.stderr);
    assert.equal(ran.json()['absolute_path'], join(bare, '.worktrees', 'x'));
  });

  it('works with leaked GIT_ variables, as inside of a git hook', async () => {
    const other = await home.repository(`other-${count}`);
    const ran = await home.wt(repository.root, ['create', 'x'], {
      variables: {
        GIT_DIR: join(other.root, '.git'),
        GIT_WORK_TREE: other.root,
        GIT_INDEX_FILE: join(other.root, '.git', 'index'),
        GIT_PREFIX: 'deep/',
      },
    });
    assert.equal(ran.code, 0, ran.stderr);
    assert.equal(await repository.git('branch', '--list', 'x', '--format=%(refname:short)'), 'x');
    assert.equal(await other.git('branch', '--list', 'x'), '');
  });

  it('lets hooks of git start programs as they are, also from an editor that runs it as Node', async () => {
    const seen = join(home.root, `seen-${count}`);
    const hook = join(repository.root, '.git', 'hooks', 'post-checkout');
    await writeFile(hook, `#!/bin/sh\nenv > '${seen}'\n`, { mode: 0o755 });
    const ran = await home.wt(repository.root, ['create', 'x'], { variables: { ELECTRON_RUN_AS_NODE: '1' } });
    assert.equal(ran.code, 0, ran.stderr);
    const variables = await readFile(seen, 'utf8');
    assert.match(variables, /^GIT_TERMINAL_PROMPT=0$/m);
    assert.doesNotMatch(variables, /ELECTRON_RUN_AS_NODE/);
  });

  it('keeps the spelling of a repository behind a link', async () => {
    const link = join(home.root, `link-${count}`);
    await symlink(repository.root, link);
    const ran = await home.wt(link, ['create', 'x', '--json'], { variables: { PWD: link } });
    assert.equal(ran.json()['absolute_path'], join(link, '.worktrees', 'x'));
    assert.match(await home.done(link, 'list', '--porcelain'), /^x\tx\t/);
  });

  for (const name of ['fix#12', "it's", 'ünïcode', 'a b', '日本語', '-dash', '@', 'x/y']) {
    it(`either makes ${JSON.stringify(name)} usable, or says which name would be`, async () => {
      const ran = await home.wt(repository.root, ['create', '--json', '--', name]);
      if (ran.code === 0) {
        const path = String(ran.json()['absolute_path']);
        assert.equal((await home.done(path, 'info', '--json')).includes(`"name": ${JSON.stringify(name)}`), true);
        await home.done(repository.root, 'cleanup', '--', name);
        await assert.rejects(stat(path), { code: 'ENOENT' });
      } else {
        assert.equal(ran.code, 2);
        assertFailure(ran.json(), 'invalid-name');
        assert.match(ran.stderr, /\nnext: /);
        assert.equal(await repository.git('branch', '--format=%(refname:short)'), 'main');
      }
    });
  }

  for (const [what, prepare, reason] of [
    ['a branch that is there', async () => repository.git('branch', 'taken'), 'taken'],
    ['a folder that is there', async () => repository.write('.worktrees/taken/file', 'x'), 'taken'],
    ['a namespace of branches', async () => repository.git('branch', 'taken/x'), 'taken'],
    ['a worktree of that name', async () => home.done(repository.root, 'create', 'taken'), 'taken'],
  ] as const) {
    it(`refuses ${what} before it touches anything`, async () => {
      await prepare();
      const [branches, worktrees] = [
        await repository.git('branch', '--list'),
        await repository.git('worktree', 'list', '--porcelain'),
      ];
      const ran = await home.wt(repository.root, ['create', 'taken', '--json']);
      assert.equal(ran.code, 2);
      assertFailure(ran.json(), reason);
      assert.equal(await repository.git('branch', '--list'), branches);
      assert.equal(await repository.git('worktree', 'list', '--porcelain'), worktrees);
    });
  }

  it('names the line of a broken configuration and changes nothing', async () => {
    await repository.write('.worktrees.yml', 'setup: "npm ci"\n');
    const ran = await home.wt(repository.root, ['create', 'x', '--json']);
    assert.equal(ran.code, 2);
    assertFailure(ran.json(), 'unreadable-file');
    assert.equal((ran.json()['error'] as { line: number }).line, 1);
    assert.equal(await repository.git('branch', '--list', 'x'), '');
    await assert.rejects(stat(join(repository.root, '.worktrees')), { code: 'ENOENT' });
  });

  it('names the line of a broken registry and leaves it as it is', async () => {
    await repository.write('.worktrees/stack.json', '{\n  "worktrees": {,\n}\n');
    const ran = await home.wt(repository.root, ['create', 'x', '--json']);
    assert.equal(ran.code, 2);
    assertFailure(ran.json(), 'unreadable-file');
    assert.equal((ran.json()['error'] as { line: number }).line, 2);
    assert.equal(
      await readFile(join(repository.root, '.worktrees', 'stack.json'), 'utf8'),
      '{\n  "worktrees": {,\n}\n',
    );
    assert.equal(await repository.git('branch', '--list', 'x'), '');
    assert.doesNotMatch(await repository.git('worktree', 'list'), /\/x /);
  });

  describe('and its setup commands', () => {
    beforeEach(() => repository.write('.worktrees.yml', 'setup:\n  - echo told && echo made > made.txt\n'));

    it('are named and not run without approval, and nothing is asked where nobody can answer', async () => {
      const ran = await home.wt(repository.root, ['create', 'x'], { input: 'y\ny\n' });
      assert.deepEqual([ran.code, ran.stdout], [0, '.worktrees/x\n']);
      assert.match(
        ran.stderr,
        /Not run, because you have not approved them: echo told .*\nnext: wt setup x --approve\n$/,
      );
      await assert.rejects(stat(join(at('x'), 'made.txt')), { code: 'ENOENT' });
      const setup = await home.wt(at('x'), ['setup', '--json']);
      assert.equal(setup.code, 1);
      assertMatches('setup', setup.json());
    });

    for (const [typed, made] of [
      ['y', true],
      ['', false],
      ['maybe', false],
    ] as const) {
      it(`are asked for on a terminal, where ${JSON.stringify(typed)} means ${made ? 'yes' : 'no'}`, async function () {
        needsTerminal(this);
        const line = `'${process.execPath}' '${wtProgram}' create asked > answer.txt`;
        const ran = await spawnAndWait('script', ['-qec', line, '/dev/null'], repository.root, home.variables, {
          input: `${typed}\n`,
        });
        assert.match(ran.stdout, /echo told .*\r\n.*\[y\/N\] /);
        assert.equal(await readFile(join(repository.root, 'answer.txt'), 'utf8'), '.worktrees/asked\n');
        assert.equal(
          await stat(join(at('asked'), 'made.txt')).then(
            () => true,
            () => false,
          ),
          made,
        );
      });
    }

    it('run once approved, in later worktrees too, until they change', async () => {
      await home.done(repository.root, 'create', 'x');
      const approved = await home.wt(repository.root, ['setup', 'x', '--approve', '--json']);
      assert.equal(approved.code, 0);
      assertMatches('setup', approved.json());
      assert.match(approved.stderr, /told\n/);
      assert.equal(await readFile(join(at('x'), 'made.txt'), 'utf8'), 'made\n');
      await home.done(repository.root, 'create', 'y');
      assert.equal(await readFile(join(at('y'), 'made.txt'), 'utf8'), 'made\n');
      await home.done(repository.root, 'create', 'z', '--no-setup');
      await assert.rejects(stat(join(at('z'), 'made.txt')), { code: 'ENOENT' });
      await repository.write('.worktrees.yml', 'setup:\n  - echo other\n');
      const changed = await home.wt(repository.root, ['create', 'w', '--json']);
      assert.equal((changed.json()['setup'] as { state: string }).state, 'unapproved');
    });

    it('take the worktree back when they fail, and say which one failed', async () => {
      await home.done(repository.root, 'create', 'x');
      await repository.write('.worktrees.yml', 'setup:\n  - echo about to fail; exit 3\n');
      assert.equal((await home.wt(repository.root, ['setup', 'x', '--approve'])).code, 1);
      const ran = await home.wt(repository.root, ['create', 'y', '--json']);
      assert.equal(ran.code, 1);
      assertFailure(ran.json(), 'setup-failed');
      assert.match(ran.stderr, /about to fail; exit 3/);
      await assert.rejects(stat(at('y')), { code: 'ENOENT' });
      assert.equal(await repository.git('branch', '--list', 'y'), '');
    });

    it('are taken back by Ctrl-C, which ends with 130', async () => {
      await repository.write('.worktrees.yml', 'setup:\n  - echo begun; sleep 60\n');
      await home.done(repository.root, 'create', 'x');
      const setup = home.wt(repository.root, ['setup', 'x', '--approve'], {
        onStart: (child) =>
          child.stderr?.on('data', (chunk: Buffer) => chunk.includes('begun') && child.kill('SIGINT')),
      });
      assert.equal((await setup).code, 130);
      const created = await home.wt(repository.root, ['create', 'y', '--json'], {
        onStart: (child) =>
          child.stderr?.on('data', (chunk: Buffer) => chunk.includes('begun') && child.kill('SIGTERM')),
      });
      assert.equal(created.code, 143, created.stderr);
      assertFailure(created.json(), 'cancelled');
      await assert.rejects(stat(at('y')), { code: 'ENOENT' });
      assert.equal(await repository.git('branch', '--list', 'y'), '');
      assert.equal((await registry())['y'], undefined);
    });
  });

  it('makes ten at once, and loses none', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `task-${index}`);
    const runs = await Promise.all(names.map((name) => home.wt(repository.root, ['create', name])));
    for (const [index, ran] of runs.entries())
      assert.deepEqual([ran.code, ran.stdout], [0, `.worktrees/task-${index}\n`], ran.stderr);
    assert.deepEqual(Object.keys(await registry()).sort(), names);
    assert.equal((await home.done(repository.root, 'list', '--porcelain')).trimEnd().split('\n').length, 10);
    const left = (await readdir(join(repository.root, '.git', 'worktree-stacks', 'operations'))).filter((file) =>
      file.endsWith('.json'),
    );
    assert.deepEqual(left, []);
  });

  it('gives a name to one of ten that want it', async () => {
    const runs = await Promise.all(
      Array.from({ length: 10 }, () => home.wt(repository.root, ['create', 'same', '--json'])),
    );
    const done = runs.filter((ran) => ran.code === 0);
    assert.equal(done.length, 1, runs.map((ran) => ran.stderr).join('\n'));
    for (const ran of runs.filter((each) => each.code !== 0)) {
      assertMatches('failure', ran.json());
      assert.ok(['taken', 'in-use'].includes((ran.json()['error'] as { reason: string }).reason), ran.stdout);
    }
    await stat(join(at('same'), 'README.md'));
  });

  it('commits a session file before it checks out', async () => {
    await repository.write('notes/mine.md', '# Session\n');
    const ran = await home.wt(join(repository.root, 'notes'), ['create', 'x', '--session', 'mine.md']);
    assert.equal(ran.code, 0, ran.stderr);
    assert.equal(await readFile(join(at('x'), 'agents', 'session.md'), 'utf8'), '# Session\n');
    assert.equal(await repository.gitIn(at('x'), 'status', '--porcelain'), '');
  });

  describe('a branch that is called like the worktree', () => {
    /** What is asked, and what becomes of the answer. */
    const asks = async (branch: string, typed: string, question: RegExp, commit: string | undefined): Promise<void> => {
      const line = `'${process.execPath}' '${wtProgram}' create ${branch}`;
      const ran = await spawnAndWait('script', ['-qec', line, '/dev/null'], repository.root, home.variables, {
        input: `${typed}\n`,
      });
      assert.match(ran.stdout, question);
      if (commit === undefined) assert.equal(existsSync(at(branch)), false);
      else
        assert.equal(
          await repository.gitIn(at(branch), 'rev-parse', 'HEAD'),
          await repository.git('rev-parse', commit),
        );
    };
    const work = async (message: string): Promise<string> =>
      repository.git('commit-tree', await repository.git('rev-parse', 'main^{tree}'), '-p', 'main', '-m', message);

    it('is asked about on a terminal where it is here', async function () {
      needsTerminal(this);
      await repository.git('branch', 'existing', await work('Work'));
      await asks(
        'existing',
        'n',
        /existing exists already\..*\[Y\/n\] [^]*There is a branch existing already/,
        undefined,
      );
      await asks('existing', '', /existing exists already\./, 'existing');
    });

    it('is asked about on a terminal where several remotes have different ones, and continued else', async function () {
      needsTerminal(this);
      for (const remote of ['one', 'two']) {
        await repository.git('remote', 'add', remote, `https://example.com/${remote}/demo.git`);
        for (const branch of ['mate', 'other', 'anew'])
          await repository.git('update-ref', `refs/remotes/${remote}/${branch}`, await work(remote));
      }
      const question = /Several remotes have a branch[^]*1\) continue one\/[^]*3\) start a new branch/;
      await asks('mate', '2', question, 'two/mate');
      await asks('anew', '3', question, 'main');
      const ran = await home.wt(repository.root, ['create', 'other']);
      assert.equal(ran.code, 1);
      assert.match(ran.stderr, /Several remotes have a branch other: one\/other, two\/other/);
      await repository.git('update-ref', '-d', 'refs/remotes/two/other');
      const continued = await home.wt(repository.root, ['create', 'other']);
      assert.match(
        continued.stderr,
        /Created worktree other on branch other, which continues one\/other \(based on main\)/,
      );
      assert.equal(await repository.git('rev-parse', '--abbrev-ref', 'other@{upstream}'), 'one/other');
    });
  });

  it('takes worktrees of other programs for what they are, and adopts them where they stand', async () => {
    await repository.git('worktree', 'add', '--quiet', '-b', 'agent-1', '.claude/worktrees/agent-1');
    await repository.git('worktree', 'add', '--quiet', '-b', 'agent-2', '../agent-2');
    const doctor = await home.wt(repository.root, ['doctor', '--json']);
    assertMatches('doctor', doctor.json());
    assert.deepEqual(
      [doctor.code, (doctor.json()['findings'] as { severity: string }[]).map(({ severity }) => severity)],
      [0, ['information']],
    );
    const one = await home.wt(join(repository.root, '.claude/worktrees/agent-1'), ['adopt', '--json']);
    assertMatches('adopt', one.json());
    assert.deepEqual([one.code, (one.json()['adopted'] as { name: string; base: string }[])[0]?.base], [0, 'main']);
    const all = await home.wt(repository.root, ['adopt', '--all']);
    assert.deepEqual([all.code, all.stdout], [0, 'agent-2\n'], all.stderr);
    assert.deepEqual(Object.keys(await registry()).sort(), ['agent-1', 'agent-2']);
    const twice = await home.wt(repository.root, ['adopt', 'agent-1']);
    assert.deepEqual([twice.code, twice.stdout], [1, '']);
    assert.match(twice.stderr, /in the registry already, based on main/);
    assert.match((await home.wt(repository.root, ['doctor'])).stderr, /No problems found/);
  });

  it('takes a name as a person types it', async () => {
    const ran = await home.wt(repository.root, ['create', 'Login: form “v2”']);
    assert.deepEqual([ran.code, ran.stdout], [0, '.worktrees/login-form-v2\n'], ran.stderr);
    assert.match(ran.stderr, /Created worktree Login: form “v2” on branch login-form-v2/);
    const list = await home.done(repository.root, 'list', '--porcelain');
    assert.match(list, /^login-form-v2\tlogin-form-v2\t/);
    await home.done(repository.root, 'switch', 'Login: form “v2”');
  });

  it('is not stopped by hooks that want a terminal, and tells what they say', async () => {
    await repository.write('.git/hooks/post-checkout', '#!/bin/sh\necho "hook says no" >&2\nexit 1\n');
    await chmod(join(repository.root, '.git/hooks/post-checkout'), 0o755);
    const ran = await home.wt(repository.root, ['create', 'x']);
    assert.ok(ran.code === 0 || ran.code === 1, ran.stderr);
    assert.match(ran.stderr, /hook says no|post-checkout/);
  });

  it('says with exit code 1 why a checkout fails, and the way out works', async () => {
    await repository.git('config', 'filter.lfs.clean', 'cat');
    await repository.git('config', 'filter.lfs.smudge', 'git-lfs-that-is-not-installed smudge');
    await repository.git('config', 'filter.lfs.required', 'true');
    await repository.commit('Large', { '.gitattributes': '*.bin filter=lfs\n', 'data.bin': 'pointer\n' });
    const ran = await home.wt(repository.root, ['create', 'z']);
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /git-lfs, .* is not installed[^]*GIT_LFS_SKIP_SMUDGE=1 wt create z/);
    assert.equal(await repository.git('branch', '--format=%(refname:short)'), 'main');
    const json = await home.wt(repository.root, ['create', 'z', '--json']);
    assert.equal(json.code, 1);
    assertFailure(json.json(), 'git-failed');
    const skipped = await home.wt(repository.root, ['create', 'z'], { variables: { GIT_LFS_SKIP_SMUDGE: '1' } });
    assert.deepEqual([skipped.code, skipped.stdout], [0, '.worktrees/z\n']);
    assert.equal(await readFile(join(at('z'), 'data.bin'), 'utf8'), 'pointer\n');
  });
});
