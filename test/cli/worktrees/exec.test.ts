import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reserve } from '../../../src/core/operations/store.ts';
import { appears } from '../../support/appears.ts';
import { ended } from '../../support/ended.ts';
import type { TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { needsTerminal } from '../../support/skip.ts';
import { spawnAndWait, wtHome, wtProgram, type Ran, type RunOptions, type WtHome } from '../support/wt.ts';

describe('wt exec', () => {
  let home: WtHome;
  let repository: TestRepository;
  const path = (name: string): string => join(repository.root, '.worktrees', name);
  before(async () => {
    home = await wtHome();
    repository = await home.repository();
    // The stack a, b, c, and d beside it.
    for (const [name, base] of [
      ['a', 'main'],
      ['b', 'a'],
      ['c', 'b'],
      ['d', 'a'],
    ] as const)
      await home.done(repository.root, 'create', name, '--base', base);
  });
  after(() => home.dispose());
  let folder: string;
  beforeEach(async () => {
    folder = join(home.root, 'out');
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
  });

  const exec = (args: readonly string[], options: RunOptions = {}, from = repository.root): Promise<Ran> =>
    home.wt(from, ['exec', ...args], { ...options, variables: { OUT: folder, ...options.variables } });

  describe('in one worktree', () => {
    it('runs the command in its root, with its arguments, its input and its output as they are', async () => {
      const script = 'pwd; echo "$PWD"; printf "<%s>" "$@"; cat; echo told >&2';
      const input = 'é\0'.repeat(100_000);
      const ran = await exec(
        ['a', 'sh', '-c', script, 'x', ' b  c', '', '--json', '--', '-C', '*'],
        { input },
        path('b'),
      );
      assert.deepEqual([ran.code, ran.stderr], [0, 'told\n']);
      assert.equal(ran.stdout, `${path('a')}\n${path('a')}\n< b  c><><--json><--><-C><*>${input}`);
    });

    it('takes its own options before the command, and none behind it', async () => {
      const printed = async (...args: string[]): Promise<string> => {
        const ran = await home.wt(home.root, args);
        assert.equal(ran.code, 0, ran.stderr);
        return ran.stdout;
      };
      const { root } = repository;
      assert.equal(await printed('-C', root, 'exec', 'a', 'echo', '--all'), '--all\n');
      assert.equal(await printed('exec', '-C', root, 'a', '--', 'echo', '--', '--help'), '-- --help\n');
      assert.equal(await printed('exec', `-C${path('b')}`, '--', 'git', 'branch', '--show-current'), 'b\n');
      assert.equal(await printed('-C', root, 'exec', '@', 'git', 'rev-parse', '--show-toplevel'), `${root}\n`);
    });

    for (const [what, command, code, told] of [
      ['its own', ['sh', '-c', 'exit 7'], 7, /^$/],
      ['that of a signal', ['sh', '-c', 'kill -TERM $$'], 143, /^$/],
      ['127 for one that is not there', ['no-such-command'], 127, /^wt: There is no command no-such-command\.\nnext: /],
      ['127 for a line of the shell', ['npm run x'], 127, /next: .*`wt exec a -- sh -c 'npm run x'`/],
      ['127 for a file that is not there', ['./no-file'], 127, /\.\/no-file is not in .*a\.\n/],
      ['126 for one that is not executable', ['./plain'], 126, /not executable\.\nnext: .*chmod/],
      ['126 for a folder', ['/tmp'], 126, /\/tmp may not be run/],
      ['126 for one whose interpreter is not there', ['./script'], 126, /what its first line names/],
      ['127 for one without a name', [''], 127, /There is no command/],
    ] as const) {
      it(`ends with the exit code of the command: ${what}`, async () => {
        await writeFile(join(path('a'), 'plain'), 'exit 0\n');
        await writeFile(join(path('a'), 'script'), '#!/no/such/interpreter\n');
        await chmod(join(path('a'), 'script'), 0o755);
        const ran = await exec(['a', '--json', '--', ...command]);
        assert.match(ran.stderr, told);
        assertMatches('exec', ran.json());
        const [result] = ran.json()['results'] as Record<string, unknown>[];
        assert.deepEqual([ran.code, ran.json()['success'], result?.['exit_code']], [code, false, code]);
      });
    }

    it('leaves out the variables that tie git to another repository, and no others', async () => {
      const other = {
        GIT_DIR: '/x',
        GIT_WORK_TREE: '/y',
        GIT_INDEX_FILE: '/z',
        GIT_COMMON_DIR: '/x',
        GIT_PREFIX: 'p/',
      };
      const counted = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.bare', GIT_CONFIG_VALUE_0: 'true' };
      const kept = { GIT_AUTHOR_NAME: 'Ada', GIT_EDITOR: 'vi', EDITOR: 'ed', GIT_PAGER: 'cat' };
      const script = 'git rev-parse --show-toplevel; env | grep -E "^(GIT_|EDITOR|ELECTRON)" | sort';
      const variables = { ...other, ...counted, ...kept, ELECTRON_RUN_AS_NODE: '1' };
      const ran = await exec(['b', 'sh', '-c', script], { variables }, path('a'));
      const [top, ...lines] = ran.stdout.trim().split('\n');
      assert.equal(top, path('b'));
      const names = lines.map((line) => line.split('=')[0]);
      for (const name of Object.keys(kept)) assert.ok(names.includes(name), name);
      for (const name of [...Object.keys({ ...other, ...counted }), 'ELECTRON_RUN_AS_NODE'])
        assert.ok(!names.includes(name), name);
    });

    it('does not need a configuration that can be read', async () => {
      await repository.write('.worktrees.yml', 'checks: [');
      const ran = await exec(['a', 'echo', 'ran']);
      await rm(join(repository.root, '.worktrees.yml'));
      assert.deepEqual([ran.code, ran.stdout], [0, 'ran\n']);
      assert.match(ran.stderr, /\.worktrees\.yml/);
    });

    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const) {
      // What a shell starts in the background ignores SIGINT: it is ended all the same.
      it(`passes ${signal} on to everything that the command has started, and leaves nothing of it`, async () => {
        const script = 'sleep 600 & echo "$!" > "$OUT/pids.new"; mv "$OUT/pids.new" "$OUT/pids"; exec sleep 600';
        const ran = await exec(['a', 'sh', '-c', script], {
          onStart: (child) => void appears(join(folder, 'pids')).then(() => child.kill(signal)),
        });
        assert.deepEqual([ran.code, ran.signal], [code, null]);
        await ended(Number(await readFile(join(folder, 'pids'), 'utf8')));
      });
    }

    it('lets the command end in its own way', async () => {
      const script = `trap 'echo tidied; exit 5' TERM; : > "$OUT/ready"; while :; do sleep 0.05; done`;
      const ran = await exec(['a', 'sh', '-c', script], {
        onStart: (child) => void appears(join(folder, 'ready')).then(() => child.kill('SIGTERM')),
      });
      assert.deepEqual([ran.code, ran.stdout], [5, 'tidied\n']);
    });

    it('leaves the terminal to the command, and Ctrl-C as well', async function () {
      needsTerminal(this);
      const told = `trap 'echo interrupted; exit 9' INT; [ -t 0 ] && [ -t 1 ] && [ -t 2 ] && : > /dev/tty && echo ready; sleep 600 & wait`;
      const line = `exec '${process.execPath}' '${wtProgram}' exec a -- sh -c "${told}"`;
      const child = spawn('script', ['-qec', line, '/dev/null'], {
        cwd: repository.root,
        env: { ...home.variables, SHELL: '/bin/sh' },
      });
      let printed = '';
      child.stdout.on('data', (chunk: Buffer) => {
        const wasReady = printed.includes('ready');
        printed += chunk.toString('utf8');
        if (!wasReady && printed.includes('ready')) child.stdin.write('\u0003');
      });
      const [code] = (await once(child, 'close')) as [number];
      assert.deepEqual([code, printed.replaceAll(/\^C|\r/g, '')], [9, 'ready\ninterrupted\n']);
    });
  });

  it('passes SIGTERM on at a terminal, too, where the command shares our process group', async function () {
    needsTerminal(this);
    const script = 'sleep 600 & echo "$!" > "$OUT/new"; mv "$OUT/new" "$OUT/pid"; wait';
    const steps = [
      `'${process.execPath}' '${wtProgram}' exec a -- sh -c '${script}' & wt=$!`,
      'until test -e "$OUT/pid"; do sleep 0.05; done; kill -TERM $wt; wait $wt; echo ended $?',
    ];
    const line = steps.join('\n');
    const ran = await spawnAndWait('script', ['-qec', line, '/dev/null'], repository.root, {
      ...home.variables,
      SHELL: '/bin/sh',
      OUT: folder,
    });
    assert.match(ran.stdout, /ended 143/);
    await ended(Number(await readFile(join(folder, 'pid'), 'utf8')));
  });

  describe('in several', () => {
    it('prints whole lines with the name before each, and the exit codes last', async () => {
      const script = 'echo "$PWD"; printf "no end"; printf "warn\\n" >&2; test "${PWD##*/}" != b';
      const ran = await exec(['--all', '--', 'sh', '-c', script]);
      assert.equal(ran.code, 1);
      const lines = (name: string): string => `${name} | ${path(name)}\n${name} | no end\n`;
      assert.equal(ran.stdout, ['a', 'b', 'c', 'd'].map(lines).join(''));
      const table = ran.stderr.split('\n').filter((line) => !line.includes(' | '));
      assert.match(table.join('\n'), /^WORKTREE +EXIT CODE +TIME\na +0 +\d+ ms\nb +1 +\d+ ms\nc +0 .*\nd +0 .*\n$/);
      assert.match(ran.stderr, /^c \| warn$/m);
    });

    it('tears no line apart when many print at the same time', async () => {
      const script =
        'n=${PWD##*/}; l=$(printf "%0200d" 0 | tr 0 "$n"); for i in $(seq 400); do echo "$l"; done; printf "$l"';
      const ran = await exec(['--all', '--jobs', '4', 'sh', '-c', script], { variables: { FORCE_COLOR: '1' } });
      const lines = ran.stdout.trimEnd().split('\n');
      assert.equal(lines.length, 4 * 401);
      for (const line of lines) assert.match(line, /^\u001b\[3\dm([abcd]) \|\u001b\[39m \1{200}$/);
    });

    it('runs a stack from below, and nothing more after a failure', async () => {
      const script = 'echo "${PWD##*/}" >> "$OUT/order"; test "${PWD##*/}" != b';
      const ran = await exec(['b', '--stack', '--', 'sh', '-c', script]);
      assert.equal(ran.code, 1);
      assert.equal(await readFile(join(folder, 'order'), 'utf8'), 'a\nb\n');
      assert.match(ran.stderr, /^a +0 .*\nb +1 .*\nc +– +not run, because b failed$/m);
      const on = await exec(['--stack', 'c', '--keep-going', '--json', '--', 'sh', '-c', script]);
      assertMatches('exec', on.json());
      const results = on.json()['results'] as Record<string, unknown>[];
      assert.deepEqual(
        [on.code, results.map(({ name, exit_code: code }) => [name, code])],
        [
          1,
          [
            ['a', 0],
            ['b', 1],
            ['c', 0],
          ],
        ],
      );
      assert.equal(await readFile(join(folder, 'order'), 'utf8'), 'a\nb\na\nb\nc\n');
    });

    it('runs dependents of one base side by side, each after its base', async () => {
      const script = `
        n=\${PWD##*/}; touch "$OUT/$n.begun"
        wait_for() { i=0; until test -e "$OUT/$1"; do i=$((i + 1)); test $i -lt 400 || exit 3; sleep 0.05; done; }
        case $n in
          b) test -e "$OUT/a.done" && wait_for d.begun;;
          d) test -e "$OUT/a.done" && wait_for b.begun;;
          c) test -e "$OUT/b.done";;
        esac && touch "$OUT/$n.done"`;
      const ran = await exec(['a', '--stack', '--jobs', '3', 'sh', '-c', script]);
      assert.equal(ran.code, 0, ran.stderr);
    });

    it('stops all at the first signal, and starts nothing more', async () => {
      const script = 'n=${PWD##*/}; echo "$$" > "$OUT/$n.new"; mv "$OUT/$n.new" "$OUT/$n"; exec sleep 600';
      const ran = await exec(['--all', '--jobs', '2', '--json', 'sh', '-c', script], {
        onStart: (child) =>
          void Promise.all(['a', 'b'].map((name) => appears(join(folder, name)))).then(() => child.kill('SIGINT')),
      });
      assert.equal(ran.code, 130);
      const results = ran.json()['results'] as Record<string, unknown>[];
      assert.deepEqual(
        results.map(({ exit_code: code, signal, reason }) => [code, signal, reason]),
        [
          [130, 'SIGINT', null],
          [130, 'SIGINT', null],
          [null, null, 'not run, because it was stopped'],
          [null, null, 'not run, because it was stopped'],
        ],
      );
      for (const name of ['a', 'b']) await ended(Number(await readFile(join(folder, name), 'utf8')));
    });

    it('says once that a command is not there, and closes the pipe of one that nobody reads', async () => {
      const ran = await exec(['--all', 'no-such-command']);
      assert.equal(ran.code, 1);
      assert.equal(ran.stderr.match(/There is no command no-such-command\./g)?.length, 1);
      assert.match(ran.stderr, /^d +127 +\d+ ms +could not be started$/m);
      const line = `'${process.execPath}' '${wtProgram}' exec --all -- yes | head -n 1`;
      const piped = await spawnAndWait('/bin/sh', ['-c', line], repository.root, home.variables);
      assert.deepEqual([piped.code, piped.stdout], [0, 'a | y\n']);
    });
  });

  describe('where nothing can run', () => {
    it('says so of a folder that is gone or not its own, and runs in the others', async () => {
      await rename(path('d'), join(home.root, 'away'));
      try {
        const gone = await exec(['d', '--json', 'true']);
        assert.equal(gone.code, 1);
        assertFailure(gone.json(), 'not-found');
        assert.match(gone.stderr, /d has no folder to run in: there is none at .*d\.\nnext: bring its folder back/);
        await mkdir(path('d'));
        assert.match((await exec(['d', 'true'])).stderr, /what is at .*d is not its working tree/);
        const ran = await exec(['--all', 'echo', 'x']);
        assert.deepEqual([ran.code, ran.stdout], [1, 'a | x\nb | x\nc | x\n']);
        assert.match(ran.stderr, /^d +– +d has no folder to run in/m);
      } finally {
        await rm(path('d'), { recursive: true, force: true });
        await rename(join(home.root, 'away'), path('d'));
      }
    });

    it('says so of a worktree that another process is removing', async () => {
      const workspace = await testWorkspace(home, repository.root);
      const held = await reserve(workspace, 'cleanup', 'c', async () => ({}));
      const ran = await exec(['c', 'true']);
      await held.close();
      assert.deepEqual([ran.code, ran.stderr.split('\n')[0]], [1, 'wt: c is being removed.']);
    });

    it('takes no command line that it does not understand', async () => {
      for (const [args, told] of [
        [['a'], /There is no command to run\.\nnext: .*`wt exec <name> -- <command…>`/],
        [['--all'], /There is no command to run/],
        [['--', '--'], /There is no command -- *\.|no command to run/],
        [['a', '--all', 'true'], /--all excludes a name/],
        [['--all', '--stack', 'true'], /--all excludes/],
        [['a', '--jobs', '2', 'true'], /--jobs goes with --all or --stack/],
        [['--all', '--jobs', '0', 'true'], /--jobs takes a whole number from 1 on, not 0/],
        [['a', '--nope', 'true'], /Unknown option '--nope'/],
        [['nobody', 'true'], /There is no worktree named "nobody"/],
      ] as const) {
        const ran = await exec(args);
        assert.match(ran.stderr, told, args.join(' '));
        assert.ok(ran.code === 2 || ran.code === 127, args.join(' '));
      }
    });
  });
});
