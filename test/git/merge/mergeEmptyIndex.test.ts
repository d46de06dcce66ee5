import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { takeOverMerge } from '../../../src/core/merge/mergeData.ts';
import { Merges } from '../../support/merges.ts';
import { addSubmodules, commitInSubmodule, lines } from '../../support/mergeSubmodules.ts';
import { shareOf } from '../../support/share.ts';

const session = '# Session\n\n## Pending Tasks\n\n- [ ] **One**\n';

describe('a merge that is under way, of which the index holds nothing', function () {
  this.timeout(300_000);
  let merges: Merges;
  beforeEach(async () => {
    merges = await Merges.start();
    await merges.commit('', { 'a.txt': 'a\n', 'b.txt': 'b\n', 'agents/session.md': session });
    await merges.at.create('x');
    await merges.commit('', { 'c.txt': 'c\n' });
  });
  afterEach(() => merges.dispose());

  const file = (path: string): string => join(merges.root, path);
  const head = (): Promise<string> => merges.git('.', 'rev-parse', 'HEAD');
  const status = (): Promise<string> => merges.git('.', 'status', '--porcelain');
  const requireMerged = async (files: Record<string, string>): Promise<void> => {
    assert.equal((await merges.merge('x')).state, 'merged');
    for (const [path, text] of Object.entries(files))
      assert.equal(await merges.git('.', 'show', `HEAD:${path}`), text.trimEnd(), path);
    assert.equal(await status(), '');
    for (const name of ['MERGE_HEAD', 'MERGE_MODE', 'MERGE_MSG', 'wt-merge', 'wt-merge-files'])
      assert.equal(existsSync(file(`.git/${name}`)), false, name);
  };

  /** While git writes the files of a merge, something else comes into the place of its lock: it cannot write the index then. */
  async function spoilLock(): Promise<string> {
    const lock = file('.git/index.lock');
    const filter = join(merges.at.home.root, 'spoil');
    await writeFile(filter, `#!/bin/sh\nif test -f '${lock}'; then rm '${lock}'; mkdir '${lock}'; fi\nexec cat\n`);
    await chmod(filter, 0o755);
    await writeFile(file('.git/info/attributes'), 'new.txt filter=spoil\n');
    await merges.git('.', 'config', 'filter.spoil.smudge', filter);
    return lock;
  }

  it('since git could not write it: is not committed, and merged with all its changes by the next run', async () => {
    await merges.commit('x', { 'a.txt': 'x\n', 'new.txt': 'new\n', 'agents/session.md': session });
    const lock = await spoilLock();
    const before = await head();
    const problem = await merges.refusal('x');
    assert.equal(problem.outcome, 'incomplete');
    assert.equal(await head(), before);
    await rm(lock, { recursive: true });
    await merges.git('.', 'config', 'filter.spoil.smudge', 'cat');
    await requireMerged({ 'a.txt': 'x\n', 'new.txt': 'new\n', 'c.txt': 'c\n' });
  });

  it('since git could not write it: is taken back with the files that git has written', async () => {
    await merges.commit('x', { 'a.txt': 'x\n', 'new.txt': 'new\n' });
    // As a run leaves it that was killed before it looked.
    const { theirs } = await killedRun();
    await merges.git('.', 'merge', '--no-commit', '--no-ff', '--quiet', theirs);
    await merges.git('.', 'read-tree', 'HEAD');
    assert.match(await status(), /M a\.txt[^]*\?\? new\.txt/);
    await merges.abort('x');
    assert.equal(await status(), '');
    assert.equal(existsSync(file('new.txt')), false);
    await requireMerged({ 'a.txt': 'x\n', 'new.txt': 'new\n' });
  });

  for (const written of shareOf([true, false], 2)) {
    it(`when its run was killed before it looked ${written ? '' : 'and git had written no file '}is begun anew`, async () => {
      await merges.commit('x', { 'a.txt': 'x\n', 'new.txt': 'new\n' });
      const { theirs } = await killedRun();
      await merges.git('.', 'merge', '--no-commit', '--no-ff', '--quiet', theirs);
      if (written) await merges.git('.', 'read-tree', 'HEAD');
      else await merges.git('.', 'read-tree', '--reset', '-u', 'HEAD');
      assert.equal(existsSync(file('.git/MERGE_HEAD')), true);
      await requireMerged({ 'a.txt': 'x\n', 'new.txt': 'new\n', 'c.txt': 'c\n' });
    });
  }

  for (const again of shareOf(['merge', 'abort'] as const, 2)) {
    it(`when only its index is left, which a full disk kept from being put back: ${again} puts it back`, async () => {
      await merges.commit('x', { 'a.txt': 'x\n', 'new.txt': 'new\n' });
      const { theirs } = await killedRun();
      await merges.git('.', 'merge', '--no-commit', '--no-ff', '--quiet', theirs);
      await merges.git('.', 'merge', '--quit');
      await writeFile(file('a.txt'), 'a\n');
      await rm(file('new.txt'));
      assert.match(await status(), /MM a\.txt[^]*AD new\.txt/);
      if (again === 'abort') {
        await merges.abort('x');
        assert.equal(await status(), '');
      }
      await requireMerged({ 'a.txt': 'x\n', 'new.txt': 'new\n' });
    });
  }

  /** What a run has written down that has come as far as git's own merge. */
  async function killedRun(): Promise<{ theirs: string }> {
    const { commit: theirs, branch, slug, name } = await merges.source('x');
    const lists = { notes: [], untracked: [], moved: {}, submodules: [], sessionFiles: [] };
    const data = {
      id: 'killed',
      gitDir: file('.git'),
      name,
      slug,
      branch,
      theirs,
      ours: await head(),
      message: 'M',
      ...lists,
      staged: false,
    };
    await takeOverMerge(merges.at.workspace, data, false);
    return { theirs };
  }

  it('since something has put back the index of ours: is refused, and taken back or ended by the person', async () => {
    await merges.commit('x', { 'a.txt': 'x\n', 'b.txt': 'x\n', 'new.txt': 'new\n' });
    await merges.commit('', { 'b.txt': 'ours\n' });
    assert.equal((await merges.refusal('x')).reason, 'conflicts');
    const before = await head();
    await merges.git('.', 'read-tree', 'HEAD');
    await writeFile(file('b.txt'), 'ours\n');
    const problem = await merges.refusal('x');
    assert.equal(problem.outcome, 'incomplete');
    assert.match(
      problem.message,
      /^x is not merged\. Nothing of the merge is staged in .*, so all of it would be lost/,
    );
    assert.match(problem.next ?? '', /`wt merge x --abort`, then `wt merge x` .*`git commit` there ends the merge/);
    assert.equal(await head(), before);
    await merges.abort('x');
    assert.equal(await status(), '');
    assert.equal(existsSync(file('new.txt')), false);
    assert.equal((await merges.refusal('x')).reason, 'conflicts');
    await merges.git('.', 'read-tree', '--reset', '-u', 'HEAD');
    await merges.refusal('x');
    await merges.git('.', 'commit', '--quiet', '--message', 'Nothing of it is wanted');
    assert.equal((await merges.merge('x')).state, 'already');
  });

  it('since a person has settled its only conflict by what ours has: is committed', async () => {
    await merges.commit('x', { 'b.txt': 'x\n' });
    await merges.commit('', { 'b.txt': 'ours\n' });
    await merges.refusal('x');
    await merges.git('.', 'checkout', '--quiet', '--ours', 'b.txt');
    await merges.git('.', 'add', 'b.txt');
    await requireMerged({ 'b.txt': 'ours\n' });
  });

  it('but for what a person has taken back of it: is committed as they staged it', async () => {
    await merges.commit('x', { 'a.txt': 'x\n', 'b.txt': 'x\n' });
    await merges.commit('', { 'b.txt': 'ours\n' });
    await merges.refusal('x');
    await merges.git('.', 'restore', '--source=HEAD', '--staged', '--worktree', 'a.txt');
    await writeFile(file('b.txt'), 'both\n');
    await merges.git('.', 'add', 'b.txt');
    await requireMerged({ 'a.txt': 'a\n', 'b.txt': 'both\n' });
  });

  it('since only notes have changed, whose own rules keep ours: is committed', async () => {
    await merges.commit('x', { 'agents/session.md': session.replace('## Pending', '## Pending') + '\n' });
    await requireMerged({ 'agents/session.md': session });
  });

  it('in a submodule: is refused there too', async () => {
    await addSubmodules(merges);
    const folder = 'libs/first one';
    await merges.at.create('y');
    await commitInSubmodule(merges, merges.at.path('y'), [folder], { 'first.txt': lines('theirs'), 'new.txt': 'n\n' });
    await commitInSubmodule(merges, merges.root, [folder], { 'first.txt': lines('ours') });
    assert.equal((await merges.refusal('y')).reason, 'conflicts');
    const before = await merges.git(folder, 'rev-parse', 'HEAD');
    await merges.git(folder, 'read-tree', '--reset', '-u', 'HEAD');
    assert.match((await merges.refusal('y')).message, /Nothing of the merge is staged in .*first one/);
    assert.equal(await merges.git(folder, 'rev-parse', 'HEAD'), before);
    await merges.git(folder, 'merge', '--abort');
    assert.equal((await merges.refusal('y')).reason, 'conflicts');
    await merges.git(folder, 'checkout', '--quiet', '--ours', 'first.txt');
    await merges.git(folder, 'add', 'first.txt');
    assert.equal((await merges.merge('y')).state, 'merged');
    assert.equal(await readFile(file(`${folder}/new.txt`), 'utf8'), 'n\n');
  });

  it('since it is committed and only the note of it has stayed: is done, and the note goes', async () => {
    const theirs = await merges.commit('x', { 'a.txt': 'x\n' });
    await writeFile(file('.git/hooks/post-commit'), `#!/bin/sh\necho ${theirs} > .git/MERGE_HEAD\n`, { mode: 0o755 });
    const { commit } = await merges.merge('x');
    assert.equal(existsSync(file('.git/MERGE_HEAD')), false);
    await writeFile(file('.git/MERGE_HEAD'), `${theirs}\n`);
    assert.equal((await merges.merge('x')).state, 'already');
    assert.equal(existsSync(file('.git/MERGE_HEAD')), false);
    assert.equal(await head(), commit);
  });
});
