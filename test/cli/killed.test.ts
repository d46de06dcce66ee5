import assert from 'node:assert/strict';
import { chmod, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreInodes, runOnCopies } from '../support/killOnCopies.ts';
import type { TestRepository } from '../support/tempRepo.ts';
import { spawnAndWait, wtHome, wtProgram, type WtHome } from './support/wt.ts';
import { isInShare } from '../support/share.ts';

const copyAtGit = new URL('./support/copyAtGit.ts', import.meta.url).href;

describe('a wt that is killed', function () {
  this.timeout(900_000);
  let home: WtHome;
  let repository: TestRepository;
  before(async () => {
    home = await wtHome();
    repository = await home.repository();
    await repository.commit(
      'Files',
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, `${index}\n`])),
    );
    await ignoreInodes(repository);
  });
  after(() => home.dispose());

  const at = (name: string): string => join(repository.root, '.worktrees', name);

  /** Gives the disk, one after the other, each state that a kill before or after a git command of `wt` leaves (one in so many parts of them); the last is that of its end. */
  async function forEachKill(args: readonly string[], look: (when: string) => Promise<void>, parts = 3): Promise<void> {
    const steps = runOnCopies(home.root, async (into) => {
      const variables = { ...home.variables, COPIES: into };
      const program = ['--import', copyAtGit, wtProgram, ...args];
      const ran = await spawnAndWait(process.execPath, program, repository.root, variables);
      assert.equal(ran.code, 0, ran.stderr);
    });
    try {
      for (let step = 1, last = false; !last; step++) {
        if (!isInShare(step, parts)) continue;
        last = await steps.run(step);
        await look(`after a kill at state ${step} of the disk`);
      }
    } finally {
      steps.forget();
    }
  }

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

  /** How often each way to mend was seen. */
  class Seen {
    there = 0;
    gone = 0;
    count(isThereNow: boolean): void {
      if (isThereNow) this.there++;
      else this.gone++;
    }
  }

  /** What the next `wt` finds, which mends: whether the worktree is there as a whole. */
  async function mended(name: string, when: string): Promise<boolean> {
    const next = await home.wt(repository.root, ['list', '--porcelain']);
    assert.deepEqual([next.code, next.stderr.includes('warning')], [0, false], `${when}: ${next.stderr}`);
    const found = await isThere(name);
    assert.deepEqual(found, found.folder ? all : nothing, when);
    return found.folder;
  }

  it('before or after any git command of a create leaves nothing that the next wt does not mend', async () => {
    const seen = new Seen();
    await forEachKill(['create', 'made'], async (when) => {
      const isMade = await mended('made', when);
      seen.count(isMade);
      if (isMade) assert.equal(await repository.gitIn(at('made'), 'status', '--porcelain'), '', when);
      // It is as if it had not been tried, or can be removed as any other.
      await home.done(repository.root, isMade ? 'cleanup' : 'create', 'made');
    });
    assert.ok(seen.gone > 0 && seen.there > 0, JSON.stringify(seen));
  });

  it('before or after any git command of a cleanup leaves nothing that the next wt does not mend', async () => {
    const seen = new Seen();
    await home.done(repository.root, 'create', 'gone');
    await forEachKill(['cleanup', 'gone'], async (when) => {
      const isLeft = await mended('gone', when);
      seen.count(isLeft);
      if (isLeft) await home.done(repository.root, 'cleanup', 'gone');
    });
    // It asks first, and changes with one command.
    assert.ok(seen.there + seen.gone > 1, JSON.stringify(seen));
  });

  it('before or after any git command of the undo of a cleanup is mended by doctor, and finds everything as it should be', async () => {
    const seen = new Seen();
    await home.done(repository.root, 'create', 'back');
    await writeFile(join(at('back'), 'new.txt'), 'new\n');
    await home.done(repository.root, 'cleanup', '--force', 'back');
    await forEachKill(['undo'], async (when) => {
      const doctor = await home.wt(repository.root, ['doctor', '--json']);
      assert.deepEqual([doctor.code, doctor.json()['findings']], [0, []], `${when}: ${doctor.stderr}`);
      const found = await isThere('back');
      assert.deepEqual(found, found.folder ? all : nothing, when);
      seen.count(found.folder);
      if (!found.folder) await home.done(repository.root, 'undo');
      assert.equal(await readFile(join(at('back'), 'new.txt'), 'utf8'), 'new\n', when);
    });
    assert.ok(seen.gone > 0 && seen.there > 0, JSON.stringify(seen));
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
    const staged = async (): Promise<string[]> =>
      (await readdir(join(repository.root, '.worktrees'))).filter((name) => name.startsWith('.'));
    await home.done(repository.root, 'create', 'staged');
    let most = 0;
    // The process that deletes in the background is killed with it.
    await forEachKill(['cleanup', 'staged'], async () => void (most = Math.max(most, (await staged()).length)), 1);
    assert.ok(most > 0, 'no folder was staged');
    const folder = join(repository.root, '.git', 'worktree-stacks', 'operations');
    const notBefore = new Date(Date.now() - 3_600_000).toISOString();
    for (const name of (await readdir(folder)).filter((each) => each.startsWith('_trash-'))) {
      const pending = JSON.parse(await readFile(join(folder, name), 'utf8')) as object;
      await writeFile(join(folder, name), JSON.stringify({ ...pending, notBefore }));
    }
    await home.done(repository.root, 'list');
    assert.deepEqual(await staged(), []);
  });
});
