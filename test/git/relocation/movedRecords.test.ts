import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegistry } from '../../../src/core/repository/registry.ts';
import { abortStopped, continueStopped, stoppedOperation } from '../../../src/core/restack/resume.ts';
import { undo } from '../../../src/core/recovery/undo.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { finishedFolder, readOperations } from '../../../src/core/operations/store.ts';
import { relinkMoved } from '../../../src/core/relocation/relinkMoved.ts';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';
import { bundled } from '../../support/bundled.ts';
import { dieRemoving } from '../../support/dieRemoving.ts';
import { nobodyWorksIn } from '../../support/nobodyWorksIn.ts';
import { Removals } from '../../support/removals.ts';
import { runRestack } from '../../support/runRestack.ts';
import { Stacks } from '../../support/stacks.ts';
import { testWorkspace } from '../../support/workspace.ts';

/** Later than any git process of a killed operation could still make something. */
const later = (): Date => new Date(Date.now() + 60_000);
const createDriver = new URL('../../support/createDriver.ts', import.meta.url);

describe('what is written down, after the repository was moved', function () {
  this.timeout(300_000);

  const mend = async (workspace: Workspace): Promise<void> => {
    const environment = { ...workspace.environment, now: later };
    assert.deepEqual(await recoverInterrupted({ ...workspace, environment }), []);
    const pending = await readdir(join(workspace.repository.commonDir, 'worktree-stacks/operations')).catch(() => []);
    assert.deepEqual(
      pending.filter((name) => name.endsWith('.json') && !name.startsWith('_trash-')),
      [],
    );
  };

  /** The repository is elsewhere before anybody looks at what was killed in it. */
  const moveAndMend = async (
    { home, repository }: Pick<Stacks, 'home' | 'repository'>,
    moved: string,
  ): Promise<Workspace> => {
    await nobodyWorksIn(home.root);
    await rename(repository.root, moved);
    const there = await testWorkspace(home, moved);
    await mend(there);
    await relinkMoved(there);
    return there;
  };

  describe('of removals', () => {
    let at: Removals;
    let moved: string;
    beforeEach(async () => {
      at = await Removals.start();
      await at.repository.commit('Base', { 'lib/a.txt': 'a\n' });
      moved = join(at.home.root, 'renamed');
    });
    afterEach(() => at.dispose());

    it('undo brings a worktree back where the repository is, and names nothing of where it was', async () => {
      const path = await at.add('work', { commits: 1 });
      await at.repository.write(join(path, 'new.txt'), 'hours of work\n');
      await at.remove('work', { force: true });
      const folder = finishedFolder(at.workspace.repository);
      for (const name of await readdir(folder))
        assert.ok(!(await readFile(join(folder, name), 'utf8')).includes(at.repository.root), name);
      await rename(at.repository.root, moved);
      const there = await testWorkspace(at.home, moved);
      const done = await undo(there);
      const back = join(moved, '.worktrees/work');
      assert.deepEqual(done.restored, [{ name: 'work', path: back }]);
      assert.equal(await at.repository.gitIn(back, 'status', '--porcelain', '--branch'), '## work\n?? new.txt');
      assert.equal((await readRegistry(there.repository)).worktrees.get('work')?.path, back);
    });

    it('undo brings git’s record of a worktree back that was out of sight, also after moving there and back', async () => {
      const path = await at.add('work');
      await rename(path, join(at.home.root, 'away'));
      await at.remove('work', { force: true });
      await rename(at.repository.root, moved);
      await undo(await testWorkspace(at.home, moved));
      assert.ok(existsSync(join(moved, '.git/worktrees/work')));
      await rename(moved, at.repository.root);
      await rename(join(at.home.root, 'away'), path);
      assert.equal(await at.repository.gitIn(path, 'status', '--porcelain', '--branch'), '## work');
    });

    it('killed at any point, a removal is completed or taken back', async () => {
      const counts = { there: 0, gone: 0 };
      for (let step = 1, ended = false; !ended; step += 7) {
        assert.ok(step < 400, 'it has an end');
        const name = `at-${step}`;
        await at.add(name);
        ended = (await dieRemoving(at, name, 'gently', step)) !== undefined;
        const there = await moveAndMend(at, moved);
        const path = join(moved, '.worktrees', name);
        const isThere = existsSync(path);
        counts[isThere ? 'there' : 'gone']++;
        const when = `killed after step ${step}`;
        const listed = await at.repository.gitIn(moved, 'worktree', 'list', '--porcelain');
        assert.equal(listed.includes(`worktree ${path}\n`), isThere, when);
        assert.equal(existsSync(join(moved, '.git/worktrees', name)), isThere, when);
        assert.equal((await readRegistry(there.repository)).worktrees.has(name), isThere, when);
        const branches = await at.repository.gitIn(moved, 'for-each-ref', `refs/heads/${name}`);
        assert.equal(branches !== '', isThere, when);
        if (isThere) assert.equal(await at.repository.gitIn(path, 'status', '--porcelain'), '', when);
        // What was given free is found where it is now.
        const environment = { ...there.environment, now: () => new Date(Date.now() + 3_600_000) };
        assert.deepEqual(await recoverInterrupted({ ...there, environment }), []);
        const left = (await readdir(join(moved, '.worktrees'))).filter((each) => each.startsWith('.trash-'));
        assert.deepEqual(left, [], when);
        await rename(moved, at.repository.root);
        await relinkMoved(at.workspace);
      }
      assert.ok(counts.there > 2 && counts.gone > 2, JSON.stringify(counts));
    });

    it('killed at any point, a creation is completed or taken back', async () => {
      const counts = { made: 0, undone: 0 };
      for (let step = 1, ended = false; !ended; step += 2) {
        assert.ok(step < 100, 'it has an end');
        const name = `at-${step}`;
        ended = await new Promise<boolean>((resolve) => {
          const args = [bundled(createDriver), at.repository.root, name, String(step)];
          execFile(process.execPath, args, { env: at.home.variables }, (error) => resolve(error === null));
        });
        const there = await moveAndMend(at, moved);
        const path = join(moved, '.worktrees', name);
        const isMade = existsSync(path);
        counts[isMade ? 'made' : 'undone']++;
        const when = `killed after step ${step}`;
        assert.equal(existsSync(join(moved, '.git/worktrees', name)), isMade, when);
        assert.equal((await readRegistry(there.repository)).worktrees.has(name), isMade, when);
        const branches = await at.repository.gitIn(moved, 'for-each-ref', `refs/heads/${name}`);
        assert.equal(branches !== '', isMade, when);
        if (isMade)
          assert.equal(await at.repository.gitIn(path, 'status', '--porcelain', '--branch'), `## ${name}`, when);
        await rename(moved, at.repository.root);
        await relinkMoved(at.workspace);
      }
      assert.ok(counts.made > 1 && counts.undone > 1, JSON.stringify(counts));
    });
  });

  describe('of stacks', () => {
    let at: Stacks;
    let moved: string;
    beforeEach(async () => {
      at = await Stacks.start();
      await at.add('a', 'main', { 'a.txt': 'a1\n' });
      await at.add('b', 'a', { 'b.txt': 'b1\n', 'shared.txt': 'b\n' });
      moved = join(at.home.root, 'renamed');
    });
    afterEach(() => at.dispose());

    const git = (folder: string, ...args: string[]): Promise<string> => at.repository.gitIn(folder, ...args);

    /** A restack that has stopped in b, then the repository is moved. */
    const stopAndMove = async (): Promise<Workspace> => {
      await at.commit('a', 'Conflict', { 'shared.txt': 'a\n' });
      await runRestack(at, 'rebase', 'b', 0);
      assert.equal((await readOperations(at.workspace))[0]?.state, 'stopped');
      await rename(at.repository.root, moved);
      return testWorkspace(at.home, moved);
    };

    it('a rebase that has stopped goes on', async () => {
      const there = await stopAndMove();
      const operation = await stoppedOperation(there, 'b');
      const b = join(moved, '.worktrees/b');
      await relinkMoved(there);
      await at.repository.write(join(b, 'shared.txt'), 'both\n');
      await git(b, 'add', '.');
      const done = await continueStopped(there, operation, 'continue', { offline: true });
      assert.equal(done.operation?.state, 'done');
      assert.equal(await git(b, 'log', '--format=%s', 'a..b'), 'b 1');
      assert.equal(await git(b, 'status', '--porcelain'), '');
      await undo(there);
      assert.equal(await git(b, 'status', '--porcelain'), '');
    });

    it('a rebase that has stopped is aborted, also when its worktree was moved by itself', async () => {
      const tip = await at.tip('b');
      const there = await stopAndMove();
      await rename(join(moved, '.worktrees/b'), join(moved, '.worktrees/by-hand'));
      await abortStopped(there, await stoppedOperation(there, 'b'));
      const b = join(moved, '.worktrees/by-hand');
      assert.equal(await git(b, 'rev-parse', 'HEAD'), tip);
      assert.equal(await git(b, 'status', '--porcelain', '--branch'), '## b');
    });

    it('a rebase that was killed is completed or taken back, files and branches', async () => {
      await at.commit('main', 'News', { 'news.txt': 'news\n' });
      const counts = { done: 0, not: 0 };
      for (let step = 2, ended = false; !ended; step += 3) {
        assert.ok(step < 100, 'it has an end');
        ended = await runRestack(at, 'rebase', 'a', step);
        const there = await moveAndMend(at, moved);
        const bases = await Promise.all(
          [
            ['main', 'a'],
            ['a', 'b'],
          ].map(([base = '', branch = '']) =>
            git(moved, 'merge-base', '--is-ancestor', base, branch).then(
              () => true,
              () => false,
            ),
          ),
        );
        const isDone = bases[0] === true;
        assert.deepEqual(bases, [isDone, true], `killed after step ${step}`);
        counts[isDone ? 'done' : 'not']++;
        for (const name of ['a', 'b'])
          assert.equal(await git(join(moved, '.worktrees', name), 'status', '--porcelain', '--branch'), `## ${name}`);
        if (isDone) await undo(there);
        await rename(moved, at.repository.root);
        await relinkMoved(at.workspace);
      }
      assert.ok(counts.done > 0 && counts.not > 0, JSON.stringify(counts));
    });

    it('an undo does not move a branch whose worktree is out of sight', async () => {
      await at.commit('main', 'News', { 'news.txt': 'news\n' });
      await runRestack(at, 'rebase', 'a', 0);
      const tip = await at.tip('b');
      await rename(at.path('b'), join(at.home.root, 'away'));
      await assert.rejects(undo(at.workspace), { id: 'restack.cannotUndoneNow' });
      assert.equal(await at.tip('b'), tip);
      await rename(join(at.home.root, 'away'), at.path('b'));
      await undo(at.workspace);
      assert.equal(await at.git('b', 'status', '--porcelain'), '');
    });
  });
});
