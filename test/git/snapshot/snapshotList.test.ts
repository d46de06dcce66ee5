import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { silentLog } from '../../../src/core/base/log.ts';
import { Problem } from '../../../src/core/base/problem.ts';
import { Git } from '../../../src/core/git/git.ts';
import { registryFile } from '../../../src/core/repository/registry.ts';
import { stateFile } from '../../../src/core/repository/stateFile.ts';
import type { Snapshot, Worktree } from '../../../src/core/worktree/model.ts';
import { readSnapshot, type SnapshotOptions } from '../../../src/core/snapshot/snapshot.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';

describe('a snapshot of the worktrees', () => {
  let home: TestHome;
  let repository: TestRepository;

  beforeEach(async () => {
    home = await testHome();
    repository = await home.repository();
    await writeFile(join(repository.root, '.git', 'info', 'exclude'), '/.worktrees/\n/.claude/\n');
  });
  afterEach(() => home.dispose());

  const snapshotOf = async (folder: string, options?: SnapshotOptions): Promise<Snapshot> =>
    readSnapshot(await testWorkspace(home, folder), options);
  const add = async (name: string, ...args: string[]): Promise<string> => {
    const root = join(repository.root, '.worktrees', name);
    await repository.git('worktree', 'add', '-q', ...args, root);
    return root;
  };
  const find = (snapshot: Snapshot, name: string): Worktree => {
    const found = snapshot.worktrees.find((each) => each.name === name);
    assert.ok(found, `no ${name} among ${snapshot.worktrees.map((each) => each.name).join(', ')}`);
    return found;
  };
  const writeRegistry = async (worktrees: Record<string, unknown>): Promise<void> =>
    repository.write('.worktrees/stack.json', JSON.stringify({ version: 1, revision: 1, worktrees }));

  it('a repository without worktrees has its main working tree', async () => {
    const { worktrees, problems, trunk } = await snapshotOf(repository.root);
    assert.deepEqual(
      worktrees.map(({ name, path, main, branch, condition }) => ({ name, path, main, branch, condition })),
      [{ name: 'main', path: repository.root, main: true, branch: 'main', condition: 'fine' }],
    );
    assert.deepEqual(problems, []);
    assert.equal(trunk, 'main');
  });

  it('it is the same from wherever in the repository it is taken', async () => {
    const x = await add('x');
    await mkdir(join(x, 'deep'));
    const all = await Promise.all(
      [repository.root, x, join(x, 'deep'), join(repository.root, '.git')].map((folder) => snapshotOf(folder)),
    );
    for (const each of all) assert.deepEqual(each, all[0]);
  });

  it('changes are counted by kind, and a nested worktree is none of them', async () => {
    await repository.commit('More', { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const x = await add('x');
    await repository.write(join(x, 'a.txt'), 'changed\n');
    await repository.write(join(x, 'b.txt'), 'changed\n');
    await repository.gitIn(x, 'add', 'b.txt');
    await repository.write(join(x, 'b.txt'), 'changed again\n');
    await repository.gitIn(x, 'mv', 'c.txt', 'd.txt');
    await repository.write(join(x, 'new', 'one.txt'), 'new\n');
    await repository.write(join(x, 'new', 'two.txt'), 'new\n');
    const snapshot = await snapshotOf(repository.root);
    assert.deepEqual(find(snapshot, 'x').changes, {
      total: 4,
      staged: 2,
      unstaged: 2,
      untracked: 1,
      conflicts: 0,
      submodules: 0,
    });
    assert.equal(find(snapshot, 'main').changes?.total, 0);
  });

  it('what the user has configured for status changes nothing', async () => {
    const x = await add('x');
    await repository.write(join(x, 'new.txt'), 'new\n');
    const config: [string, string][] = [
      ['status.showUntrackedFiles', 'no'],
      ['status.short', 'true'],
      ['status.branch', 'true'],
      ['color.ui', 'always'],
      ['color.status', 'always'],
      ['log.showSignature', 'true'],
      ['core.quotePath', 'true'],
      ['status.relativePaths', 'true'],
    ];
    for (const [key, value] of config) await repository.git('config', key, value);
    const snapshot = await snapshotOf(x);
    assert.equal(find(snapshot, 'x').changes?.untracked, 1);
    assert.equal(find(snapshot, 'x').lastCommit?.subject, 'Start');
  });

  it('a detached worktree has its commit and no base', async () => {
    const head = await repository.commit('A subject "with" ü', {});
    await repository.git('worktree', 'add', '-q', '--detach', join(repository.root, '.worktrees', 'd'), head);
    await repository.commit('Later', {});
    const found = find(await snapshotOf(repository.root), 'd');
    assert.deepEqual([found.branch, found.head, found.base, found.upstream], [undefined, head, undefined, undefined]);
    assert.equal(found.lastCommit?.subject, 'A subject "with" ü');
  });

  it('reads commits as they were written, whatever code page git is to print them in', async () => {
    for (const [name, value] of [
      ['i18n.logOutputEncoding', 'CP1252'],
      ['i18n.commitEncoding', 'CP1252'],
    ] as const)
      await repository.git('config', name, value);
    await repository.write('message', 'placeholder');
    const subject = 'Gr\u00f6\u00dfe \u00e4ndern';
    await writeFile(join(repository.root, 'message'), Buffer.from(subject, 'latin1'));
    await repository.git('commit', '--quiet', '--allow-empty', '-F', 'message');
    const head = await repository.git('rev-parse', 'HEAD');
    await repository.git('worktree', 'add', '-q', '--detach', join(repository.root, '.worktrees', 'cp'), head);
    await repository.git('commit', '--quiet', '--allow-empty', '-F', 'message');
    const snapshot = await snapshotOf(repository.root);
    assert.deepEqual(
      snapshot.worktrees.map(({ lastCommit }) => lastCommit?.subject),
      [subject, subject],
    );
  });

  it('a branch without a commit has no head, and its files are still counted', async () => {
    const root = join(home.root, 'new');
    await repository.git('init', '-q', root);
    await writeFile(join(root, 'a.txt'), 'a\n');
    const { worktrees, trunk } = await snapshotOf(root);
    assert.deepEqual(
      worktrees.map(({ name, head, branch, changes, lastCommit, trouble }) => ({
        name,
        head,
        branch,
        untracked: changes?.untracked,
        lastCommit,
        trouble,
      })),
      [{ name: 'main', head: undefined, branch: 'main', untracked: 1, lastCommit: undefined, trouble: undefined }],
    );
    assert.equal(trunk, 'main');
  });

  it('names that are hard on parsers come through', async () => {
    const names = ['with space', 'quote"s\'', 'hash#12', 'ünïcode-漢字', 'line\nbreak', '-dash', 'case', 'CASE'];
    for (const [index, name] of names.entries()) await add(name, '-b', `b${index}#ü`);
    const { worktrees } = await snapshotOf(repository.root);
    assert.deepEqual(
      worktrees
        .slice(1)
        .map(({ path }) => basename(path))
        .sort(),
      [...names].sort(),
    );
    for (const { name, changes, condition, trouble } of worktrees) {
      assert.deepEqual(
        { total: changes?.total, condition, trouble },
        { total: 0, condition: 'fine', trouble: undefined },
        name,
      );
    }
    assert.equal(new Set(worktrees.map(({ slug }) => slug)).size, worktrees.length);
  });

  it('the registry names a worktree, however its path is spelled there', async () => {
    await add('feat-auth', '-b', 'auth');
    await add('plain');
    await symlink(repository.root, join(home.root, 'link'));
    await writeRegistry({
      'Feat Auth': { path: join(home.root, 'link', '.worktrees', 'feat-auth'), branch: 'auth', base: 'main', pr: null },
      Relative: { path: '.worktrees/plain', branch: 'plain', base: 'main', pr: null },
      gone: { path: join(repository.root, '.worktrees', 'gone'), branch: 'gone', base: 'main', pr: null },
    });
    const { worktrees } = await snapshotOf(repository.root);
    assert.deepEqual(
      worktrees.map(({ name, slug }) => [name, slug]),
      [
        ['main', 'main'],
        ['Feat Auth', 'feat-auth'],
        ['Relative', 'relative'],
      ],
    );
    assert.equal(worktrees[1]?.entry?.branch, 'auth');
  });

  it('a repository that was opened through a link is shown through it', async () => {
    const link = join(home.root, 'link');
    await add('x');
    await symlink(repository.root, link);
    const { worktrees } = await snapshotOf(link);
    assert.deepEqual(
      worktrees.map(({ path, condition }) => [path, condition]),
      [
        [link, 'fine'],
        [join(link, '.worktrees', 'x'), 'fine'],
      ],
    );
  });

  it('the active worktree is the one that the state file names', async () => {
    const x = await add('x');
    await add('y');
    await symlink(x, join(home.root, 'to-x'));
    await repository.write(
      '.claude/dev-worktree.local.md',
      `---\nactive_worktree: ${join(home.root, 'to-x')}\nbranch: x\ncreated: 2026-01-01\n---\n`,
    );
    const snapshot = await snapshotOf(repository.root);
    assert.deepEqual(
      snapshot.worktrees.filter(({ active }) => active).map(({ name }) => name),
      ['x'],
    );
    assert.equal(snapshot.active?.branch, 'x');
  });

  it('a broken registry and a broken state file are told, and everything else is there', async () => {
    await add('x');
    await repository.write('.worktrees/stack.json', '{\n "worktrees": {\n  oops');
    await repository.write('.claude/dev-worktree.local.md', 'no front matter');
    const { worktrees, problems, repository: found } = await snapshotOf(repository.root);
    assert.deepEqual(
      worktrees.map(({ name }) => name),
      ['main', 'x'],
    );
    assert.deepEqual(problems.map(({ file }) => file).sort(), [registryFile(found), stateFile(found)].sort());
    assert.ok(problems.every(({ line }) => line !== undefined));
  });

  it('a branch that is checked out twice is told of both', async () => {
    await add('one', '-b', 'same');
    await repository.git('worktree', 'add', '-q', '--force', join(repository.root, '.worktrees', 'two'), 'same');
    const snapshot = await snapshotOf(repository.root);
    assert.deepEqual(find(snapshot, 'one').sharesBranchWith, ['two']);
    assert.deepEqual(find(snapshot, 'two').sharesBranchWith, ['one']);
    assert.deepEqual(find(snapshot, 'main').sharesBranchWith, []);
  });

  it('two worktrees in folders of one name have two names', async () => {
    for (const branch of ['one', 'two']) {
      await repository.git('worktree', 'add', '-q', '-b', branch, join(home.root, branch, 'project'));
    }
    const { worktrees } = await snapshotOf(repository.root);
    assert.deepEqual(
      worktrees.map(({ name }) => name),
      ['main', 'one', 'two'],
    );
  });

  it('a worktree whose state cannot be read has its trouble, and the others are fine', async () => {
    await add('good');
    const bad = await add('bad');
    await writeFile(join(repository.root, '.git', 'worktrees', 'bad', 'index'), 'this is no index');
    const snapshot = await snapshotOf(repository.root);
    assert.equal(find(snapshot, 'bad').changes, undefined);
    assert.match(find(snapshot, 'bad').trouble ?? '', /status.*failed|index/);
    assert.equal(find(snapshot, 'bad').path, bad);
    assert.equal(find(snapshot, 'good').changes?.total, 0);
  });

  it('among many worktrees each has its own changes and its own trouble', async () => {
    const numbers = Array.from({ length: 30 }, (_, index) => index);
    const nameOf = (number: number): string => `x${number} "a"\n=b#`;
    const broken = [0, 7, 8, 29];
    for (const number of numbers) {
      const root = await add(nameOf(number), '-b', `x${number}`);
      for (let file = 0; file < number % 4; file++) await repository.write(join(root, `${file}.txt`), 'new\n');
      const index = await repository.gitIn(root, 'rev-parse', '--git-path', 'index');
      if (broken.includes(number)) await writeFile(index, 'this is no index');
    }
    const snapshot = await snapshotOf(repository.root);
    const found = numbers.map((number) => find(snapshot, nameOf(number)));
    assert.deepEqual(
      found.map(({ changes }) => changes?.untracked),
      numbers.map((number) => (broken.includes(number) ? undefined : number % 4)),
    );
    assert.deepEqual(
      numbers.filter((number) => found[number]?.trouble !== undefined),
      broken,
    );
  });

  it('everything but the changes is told first, once', async () => {
    const x = await add('x');
    await repository.write(join(x, 'new.txt'), 'new\n');
    const told: Snapshot[] = [];
    const snapshot = await snapshotOf(repository.root, { onListed: (listed) => void told.push(listed) });
    assert.equal(told.length, 1);
    assert.deepEqual(
      told[0]?.worktrees.map(({ changes }) => changes),
      [undefined, undefined],
    );
    const withoutChanges = (each: Worktree): Worktree => ({ ...each, changes: undefined });
    assert.deepEqual(told[0]?.worktrees, snapshot.worktrees.map(withoutChanges));
    assert.equal(find(snapshot, 'x').changes?.total, 1);
  });

  it('the changes of many worktrees are read once their list is shown, also where it could not be', async () => {
    for (let at = 0; at < 33; at++) await add(`x${at}`);
    const early: string[] = [];
    for (const end of [() => Promise.resolve(), () => Promise.reject(new Error('no view'))]) {
      let isShown = false;
      const onListed = async (): Promise<void> => {
        // Time enough for a status.
        for (let at = 0; at < 3; at++) await repository.git('status');
        isShown = true;
        await end();
      };
      const onStatus = (path: string): void => void (isShown || early.push(path));
      const snapshot = await snapshotOf(repository.root, { onListed, onStatus });
      assert.equal(snapshot.worktrees.filter(({ changes }) => changes?.total === 0).length, 34);
    }
    assert.deepEqual(early, []);
  });

  it('the changes of many worktrees stop for what is more urgent, those of few do not', async () => {
    const early: string[] = [];
    const stopsOf = async (): Promise<number> => {
      let [stops, told] = [0, 0];
      let isFree = false;
      const beforeStatuses = async (): Promise<void> => {
        stops++;
        // Time enough for a status.
        for (let at = 0; at < 3; at++) await repository.git('status');
        isFree = true;
      };
      const onStatus = (path: string): void => {
        told++;
        if (stops > 0 && !isFree) early.push(path);
      };
      const { worktrees } = await snapshotOf(repository.root, { beforeStatuses, onStatus });
      assert.equal(told, worktrees.length);
      return stops;
    };
    await add('x');
    assert.equal(await stopsOf(), 0);
    for (let at = 0; at < 33; at++) {
      await add(`x${at}`);
      // Git is not asked for what is seen to be clean.
      await repository.write(join(repository.root, '.worktrees', `x${at}`, 'new.txt'), 'new\n');
    }
    assert.ok((await stopsOf()) > 1);
    assert.deepEqual(early, []);
  });

  it('without changes no working tree is looked through', async () => {
    await add('x');
    const told: Snapshot[] = [];
    const snapshot = await snapshotOf(repository.root, {
      withChanges: false,
      onListed: (listed) => void told.push(listed),
    });
    assert.deepEqual(
      snapshot.worktrees.map(({ changes }) => changes),
      [undefined, undefined],
    );
    assert.deepEqual(told, [snapshot]);
  });

  describe('sparse checkouts', () => {
    const sparse = async (): Promise<string[]> =>
      (await snapshotOf(repository.root)).worktrees.filter((each) => each.sparse).map(({ name }) => name);

    it('one is known by its own configuration, and no longer when all files are there again', async () => {
      await add('x');
      const y = await add('y');
      assert.deepEqual(await sparse(), []);
      await repository.gitIn(y, 'sparse-checkout', 'set', 'deep');
      assert.deepEqual(await sparse(), ['y']);
      await repository.gitIn(y, 'sparse-checkout', 'disable');
      assert.deepEqual(await sparse(), []);
    });

    it('the shared configuration says it of all, but of those that say otherwise; their own counts only where git reads it', async () => {
      await add('x');
      await add('y');
      await repository.git('config', 'core.sparseCheckout', 'true');
      await repository.write('.git/worktrees/y/config.worktree', '[core]\n\tsparseCheckout = no\n');
      assert.deepEqual(await sparse(), ['main', 'x', 'y']);
      await repository.git('config', 'extensions.worktreeConfig', 'true');
      assert.deepEqual(await sparse(), ['main', 'x']);
    });

    it('costs no git process', async () => {
      const ran = async (): Promise<number> => {
        const plain = await testWorkspace(home, repository.root);
        let count = 0;
        const environment = { ...plain.environment, log: { ...silentLog, debug: () => void count++ } };
        await readSnapshot({ ...plain, environment, git: new Git(environment) });
        return count;
      };
      const x = await add('x');
      const before = await ran();
      assert.ok(before > 0);
      await repository.gitIn(x, 'sparse-checkout', 'set', 'deep');
      assert.equal(await ran(), before);
    });
  });

  it('it can be called off', async () => {
    await add('x');
    const workspace = await testWorkspace(home, repository.root);
    const controller = new AbortController();
    const reading = readSnapshot(workspace, { signal: controller.signal, onListed: () => controller.abort() });
    await assert.rejects(reading, (thrown) => Problem.is(thrown, 'cancelled'));
  });

  it('reading takes no lock and writes no index', async () => {
    const x = await add('x');
    const lock = join(repository.root, '.git', 'worktrees', 'x', 'index.lock');
    await writeFile(lock, '');
    await repository.write(join(x, 'README.md'), '# project\n');
    const found = find(await snapshotOf(repository.root), 'x');
    assert.deepEqual([found.changes?.total, found.trouble], [0, undefined]);
  });

  it('where git may not find bare repositories by itself, everything is read all the same', async () => {
    await repository.git('config', '--global', 'safe.bareRepository', 'explicit');
    await add('x');
    const { worktrees } = await snapshotOf(repository.root);
    assert.deepEqual(
      worktrees.map(({ name, changes }) => [name, changes?.total]),
      [
        ['main', 0],
        ['x', 0],
      ],
    );
  });

  describe('layouts', () => {
    it('a bare repository has no working tree to look at, its worktrees have', async () => {
      const root = join(home.root, 'proj');
      await mkdir(root);
      await repository.git('clone', '-q', '--bare', repository.root, join(root, '.bare'));
      await writeFile(join(root, '.git'), 'gitdir: ./.bare\n');
      await repository.gitIn(root, 'worktree', 'add', '-q', 'main');
      await repository.gitIn(root, 'worktree', 'add', '-q', '-b', 'x', 'x');
      const { worktrees, trunk } = await snapshotOf(join(root, 'x'));
      assert.deepEqual(
        worktrees.map(({ name, path, main, bare, changes }) => ({ name, path, main, bare, total: changes?.total })),
        [
          { name: 'proj', path: root, main: true, bare: true, total: undefined },
          { name: 'main', path: join(root, 'main'), main: false, bare: false, total: 0 },
          { name: 'x', path: join(root, 'x'), main: false, bare: false, total: 0 },
        ],
      );
      assert.equal(trunk, 'main');
      assert.equal(worktrees[2]?.base?.branch, 'main');
    });

    it('a submodule’s repository has the submodule as its main working tree', async () => {
      const library = await home.repository('library');
      await repository.git('submodule', '--quiet', 'add', library.root, 'lib');
      const sub = join(repository.root, 'lib');
      await repository.gitIn(sub, 'worktree', 'add', '-q', join(home.root, 'lib-x'));
      const { worktrees } = await snapshotOf(join(home.root, 'lib-x'));
      assert.deepEqual(
        worktrees.map(({ path, condition, changes }) => [path, condition, changes?.total]),
        [
          [sub, 'fine', 0],
          [join(home.root, 'lib-x'), 'fine', 0],
        ],
      );
    });

    it('a submodule with changes of its own is counted', async () => {
      const library = await home.repository('library');
      await repository.git('submodule', '--quiet', 'add', library.root, 'lib');
      await repository.commit('Add the library', {});
      await repository.write('lib/README.md', 'changed\n');
      const found = find(await snapshotOf(repository.root), 'main');
      assert.deepEqual([found.changes?.total, found.changes?.submodules], [1, 1]);
    });
  });

  describe('on disk', () => {
    const conditionOf = async (name: string): Promise<[string, unknown]> => {
      const found = find(await snapshotOf(repository.root), name);
      assert.equal(found.main, false);
      return [found.condition, found.changes?.total];
    };

    it('a folder that is gone is missing', async () => {
      await rm(await add('x'), { recursive: true });
      assert.deepEqual(await conditionOf('x'), ['missing', undefined]);
    });

    it('a folder that is gone from a locked worktree is missing and locked', async () => {
      const root = await add('x');
      await repository.git('worktree', 'lock', '--reason', 'on the usb\ndisk', root);
      await rm(root, { recursive: true });
      const found = find(await snapshotOf(repository.root), 'x');
      assert.deepEqual([found.condition, found.lockReason], ['missing', 'on the usb\ndisk']);
    });

    it('a file in place of the folder is no folder', async () => {
      const root = await add('x');
      await rm(root, { recursive: true });
      await writeFile(root, '');
      assert.deepEqual(await conditionOf('x'), ['missing', undefined]);
    });

    it('a folder that was made anew is empty', async () => {
      const root = await add('x');
      await rm(root, { recursive: true });
      await mkdir(root);
      assert.deepEqual(await conditionOf('x'), ['empty', undefined]);
    });

    it('a .git file that leads nowhere is broken', async () => {
      const root = await add('x');
      await writeFile(join(root, '.git'), 'gitdir: /nowhere/at/all\n');
      assert.deepEqual(await conditionOf('x'), ['broken', undefined]);
    });

    it('a .git file that says nothing is broken', async () => {
      const root = await add('x');
      await writeFile(join(root, '.git'), '');
      assert.deepEqual(await conditionOf('x'), ['broken', undefined]);
    });

    it('an empty .git folder is broken', async () => {
      const root = await add('x');
      await rm(join(root, '.git'));
      await mkdir(join(root, '.git'));
      assert.deepEqual(await conditionOf('x'), ['broken', undefined]);
    });

    it('another repository at the path is foreign', async () => {
      const root = await add('x');
      await rm(root, { recursive: true });
      await repository.git('clone', '-q', repository.root, root);
      assert.deepEqual(await conditionOf('x'), ['foreign', undefined]);
    });

    it('another worktree that was moved to the path is foreign there, and fine under its own name, also once git knows', async () => {
      const x = await add('x');
      const y = await add('y');
      await rm(x, { recursive: true });
      await rename(y, x);
      assert.deepEqual(await conditionOf('x'), ['foreign', undefined]);
      const y2 = (await snapshotOf(repository.root)).worktrees.find(({ branch }) => branch === 'y');
      assert.deepEqual([y2?.path, y2?.condition, y2?.staleLink, y2?.changes?.total], [x, 'fine', true, 0]);
      // Which of the two `git worktree repair` takes for it depends on the order in which the disk lists them.
      await writeFile(join(repository.root, '.git/worktrees/y/gitdir'), `${join(x, '.git')}\n`);
      const { worktrees } = await snapshotOf(repository.root);
      assert.deepEqual(
        worktrees
          .slice(1)
          .map(({ branch, path, condition }) => [branch, path, condition])
          .sort(),
        [
          ['x', x, 'foreign'],
          ['y', x, 'fine'],
        ],
      );
    });

    it('a folder that was moved and is linked back is fine', async () => {
      const root = await add('x');
      await rename(root, join(home.root, 'moved'));
      await symlink(join(home.root, 'moved'), root);
      assert.deepEqual(await conditionOf('x'), ['fine', 0]);
    });

    it('relative paths on both sides are followed', async () => {
      const root = await add('x');
      await writeFile(join(root, '.git'), 'gitdir: ../../.git/worktrees/x\n');
      await writeFile(join(repository.root, '.git', 'worktrees', 'x', 'gitdir'), '../../../.worktrees/x/.git\n');
      const found = find(await snapshotOf(repository.root), 'x');
      assert.deepEqual([found.path, found.condition, found.changes?.total], [root, 'fine', 0]);
      assert.equal(found.gitDir, join(repository.root, '.git', 'worktrees', 'x'));
    });

    it('a config.worktree that is missing is no trouble', async () => {
      await add('x');
      await repository.git('config', 'extensions.worktreeConfig', 'true');
      assert.deepEqual(await conditionOf('x'), ['fine', 0]);
    });
  });
});
