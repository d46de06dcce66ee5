import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, lstat, mkdir, readFile, readdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestRepository } from '../support/tempRepo.ts';
import { assertFailure } from './support/schema.ts';
import { hookProgram, wtHome, wtProgram, type WtHome } from './support/wt.ts';
import { WtProcess, type Answer } from './support/wtProcess.ts';
import { shareOf } from '../support/share.ts';

describe('links and files where wt keeps its folders', function () {
  this.timeout(300_000);
  let home: WtHome;
  /** Hundreds of runs, in one process. */
  let program: WtProcess;
  let count = 0;
  let repository: TestRepository;
  let root: string;
  before(async () => {
    home = await wtHome();
    program = new WtProcess(join(dirname(wtProgram), 'wtProgram.js'), home.variables);
  });
  beforeEach(async () => {
    repository = await home.repository(`${++count}/project`);
    root = repository.root;
  });
  after(async () => {
    await program.stop();
    await home.dispose();
  });

  const wt = (...args: string[]): Promise<Answer> => program.run(root, args, '', 120_000);
  const done = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await wt(...args);
    assert.equal(code, 0, `wt ${args.join(' ')} ended with ${code}:\n${stderr}\n${stdout}`);
    return stdout;
  };
  const json = ({ stdout }: Answer): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;
  const status = (): Promise<string> => repository.git('status', '--porcelain', '--untracked-files=all');
  const put = async (place: string, what: (path: string) => unknown): Promise<void> => {
    const path = join(root, place);
    await mkdir(dirname(path), { recursive: true });
    await rm(path, { recursive: true, force: true });
    await what(path);
  };
  /** What a worktree goes through. */
  const life = async (): Promise<void> => {
    await done('create', 'one');
    const path = (await done('active')).trim();
    await repository.commit('One', { 'one.txt': 'one\n' }, path);
    for (const args of [
      ['list', '--json'],
      ['info', 'one'],
      ['switch', 'one'],
      ['check-ignore'],
      ['doctor'],
      ['rebase', 'one', '--offline'],
      ['merge', 'one'],
      ['cleanup', 'one'],
      ['undo'],
      ['cleanup', 'one'],
    ])
      await done(...args);
    assert.equal((await wt('active')).code, 1);
  };

  for (const [what, place, target, committed] of shareOf(
    [
      ['.claude/agents, committed', '.claude/agents', '../.agents/agents', true],
      ['.claude, committed', '.claude', '.agents', true],
      ['.claude to a folder of the person’s own', '.claude', '../elsewhere', false],
      ['.claude/agents to a folder of the person’s own', '.claude/agents', '../../elsewhere', false],
      ['.worktrees to another folder of the repository', '.worktrees', 'trees', false],
      ['.worktrees to another folder of the repository, committed', '.worktrees', 'trees', true],
      ['.worktrees/hooks', '.worktrees/hooks', '../launchers', false],
      ["git's worktree-stacks", '.git/worktree-stacks', '../../elsewhere', false],
      ["git's info", '.git/info', '../../elsewhere', false],
    ] as const,
    3,
  )) {
    it(`works through a link: ${what}`, async () => {
      for (const folder of ['.agents/agents', 'trees', 'launchers', '../elsewhere'])
        await mkdir(join(root, folder), { recursive: true });
      await put(place, (path) => symlink(target, path));
      if (!committed) await repository.write('.git/info/exclude', '/launchers/\n/.claude\n/.claude/agents\n');
      if (committed) await repository.commit('Link', { '.agents/agents/mine.md': 'mine\n', 'trees/.gitkeep': '' });
      await life();
      assert.equal(await status(), '');
      assert.equal(await readlink(join(root, place)), target);
    });
  }

  it('ignores what is written through a link that is committed, in the worktrees too', async () => {
    await mkdir(join(root, '.claude'));
    await symlink('../.agents/agents', join(root, '.claude/agents'));
    await repository.commit('Link', { '.agents/agents/mine.md': 'mine\n' });
    await done('create', 'x');
    assert.match(await readFile(join(root, '.git/info/exclude'), 'utf8'), /^\/\.agents\/agents\/wt-\*\.md$/m);
    assert.equal(existsSync(join(root, '.agents/agents/wt-x.md')), true);
    assert.equal(existsSync(join(root, '.worktrees/x/.agents/agents/wt-x.md')), true);
    assert.equal(await status(), '');
    assert.equal(await repository.gitIn(join(root, '.worktrees/x'), 'status', '--porcelain'), '');
    assert.equal((await wt('doctor')).code, 0);
  });

  const strange: readonly (readonly [what: string, make: (path: string) => unknown])[] = [
    ['a file', (path) => writeFile(path, 'mine\n')],
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
    ['a link to nothing', (path) => symlink('../not-there', path)],
    ['a link to itself', (path) => symlink(path, path)],
  ];
  const ours = ['.worktrees', '.worktrees/hooks', '.claude', '.claude/agents', '.git/worktree-stacks', '.git/info'];
  for (const [index, place] of shareOf([...ours.entries()], 3)) {
    // Each place with half of the kinds, each kind with half of the places.
    for (const [what, make] of strange.filter((_, kind) => (kind + index) % 2 === 0)) {
      it(`makes nothing where ${place} is ${what}, and says so`, async () => {
        await put(place, make);
        const before = await traces();
        const ran = await wt('create', 'x', '--json');
        assert.equal(ran.code, 1, ran.stderr);
        assertFailure(json(ran), ...reasonOf(ran));
        const { message, next, file } = json(ran)['error'] as Record<string, string>;
        assert.ok(message?.includes(join(root, place)), message);
        assert.ok(next?.includes(place), next);
        assert.equal(file?.startsWith(join(root, place)), true);
        assert.deepEqual(await traces(), before);
        const doctor = await wt('doctor', '--json');
        assert.equal(doctor.code, 1);
        assert.ok(JSON.stringify(json(doctor)['findings']).includes(join(root, place)), doctor.stdout);
        for (const args of [['list'], ['check-ignore'], ['active', '--clear']]) {
          const other = await wt(...args);
          assert.ok(
            other.code === 0 || other.code === 1,
            `wt ${args.join(' ')} ended with ${other.code}: ${other.stderr}`,
          );
        }
      });
    }
  }
  const reasonOf = (ran: Answer): [string] => [(json(ran)['error'] as { reason: string }).reason];
  const traces = async (): Promise<unknown> => ({
    branches: await repository.git('for-each-ref', '--format=%(refname)'),
    worktrees: await repository.git('worktree', 'list', '--porcelain'),
    folders: (await readdir(root)).sort(),
    claude: await readdir(join(root, '.claude')).catch(() => 'none'),
    git: (await readdir(join(root, '.git'))).sort(),
  });

  for (const [place, target] of shareOf(
    [
      ['.claude', '../elsewhere'],
      ['.claude/agents', '../../elsewhere'],
    ] as const,
    2,
  )) {
    it(`writes nothing through a committed link that leads out of the repository: ${place}`, async () => {
      const elsewhere = join(dirname(root), 'elsewhere');
      await mkdir(elsewhere);
      await put(place, (path) => symlink(target, path));
      await repository.commit('Link', {});
      for (const args of [
        ['create', 'x', '--json'],
        ['switch', '@', '--json'],
      ]) {
        const ran = await wt(...args);
        assert.equal(ran.code, 1, ran.stderr);
        assertFailure(json(ran), 'outside-repository');
        assert.match(ran.stderr, /is a committed link that leads out of the repository\.\nnext: /);
      }
      assert.deepEqual(await readdir(elsewhere), []);
      assert.equal(await repository.git('branch', '--list', 'x'), '');
      assert.match((await wt('doctor')).stdout, /is a committed link that leads out/);
    });
  }

  it('refuses worktrees behind a link that leads out of the repository, and names the setting for that', async () => {
    await mkdir(join(dirname(root), 'disk'));
    await symlink('../disk', join(root, '.worktrees'));
    const ran = await wt('create', 'x', '--json');
    assert.equal(ran.code, 1);
    assertFailure(json(ran), 'outside-repository');
    assert.match((json(ran)['error'] as { next: string }).next, /location_pattern/);
    assert.deepEqual(await readdir(join(dirname(root), 'disk')), []);
    await rm(join(root, '.worktrees'));
    await repository.write('.worktrees.yml', `worktree: { location_pattern: "${dirname(root)}/disk/{slug}" }\n`);
    assert.match(await done('create', 'x'), /disk\/x/);
  });

  it('denies in guards what cannot be judged, and lets other hooks pass', async () => {
    await done('create', 'x');
    const path = join(root, '.worktrees', 'x');
    const moved = join(dirname(root), 'moved');
    await cp(path, moved, { recursive: true });
    const input = JSON.stringify({
      hook_event_name: 'PreToolUse',
      cwd: moved,
      tool_name: 'Write',
      tool_input: { file_path: join(root, 'README.md'), content: 'x' },
    });
    for (const place of ['.worktrees', '.worktrees/stack.json']) {
      for (const [what, make] of [...strange, ['a folder', (at: string) => mkdir(at)] as const]) {
        if (place === '.worktrees' && what === 'a folder') continue;
        const kept = `${root}.kept`;
        await rename(join(root, place), kept);
        await make(join(root, place));
        for (const event of ['guard', 'teammate-idle', 'session-start', 'activity']) {
          const ran = await home.wt(moved, [event], { program: hookProgram, input });
          const denied = ran.code === 2 || ran.stdout.includes('"permissionDecision":"deny"');
          assert.equal(
            denied,
            event === 'guard',
            `${event}, ${place} is ${what}: ${ran.code} ${ran.stdout} ${ran.stderr}`,
          );
          if (event !== 'guard') assert.equal(ran.code, 0);
        }
        if ((await lstat(join(root, place))).isDirectory()) await rm(join(root, place), { recursive: true });
        else await rm(join(root, place));
        await rename(kept, join(root, place));
      }
    }
  });
});
