import assert from 'node:assert/strict';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { addCommit } from '../../../src/core/worktree/addCommit.ts';
import { cleanTree } from '../../../src/core/worktree/cleanTree.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';

suite('whether a tree is clean', () => {
  let home: TestHome;
  let repository: TestRepository;

  setup(async () => {
    home = await testHome();
    repository = await home.repository();
    await repository.commit('Files', { 'a.txt': 'a\n', 'agents/session.md': '# Session\n' });
  });
  teardown(() => home.dispose());

  const dirty = async (root = repository.root): Promise<string[]> => cleanTree(await testWorkspace(home, root), root);

  test('a fresh one is', async () => {
    assert.deepEqual(await dirty(), []);
  });

  test('changes are told as git tells them', async () => {
    await repository.commit('More', { 'b b.txt': 'b\n'.repeat(5), 'c.txt': 'c\n', 'quote".txt': 'q\n' });
    await repository.write('a.txt', 'changed\n');
    await repository.git('mv', 'b b.txt', 'd d.txt');
    await repository.git('rm', '-q', 'c.txt');
    await repository.write('quote".txt', 'changed\n');
    await repository.write('new/file.txt', 'new\n');
    await repository.write('ünïcode.txt', 'new\n');
    const expected = await repository.git('-c', 'core.quotePath=false', 'status', '--porcelain');
    assert.deepEqual(await dirty(), expected.split('\n'));
  });

  test('the session files do not count, wherever their folder stands', async () => {
    await repository.write('agents/session.md', 'changed\n');
    await repository.write('agents/learnings.md', 'new\n');
    await repository.git('add', 'agents/learnings.md');
    assert.deepEqual(await dirty(), []);
  });

  test('session files in a folder without any tracked file do not count, what lies beside them does', async () => {
    await repository.git('rm', '-q', '-r', 'agents');
    await repository.git('commit', '-q', '-m', 'No agents');
    await repository.write('agents/session.md', 'new\n');
    await repository.write('agents/jobs.md', 'new\n');
    assert.deepEqual(await dirty(), []);
    await repository.write('agents/other file.md', 'new\n');
    assert.deepEqual(await dirty(), ['?? "agents/other file.md"']);
  });

  test('a session file that was renamed to another name counts', async () => {
    await repository.git('mv', 'agents/session.md', 'agents/notes.md');
    assert.deepEqual(await dirty(), ['R  agents/session.md -> agents/notes.md']);
  });

  test('the session files are those that the team has named', async () => {
    await repository.commit('Configure', { '.worktrees.yml': 'session: { session: notes/now.md }\n' });
    await repository.write('notes/now.md', 'new\n');
    await repository.write('agents/session.md', 'changed\n');
    assert.deepEqual(await dirty(), [' M agents/session.md']);
  });

  test('files that git does not track count, whatever the user has configured', async () => {
    await repository.git('config', 'status.showUntrackedFiles', 'no');
    await repository.write('new.txt', 'new\n');
    assert.deepEqual(await dirty(), ['?? new.txt']);
  });

  suite('with submodules', () => {
    setup(async () => {
      const inner = await home.repository('inner');
      const library = await home.repository('library');
      await library.git('submodule', '--quiet', 'add', inner.root, 'deep');
      await library.commit('Add inner', { 'agents/session.md': 's\n' });
      await repository.git('submodule', '--quiet', 'add', library.root, 'agent core');
      await repository.git('submodule', '--quiet', 'update', '--init', '--recursive');
      await repository.commit('Add the library', {});
    });

    test('a fresh one is clean', async () => {
      assert.deepEqual(await dirty(), []);
    });

    test('what is changed in a submodule is told with its path, at any depth', async () => {
      await repository.write('agent core/README.md', 'changed\n');
      await repository.write('agent core/deep/README.md', 'changed\n');
      assert.deepEqual(await dirty(), [' M "agent core/README.md"', ' M "agent core/deep/README.md"']);
    });

    test('session files of a submodule do not count', async () => {
      await repository.write('agent core/agents/session.md', 'changed\n');
      assert.deepEqual(await dirty(), []);
    });

    test('a submodule at another commit counts', async () => {
      await repository.commit('Inside', {}, join(repository.root, 'agent core'));
      assert.deepEqual(await dirty(), [' M "agent core"']);
    });

    test('a submodule that is not initialised does not count', async () => {
      await repository.git('submodule', '--quiet', 'deinit', '--force', 'agent core');
      assert.deepEqual(await dirty(), []);
    });
  });
});

