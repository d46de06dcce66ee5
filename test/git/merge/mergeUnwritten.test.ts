import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdir, readFile, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mergeWorktree } from '../../../src/core/merge/mergeWorktree.ts';
import { findMergeSource } from '../../../src/core/merge/source.ts';
import { Problem } from '../../../src/core/base/problem.ts';
import { createWorktree } from '../../../src/core/create/create.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { Merges } from '../../support/merges.ts';
import { addSubmodules, commitInSubmodule } from '../../support/mergeSubmodules.ts';
import { noDisk, skipBecause } from '../../support/skip.ts';
import { testWorkspace } from '../../support/workspace.ts';
import { shareOf } from '../../support/share.ts';

const notes = '# Session\n\n## Pending Tasks\n\n- [ ] **One**\n';

describe('a merge whose files cannot be written', function () {
  this.timeout(300_000);
  let merges: Merges;
  beforeEach(async () => {
    merges = await Merges.start();
    await merges.commit('', {
      'd/a.txt': 'a\n',
      'd/gone.txt': 'gone\n',
      'b.txt': 'b\n',
      'agents/learnings.md': notes,
    });
    await symlink('b.txt', join(merges.root, 'link'));
    // Git does not know this mode, so only a copy keeps it.
    await chmod(join(merges.root, 'd/a.txt'), 0o640);
    await merges.commit('', {});
    // Of older files git knows that they are unchanged without reading them, and without their filters.
    const past = new Date(Date.now() - 3_600_000);
    for (const file of ['b.txt', 'd/a.txt']) await utimes(join(merges.root, file), past, past);
    await merges.git('.', 'update-index', '--refresh');
    await merges.at.create('x');
    const path = merges.at.path('x');
    await rm(join(path, 'd/gone.txt'));
    await rm(join(path, 'link'));
    await symlink('d/a.txt', join(path, 'link'));
    await merges.commit('x', { 'd/a.txt': 'x\n', 'b.txt': 'x\n', 'd/new.txt': 'new\n', 'e/e.txt': 'e\n' });
    await merges.commit('', { 'c.txt': 'c\n' });
    // Uncommitted work that may be there: notes that are not merged, and what git does not know.
    await writeFile(join(merges.root, 'agents/learnings.md'), `${notes}- [ ] **Mine**\n`);
    await writeFile(join(merges.root, 'ignored.txt'), 'mine\n');
    await appendFile(join(merges.root, '.git/info/exclude'), '/ignored.txt\n');
  });
  afterEach(() => merges.dispose());

  /** All files with what is in them, the branch, and what git says of it. */
  const state = async (root = merges.root): Promise<Record<string, string>> => {
    const found: Record<string, string> = {
      head: await merges.at.repository.gitIn(root, 'rev-parse', 'HEAD'),
      status: await merges.at.repository.gitIn(root, 'status', '--porcelain'),
      index: await merges.at.repository.gitIn(root, 'ls-files', '-s', '-v'),
    };
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (/[\\/]\.(git|worktrees)([\\/]|$)/.test(path) || entry.isDirectory()) continue;
      found[path] = entry.isSymbolicLink()
        ? 'link'
        : `${((await stat(path)).mode & 0o777).toString(8)} ${await readFile(path, 'utf8')}`;
    }
    return found;
  };
  const requireAsBefore = async (before: Record<string, string>): Promise<void> => {
    assert.deepEqual(await state(), before);
    for (const name of ['MERGE_HEAD', 'MERGE_MSG', 'wt-merge', 'wt-merge-files', 'index.lock'])
      assert.equal(existsSync(join(merges.root, '.git', name)), false, name);
  };
  const told = (problem: Problem): string => [problem.message, problem.next, ...problem.items].join('\n');
  const requireMerged = async (): Promise<void> => {
    assert.equal((await merges.merge('x')).state, 'merged');
    assert.equal(await merges.git('.', 'status', '--porcelain'), ' M agents/learnings.md');
    assert.equal(await readFile(join(merges.root, 'd/a.txt'), 'utf8'), 'x\n');
    assert.equal(existsSync(join(merges.root, 'd/gone.txt')), false);
  };

  for (const file of shareOf(['b.txt', 'd/a.txt', 'd/new.txt', 'e/e.txt'], 2)) {
    it(`because the filter of ${file} fails leaves all as it was, and is merged once it works`, async () => {
      await writeFile(join(merges.root, '.git/info/attributes'), `/${file} filter=lfs\n`);
      await merges.git('.', 'config', 'filter.lfs.clean', 'git-lfs-that-is-not-installed');
      await merges.git('.', 'config', 'filter.lfs.smudge', 'git-lfs-that-is-not-installed');
      await merges.git('.', 'config', 'filter.lfs.required', 'true');
      const before = await state();
      const problem = await merges.refusal('x');
      assert.equal(problem.outcome, 'incomplete');
      assert.match(told(problem), /git-lfs, .* is not installed\. .* is as it was[^]*GIT_LFS_SKIP_SMUDGE=1 wt merge x/);
      await requireAsBefore(before);
      await merges.git('.', 'config', 'filter.lfs.smudge', 'cat');
      await merges.git('.', 'config', 'filter.lfs.clean', 'cat');
      await requireMerged();
    });
  }

  it('because a file or folder cannot be changed leaves all as it was, and names it', async function () {
    const places = ['d', 'd/gone.txt', 'b.txt', '.'];
    try {
      execFileSync('chattr', ['+i', join(merges.root, 'd')], { stdio: 'ignore' });
      execFileSync('chattr', ['-i', join(merges.root, 'd')], { stdio: 'ignore' });
    } catch {
      return skipBecause(this, 'only root can mark files as immutable, and not on every file system');
    }
    for (const place of places) {
      const path = join(merges.root, place);
      const before = await state();
      execFileSync('chattr', ['+i', path]);
      const problem = await merges.refusal('x').finally(() => execFileSync('chattr', ['-i', path]));
      assert.equal(problem.outcome, 'incomplete', place);
      assert.match(told(problem), /is not yours to write\. .* is as it was/, place);
      assert.match(problem.items.join('\n'), place === '.' ? /b\.txt/ : new RegExp(place.replace('.', '\\.')), place);
      await requireAsBefore(before);
    }
    await requireMerged();
  });

  it('because git takes one back and says nothing leaves all as it was', async () => {
    const filter = join(merges.at.home.root, 'odd');
    await writeFile(filter, '#!/bin/sh\nrm -f b.txt\nexec cat\n');
    await chmod(filter, 0o755);
    await writeFile(join(merges.root, '.git/info/attributes'), '/e/e.txt filter=odd\n');
    await merges.git('.', 'config', 'filter.odd.smudge', filter);
    const before = await state();
    const problem = await merges.refusal('x');
    assert.deepEqual([problem.reason, problem.outcome], ['not-writable', 'incomplete']);
    assert.match(problem.items.join('\n'), /b\.txt could not be written/);
    await requireAsBefore(before);
    await merges.git('.', 'config', 'filter.odd.smudge', 'cat');
    await requireMerged();
  });

  it('takes its submodules back with it', async () => {
    const first = 'libs/first one';
    await merges.git('.', 'checkout', '--quiet', '--', 'agents');
    await addSubmodules(merges);
    await merges.at.create('y');
    await commitInSubmodule(merges, merges.at.path('y'), [first], { 'theirs.txt': 'theirs\n' });
    await merges.commit('y', { 'b.txt': 'y\n' });
    const before = await merges.git(first, 'rev-parse', 'HEAD');
    await writeFile(join(merges.root, '.git/info/attributes'), '/b.txt filter=bad\n');
    await merges.git('.', 'config', 'filter.bad.smudge', 'false');
    await merges.git('.', 'config', 'filter.bad.required', 'true');
    await merges.refusal('y');
    assert.equal(await merges.git(first, 'rev-parse', 'HEAD'), before);
    assert.equal(await merges.git('.', 'config', '--get', 'filter.bad.required'), 'true');
    await merges.git('.', 'config', '--remove-section', 'filter.bad');
    assert.equal(await merges.git('.', 'status', '--porcelain'), '');
    assert.equal((await merges.merge('y')).state, 'merged');
  });

  it('because the disk is full leaves all as it was, and says so', async function () {
    const disk = join(merges.at.home.root, 'disk');
    await mkdir(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      return skipBecause(this, noDisk);
    }
    try {
      const root = join(disk, 'r');
      const { repository, home } = merges.at;
      await repository.gitIn(disk, 'clone', '--quiet', repository.root, root);
      await repository.commit('Large', { large: 'a'.repeat(100_000), small: 'a\n' }, root);
      const workspace = await testWorkspace(home, root);
      // Another name than that of the branch in the repository that was cloned: it would be continued.
      const { path } = await createWorktree(workspace, { name: 'larger', createdBy: 'test' });
      await repository.commit('Larger', { large: 'x'.repeat(400_000), more: 'm\n', small: 'x\n' }, path);
      const source = await findMergeSource(
        workspace,
        await readSnapshot(workspace, { withChanges: false }),
        'larger',
        root,
      );
      for (const room of [24, 100, 250]) {
        const free = Number(execFileSync('df', ['--output=avail', '-k', disk]).toString().split('\n')[1]);
        execFileSync(
          'dd',
          ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=1k', `count=${Math.max(0, free - room)}`],
          {
            stdio: 'ignore',
          },
        );
        const before = await state(root);
        const thrown: unknown = await mergeWorktree(workspace, { source, into: root }).catch(
          (problem: unknown) => problem,
        );
        assert.ok(Problem.is(thrown), String(thrown));
        assert.equal(thrown.outcome, 'incomplete');
        assert.match(thrown.message, /the disk is full\. .* is as it was/);
        assert.deepEqual(await state(root), before);
        await rm(join(disk, 'filler'));
      }
      assert.equal((await mergeWorktree(workspace, { source, into: root })).state, 'merged');
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  });
});
