import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLog } from '../../../src/core/base/log.ts';
import { Problem } from '../../../src/core/base/problem.ts';
import { Git } from '../../../src/core/git/git.ts';
import { readRegistry, updateRegistry } from '../../../src/core/repository/registry.ts';
import { readActive, writeActive } from '../../../src/core/repository/stateFile.ts';
import { planRedo, undo } from '../../../src/core/recovery/undo.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { readOperations } from '../../../src/core/operations/store.ts';
import { Removals } from '../../support/removals.ts';
import { shareOf } from '../../support/share.ts';

describe('taking back the removal of a worktree', function () {
  this.timeout(300_000);
  let at: Removals;
  beforeEach(async () => {
    at = await Removals.start();
    await at.repository.commit('Base', { 'lib/a.txt': 'a\n', 'lib/b.txt': 'b\n', '.gitignore': '.env\n' });
  });
  afterEach(() => at.dispose());

  const git = (path: string, ...args: string[]): Promise<string> => at.repository.gitIn(path, ...args);

  /** Everything about a worktree that a person could miss. */
  async function picture(name: string, path: string): Promise<Record<string, unknown>> {
    const files = (await git(path, 'ls-files', '--cached', '--others', '--exclude-standard')).split('\n');
    const texts = await Promise.all(files.map((file) => readFile(join(path, file), 'utf8').catch(() => 'deleted')));
    return {
      head: await git(path, 'rev-parse', 'HEAD'),
      branch: await git(path, 'rev-parse', '--abbrev-ref', 'HEAD'),
      status: await git(path, 'status', '--porcelain'),
      staged: await git(path, 'diff', '--cached'),
      files: files.map((file, index) => [file, texts[index]]),
      entry: (await readRegistry(at.workspace.repository)).worktrees.get(name),
      listed: (await at.listed()).includes(path),
    };
  }

  it('brings back a branch that was deleted because its work has landed', async () => {
    const path = await at.add('done', { commits: 2 });
    await at.repository.git('merge', '--quiet', '--no-ff', '--no-edit', 'done');
    await at.repository.git('config', 'branch.done.description', 'two\nlines');
    const before = await picture('done', path);
    await at.remove('done');
    assert.equal((await at.branches()).includes('done'), false);
    const done = await undo(at.workspace);
    assert.deepEqual(done.restored, [{ name: 'done', path }]);
    assert.deepEqual(await picture('done', path), before);
    assert.equal(await at.repository.git('config', 'branch.done.description'), 'two\nlines');
    assert.equal(await at.repository.git('fsck', '--no-dangling'), '');
  });

  it('brings back what was not committed, staged or not, untracked and deleted', async () => {
    const path = await at.add('work', { commits: 1 });
    await at.repository.write(join(path, 'lib/a.txt'), 'staged\n');
    await git(path, 'add', 'lib/a.txt');
    await at.repository.write(join(path, 'lib/a.txt'), 'staged, and changed again\n');
    await at.repository.write(join(path, 'new/deep/file.txt'), 'new\n');
    await at.repository.write(join(path, 'added.txt'), 'added\n');
    await git(path, 'add', 'added.txt');
    await rm(join(path, 'lib/b.txt'));
    const before = await picture('work', path);
    await at.remove('work', { force: true });
    assert.equal(existsSync(path), false);
    await undo(at.workspace);
    assert.deepEqual(await picture('work', path), before);
  });

  it('is done although its pending operation could not be removed; the next command removes that', async () => {
    const path = await at.add('one', { commits: 1 });
    await at.remove('one');
    const pending = join(at.repository.root, '.git/worktree-stacks/operations/one.json');
    let record = '';
    const debug = (line: string): void => {
      if (line.endsWith('Restoring one: committed')) record = readFileSync(pending, 'utf8');
    };
    const environment = { ...at.workspace.environment, log: { ...silentLog, debug } };
    await undo({ ...at.workspace, environment });
    const abandoned = { ...(JSON.parse(record) as object), owner: { pid: 0, host: environment.host } };
    await at.repository.write(pending, JSON.stringify(abandoned));
    const before = await picture('one', path);
    assert.deepEqual(await recoverInterrupted(at.workspace), []);
    assert.equal(existsSync(pending), false);
    assert.deepEqual(await picture('one', path), before);
  });

  it('that failed and could not be taken back is taken back by the next command, and can be asked for again', async () => {
    const path = await at.add('one', { commits: 1 });
    await at.repository.git('merge', '--quiet', '--no-ff', '--no-edit', 'one');
    const before = await picture('one', path);
    await at.remove('one');
    const binary = join(at.home.root, 'dying-git');
    const dies = `*'worktree add'*) git "$@" 2>&1; rm .git/worktrees/*/HEAD; echo 'fatal: Read-only file system' >&2; exit 128 ;;`;
    const lines = ['#!/bin/sh', 'case "$*" in', dies, "*'update-ref -d'*) exit 128 ;;", 'esac', 'exec git "$@"', ''];
    await writeFile(binary, lines.join('\n'));
    await chmod(binary, 0o755);
    const git = new Git(at.workspace.environment, { binary });
    await assert.rejects(undo({ ...at.workspace, git }), {
      id: 'operations.rollingBackFailed',
      outcome: 'incomplete',
    });
    assert.deepEqual(await recoverInterrupted(at.workspace), []);
    assert.deepEqual(await at.branches(), ['main']);
    assert.deepEqual(await readdir(join(at.repository.root, '.git/worktrees')).catch((): string[] => []), []);
    await undo(at.workspace);
    assert.deepEqual(await picture('one', path), before);
  });

  it('brings back what is only staged, and what is only in the files', async () => {
    const one = await at.add('one', { commits: 1 });
    await at.repository.write(join(one, 'lib/a.txt'), 'staged\n');
    await git(one, 'add', '.');
    const two = await at.add('two', { commits: 1 });
    await at.repository.write(join(two, 'lib/a.txt'), 'not staged\n');
    const before = [await picture('one', one), await picture('two', two)];
    await at.remove('one', { force: true });
    await at.remove('two', { force: true });
    await undo(at.workspace);
    await undo(at.workspace);
    assert.deepEqual([await picture('one', one), await picture('two', two)], before);
  });

  it('gives its dependents their base back, and brings back the agent and the active worktree', async () => {
    // Its branch goes, since all of it is in main.
    const path = await at.add('base');
    await at.add('child', { base: 'base', commits: 1 });
    const { environment, repository } = at.workspace;
    await writeActive(environment, repository, { path, branch: 'base', created: '2026-01-06' });
    await at.repository.write('.claude/agents/wt-base.md', 'agent\n');
    const before = JSON.stringify([...(await readRegistry(repository)).worktrees].sort());
    await at.remove('base', { force: true });
    assert.equal((await readRegistry(repository)).worktrees.get('child')?.base, 'main');
    await undo(at.workspace);
    assert.equal(JSON.stringify([...(await readRegistry(repository)).worktrees].sort()), before);
    assert.equal((await readActive(repository))?.path, path);
    assert.match(await readFile(join(repository.mainRoot, '.claude/agents/wt-base.md'), 'utf8'), /base/);
  });

  it('leaves what has been decided since: another base, another active worktree', async () => {
    const path = await at.add('base', { commits: 1 });
    await at.add('child', { base: 'base', commits: 1 });
    await at.add('other');
    const { environment, repository } = at.workspace;
    await writeActive(environment, repository, { path, branch: 'base', created: '2026-01-06' });
    await at.remove('base', { force: true });
    await writeActive(environment, repository, { path: '/elsewhere', branch: 'other', created: '2026-01-07' });
    await updateRegistry(environment, repository, ({ worktrees }) => {
      const child = worktrees.get('child');
      if (child) worktrees.set('child', { ...child, base: 'other' });
    });
    await undo(at.workspace);
    assert.equal((await readRegistry(repository)).worktrees.get('child')?.base, 'other');
    assert.equal((await readActive(repository))?.path, '/elsewhere');
  });

  it('brings back a detached HEAD, and a worktree that nothing was recorded of', async () => {
    const path = join(at.repository.root, '.worktrees', 'loose');
    await at.repository.git('worktree', 'add', '--quiet', '--detach', path);
    await at.repository.commit('Loose', { 'loose.txt': 'x\n' }, path);
    const before = await picture('loose', path);
    await at.remove('loose', { force: true });
    await undo(at.workspace);
    assert.deepEqual(await picture('loose', path), before);
    assert.equal((await readRegistry(at.workspace.repository)).worktrees.size, 0);
  });

  it('copies the ignored files of the main root again, as making a worktree does', async () => {
    await at.repository.write('.env', 'KEY=1\n');
    const path = await at.add('env', { commits: 1 });
    await at.remove('env', { force: true });
    const { notes } = await undo(at.workspace);
    assert.equal(await readFile(join(path, '.env'), 'utf8'), 'KEY=1\n');
    assert.deepEqual(notes, []);
  });

  const refusals: [what: string, reason: string, act: (path: string) => Promise<unknown>, words: RegExp][] = [
    [
      'something else is in its place',
      'taken',
      (path) => at.repository.write(join(path, 'mine.txt'), 'mine\n'),
      /something else is at/,
    ],
    [
      'its name has been given away',
      'taken',
      async () => at.repository.git('worktree', 'add', '--quiet', '-b', 'work', join(at.repository.root, 'x', 'work')),
      /another worktree work by now|checked out/,
    ],
    [
      'its branch has gone on',
      'in-use',
      async () => {
        await at.repository.git('branch', '-f', 'work', 'main');
      },
      /work has moved since/,
    ],
    [
      'its branch is checked out elsewhere',
      'in-use',
      () => at.repository.git('worktree', 'add', '--quiet', join(at.repository.root, 'elsewhere'), 'work'),
      /checked out in/,
    ],
  ];
  for (const [what, reason, act, words] of shareOf(refusals, 2)) {
    it(`is refused when ${what}, and touches nothing then`, async () => {
      const path = await at.add('work', { commits: 1 });
      await at.repository.write(join(path, 'new.txt'), 'new\n');
      await at.remove('work', { force: true });
      if (what.includes('given away')) await at.repository.git('branch', '-D', 'work');
      await act(path);
      const state = async (): Promise<unknown> => [
        await at.repository.git('for-each-ref'),
        await at.listed(),
        (await readdir(join(at.repository.root, '.worktrees'))).sort(),
        [...(await readRegistry(at.workspace.repository)).worktrees],
        (await readOperations(at.workspace)).map(({ id }) => id),
      ];
      const before = await state();
      await assert.rejects(undo(at.workspace), (thrown: unknown) => {
        assert.ok(Problem.is(thrown));
        assert.equal(thrown.reason, reason);
        assert.match(thrown.message, words);
        assert.match(thrown.items.join('\n'), /uncommitted files: refs\/wt-backup\/.*-work\/changes/);
        return true;
      });
      assert.deepEqual(await state(), before);
    });
  }

  it('uses an empty folder that is in its place', async () => {
    const path = await at.add('work', { commits: 1 });
    await at.remove('work', { force: true });
    await mkdir(path);
    await undo(at.workspace);
    assert.equal(await git(path, 'status', '--porcelain'), '');
  });

  it('is done once, and a redo says how to remove it again', async () => {
    await at.add('work', { commits: 1 });
    await at.remove('work', { force: true });
    const [{ id } = { id: '' }] = await readOperations(at.workspace);
    await undo(at.workspace, id);
    await assert.rejects(undo(at.workspace, id), { id: 'restore.undoneAlready' });
    await assert.rejects(planRedo(at.workspace), (thrown: unknown) => {
      assert.ok(Problem.is(thrown, 'unsupported'));
      assert.match(thrown.next ?? '', /wt cleanup work/);
      return true;
    });
  });

  it('works in a repository with relative paths between worktrees, where git knows them', async function () {
    await at.repository.git('config', 'worktree.useRelativePaths', 'true');
    const path = await at.add('work', { commits: 1 });
    await at.remove('work', { force: true });
    await undo(at.workspace);
    assert.equal(await git(path, 'status', '--porcelain'), '');
    assert.equal(await at.repository.git('worktree', 'prune', '--dry-run', '--verbose'), '');
  });
});