suite('committing files', () => {
  let home: TestHome;
  let repository: TestRepository;

  setup(async () => {
    home = await testHome();
    repository = await home.repository();
    await repository.commit('Files', { 'a.txt': 'a\n', 'src/b.txt': 'b\n' });
  });
  teardown(() => home.dispose());

  const commit = async (files: readonly string[], options: { message?: string; cwd?: string; root?: string } = {}) => {
    const { message = 'Message', cwd = repository.root, root = repository.root } = options;
    return addCommit(await testWorkspace(home, cwd), root, files, message);
  };
  const committed = (): Promise<string> => repository.git('show', '--format=%s', '--name-status', 'HEAD');

  test('stages and commits them, and gives the commit', async () => {
    await repository.write('a.txt', 'changed\n');
    await repository.write('new.txt', 'new\n');
    await repository.write('other.txt', 'other\n');
    const id = await commit(['a.txt', 'new.txt'], { message: 'A "message"\n\n#12 körper\n' });
    assert.equal(id, await repository.git('rev-parse', 'HEAD'));
    assert.equal(await committed(), 'A "message"\n\nM\ta.txt\nA\tnew.txt');
    assert.equal(await repository.git('log', '-1', '--format=%b'), '#12 körper');
    assert.equal(await repository.git('status', '--porcelain'), '?? other.txt');
  });

  test('does nothing when nothing is staged then', async () => {
    const before = await repository.git('rev-parse', 'HEAD');
    assert.equal(await commit(['a.txt']), undefined);
    assert.equal(await repository.git('rev-parse', 'HEAD'), before);
  });

  test('commits what was staged before as well', async () => {
    await repository.write('staged.txt', 'x\n');
    await repository.git('add', 'staged.txt');
    await commit(['a.txt']);
    assert.equal(await committed(), 'Message\n\nA\tstaged.txt');
  });

  test('commits the removal of a file, once', async () => {
    await rm(join(repository.root, 'a.txt'));
    assert.notEqual(await commit(['a.txt']), undefined);
    assert.equal(await committed(), 'Message\n\nD\ta.txt');
    assert.equal(await commit(['a.txt']), undefined);
  });

  test('a file that never was is named, and nothing is staged', async () => {
    await repository.write('a.txt', 'changed\n');
    await assert.rejects(
      commit(['a.txt', 'typo.txt']),
      (thrown) => Problem.is(thrown, 'not-found') && /typo\.txt/.test(thrown.message),
    );
    assert.equal(await repository.git('status', '--porcelain'), ' M a.txt');
  });

  test('names are taken from where the person is', async () => {
    await repository.write('src/b.txt', 'changed\n');
    await commit(['b.txt'], { cwd: join(repository.root, 'src') });
    assert.equal(await committed(), 'Message\n\nM\tsrc/b.txt');
  });

  test('in another worktree they are taken from its root', async () => {
    const root = join(home.root, 'w');
    await repository.git('worktree', 'add', '-q', root);
    await repository.write(join(root, 'a.txt'), 'changed\n');
    await commit(['a.txt'], { root });
    assert.equal(await repository.gitIn(root, 'show', '--format=', '--name-only', 'HEAD'), 'a.txt');
  });

  test('through a link to the worktree', async () => {
    await symlink(repository.root, join(home.root, 'link'));
    await repository.write('a.txt', 'changed\n');
    await commit([join(home.root, 'link', 'a.txt')], { cwd: join(home.root, 'link') });
    assert.equal(await committed(), 'Message\n\nM\ta.txt');
  });

  test('no character of a name is special', async () => {
    for (const name of ['[id].txt', 'i.txt', '*.txt', ':(top)x', '-dash', 'line\nbreak'])
      await repository.write(name, 'x\n');
    await commit(['[id].txt', '*.txt', ':(top)x', '-dash', 'line\nbreak']);
    assert.equal(await repository.git('status', '--porcelain'), '?? i.txt');
  });

  test('a folder counts with everything in it', async () => {
    await repository.write('src/b.txt', 'changed\n');
    await repository.write('src/c.txt', 'new\n');
    await commit(['src']);
    assert.equal(await committed(), 'Message\n\nM\tsrc/b.txt\nA\tsrc/c.txt');
  });

  test('a file outside of the worktree is refused', async () => {
    await repository.write(join(home.root, 'outside.txt'), 'x\n');
    await assert.rejects(commit(['../outside.txt']), (thrown) => Problem.is(thrown, 'outside-repository'));
  });

  test('an empty message is refused before anything is staged', async () => {
    await repository.write('a.txt', 'changed\n');
    await assert.rejects(commit(['a.txt'], { message: ' \n' }), (thrown) => Problem.is(thrown, 'usage'));
    assert.equal(await repository.git('status', '--porcelain'), ' M a.txt');
  });

  test('the first commit of a repository', async () => {
    const fresh = join(home.root, 'fresh');
    await repository.git('init', '-q', fresh);
    await repository.write(join(fresh, 'a.txt'), 'a\n');
    assert.equal(
      await commit(['a.txt'], { cwd: fresh, root: fresh }),
      await repository.gitIn(fresh, 'rev-parse', 'HEAD'),
    );
  });

  test('a hook that refuses is quoted, and the files stay staged', async () => {
    const hook = join(repository.root, '.git', 'hooks', 'pre-commit');
    await mkdir(join(repository.root, '.git', 'hooks'), { recursive: true });
    await writeFile(hook, '#!/bin/sh\ncat\necho "line 3 is too long"\necho "fix it first" >&2\nexit 1\n');
    await chmod(hook, 0o755);
    await repository.write('a.txt', 'changed\n');
    const thrown = await commit(['a.txt']).catch((reason: unknown) => reason);
    assert.ok(Problem.is(thrown, 'git-failed'), String(thrown));
    assert.equal(thrown.outcome, 'incomplete');
    assert.deepEqual([...thrown.items].sort(), ['fix it first', 'line 3 is too long']);
    assert.equal(await repository.git('status', '--porcelain'), 'M  a.txt');
  });

  test('a signing program that fails is told', async () => {
    await repository.git('config', 'commit.gpgSign', 'true');
    await repository.git('config', 'gpg.program', 'false');
    await repository.write('a.txt', 'changed\n');
    await assert.rejects(
      commit(['a.txt']),
      (thrown) => Problem.is(thrown, 'git-failed') && /signed/.test(thrown.message),
    );
  });
});
