import assert from 'node:assert/strict';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import {
  backUpText,
  readWorkingText,
  stageResult,
  writeResult,
  type ConflictedFile,
} from '../../../src/core/merge/conflictedFile.ts';
import { readSides } from '../../../src/core/merge/conflictSides.ts';
import { readStages, readVersions } from '../../../src/core/merge/conflictStages.ts';
import { isLeftByGit, markerLine } from '../../../src/core/merge/leftByGit.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';

const path = 'agents/session.md';
const session = (...tasks: string[]): string =>
  `# Session\n\n## Pending Tasks\n\n${tasks.map((task) => `- ${task}\n`).join('')}`;

describe('a file in conflict', () => {
  let home: TestHome;
  let repository: TestRepository;
  let root: string;

  const base = session('[ ] **Alpha** do a', '[ ] **Beta** do b');
  const ours = session('[!] **Alpha** do a', '[ ] **Beta** do b', '[ ] **Ours** new');
  const theirs = session('[x] **Alpha** do a', '[ ] **Beta** do b', '[ ] **Theirs** new');

  beforeEach(async () => {
    home = await testHome();
    repository = await home.repository();
    await repository.commit('Base', { [path]: base });
    root = join(repository.root, '.worktrees', 'feat-x');
    await repository.git('worktree', 'add', '-q', '-b', 'feat-x', root);
    await repository.commit('Theirs', { [path]: theirs }, root);
    await repository.write('.git/info/exclude', '/.worktrees/\n');
    await repository.commit('Ours', { [path]: ours });
  });
  afterEach(() => home.dispose());

  const conflict = (...args: string[]) => assert.rejects(repository.git(...args));
  const look = async (folder = repository.root): Promise<ConflictedFile> => {
    const { git } = await testWorkspace(home, folder);
    const stages = (await readStages(git, folder)).get(path);
    assert.ok(stages, 'there is no conflict');
    return { root: folder, path, stages, text: await readWorkingText(join(folder, path)) };
  };
  const leftByGit = async (text: string, gitDir = join(repository.root, '.git'), folder = repository.root) => {
    const { git } = await testWorkspace(home, folder);
    const { stages } = await look(folder);
    return isLeftByGit(git, { root: folder, gitDir, path }, await readVersions(git, folder, path, stages), text);
  };
  const sidesOf = async (at: (path: string) => boolean) => {
    const { git } = await testWorkspace(home, repository.root);
    const snapshot = await readSnapshot(await testWorkspace(home, repository.root));
    const worktree = snapshot.worktrees.find((each) => at(each.path));
    assert.ok(worktree);
    const { merged, ...sides } = await readSides(git, snapshot, worktree);
    return { ...sides, merged: merged?.slug };
  };

  it('has its three versions in the index, whatever was made of the file', async () => {
    await conflict('merge', 'feat-x');
    await repository.write(path, 'something else\n');
    const { git } = await testWorkspace(home, repository.root);
    const { stages } = await look();
    assert.deepEqual(await readVersions(git, repository.root, path, stages), { base, ours, theirs });
  });

  it('has no base where both sides added it', async () => {
    await repository.commit('No file', {});
    const orphan = join(repository.root, '.worktrees', 'apart');
    await repository.git('worktree', 'add', '-q', '--detach', orphan);
    await repository.gitIn(orphan, 'checkout', '-q', '--orphan', 'apart');
    await repository.commit('Apart', { [path]: theirs }, orphan);
    await conflict('merge', '--allow-unrelated-histories', 'apart');
    const { git } = await testWorkspace(home, repository.root);
    const { stages, text } = await look();
    assert.deepEqual(await readVersions(git, repository.root, path, stages), { base: undefined, ours, theirs });
    assert.equal(await leftByGit(text ?? ''), true);
  });

  for (const style of ['merge', 'diff3', 'zdiff3']) {
    it(`is known to be as git left it, with markers in the style ${style}`, async () => {
      await conflict('-c', `merge.conflictStyle=${style}`, 'merge', 'feat-x');
      const left = await readFile(join(repository.root, path), 'utf8');
      assert.match(left, /^<<<<<<< /m);
      assert.equal(await leftByGit(left), true);
      assert.equal(await leftByGit(left.replace('do b', 'do b first')), false);
      assert.equal(await leftByGit(left.replaceAll('\n', '\r\n')), true);
      assert.equal(await repository.git('status', '--porcelain'), `UU ${path}`);
    });
  }

  it('is known to be as git left it in a linked worktree, and without hooks', async () => {
    await assert.rejects(repository.gitIn(root, 'rebase', 'main'));
    await repository.write(
      '.git/hooks/post-checkout',
      '#!/bin/sh\ntouch "$(git rev-parse --git-common-dir)/hook-ran"\n',
    );
    await chmod(join(repository.root, '.git/hooks/post-checkout'), 0o755);
    const left = await readFile(join(root, path), 'utf8');
    assert.equal(await leftByGit(left, join(repository.root, '.git/worktrees/feat-x'), root), true);
    await assert.rejects(readFile(join(repository.root, '.git/hook-ran')), 'the hook ran');
  });

  it('which is one of the sides holds nobody’s work', async () => {
    await conflict('merge', 'feat-x');
    assert.equal(await leftByGit(ours), true);
    assert.equal(await leftByGit(theirs), true);
    assert.equal(await leftByGit(base), false);
  });

  it('is between the branches of a merge, of which a worktree is known', async () => {
    await conflict('merge', 'feat-x');
    await repository.gitIn(root, 'commit', '-q', '--allow-empty', '-m', 'Went on');
    assert.deepEqual(await sidesOf((each) => each === repository.root), {
      operation: 'merge',
      ours: 'main',
      theirs: 'feat-x',
      swapped: false,
      merged: 'feat-x',
    });
  });

  it('is, in a rebase, between the branch, which is the person’s own, and what its commits are put onto', async () => {
    await assert.rejects(repository.gitIn(root, 'rebase', 'main'));
    assert.deepEqual(await sidesOf((each) => each.endsWith('feat-x')), {
      operation: 'rebase',
      ours: 'feat-x',
      theirs: 'main',
      swapped: true,
      merged: undefined,
    });
  });

  it('is between a branch and a commit in a cherry-pick', async () => {
    const commit = await repository.gitIn(root, 'rev-parse', 'HEAD');
    await conflict('cherry-pick', commit);
    assert.deepEqual(await sidesOf((each) => each === repository.root), {
      operation: 'cherry-pick',
      ours: 'main',
      theirs: commit.slice(0, 7),
      swapped: false,
      merged: undefined,
    });
  });

  it('is written and staged, and says what is left', async () => {
    await repository.commit('Code', { 'code.txt': 'ours\n' });
    await repository.commit('Code', { 'code.txt': 'theirs\n' }, root);
    await conflict('merge', 'feat-x');
    const workspace = await testWorkspace(home, repository.root);
    const looked = await look();
    await writeResult(workspace, looked, 'result\n');
    assert.deepEqual(await stageResult(workspace, looked), ['code.txt']);
    assert.equal(await repository.git('show', `:0:${path}`), 'result');
    assert.equal(await readFile(join(repository.root, path), 'utf8'), 'result\n');
  });

  it('is not written over when it was changed meanwhile', async () => {
    await conflict('merge', 'feat-x');
    const looked = await look();
    await writeFile(join(repository.root, path), 'by hand\n');
    const workspace = await testWorkspace(home, repository.root);
    await assert.rejects(writeResult(workspace, looked, 'result\n'), (thrown) => Problem.is(thrown, 'would-lose-work'));
    assert.equal(await readFile(join(repository.root, path), 'utf8'), 'by hand\n');
  });

  it('is written again when it was deleted', async () => {
    await conflict('merge', 'feat-x');
    const looked = await look();
    await rm(join(repository.root, path));
    const workspace = await testWorkspace(home, repository.root);
    await writeResult(workspace, looked, 'result\n');
    assert.equal(await readFile(join(repository.root, path), 'utf8'), 'result\n');
  });

  it('is not written when it was resolved elsewhere', async () => {
    await conflict('merge', 'feat-x');
    const looked = await look();
    await repository.write(path, 'elsewhere\n');
    await repository.git('add', path);
    const workspace = await testWorkspace(home, repository.root);
    await assert.rejects(writeResult(workspace, looked, 'result\n'), { id: 'merge.resolvedElsewhere' });
    await assert.rejects(stageResult(workspace, looked), { id: 'merge.resolvedElsewhere' });
    assert.equal(await readFile(join(repository.root, path), 'utf8'), 'elsewhere\n');
  });

  it('is never staged with a marker in it', async () => {
    await conflict('merge', 'feat-x');
    const workspace = await testWorkspace(home, repository.root);
    await assert.rejects(stageResult(workspace, await look()), (thrown) => Problem.is(thrown) && thrown.line === 5);
    assert.match(await repository.git('status', '--porcelain'), /^UU /m);
  });

  it('can be kept before it is written over', async () => {
    const workspace = await testWorkspace(home, repository.root);
    const ref = await backUpText(workspace, 'feat-x', 'by hand\n');
    assert.match(ref, /^refs\/wt-backup\/.*-feat-x\/edited-by-hand$/);
    assert.equal(await repository.git('cat-file', 'blob', ref), 'by hand');
  });

  it('has a marker only where git would write one', () => {
    assert.equal(markerLine('a\n<<<<<<< HEAD\n'), 2);
    assert.equal(markerLine('a\n|||||||\nb'), 2);
    assert.equal(markerLine('Heading\n=======\n<<<<<<<<< many\n'), undefined);
  });
});
