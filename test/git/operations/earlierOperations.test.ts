import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createKind } from '../../../src/core/create/recoverCreate.ts';
import type { CreateData } from '../../../src/core/create/createData.ts';
import { reflogNote } from '../../../src/core/create/madeBranch.ts';
import { abortMerge } from '../../../src/core/merge/abort.ts';
import { mergeWorktree } from '../../../src/core/merge/mergeWorktree.ts';
import type { MergeSource } from '../../../src/core/merge/model.ts';
import { findMergeSource } from '../../../src/core/merge/source.ts';
import { undoneIds } from '../../../src/core/operations/operation.ts';
import { finishedFolder, pendingFolder, readOperations, readPending } from '../../../src/core/operations/store.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { readRegistry } from '../../../src/core/repository/registry.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { undo } from '../../../src/core/recovery/undo.ts';
import { stuckTrash } from '../../../src/core/trash/stuckTrash.ts';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';
import { Removals } from '../../support/removals.ts';
import { Stacks } from '../../support/stacks.ts';

const data = new URL('../../data/earlierOperations/', import.meta.url);

/** What an earlier version wrote, with what it has to know of this repository. */
async function filled(file: string, known: Readonly<Record<string, string>>): Promise<string> {
  return (await readFile(new URL(file, data), 'utf8')).replace(
    /\{\{(\w+)\}\}/g,
    (_, word: string) => known[word] ?? '',
  );
}

/** Writes down what an earlier version had, with what it has to know of this repository. */
async function leave(
  { environment, repository }: Workspace,
  name: string,
  key: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const fill = (file: string): Promise<string> =>
    filled(file, { host: environment.host, root: repository.mainRoot, ...values });
  await mkdir(pendingFolder(repository), { recursive: true });
  await writeFile(join(pendingFolder(repository), `${key}.json`), await fill(`${name}.json`));
  const log = await fill(`${name}.log.json`).catch(() => undefined);
  if (log === undefined) return;
  await mkdir(finishedFolder(repository), { recursive: true });
  await writeFile(join(finishedFolder(repository), `${(JSON.parse(log) as { id: string }).id}.json`), log);
}

async function recover(workspace: Workspace): Promise<void> {
  assert.deepEqual(await recoverInterrupted(workspace), []);
  const left = await readdir(pendingFolder(workspace.repository)).catch((): string[] => []);
  assert.deepEqual(left, []);
}

