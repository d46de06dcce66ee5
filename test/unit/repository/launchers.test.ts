import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf, type Environment } from '../../../src/core/base/environment.ts';
import type { Repository } from '../../../src/core/repository/identity.ts';
import { launchersFor, quickStart, writeLaunchers, type Programs } from '../../../src/core/repository/launchers.ts';
import { skipBecause } from '../../support/skip.ts';

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('launchers', () => {
  let root: string;
  let repository: Repository;
  let programs: Programs;
  let environment: Environment;
  before(function () {
    if (process.platform === 'win32') skipBecause(this, 'the launchers of Windows are tried in the windows lane');
  });
  beforeEach(async () => {
    // A path with everything that a shell could stumble over.
    root = join(await mkdtemp(join(tmpdir(), 'wt-test-')), `it's "$HOME" \`x\` %PATH% \\ ü`);
    await mkdir(root);
    repository = { mainRoot: root, commonDir: join(root, '.git'), bare: false, name: 'project' };
    programs = { wt: join(root, 'dist', 'wt.js'), hook: join(root, 'dist', 'hook.js') };
    environment = environmentOf(process);
    await mkdir(join(root, 'dist'));
    await writeFile(
      programs.wt,
      'console.log(JSON.stringify(process.argv.slice(2))); process.exit(Number(process.env.CODE ?? 0));',
    );
    await hook('process.stdin.pipe(process.stdout);');
  });
  afterEach(() => rm(join(root, '..'), { recursive: true }));

  const hook = (text: string): Promise<void> => writeFile(programs.hook, text);

  /** Runs a launcher as a shell or Claude Code does. */
  function run(
    name: string,
    args: string[],
    options: { input?: string; variables?: Record<string, string> } = {},
  ): Promise<Ran> {
    return new Promise((resolve) => {
      const child = execFile(
        join(root, '.worktrees', name),
        args,
        { env: { PATH: process.env['PATH'], ...options.variables } },
        (failure, stdout, stderr) => resolve({ code: failure ? Number(failure.code) : 0, stdout, stderr }),
      );
      child.stdin?.on('error', () => undefined).end(options.input ?? '');
    });
  }

  it('start wt with every argument as it is, and hand its exit code on', async () => {
    await writeLaunchers(environment, repository, programs);
    const args = ['create', "it's", '"x y"', '$HOME', '*', ''];
    const { code, stdout } = await run('bin/wt', args, { variables: { CODE: '1' } });
    assert.deepEqual(JSON.parse(stdout), args);
    assert.equal(code, 1);
  });

  it('hand a hook its input, and its answer on', async () => {
    await writeLaunchers(environment, repository, programs);
    assert.deepEqual(await run('hooks/run', ['file-guard'], { input: '{"a": "\\n"}\n' }), {
      code: 0,
      stdout: '{"a": "\\n"}\n',
      stderr: '',
    });
  });

  it('let a hook without an answer pass, unless one is needed', async () => {
    await hook('');
    await writeLaunchers(environment, repository, programs);
    assert.deepEqual(await run('hooks/run', ['bash-guard']), { code: 0, stdout: '', stderr: '' });
    const needed = await run('hooks/run', ['--must-answer', 'file-guard']);
    assert.equal(needed.code, 2);
    assert.equal(needed.stdout, '');
    assert.match(needed.stderr, /no answer, so nothing is allowed/);
  });

  it('turn whatever goes wrong in a hook into a denial, and print no half answer', async () => {
    await writeLaunchers(environment, repository, programs);
    for (const text of [
      'process.stdout.write("{\\"decision\\": \\"allow\\"}"); throw new Error("late");',
      'process.stdout.write("{}"); process.exit(1);',
      'process.kill(process.pid, "SIGKILL");',
      'syntax error here',
    ]) {
      await hook(text);
      const { code, stdout, stderr } = await run('hooks/run', ['file-guard']);
      assert.deepEqual([code, stdout], [2, ''], text);
      assert.match(stderr, /so nothing is allowed/);
    }
  });

  it('hand on what a hook says when it denies by itself', async () => {
    await hook('process.stderr.write("outside the worktree\\n"); process.exit(2);');
    await writeLaunchers(environment, repository, programs);
    assert.deepEqual(await run('hooks/run', []), { code: 2, stdout: '', stderr: 'outside the worktree\n' });
  });

  it('deny and say what to do when the program is gone', async () => {
    await writeLaunchers(environment, repository, programs);
    await rm(join(root, 'dist'), { recursive: true });
    for (const name of ['bin/wt', 'hooks/run']) {
      const { code, stdout, stderr } = await run(name, []);
      assert.deepEqual([code, stdout], [2, ''], name);
      assert.match(stderr, /is missing; reinstall Worktree Stacks/);
    }
  });

  it('find another node when the recorded runtime is gone, and deny when there is none', async () => {
    await writeLaunchers({ ...environment, runtime: join(root, 'gone', 'node') }, repository, programs);
    const bin = join(root, 'bin');
    await mkdir(bin);
    const variables = { PATH: bin };
    for (const name of ['bin/wt', 'hooks/run']) {
      const none = await run(name, ['x'], { variables });
      assert.deepEqual([none.code, none.stdout], [2, ''], name);
      assert.match(none.stderr, /no JavaScript runtime was found/);
    }
    await symlink(process.execPath, join(bin, 'node'));
    assert.equal((await run('bin/wt', ['x'], { variables })).stdout, '["x"]\n');
    assert.equal((await run('hooks/run', [], { variables, input: '{}' })).stdout, '{}\n');
  });

  it('start a hook without the option that a node does not know, with all of its input', async () => {
    const seen = join(root, 'seen');
    const node = join(root, 'node');
    const refusal = 'case $1 in --*) echo "node: bad option: $1" >&2; exit 9 ;; esac';
    await writeFile(node, `#!/bin/sh\necho "$1" >>"$SEEN"\n${refusal}\nexec '${process.execPath}' "$@"\n`);
    await chmod(node, 0o755);
    await writeLaunchers({ ...environment, runtime: node }, repository, programs);
    const variables = { SEEN: seen };
    const { code, stdout } = await run('hooks/run', [], { variables, input: '{"all":"of it"}' });
    assert.deepEqual([code, stdout], [0, '{"all":"of it"}\n']);
    assert.deepEqual((await readFile(seen, 'utf8')).trimEnd().split('\n'), [quickStart[0], programs.hook]);
    await hook('process.exit(9);');
    assert.deepEqual((await run('hooks/run', [], { variables })).code, 2);
  });

  it('tell a runtime that is an editor’s to be one, and only that', async () => {
    await writeFile(programs.wt, 'console.log(process.env.ELECTRON_RUN_AS_NODE ?? "no");');
    await writeLaunchers(environment, repository, programs);
    assert.equal((await run('bin/wt', [])).stdout, 'no\n');
    const editor = join(root, 'Code Helper');
    await writeFile(editor, `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
    await chmod(editor, 0o755);
    await writeLaunchers({ ...environment, runtime: editor }, repository, programs);
    assert.equal((await run('bin/wt', [])).stdout, '1\n');
  });

  it('are written only when they are not as they should be', async () => {
    const files = launchersFor(environment, repository, programs).map(({ file }) => file);
    assert.deepEqual((await writeLaunchers(environment, repository, programs)).sort(), [...files].sort());
    assert.deepEqual(await writeLaunchers(environment, repository, programs), []);
    const [wt = ''] = files;
    await chmod(wt, 0o644);
    assert.deepEqual(await writeLaunchers(environment, repository, programs), [wt]);
    assert.equal((await stat(wt)).mode & 0o777, 0o755);
    const updated = { ...programs, wt: join(root, 'dist', 'wt-2.js') };
    await copyFile(programs.wt, updated.wt);
    assert.equal((await writeLaunchers(environment, repository, updated)).length, 2);
    assert.match(await readFile(wt, 'utf8'), /wt-2\.js/);
  });

  it('for Windows quote the paths and double their percent signs', async () => {
    const text =
      launchersFor(environment, repository, programs).find(({ file }) => file.endsWith('wt.cmd'))?.text ?? '';
    assert.match(text, /set "PROGRAM=[^\r\n]*%%PATH%%[^\r\n]*wt\.js"\r\n/);
    assert.doesNotMatch(text, /[^\r]\n/);
  });
});
