import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Programs } from '../../../src/core/repository/launchers.ts';
import { examine, repairAll } from '../../../src/core/doctor/doctor.ts';
import { readRegistry } from '../../../src/core/repository/registry.ts';
import { createWorktree } from '../../../src/core/create/create.ts';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';
import { filesIn } from '../../support/filesIn.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { shareOf } from '../../support/share.ts';

describe('the doctor and worktrees that are not where they were', function () {
  this.timeout(300_000);
  const programs: Programs = { wt: '/opt/worktree-stacks/wt.js', hook: '/opt/worktree-stacks/hook.js' };
  let home: TestHome;
  let repository: TestRepository;
  let workspace: Workspace;
  beforeEach(async () => {
    home = await testHome();
    repository = await home.repository();
    workspace = await testWorkspace(home, repository.root);
    await createWorktree(workspace, { name: 'one', workId: '7', createdBy: 'test' }, { programs });
    await createWorktree(workspace, { name: 'two', base: 'one', createdBy: 'test' }, { programs });
    await repository.write('.worktrees/one/README.md', 'hours of work\n');
    await repository.write('.worktrees/two/new.txt', 'new\n');
  });
  afterEach(() => home.dispose());

  const openAt = async (folder: string): Promise<void> => {
    workspace = await testWorkspace(home, folder);
  };
  const find = async (): Promise<string[]> =>
    (await examine(workspace, { programs })).map(
      ({ kind, subject, repair }) => `${kind} ${subject}${repair ? ' repairable' : ''}`,
    );
  const fix = async (): Promise<string[]> =>
    (await repairAll(workspace, { programs })).map(({ finding, outcome }) => `${finding.kind} ${outcome}`);
  const entries = async (): Promise<unknown> => [...(await readRegistry(workspace.repository)).worktrees];
  const path = (name: string): string => join(workspace.repository.mainRoot, '.worktrees', name);

  it('in a repository that was moved, and moved back, one run repairs all, and loses nothing', async () => {
    const branches = await repository.git('for-each-ref', 'refs/heads');
    const moved = join(home.root, 'renamed');
    for (const [from, to] of [
      [repository.root, moved],
      [moved, repository.root],
    ] as const) {
      await rename(from, to);
      await openAt(to);
      const found = await find();
      assert.deepEqual(found.slice(0, 2), ['worktree-moved one repairable', 'worktree-moved two repairable']);
      const treated = await fix();
      assert.ok(treated.length >= 2 && treated.every((each) => each.endsWith(' repaired')), treated.join());
      assert.deepEqual(await find(), []);
      assert.deepEqual(await fix(), []);
      assert.equal(await repository.gitIn(path('one'), 'status', '--porcelain'), ' M README.md');
      assert.equal(await repository.gitIn(path('two'), 'status', '--porcelain'), '?? new.txt');
      assert.equal(await repository.gitIn(to, 'for-each-ref', 'refs/heads'), branches);
    }
    const { worktrees } = await readRegistry(workspace.repository);
    assert.deepEqual([worktrees.get('one')?.workId, worktrees.get('two')?.base], ['7', 'one']);
  });

  const moves: Record<string, (to: string) => Promise<unknown>> = {
    'git worktree move': (to) => repository.git('worktree', 'move', path('one'), to),
    'mv by hand': (to) => rename(path('one'), to),
  };
  for (const [how, move] of shareOf(Object.entries(moves), 2)) {
    it(`a worktree that was moved with ${how} is followed, and only once`, async () => {
      const to = path('elsewhere');
      await move(to);
      assert.ok((await find()).length > 0);
      assert.ok((await fix()).every((each) => each.endsWith(' repaired')));
      assert.deepEqual(await find(), []);
      assert.equal((await readRegistry(workspace.repository)).worktrees.get('one')?.path, to);
      assert.match(await repository.git('worktree', 'list'), /elsewhere/);
      assert.equal(await repository.gitIn(to, 'status', '--porcelain'), ' M README.md');
    });
  }

  const sights: Record<string, () => Promise<unknown>> = {
    'is missing': () => rename(path('one'), join(home.root, 'away')),
    'is an empty folder': async () => {
      await rename(path('one'), join(home.root, 'away'));
      await mkdir(path('one'));
    },
    'is another repository': async () => {
      await rename(path('one'), join(home.root, 'away'));
      await repository.git('clone', '--quiet', repository.root, path('one'));
    },
    'has a damaged .git': () => writeFile(join(path('one'), '.git'), 'gitdir: /nowhere\n'),
    'has an empty .git': () => writeFile(join(path('one'), '.git'), ''),
  };
  for (const [what, prepare] of shareOf(Object.entries(sights), 2)) {
    it(`one whose folder ${what} is kept with all that is on record of it, run after run`, async () => {
      await prepare();
      const before = [await entries(), await filesIn(path('one'))];
      const admin = await filesIn(join(repository.root, '.git/worktrees/one'));
      for (let run = 0; run < 2; run++) {
        assert.deepEqual(await find(), ['worktree-missing one']);
        assert.deepEqual(await fix(), ['worktree-missing left']);
      }
      assert.deepEqual([await entries(), await filesIn(path('one'))], before);
      assert.deepEqual(await filesIn(join(repository.root, '.git/worktrees/one')), admin);
      assert.equal(await repository.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/one'), 'one');
    });
  }

  describe('of which git has pruned its record', () => {
    const prune = async (): Promise<void> => {
      await rename(path('one'), join(home.root, 'away'));
      await repository.git('worktree', 'prune', '--expire=now');
    };

    it('while its disk is away it is kept; back, its record is made again and its files are as they were', async () => {
      await repository.gitIn(path('one'), 'add', 'README.md');
      await prune();
      const before = await entries();
      assert.deepEqual(await find(), ['entry one']);
      assert.deepEqual(await fix(), ['entry left']);
      assert.deepEqual(await entries(), before);
      await rename(join(home.root, 'away'), path('one'));
      const files = await filesIn(path('one'));
      assert.deepEqual(await find(), ['entry one repairable']);
      const [treated] = await repairAll(workspace, { programs });
      assert.equal(treated?.outcome, 'repaired');
      assert.match(textOf(treated?.done ?? ''), /on one, with the files as they are, and nothing staged/);
      assert.deepEqual(await find(), []);
      assert.deepEqual(await filesIn(path('one')), files);
      assert.equal(await repository.gitIn(path('one'), 'status', '--porcelain', '--branch'), '## one\n M README.md');
      assert.equal(await repository.git('fsck', '--no-dangling'), '');
    });

    it('in a repository that was moved as well', async () => {
      await prune();
      await rename(join(home.root, 'away'), path('one'));
      await rename(repository.root, join(home.root, 'renamed'));
      await openAt(join(home.root, 'renamed'));
      await fix();
      assert.deepEqual(await find(), []);
      assert.equal(await repository.gitIn(path('one'), 'status', '--porcelain', '--branch'), '## one\n M README.md');
    });

    it('is not made again where that would be a guess: the steps are named', async () => {
      await prune();
      await rename(join(home.root, 'away'), path('one'));
      await repository.git('checkout', '--quiet', 'one');
      const files = await filesIn(path('one'));
      const [finding] = (await examine(workspace, { programs })).filter(({ kind }) => kind === 'entry');
      assert.equal(finding?.repair, undefined);
      assert.match(textOf(finding?.next ?? ''), /its files are kept; its branch one is checked out in/);
      await repository.git('checkout', '--quiet', 'main');
      await repository.git('branch', '--quiet', '-m', 'one', 'other');
      const [gone] = (await examine(workspace, { programs })).filter(({ kind }) => kind === 'entry');
      assert.match(textOf(gone?.next ?? ''), /its branch one is gone/);
      await fix();
      assert.deepEqual(await filesIn(path('one')), files);
      assert.ok((await readRegistry(workspace.repository)).worktrees.has('one'));
    });

    it('a folder whose .git names another worktree is not taken for it', async () => {
      await prune();
      await mkdir(path('one'));
      await writeFile(join(path('one'), '.git'), `gitdir: ${join(repository.root, '.git/worktrees/two')}\n`);
      assert.ok(!(await find()).includes('entry one repairable'));
      await fix();
      assert.ok(!existsSync(join(repository.root, '.git/worktrees/one')));
    });
  });

  it('an entry without branch and record stays while nobody can look at its place, and goes when it is seen to be gone', async () => {
    const far = join(home.root, 'disk', 'far');
    await createWorktree(await testWorkspace(home, repository.root), { name: 'far', createdBy: 'test' }, { programs });
    await repository.git('worktree', 'move', path('far'), far).catch(async () => {
      await mkdir(join(home.root, 'disk'));
      await repository.git('worktree', 'move', path('far'), far);
    });
    await fix();
    await rename(join(home.root, 'disk'), join(home.root, 'unplugged'));
    await mkdir(join(home.root, 'disk'));
    await repository.git('worktree', 'prune', '--expire=now');
    await repository.git('branch', '-D', 'far');
    assert.deepEqual(await find(), ['entry far']);
    await fix();
    assert.ok((await readRegistry(workspace.repository)).worktrees.has('far'));
    await writeFile(join(home.root, 'disk', 'something'), '');
    await fix();
    assert.ok(!(await readRegistry(workspace.repository)).worktrees.has('far'));
  });

  it('a repair that is found again, and one that fails, are not called repaired', async () => {
    let version = 0;
    // Another version of the product that writes its own launchers at the same time looks like this.
    const restless: Programs = { hook: programs.hook, wt: '' };
    Object.defineProperty(restless, 'wt', { get: () => `/opt/${++version}/wt.js` });
    const treated = await repairAll(workspace, { programs: restless });
    assert.deepEqual(
      treated.map(({ finding, outcome, problem }) => [finding.kind, outcome, problem?.message]),
      [['launchers', 'failed', 'the repair was made, but it is found again.']],
    );
    await fix();
    await rm(join(repository.root, '.claude/agents'), { recursive: true });
    await writeFile(join(repository.root, '.claude/agents'), 'in the way\n');
    assert.deepEqual(await fix(), ['agents failed', 'place left']);
    const place = `place ${join(repository.root, '.claude/agents')}`;
    assert.deepEqual((await find()).sort(), ['agents .claude/agents repairable', place]);
    assert.equal(await readFile(join(repository.root, '.claude/agents'), 'utf8'), 'in the way\n');
  });
});
