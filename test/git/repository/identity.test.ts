import assert from 'node:assert/strict';
import { chown, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Git } from '../../../src/core/git/git.ts';
import { Problem } from '../../../src/core/base/problem.ts';
import { worktreeId, readContext } from '../../../src/core/repository/context.ts';
import { locate, type Location } from '../../../src/core/repository/identity.ts';
import { respell } from '../../../src/core/repository/spelling.ts';
import { skipBecause } from '../../support/skip.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testEnvironment } from '../../support/workspace.ts';

describe('where a folder is', () => {
  let home: TestHome;
  let repository: TestRepository;

  beforeEach(async () => {
    home = await testHome();
    repository = await home.repository();
  });
  afterEach(() => home.dispose());

  const locateIn = (folder: string, variables: Record<string, string> = {}): Promise<Location> =>
    locate(new Git(testEnvironment(home, folder, variables)), folder);

  const expectProblem = async (folder: string): Promise<Problem> => {
    const thrown = await locateIn(folder).catch((reason: unknown) => reason);
    assert.ok(Problem.is(thrown), String(thrown));
    return thrown;
  };

  it('a subfolder of the main working tree', async () => {
    const folder = join(repository.root, 'src', 'deep');
    await mkdir(folder, { recursive: true });
    assert.deepEqual(await locateIn(folder), {
      repository: {
        commonDir: join(repository.root, '.git'),
        mainRoot: repository.root,
        bare: false,
        name: 'project',
      },
      worktreeRoot: repository.root,
      gitDir: join(repository.root, '.git'),
    });
  });

  it('a subfolder of a worktree inside the main one', async () => {
    const root = join(repository.root, '.worktrees', 'x');
    await repository.git('worktree', 'add', '-q', root);
    await mkdir(join(root, 'src'));
    const { repository: found, worktreeRoot, gitDir } = await locateIn(join(root, 'src'));
    assert.equal(found.mainRoot, repository.root);
    assert.equal(found.commonDir, join(repository.root, '.git'));
    assert.equal(worktreeRoot, root);
    assert.equal(gitDir, join(repository.root, '.git', 'worktrees', 'x'));
  });

  it('a worktree beside the main one', async () => {
    const root = join(home.root, 'beside');
    await repository.git('worktree', 'add', '-q', root);
    const { repository: found, worktreeRoot } = await locateIn(root);
    assert.deepEqual([found.mainRoot, found.bare, worktreeRoot], [repository.root, false, root]);
  });

  it('a worktree of a worktree has the same main root', async () => {
    const outer = join(home.root, 'outer');
    const inner = join(outer, '.worktrees', 'inner');
    await repository.git('worktree', 'add', '-q', outer);
    await repository.gitIn(outer, 'worktree', 'add', '-q', inner);
    assert.equal((await locateIn(inner)).repository.mainRoot, repository.root);
  });

  it('a path with a line break and quotes', async () => {
    const odd = await home.repository('a "b"\nc #1 ü');
    const inner = join(odd.root, '.worktrees', 'x\ny');
    await odd.git('worktree', 'add', '-q', '-b', 'xy', inner);
    const { repository: found, worktreeRoot } = await locateIn(inner);
    assert.deepEqual([found.mainRoot, worktreeRoot, found.name], [odd.root, inner, basename(odd.root)]);
  });

  it('through a link above, the root is spelled as the person came to it', async () => {
    const link = join(home.root, 'link');
    await mkdir(join(home.root, 'real'));
    await rename(repository.root, join(home.root, 'real', 'project'));
    await symlink(join(home.root, 'real'), link);
    const { repository: found } = await locateIn(join(link, 'project'));
    assert.equal(found.mainRoot, join(link, 'project'));
    assert.equal(found.commonDir, join(home.root, 'real', 'project', '.git'));
  });

  it('from a worktree beside, through the same link, the main root is behind the link too', async () => {
    const real = join(home.root, 'real');
    const link = join(home.root, 'link');
    await mkdir(real);
    const inside = await home.repository('real/project');
    await symlink(real, link);
    await inside.git('worktree', 'add', '-q', join(real, 'project-x'));
    const { repository: found } = await locateIn(join(link, 'project-x'));
    assert.equal(found.mainRoot, join(link, 'project'));
    const spell = await respell(found.mainRoot);
    assert.equal(spell(join(real, 'project-x')), join(link, 'project-x'));
    assert.equal(spell('/elsewhere'), '/elsewhere');
  });

  it('a root that is itself a link says nothing of its siblings', async () => {
    const link = join(home.root, 'short');
    await symlink(repository.root, link);
    assert.equal((await locateIn(link)).repository.mainRoot, link);
    const spell = await respell(link);
    assert.equal(spell(join(repository.root, '.worktrees', 'x')), join(link, '.worktrees', 'x'));
    assert.equal(spell(join(home.root, 'other')), join(home.root, 'other'));
  });

  it('two repositories without remotes and with one folder name are two', async () => {
    const other = await home.repository('elsewhere/project');
    const [one, two] = await Promise.all([locateIn(repository.root), locateIn(other.root)]);
    assert.equal(one.repository.name, two.repository.name);
    assert.notEqual(one.repository.commonDir, two.repository.commonDir);
  });

  describe('submodules', () => {
    let sub: string;
    beforeEach(async () => {
      const library = await home.repository('library');
      await repository.git('submodule', '--quiet', 'add', library.root, 'lib');
      await repository.commit('Add the library', {});
      sub = join(repository.root, 'lib');
    });

    it('a submodule is its own repository', async () => {
      const { repository: found, worktreeRoot } = await locateIn(sub);
      assert.deepEqual(
        [found.mainRoot, found.commonDir, found.bare, worktreeRoot],
        [sub, join(repository.root, '.git', 'modules', 'lib'), false, sub],
      );
    });

    it('a worktree of a submodule belongs to the submodule', async () => {
      const root = join(home.root, 'lib-x');
      await repository.gitIn(sub, 'worktree', 'add', '-q', root);
      const { repository: found, worktreeRoot } = await locateIn(root);
      assert.deepEqual([found.mainRoot, found.bare, worktreeRoot], [sub, false, root]);
    });

    it('a submodule inside a worktree is a repository of its own', async () => {
      const root = join(repository.root, '.worktrees', 'x');
      await repository.git('worktree', 'add', '-q', root);
      await repository.gitIn(root, 'submodule', '--quiet', 'update', '--init');
      const { repository: found } = await locateIn(join(root, 'lib'));
      assert.equal(found.mainRoot, join(root, 'lib'));
      assert.equal(found.commonDir, join(repository.root, '.git', 'worktrees', 'x', 'modules', 'lib'));
    });
  });

  describe('bare layouts', () => {
    it('a hidden bare repository with a .git file beside it', async () => {
      const root = join(home.root, 'proj');
      await mkdir(root);
      await repository.git('clone', '-q', '--bare', repository.root, join(root, '.bare'));
      await writeFile(join(root, '.git'), 'gitdir: ./.bare\n');
      await repository.gitIn(root, 'worktree', 'add', '-q', 'main');
      for (const folder of [root, join(root, 'main'), join(root, '.bare')]) {
        const { repository: found } = await locateIn(folder);
        assert.deepEqual(found, { commonDir: join(root, '.bare'), mainRoot: root, bare: true, name: 'proj' });
      }
      assert.equal((await locateIn(root)).worktreeRoot, undefined);
      assert.equal((await locateIn(join(root, 'main'))).worktreeRoot, join(root, 'main'));
    });

    it('a .git folder that is bare', async () => {
      const root = join(home.root, 'proj');
      await repository.git('clone', '-q', '--bare', repository.root, join(root, '.git'));
      await repository.gitIn(root, 'worktree', 'add', '-q', 'main');
      for (const folder of [root, join(root, 'main')]) {
        const { repository: found } = await locateIn(folder);
        assert.deepEqual([found.mainRoot, found.bare], [root, true]);
      }
    });

    it('a bare repository that stands for itself', async () => {
      const root = join(home.root, 'repo.git');
      await repository.git('clone', '-q', '--bare', repository.root, root);
      await repository.gitIn(root, 'worktree', 'add', '-q', join(home.root, 'w'));
      for (const folder of [root, join(home.root, 'w')]) {
        const { repository: found } = await locateIn(folder);
        assert.deepEqual(found, { commonDir: root, mainRoot: root, bare: true, name: 'repo' });
      }
    });
  });

  it('inside the git directory there is no working tree', async () => {
    const found = await locateIn(join(repository.root, '.git'));
    assert.equal(found.worktreeRoot, undefined);
    assert.deepEqual([found.repository.mainRoot, found.repository.bare], [repository.root, false]);
  });

  it('a git directory kept elsewhere', async () => {
    const root = join(home.root, 'apart');
    await repository.git('init', '-q', `--separate-git-dir=${join(home.root, 'store')}`, root);
    const { repository: found } = await locateIn(root);
    assert.deepEqual([found.mainRoot, found.commonDir, found.bare], [root, join(home.root, 'store'), false]);
  });

  it('where git may not find bare repositories by itself, everything works all the same', async () => {
    await repository.git('config', '--global', 'safe.bareRepository', 'explicit');
    const root = join(repository.root, '.worktrees', 'x');
    await repository.git('worktree', 'add', '-q', root);
    assert.equal((await locateIn(root)).repository.mainRoot, repository.root);
  });

  it('GIT_DIR and GIT_WORK_TREE of another repository are not followed', async () => {
    const other = await home.repository('other');
    const { repository: found, worktreeRoot } = await locateIn(repository.root, {
      GIT_DIR: join(other.root, '.git'),
      GIT_WORK_TREE: other.root,
      GIT_COMMON_DIR: join(other.root, '.git'),
    });
    assert.deepEqual([found.mainRoot, worktreeRoot], [repository.root, repository.root]);
  });

  describe('when there is none', () => {
    it('no repository at all', async () => {
      const problem = await expectProblem(home.root);
      assert.equal(problem.reason, 'no-repository');
      assert.equal(problem.file, undefined);
    });

    it('a .git file whose repository has gone is named', async () => {
      const root = join(home.root, 'orphan');
      await repository.git('worktree', 'add', '-q', root);
      await rm(join(repository.root, '.git', 'worktrees'), { recursive: true });
      const problem = await expectProblem(root);
      assert.equal(problem.reason, 'no-repository');
      assert.equal(problem.file, join(root, '.git'));
      assert.match(problem.message, /which is no git directory any more/);
      assert.match(problem.next ?? '', /git worktree repair/);
    });

    it('a damaged .git file is named', async () => {
      const root = join(home.root, 'damaged');
      await mkdir(root);
      await writeFile(join(root, '.git'), 'nonsense\n');
      const problem = await expectProblem(root);
      assert.equal(problem.file, join(root, '.git'));
      assert.match(problem.message, /damaged/);
    });

    it('a repository of a later git names what this one does not know', async () => {
      await repository.git('config', 'core.repositoryFormatVersion', '1');
      await repository.git('config', 'extensions.relativeNonsense', 'true');
      const problem = await expectProblem(repository.root);
      assert.equal(problem.reason, 'old-git');
      assert.match(problem.message, /relativenonsense/);
    });

    it('a folder that does not exist', async () => {
      assert.equal((await expectProblem(join(home.root, 'nowhere'))).reason, 'not-found');
    });

    it('a repository of another user says how to trust it', async function () {
      if (process.getuid?.() !== 0) skipBecause(this, 'only root can give a folder to another user');
      await chown(repository.root, 12345, 12345);
      await chown(join(repository.root, '.git'), 12345, 12345);
      const problem = await expectProblem(repository.root);
      assert.equal(problem.reason, 'unsafe-repository');
      assert.match(problem.next ?? '', /safe\.directory/);
    });
  });

  describe('the context that scripts ask for', () => {
    const contextIn = (folder: string) => readContext(new Git(testEnvironment(home, folder)), folder);

    it('a linked worktree', async () => {
      const root = join(repository.root, '.worktrees', 'x');
      await repository.git('worktree', 'add', '-q', '-b', 'feat/x', root);
      assert.deepEqual(await contextIn(root), {
        worktree_root: root,
        git_common_dir: join(repository.root, '.git'),
        is_worktree: true,
        worktree_id: worktreeId(root),
        branch_name: 'feat/x',
        state_dir: join(root, '.claude-state'),
      });
    });

    it('the main working tree, detached', async () => {
      await repository.git('checkout', '-q', '--detach');
      const context = await contextIn(repository.root);
      assert.deepEqual([context.is_worktree, context.branch_name], [false, 'HEAD']);
    });

    it('a bare repository has no worktree to tell of', async () => {
      const root = join(home.root, 'repo.git');
      await repository.git('clone', '-q', '--bare', repository.root, root);
      await assert.rejects(contextIn(root), (thrown) => Problem.is(thrown, 'no-repository'));
    });
  });
});
