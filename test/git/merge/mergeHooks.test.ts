import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { undo } from '../../../src/core/recovery/undo.ts';
import { Merges } from '../../support/merges.ts';
import { addSubmodules, commitInSubmodule } from '../../support/mergeSubmodules.ts';
import { texts } from '../../support/texts.ts';
import { shareOf } from '../../support/share.ts';

/** What a hook does to git's note that a merge is under way, in the main working tree or a linked one. */
const harms = {
  empties: ': > "$(git rev-parse --git-dir)/MERGE_HEAD"',
  removes: 'rm -f "$(git rev-parse --git-dir)/MERGE_HEAD"',
};

describe('a merge commit, and hooks that interfere', function () {
  this.timeout(300_000);
  let merges: Merges;
  let ours: string;
  let theirs: string;
  beforeEach(async () => {
    merges = await Merges.start();
    await merges.commit('', { 'a.txt': 'a\n', 'own.txt': 'own\n' });
    await merges.at.create('x');
    theirs = await merges.commit('x', { 'a.txt': 'x\n', 'new.txt': 'new\n' });
    ours = await merges.commit('', { 'b.txt': 'b\n' });
  });
  afterEach(() => merges.dispose());

  const hook = async (name: string, text: string): Promise<void> => {
    const file = join(merges.root, '.git', 'hooks', name);
    await mkdir(join(merges.root, '.git', 'hooks'), { recursive: true });
    await writeFile(file, `#!/bin/sh\n${text}\n`);
    await chmod(file, 0o755);
  };
  const parents = async (commit: string, folder = '.'): Promise<string[]> =>
    (await merges.git(folder, 'rev-list', '--parents', '--max-count=1', commit)).split(' ').slice(1);
  const requireDone = async (folder = '.', before = ours): Promise<void> => {
    assert.deepEqual(await parents('HEAD', folder), [before, theirs]);
    assert.equal(await merges.git(folder, 'status', '--porcelain'), '');
    assert.equal(await merges.git(folder, 'show', 'HEAD:a.txt'), 'x');
    assert.equal(await merges.git(folder, 'log', '-1', '--format=%B'), '🔀 Merge wt/x\n\nWt-Merge: x');
    const gitDir = await merges.git(folder, 'rev-parse', '--absolute-git-dir');
    for (const name of ['MERGE_HEAD', 'MERGE_MODE', 'wt-merge', 'wt-merge-files'])
      assert.equal(existsSync(join(gitDir, name)), false, name);
  };

  for (const [what, harm] of shareOf(Object.entries(harms), 2)) {
    for (const name of ['pre-commit', 'prepare-commit-msg', 'commit-msg']) {
      it(`has both parents although a ${name} hook ${what} MERGE_HEAD`, async () => {
        await hook(name, harm);
        const merged = await merges.merge('x');
        await requireDone();
        assert.equal(merged.commit, await merges.git('.', 'rev-parse', 'HEAD'));
        assert.equal((await merges.merge('x')).state, 'already');
        await undo(merges.at.workspace);
        assert.equal(await merges.git('.', 'rev-parse', 'HEAD'), ours);
      });
    }

    it(`has them in a linked worktree as well, and after a conflict, where a hook ${what} it`, async () => {
      await merges.at.create('t');
      const before = await merges.commit('t', { 'a.txt': 't\n' });
      await hook('pre-commit', harm);
      const into = merges.at.path('t');
      assert.equal((await merges.refusal('x', { into })).reason, 'conflicts');
      await writeFile(join(into, 'a.txt'), 'x\n');
      await merges.git('.worktrees/t', 'add', 'a.txt');
      await merges.merge('x', { into });
      await requireDone('.worktrees/t', before);
    });

    it(`is made by the next run where a hook ${what} it and refuses, and can be taken back`, async () => {
      await hook('pre-commit', `${harm}; exit 1`);
      assert.equal((await merges.refusal('x')).reason, 'git-failed');
      await writeFile(join(merges.root, 'mine.txt'), 'mine\n');
      // As if the process had been killed before it could look.
      await writeFile(join(merges.root, '.git', 'MERGE_HEAD'), '');
      assert.equal((await merges.refusal('x')).reason, 'git-failed');
      await rm(join(merges.root, '.git', 'MERGE_HEAD'));
      await merges.abort('x');
      assert.equal(await merges.git('.', 'status', '--porcelain'), '?? mine.txt');
      assert.equal(await merges.git('.', 'rev-parse', 'HEAD'), ours);
      assert.equal(await readFile(join(merges.root, 'a.txt'), 'utf8'), 'a\n');
      await rm(join(merges.root, 'mine.txt'));
      assert.equal((await merges.refusal('x')).reason, 'git-failed');
      await rm(join(merges.root, '.git', 'MERGE_HEAD'), { force: true });
      await rm(join(merges.root, '.git', 'hooks', 'pre-commit'));
      await merges.merge('x');
      await requireDone();
    });
  }

  it('keeps author, message and signature when its parent is added', async () => {
    const sign = join(merges.at.home.root, 'sign');
    await writeFile(
      sign,
      '#!/bin/sh\ncat > /dev/null\necho "[GNUPG:] SIG_CREATED " >&2\necho "-----BEGIN PGP SIGNATURE-----"\necho "-----END PGP SIGNATURE-----"\n',
    );
    await chmod(sign, 0o755);
    await merges.git('.', 'config', 'gpg.program', sign);
    await merges.git('.', 'config', 'commit.gpgSign', 'true');
    for (const harm of Object.values(harms)) {
      await hook('pre-commit', harm);
      await hook('commit-msg', 'printf "Checked\\n" >> "$1"');
      await merges.merge('x');
      assert.deepEqual(await parents('HEAD'), [ours, theirs]);
      const text = await merges.git('.', 'cat-file', 'commit', 'HEAD');
      assert.match(text, /^author Ada Example <ada@example.com>[^]*^gpgsig [^]*\n\n🔀 Merge wt\/x[^]*Checked$/m);
      await merges.git('.', 'reset', '--quiet', '--hard', ours);
    }
  });

  it('says which files a hook has changed in it', async () => {
    await hook('pre-commit', 'echo made > made.txt; echo more >> own.txt; git add made.txt own.txt');
    const { notes } = await merges.merge('x');
    assert.deepEqual(await parents('HEAD'), [ours, theirs]);
    assert.match(texts(notes).join('\n'), /A hook has changed what the merge commit holds: made\.txt, own\.txt\./);
    assert.equal(await merges.git('.', 'status', '--porcelain'), '');
  });

  it('says that a hook has committed on top of it', async () => {
    await hook(
      'post-commit',
      'rm -f .git/hooks/post-commit; echo 2 > version; git add version; git commit -qm Version',
    );
    const { notes, commit } = await merges.merge('x');
    assert.deepEqual(await parents('HEAD'), [commit]);
    assert.deepEqual(await parents(commit ?? ''), [ours, theirs]);
    assert.match(texts(notes).join('\n'), /further commits on top of the merge/);
    assert.equal((await merges.merge('x')).state, 'already');
  });

  it('is never replaced by a commit that a hook makes; the next run ends right', async () => {
    await hook(
      'pre-commit',
      'rm -f .git/hooks/pre-commit; c=$(git commit-tree -m Own -p HEAD "HEAD^{tree}"); git update-ref HEAD $c',
    );
    const problem = await merges.refusal('x');
    assert.equal(problem.outcome, 'incomplete');
    assert.match([problem.message, ...problem.items].join('\n'), /A hook of the repository has made [0-9a-f]{12}/);
    const own = await merges.git('.', 'rev-parse', 'HEAD');
    assert.deepEqual(await parents(own), [ours]);
    await merges.merge('x');
    await requireDone('.', own);
  });

  it('of a submodule has both parents as well', async () => {
    const first = 'libs/first one';
    await addSubmodules(merges);
    await merges.at.create('y');
    const inner = await commitInSubmodule(merges, merges.at.path('y'), [first], { 'theirs.txt': 'theirs\n' });
    const before = await commitInSubmodule(merges, merges.root, [first], { 'ours.txt': 'ours\n' });
    const hooks = join(merges.root, '.git', 'modules', 'odd name', 'hooks');
    await mkdir(hooks, { recursive: true });
    await writeFile(join(hooks, 'pre-commit'), `#!/bin/sh\n${harms.empties}\n`);
    await chmod(join(hooks, 'pre-commit'), 0o755);
    await merges.merge('y');
    assert.deepEqual(await parents('HEAD', first), [before, inner]);
    assert.equal(await merges.git('.', 'status', '--porcelain'), '');
  });
});
