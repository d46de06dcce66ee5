import assert from 'node:assert/strict';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { quickStart } from '../../src/core/repository/launchers.ts';
import { spawnAndWait, type Ran } from '../cli/support/wt.ts';
import { pluginFolder } from '../support/claude/workplace.ts';
import { testHome, type TestHome, type TestRepository } from '../support/tempRepo.ts';

const dist = resolve(pluginFolder, '..', 'dist');
const guards = ['guard', 'file-guard', 'bash-guard'];

describe("the plugin's launcher", () => {
  let home: TestHome;
  let used: TestRepository;
  let unused: TestRepository;
  let worktree: string;
  let sibling: string;
  let plugin: string;
  before(async () => {
    home = await testHome({ bundles: true });
    used = await home.repository('used');
    unused = await home.repository('unused');
    worktree = join(used.root, '.worktrees', 'one');
    sibling = join(home.root, 'sibling');
    await used.git('worktree', 'add', '--quiet', '-b', 'one', worktree);
    await used.git('worktree', 'add', '--quiet', '-b', 'two', sibling);
    await used.write(
      '.worktrees/stack.json',
      JSON.stringify({ worktrees: { one: { path: worktree, branch: 'one', base: 'main' } } }),
    );
  });
  after(() => home.dispose());
  beforeEach(async () => {
    plugin = join(home.root, `plug'in "$(x)" #`);
    await rm(plugin, { recursive: true, force: true });
    await cp(pluginFolder, plugin, { recursive: true });
  });

  const start = (
    folder: string,
    args: readonly string[],
    variables: Record<string, string> = {},
    input = '{}',
  ): Promise<Ran> =>
    spawnAndWait(
      'sh',
      [join(plugin, 'bin', 'wt'), ...args],
      folder,
      { ...home.variables, WORKTREE_STACKS_NODE: process.execPath, ...variables },
      { input },
    );
  const bundle = async (text: string): Promise<void> => {
    await mkdir(join(plugin, 'dist'), { recursive: true });
    await writeFile(join(plugin, 'dist', 'hook.js'), text);
  };

  it('starts the program beside the plugin, or a level above it, from a folder with an odd name', async () => {
    await bundle('process.stdout.write(JSON.stringify({ beside: process.argv.slice(2) }))');
    assert.deepEqual((await start(home.root, ['hook', 'file-guard', 'a b', "it's"])).json(), {
      beside: ['file-guard', 'a b', "it's"],
    });
    await rm(join(plugin, 'dist'), { recursive: true });
    const above = join(home.root, 'dist');
    await cp(dist, above, { recursive: true });
    try {
      const version = (JSON.parse(await readFile(resolve(dist, '..', 'package.json'), 'utf8')) as { version: string })
        .version;
      assert.equal((await start(home.root, ['--version'])).stdout, `${version}\n`);
    } finally {
      await rm(above, { recursive: true });
    }
  });

  it('asks a guard once more, with all of its input, where a node does not know the option that makes it start faster', async () => {
    await bundle('process.stdin.on("data", (bytes) => process.stdout.write(bytes))');
    const node = join(plugin, 'node');
    const refusal = 'case $1 in --*) echo "node: bad option: $1" >&2; exit 9 ;; esac';
    await writeFile(node, `#!/bin/sh\n${refusal}\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
    const ran = await start(used.root, ['hook', 'bash-guard'], { WORKTREE_STACKS_NODE: node }, '{"all":"of it"}');
    assert.deepEqual([ran.code, ran.stdout], [0, '{"all":"of it"}\n']);
    const options = join(plugin, 'options');
    await bundle(`require("node:fs").writeFileSync(${JSON.stringify(options)}, process.execArgv.join());`);
    await start(used.root, ['hook', 'bash-guard']);
    assert.equal(await readFile(options, 'utf8'), quickStart.join());
  });

  it('hands the answer and exit codes 0 and 2 on', async () => {
    await bundle(
      'process.stdout.write("{}"); process.stderr.write("why\\n"); process.exitCode = Number(process.argv[3])',
    );
    const well = await start(used.root, ['hook', 'teammate-idle', '0']);
    assert.deepEqual([well.code, well.stdout, well.stderr], [0, '{}', 'why\n']);
    const blocked = await start(used.root, ['hook', 'teammate-idle', '2']);
    assert.deepEqual([blocked.code, blocked.stderr], [2, 'why\n']);
    assert.equal((await start(used.root, ['hook', 'guard', '2'])).code, 2);
  });

  for (const [what, text] of [
    ['is missing', undefined],
    ['is damaged', 'this is (not JavaScript'],
    ['ends with an error', 'process.exit(3)'],
    ['says what nobody understands', 'console.log("hello")'],
    ['gives half an answer', 'process.stdout.write("{\\"hookSpecificOutput\\":")'],
  ] as const) {
    describe(`when the program ${what}`, () => {
      beforeEach(async () => {
        if (text !== undefined) await bundle(text);
      });

      it('blocks the guards where there are worktrees', async () => {
        for (const folder of [worktree, sibling, used.root]) {
          for (const guard of guards) {
            const ran = await start(folder, ['hook', guard]);
            assert.deepEqual([ran.code, ran.stdout], [2, ''], `${guard} in ${folder}`);
            assert.match(ran.stderr, /Worktree Stacks blocked this call, because its guard could not check it: /);
          }
        }
      });

      it('blocks the guard in a folder that is a link into a worktree', async () => {
        await mkdir(join(worktree, 'deep'), { recursive: true });
        const link = join(unused.root, 'link');
        await rm(link, { force: true });
        await symlink(join(worktree, 'deep'), link);
        assert.equal((await start(link, ['hook', 'guard'], { PWD: link })).code, 2);
      });

      it('blocks the guard of a session that has left its worktree', async () => {
        assert.equal((await start('/', ['hook', 'guard'], { CLAUDE_PROJECT_DIR: worktree })).code, 2);
      });

      it('leaves a session alone that has nothing to do with worktrees', async () => {
        for (const folder of [unused.root, home.root, '/']) {
          const ran = await start(folder, ['hook', 'guard'], { CLAUDE_PROJECT_DIR: folder });
          assert.deepEqual([ran.code, ran.stdout], [0, ''], folder);
        }
      });

      it('breaks no session by its other hooks', async () => {
        for (const event of ['activity', 'task-completed']) {
          assert.equal((await start(worktree, ['hook', event])).code, 0, event);
        }
      });
    });
  }

  it('does not even start a runtime where there are no worktrees of ours', async () => {
    await bundle('process.stdout.write(JSON.stringify("started"))');
    for (const event of ['guard', 'activity']) {
      assert.equal((await start(unused.root, ['hook', event])).stdout, '', event);
    }
    assert.equal((await start(used.root, ['hook', 'activity'])).stdout, '"started"');
  });

  it('asks the program where a worktree leads nowhere, or its .git file is damaged', async () => {
    await bundle('process.stdout.write(JSON.stringify("started"))');
    const folder = join(home.root, 'stray');
    await mkdir(folder, { recursive: true });
    for (const [text, expected] of [
      ['gitdir: /gone/.git/worktrees/x\n', '"started"'],
      ['gitdir: ../gone/.git/worktrees/x\n', '"started"'],
      ['gitdir: C:\\gone\\.git\\worktrees\\x\n', '"started"'],
      ['', '"started"'],
      ['rubbish\n', '"started"'],
      ['gitdir: ../gone/.git/modules/lib\n', ''],
    ] as const) {
      await writeFile(join(folder, '.git'), text);
      assert.equal((await start(folder, ['hook', 'activity'])).stdout, expected, text);
    }
    await rm(folder, { recursive: true });
  });

  it('says that a worktree was not made', async () => {
    const ran = await start(used.root, ['hook', 'worktree-create']);
    assert.deepEqual([ran.code, ran.stdout], [1, '']);
    assert.match(ran.stderr, /hook\.js is missing/);
  });

  it('keeps from a hook what would end Node before it begins', async () => {
    await bundle('process.stdout.write(JSON.stringify([process.env.NODE_OPTIONS, process.env.NODE_EXTRA_CA_CERTS]))');
    const ran = await start(used.root, ['hook', 'activity'], {
      NODE_OPTIONS: '--require=/nonexistent',
      NODE_EXTRA_CA_CERTS: '/nonexistent',
    });
    assert.equal(ran.stdout, '[null,null]');
  });

  it('prefers the runtime that it was told of when it was installed', async () => {
    await bundle('process.stdout.write(JSON.stringify([process.execPath, process.env.ELECTRON_RUN_AS_NODE]))');
    await writeFile(join(plugin, 'runtime'), `${process.execPath}\n`);
    const ran = await start(used.root, ['hook', 'activity'], { WORKTREE_STACKS_NODE: '' });
    assert.equal(ran.stdout, JSON.stringify([process.execPath, '1']));
  });
});
