import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../support/tempRepo.ts';
import { wtHome, type Ran, type WtHome } from './support/wt.ts';

/** The most states that git commands may leave in one operation; it is an error of the test when there are more. */
const mostSteps = 60;

describe('a wt that is killed', function () {
  this.timeout(600_000);
  let home: WtHome;
  let repository: TestRepository;
  let bin: string;
  before(async () => {
    home = await wtHome();
    repository = await home.repository();
    await repository.commit(
      'Files',
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, `${index}\n`])),
    );
    bin = join(home.root, 'bin');
    await mkdir(bin);
    const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    // Counts what the disk is like before, or after, the git commands of a run, and kills the process that started the one with the chosen state:
    // a kill where nothing has changed since the last one would leave the same.
    await writeFile(
      join(bin, 'git'),
      `#!/bin/sh
look() {
  mkdir "$STEPS/$(ls -laRin '${repository.root}' | cksum | tr ' ' -)" 2>/dev/null || return
  [ "$(ls "$STEPS" | wc -l)" -eq "$KILL_AT" ] && kill -9 $PPID
}
[ "$KILL_WHEN" = before ] && look && exit 1
[ "$KILL_WHEN" = before ] && exec '${git}' "$@"
'${git}' "$@"
code=$?
look
exit $code
`,
    );
    await chmod(join(bin, 'git'), 0o755);
  });
  after(() => home.dispose());

  const at = (name: string): string => join(repository.root, '.worktrees', name);
  /** Git commands may run at the same time: a folder is made for each state, which only one of them can. */
  const counter = (): string => join(home.root, 'steps');
  const steps = async (): Promise<number> => (await readdir(counter())).length;
  const killedAt = async (step: number, when: 'before' | 'after', ...args: string[]): Promise<Ran> => {
    await rm(counter(), { recursive: true, force: true });
    await mkdir(counter());
    return home.wt(repository.root, args, {
      variables: {
        PATH: `${bin}:${home.variables['PATH'] ?? ''}`,
        STEPS: counter(),
        KILL_AT: String(step),
        KILL_WHEN: when,
      },
    });
  };

  /** Whether there is a worktree, and a registry entry and a branch for it; all or nothing, and nothing that waits to be mended. */
  async function isThere(
    name: string,
  ): Promise<{ folder: boolean; listed: boolean; registered: boolean; branch: boolean; leftovers: string[] }> {
    const exists = (path: string): Promise<boolean> =>
      stat(path).then(
        () => true,
        () => false,
      );
    const registry = await readFile(join(repository.root, '.worktrees', 'stack.json'), 'utf8').catch(() => '{}');
    const { worktrees = {} } = JSON.parse(registry) as { worktrees?: Record<string, unknown> };
    const operations = await readdir(join(repository.root, '.git', 'worktree-stacks', 'operations')).catch(() => []);
    return {
      folder: await exists(at(name)),
      listed: (await repository.git('worktree', 'list', '--porcelain')).includes(`worktree ${at(name)}\n`),
      registered: name in worktrees,
      branch: (await repository.git('branch', '--list', name)) !== '',
      // Trash is left to the process that deletes it.
      leftovers: operations.filter((file) => file.endsWith('.json') && !file.startsWith('_trash-')),
    };
  }
  const all = { folder: true, listed: true, registered: true, branch: true, leftovers: [] };
  const nothing = { folder: false, listed: false, registered: false, branch: false, leftovers: [] };

  for (const when of ['before', 'after'] as const) {
    it(`${when} any git command of a create leaves nothing that the next wt does not mend`, async () => {
      let killed = 0;
      for (let step = 1; ; step++) {
        assert.ok(step < mostSteps);
        const name = `${when}-${step}`;
        const ran = await killedAt(step, when, 'create', name);
        if ((await steps()) < step) break;
        if (ran.signal === 'SIGKILL') killed++;
        const next = await home.wt(repository.root, ['list', '--porcelain']);
        assert.deepEqual(
          [next.code, next.stderr.includes('warning')],
          [0, false],
          `after a kill ${when} git command ${step}: ${next.stderr}`,
        );
        const found = await isThere(name);
        assert.deepEqual(found, found.folder ? all : nothing, `after a kill ${when} git command ${step}`);
        if (found.folder)
          assert.equal(
            await repository.gitIn(at(name), 'status', '--porcelain'),
            '',
            `after a kill ${when} git command ${step}`,
          );
        else await home.done(repository.root, 'create', name);
        await home.done(repository.root, 'cleanup', name);
      }
      assert.ok(killed > 3, `only ${killed} runs were killed`);
    });

    it(`${when} any git command of a cleanup leaves nothing that the next wt does not mend`, async () => {
      let killed = 0;
      for (let step = 1; ; step++) {
        assert.ok(step < mostSteps);
        const name = `gone-${when}-${step}`;
        await home.done(repository.root, 'create', name);
        const ran = await killedAt(step, when, 'cleanup', name);
        if ((await steps()) < step) break;
        if (ran.signal === 'SIGKILL') killed++;
        const next = await home.wt(repository.root, ['list', '--porcelain']);
        assert.deepEqual(
          [next.code, next.stderr.includes('warning')],
          [0, false],
          `after a kill ${when} git command ${step}: ${next.stderr}`,
        );
        const found = await isThere(name);
        assert.deepEqual(found, found.folder ? all : nothing, `after a kill ${when} git command ${step}`);
        if (found.folder) await home.done(repository.root, 'cleanup', name);
      }
      // It asks first, and changes with one command.
      assert.ok(killed > 1, `only ${killed} runs were killed`);
    });
  }

  it('after any git command of the undo of a cleanup is mended by doctor, and finds everything as it should be', async () => {
    let killed = 0;
    for (let step = 1; ; step++) {
      assert.ok(step < mostSteps);
      const name = `back-${step}`;
      await home.done(repository.root, 'create', name);
      await writeFile(join(at(name), 'new.txt'), 'new\n');
      await home.done(repository.root, 'cleanup', '--force', name);
      const ran = await killedAt(step, 'after', 'undo');
      if ((await steps()) < step) break;
      if (ran.signal === 'SIGKILL') killed++;
      const doctor = await home.wt(repository.root, ['doctor', '--json']);
      assert.deepEqual(
        [doctor.code, doctor.json()['findings']],
        [0, []],
        `after a kill at git command ${step}: ${doctor.stderr}`,
      );
      const found = await isThere(name);
      assert.deepEqual(found, found.folder ? all : nothing, `after a kill at git command ${step}`);
      if (!found.folder) await home.done(repository.root, 'undo');
      assert.equal(await readFile(join(at(name), 'new.txt'), 'utf8'), 'new\n');
      await home.done(repository.root, 'cleanup', '--force', name);
    }
    assert.ok(killed > 3, `only ${killed} runs were killed`);
  });

  it('while git is still checking out does not mend under its hands', async () => {
    await writeFile(
      join(repository.root, '.git', 'hooks', 'post-checkout'),
      `#!/bin/sh\nif [ -n "$KILL_HOOK" ]; then kill -9 $(cat '${join(home.root, 'pid')}'); echo late > late.txt; fi\n`,
    );
    await chmod(join(repository.root, '.git', 'hooks', 'post-checkout'), 0o755);
    const ran = await home.wt(repository.root, ['create', 'hooked'], {
      variables: { KILL_HOOK: '1' },
      onStart: (child) => void writeFile(join(home.root, 'pid'), String(child.pid)),
    });
    assert.equal(ran.signal, 'SIGKILL');
    await home.done(repository.root, 'list');
    const found = await isThere('hooked');
    assert.deepEqual(found, found.folder ? all : nothing);
  });

  it('leaves no folder behind that it had staged, once the time of who was to delete it is over', async () => {
    // The process that deletes in the background runs git as well, and was killed with the others.
    const folder = join(repository.root, '.git', 'worktree-stacks', 'operations');
    const notBefore = new Date(Date.now() - 3_600_000).toISOString();
    for (const name of (await readdir(folder)).filter((each) => each.startsWith('_trash-'))) {
      const pending = JSON.parse(await readFile(join(folder, name), 'utf8')) as object;
      await writeFile(join(folder, name), JSON.stringify({ ...pending, notBefore }));
    }
    await home.done(repository.root, 'list');
    const names = await readdir(join(repository.root, '.worktrees'));
    assert.deepEqual(
      names.filter((name) => name.startsWith('.')),
      [],
    );
  });
});