describe('what an earlier version left when it was killed', function () {
  this.timeout(300_000);

  describe('while it created or removed a worktree', () => {
    let at: Removals;
    let path: string;
    const inGit = (...names: string[]): string => join(at.repository.root, '.git', ...names);
    const oid = (name: string): Promise<string> => at.repository.git('rev-parse', name);
    const isRegistered = async (): Promise<boolean> =>
      (await readRegistry(at.workspace.repository)).worktrees.has('login');
    beforeEach(async () => {
      at = await Removals.start();
      path = join(at.repository.root, '.worktrees', 'login');
    });
    afterEach(() => at.dispose());

    for (const isMade of [false, true]) {
      it(`a creation is ${isMade ? 'finished' : 'rolled back'} when its files are ${isMade ? '' : 'not '}there`, async () => {
        await leave(at.workspace, 'create', 'login', { main: await oid('main') });
        const [pending] = await readPending(at.workspace, createKind.name);
        const note = reflogNote(pending?.data as CreateData);
        await at.repository.git('update-ref', '--create-reflog', '-m', note, 'refs/heads/login', 'main');
        const how = isMade ? [] : ['--no-checkout'];
        await at.repository.git('worktree', 'add', '--quiet', ...how, path, 'login');
        await recover(at.workspace);
        assert.deepEqual([existsSync(path), await isRegistered()], [isMade, isMade]);
        assert.deepEqual(await at.branches(), isMade ? ['login', 'main'] : ['main']);
      });
    }

    it('a removal that was not decided is rolled back', async () => {
      await at.add('login', { commits: 1 });
      await leave(at.workspace, 'removeBegun', 'login', {});
      await rename(path, join(dirname(path), '.trash-login-474990a50e3c'));
      await recover(at.workspace);
      assert.equal(await at.repository.gitIn(path, 'status', '--porcelain'), '');
      assert.ok(await isRegistered());
    });

    it('a removal that was decided is finished, and can be undone', async () => {
      await at.add('login', { commits: 1 });
      const head = await oid('login');
      await at.repository.write(join(path, 'new.txt'), 'new\n');
      await at.repository.gitIn(path, 'add', 'new.txt');
      const tree = await at.repository.gitIn(path, 'write-tree');
      const changes = await at.repository.git('commit-tree', '-p', head, '-m', 'Backup', tree);
      await at.repository.git('update-ref', 'refs/wt-backup/20261129T065523-959-login/changes', changes);
      await leave(at.workspace, 'removeDecided', 'login', { main: await oid('main'), login: head });
      await rename(path, join(dirname(path), '.trash-login-6c432013ab04'));
      await recover(at.workspace);
      assert.deepEqual([await isRegistered(), (await at.listed()).includes(path)], [false, false]);
      assert.deepEqual(
        (await readdir(dirname(path))).filter((name) => name.includes('login')),
        [],
      );
      await undo(at.workspace);
      assert.equal(await at.repository.gitIn(path, 'status', '--porcelain', '--branch'), '## login\n?? new.txt');
      assert.ok(await isRegistered());
    });

    for (const [what, more, problems] of [
      ['was forgotten', {}, 0],
      ['holds late work', { late: ['new.txt'] }, 1],
      ['could not be deleted', { stuck: { message: 'It could not be deleted.', items: [] } }, 0],
    ] as const) {
      it(`trash that ${what} is deleted or named as before, and its note is read once`, async () => {
        const id = '6c432013ab04';
        const tree = join(dirname(path), `.trash-login-${id}`);
        const note = inGit('worktree-stacks/trash', id, 'bin.json');
        for (const file of [note, join(tree, 'new.txt')]) await mkdir(dirname(file), { recursive: true });
        await writeFile(join(tree, 'new.txt'), 'new\n');
        const written = { tree: `<main root>/.worktrees/.trash-login-${id}`, was: '<main root>/.worktrees/login' };
        await writeFile(note, JSON.stringify({ version: 1, ...written, root: '..', movablePaths: true, ...more }));
        const isStuck = 'stuck' in more;
        assert.equal((await stuckTrash(at.workspace.repository)).length, isStuck ? 1 : 0);
        assert.equal(existsSync(note), false);
        const later = (minutes: number): Workspace => {
          const now = (): Date => new Date(Date.now() + minutes * 60_000);
          return { ...at.workspace, environment: { ...at.workspace.environment, now } };
        };
        assert.equal((await recoverInterrupted(later(9))).length, problems);
        assert.ok(existsSync(tree));
        assert.equal((await recoverInterrupted(later(11))).length, problems);
        assert.equal(existsSync(tree), isStuck || problems > 0);
        assert.equal((await recoverInterrupted(later(61))).length, problems);
        assert.equal(existsSync(tree), problems > 0);
        await rm(tree, { recursive: true, force: true });
        await recover(at.workspace);
        assert.deepEqual(await readdir(inGit('worktree-stacks/trash')), []);
      });
    }

    /** Removes a worktree, and leaves the undo of that as it was written down. */
    const leaveUndo = async (name: 'restore' | 'restoreRecord'): Promise<string> => {
      await at.remove('login', { force: true });
      const [removal] = await readOperations(at.workspace);
      const { kept = '', bin = '' } = removal?.removal ?? {};
      const values = { main: await oid('main'), login: removal?.removal?.head ?? '' };
      await leave(at.workspace, name, 'login', { ...values, removal: removal?.id ?? '', kept, trash: bin });
      return removal?.id ?? '';
    };

    for (const how of ['being built', 'at its path', 'connected'] as const) {
      const isThere = how !== 'being built';
      it(`the undo of a removal is ${isThere ? 'finished' : 'rolled back'} when the worktree is ${how}`, async () => {
        await at.add('login', { commits: 1 });
        await at.repository.write(join(path, 'new.txt'), 'new\n');
        const removal = await leaveUndo('restore');
        const folder = join(dirname(path), '.restore-login-4551fd14');
        await at.repository.git('worktree', 'add', '--quiet', join(folder, 'login'), 'login');
        await writeFile(inGit('worktrees/login/wt-restore'), '20261129-065645-479-21629-undo');
        if (isThere) await rename(join(folder, 'login'), path);
        if (how === 'connected') await at.repository.git('worktree', 'repair', path);
        await recover(at.workspace);
        assert.deepEqual([existsSync(folder), existsSync(path), await isRegistered()], [false, isThere, isThere]);
        assert.equal((await at.listed()).length, isThere ? 2 : 1);
        assert.equal(existsSync(inGit('worktrees/login/wt-restore')), false);
        assert.equal(undoneIds(await readOperations(at.workspace)).has(removal), isThere);
        if (!isThere) await undo(at.workspace);
        assert.ok(existsSync(path));
      });
    }

    for (const isThere of [false, true]) {
      it(`the undo of a removal out of sight is ${isThere ? 'finished' : 'rolled back'} when its record is ${isThere ? '' : 'not '}back`, async () => {
        await at.add('login');
        await rename(path, join(at.home.root, 'away'));
        const removal = await leaveUndo('restoreRecord');
        const dropped = inGit('worktree-stacks/dropped', removal, 'admin');
        if (isThere) {
          await at.repository.git('branch', 'login', 'main');
          await mkdir(inGit('worktrees'), { recursive: true });
          await rename(dropped, inGit('worktrees/login'));
        }
        await recover(at.workspace);
        assert.deepEqual([existsSync(dropped), existsSync(inGit('worktrees/login'))], [!isThere, isThere]);
        assert.deepEqual([await isRegistered(), (await at.branches()).includes('login')], [isThere, isThere]);
        assert.equal(undoneIds(await readOperations(at.workspace)).has(removal), isThere);
      });
    }
  });

  describe('while it moved branches', () => {
    let at: Stacks;
    beforeEach(async () => {
      at = await Stacks.start();
      await at.add('a', 'main', { 'a.txt': 'a1\n' });
      await at.add('b', 'a', { 'b.txt': 'b1\n' });
    });
    afterEach(() => at.dispose());

    for (const moved of [[], ['a'], ['a', 'b']]) {
      it(`a restack is ${moved.length > 0 ? 'finished' : 'rolled back'} when ${moved.length} of 2 branches have moved`, async () => {
        const oldMain = await at.tip('main');
        await at.commit('main', 'News', { 'news.txt': 'news\n' });
        const before = await at.picture();
        const values = { oldMain, main: await at.tip('main'), a: await at.tip('a'), b: await at.tip('b') };
        await at.rebase('a', { wholeStack: true });
        const after = await at.picture();
        const made: Readonly<Record<string, string>> = { a: await at.tip('a'), b: await at.tip('b') };
        await undo(at.workspace);
        await rm(finishedFolder(at.workspace.repository), { recursive: true });
        await leave(at.workspace, 'restack', '_stack', { ...values, newA: made['a'] ?? '', newB: made['b'] ?? '' });
        for (const branch of moved) await at.repository.git('update-ref', `refs/heads/${branch}`, made[branch] ?? '');
        await recover(at.workspace);
        assert.deepEqual(await at.picture(), moved.length > 0 ? after : before);
        assert.equal((await readOperations(at.workspace)).length, moved.length > 0 ? 1 : 0);
        if (moved.length > 0) await undo(at.workspace);
        assert.deepEqual(await at.picture(), before);
      });
    }
  });

  describe('while it merged', () => {
    let at: Stacks;
    beforeEach(async () => {
      at = await Stacks.start();
      await at.add('a', 'main', { 'a.txt': 'ours\n' });
      await at.add('b', 'main', { 'a.txt': 'theirs\n' });
      const [ours, theirs] = [await at.tip('a'), await at.tip('b')];
      await at.git('a', 'merge', '--no-commit', '--no-ff', '--quiet', 'b').catch(() => undefined);
      await writeFile(earlier(), await filled('merge.json', { ours, theirs }));
    });
    afterEach(() => at.dispose());
    const earlier = (): string => join(at.repository.root, '.git/worktrees/a/wt-merge.json');
    const source = async (): Promise<MergeSource> =>
      findMergeSource(at.workspace, await readSnapshot(at.workspace, { withChanges: false }), 'b', at.repository.root);

    it('a merge that waits for a person is carried over, and goes on', async () => {
      await recover(at.workspace);
      const request = { source: await source(), into: at.path('a') };
      await assert.rejects(mergeWorktree(at.workspace, request), { reason: 'conflicts' });
      assert.equal(existsSync(earlier()), false);
      assert.deepEqual(
        (await readPending(at.workspace, 'merge')).map(({ waits }) => waits),
        [true],
      );
      await at.repository.write(join(at.path('a'), 'a.txt'), 'both\n');
      await at.git('a', 'add', 'a.txt');
      assert.equal((await mergeWorktree(at.workspace, request)).state, 'merged');
      assert.equal(await at.git('a', 'rev-parse', 'HEAD^2'), await at.tip('b'));
      await recover(at.workspace);
    });

    it('a merge that waits for a person can be rolled back', async () => {
      await abortMerge(at.workspace, 'b', at.path('a'));
      assert.deepEqual([existsSync(earlier()), await at.git('a', 'status', '--porcelain')], [false, '']);
      await recover(at.workspace);
    });
  });
});
