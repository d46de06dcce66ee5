import assert from 'node:assert/strict';
import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { silentLog } from '../../../src/core/base/log.ts';
import { Git } from '../../../src/core/git/git.ts';
import { registryFile } from '../../../src/core/repository/registry.ts';
import { formatStateFile, stateFile } from '../../../src/core/repository/stateFile.ts';
import type { Snapshot } from '../../../src/core/worktree/model.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { SnapshotCache } from '../../../src/core/snapshot/snapshotCache.ts';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';

/** A repository whose main working tree, `a` and `b` inside it and `c` beside it are watched; nobody watches `d`. */
interface Stage {
  readonly repository: TestRepository;
  readonly cache: SnapshotCache;
  readonly gitDir: string;
  readonly a: string;
  readonly b: string;
  readonly c: string;
  readonly d: string;
  workspace: Workspace;
}

/** What happens, and what the watchers say of it. Of git's own files they say nothing: they may be late, or have lost it. */
type Event = (stage: Stage) => Promise<unknown>;

/** After these only the touched trees are asked; the list of worktrees is not read again. */
const keepTheList: Record<string, Event> = {
  'a file is changed': async ({ a, cache }) => {
    await appendFile(join(a, 'file.txt'), 'more\n');
    cache.invalidate(join(a, 'file.txt'));
  },
  'a file of the main working tree is made': async ({ repository, cache }) => {
    await repository.write('new.txt', 'new\n');
    cache.invalidate(join(repository.root, 'new.txt'));
  },
  'a file is deleted': async ({ c, cache }) => {
    await rm(join(c, 'file.txt'));
    cache.invalidate(join(c, 'file.txt'));
  },
  'a file of a tree that nobody watches is changed': ({ d }) => appendFile(join(d, 'file.txt'), 'more\n'),
  'a change is staged': async ({ repository, b }) => {
    await repository.write(join(b, 'staged.txt'), 'new\n');
    await repository.gitIn(b, 'add', '.');
  },
  'a change of the main working tree is staged': async ({ repository }) => {
    await repository.write('staged.txt', 'new\n');
    await repository.git('add', '.');
  },
  'the registry gets a base': async ({ repository, workspace, a }) => {
    const entry = { path: a, branch: 'a', base: 'b', pr: null };
    const registry = { version: 1, revision: 1, worktrees: { ay: entry } };
    await repository.write(registryFile(workspace.repository), JSON.stringify(registry));
  },
  'the registry is damaged': ({ repository, workspace }) =>
    repository.write(registryFile(workspace.repository), '{ "worktrees": '),
  'another worktree becomes the active one': async ({ repository, workspace, b }) => {
    const text = await formatStateFile({ path: b, branch: 'b', created: '2026-01-02' });
    await repository.write(stateFile(workspace.repository), text);
  },
};

/** After these the list is read again. */
const changeTheList: Record<string, Event> = {
  'a worktree’s folder is deleted': async ({ a, cache }) => {
    await rm(a, { recursive: true });
    cache.invalidate(a);
  },
  'the folder around worktrees is deleted': async ({ a, cache }) => {
    await rm(dirname(a), { recursive: true });
    cache.invalidate(dirname(a));
  },
  'the folder of a worktree that nobody watches is moved away': ({ d }) => rename(d, `${d}-away`),
  'a worktree loses its .git': async ({ c, cache }) => {
    await rm(join(c, '.git'));
    cache.invalidate(join(c, '.git'));
  },
  'the .git of a worktree leads to that of another': async ({ a, b, cache }) => {
    await writeFile(join(a, '.git'), await readFile(join(b, '.git')));
    cache.invalidate(join(a, '.git'));
  },
  'a commit is made': ({ repository, a }) => repository.commit('More', { 'more.txt': 'm\n' }, a),
  'a commit is made in the main working tree': ({ repository }) => repository.commit('More', { 'more.txt': 'm\n' }),
  'a touched tree is committed before its touch is looked at': async ({ repository, a, cache }) => {
    await repository.write(join(a, 'more.txt'), 'm\n');
    cache.invalidate(join(a, 'more.txt'));
    await repository.commit('More', {}, a);
  },
  'another branch is checked out': ({ repository, b }) => repository.gitIn(b, 'switch', '-q', '-c', 'other'),
  'another branch is checked out in the main working tree': ({ repository }) => repository.git('switch', '-q', 'idle'),
  'HEAD is detached': ({ repository, b }) => repository.gitIn(b, 'switch', '-q', '--detach'),
  'HEAD of the main working tree is detached': ({ repository }) => repository.git('switch', '-q', '--detach'),
  'a worktree is locked': ({ repository, c }) => repository.git('worktree', 'lock', '--reason', 'on a stick', c),
  'a worktree becomes a sparse checkout': ({ repository, a }) => repository.gitIn(a, 'sparse-checkout', 'set', 'deep'),
  'one sparse checkout more is made, and one is made whole': async (stage) => {
    await stage.repository.gitIn(stage.b, 'sparse-checkout', 'set', 'deep');
    await readSnapshot(stage.workspace, { cache: stage.cache });
    await stage.repository.gitIn(stage.b, 'sparse-checkout', 'disable');
    await stage.repository.gitIn(stage.c, 'sparse-checkout', 'set', 'deep');
  },
  'a worktree is added': ({ repository }) => repository.git('worktree', 'add', '-q', '.worktrees/e'),
  'a worktree is removed': ({ repository, c }) => repository.git('worktree', 'remove', c),
  'a worktree is moved': ({ repository, c }) => repository.git('worktree', 'move', c, `${c}-moved`),
  'a branch is moved under its tree': ({ repository }) => repository.git('update-ref', 'refs/heads/a', 'idle'),
  'the branch of a worktree is lost': ({ repository }) => repository.git('update-ref', '-d', 'refs/heads/b'),
  'a branch is renamed': ({ repository }) => repository.git('branch', '-m', 'a', 'deep/er/a'),
  'a branch gets an upstream': ({ repository }) => repository.git('branch', '-q', '-u', 'origin/main', 'a'),
  'a branch of the remote moves': ({ repository }) => repository.git('update-ref', 'refs/remotes/origin/main', 'idle'),
  'the default branch of the remote is another': ({ repository }) =>
    repository.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/idle'),
  'a packed branch goes': async ({ repository }) => {
    await repository.git('pack-refs', '--all');
    await repository.git('update-ref', '-d', 'refs/heads/d');
  },
  'a merge stops': async ({ repository, a }) => {
    await assert.rejects(repository.gitIn(a, 'merge', 'idle'));
  },
  'a rebase stops': async ({ repository, a }) => {
    await assert.rejects(repository.gitIn(a, 'rebase', 'idle'));
  },
  'a merge stops in the main working tree': async ({ repository }) => {
    await repository.commit('Mine', { 'file.txt': 'mine\n' });
    await assert.rejects(repository.git('merge', 'idle'));
  },
  'a bisection begins': ({ repository, b }) => repository.gitIn(b, 'bisect', 'start'),
  'the repository ignores more': async ({ repository, b, cache }) => {
    await repository.write(join(b, 'x.log'), 'x\n');
    cache.invalidate(join(b, 'x.log'));
    await appendFile(join(repository.root, '.git/info/exclude'), '*.txt\n');
  },
  'the team has another trunk': (stage) => {
    const { configuration } = stage.workspace;
    const stack = { ...configuration.stack, trunk: 'idle' };
    stage.workspace = { ...stage.workspace, configuration: { ...configuration, stack } };
    return Promise.resolve();
  },
  'a file of git’s is written in place, and a watcher says so': async ({ cache, gitDir }) => {
    await writeFile(join(gitDir, 'worktrees', 'b', 'HEAD'), 'ref: refs/heads/idle\n');
    cache.invalidateList();
  },
};

describe('a snapshot after an event', () => {
  let home: TestHome;
  let stage: Stage;
  /** What git was run with since the last look. */
  let ran: string[];

  beforeEach(async () => {
    home = await testHome();
    const repository = await home.repository();
    const { root } = repository;
    await repository.write('.git/info/exclude', '/.worktrees/\n/.claude/\n');
    await repository.commit('Start', { 'file.txt': 'start\n' });
    await repository.git('branch', 'idle');
    for (const ref of ['origin/main', 'origin/idle']) await repository.git('update-ref', `refs/remotes/${ref}`, 'HEAD');
    await repository.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    await repository.git('config', 'remote.origin.url', root);
    await repository.git('config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
    const inside = (name: string): string => join(root, '.worktrees', name);
    const [a, b, c, d] = [inside('a'), inside('b'), `${root}-c`, `${root}-d`] as const;
    for (const [path, branch] of [
      [a, 'a'],
      [b, 'b'],
      [c, 'c'],
      [d, 'd'],
    ] as const) {
      await repository.git('worktree', 'add', '-q', '-b', branch, path);
    }
    await repository.commit('Of a', { 'file.txt': 'of a\n' }, a);
    await repository.git('switch', '-q', 'idle');
    await repository.commit('Idle', { 'file.txt': 'idle\n' });
    await repository.git('switch', '-q', 'main');
    const plain = await testWorkspace(home, root);
    const debug = (message: string): void => void ran.push(message);
    // An hour later: what has just been made counts as old, and what an event writes leaves other times all the same.
    const now = (): Date => new Date(Date.now() + 3_600_000);
    const environment = { ...plain.environment, now, log: { ...silentLog, debug } };
    const workspace = { ...plain, environment, git: new Git(environment) };
    const cache = new SnapshotCache();
    for (const path of [root, a, b, c]) cache.watch(path);
    stage = { repository, cache, gitDir: join(root, '.git'), a, b, c, d, workspace };
    await look();
  });
  afterEach(() => home.dispose());

  /** What the extension reads, and whether it has read the list. */
  const look = async (): Promise<{ snapshot: Snapshot; listed: boolean }> => {
    ran = [];
    const snapshot = await readSnapshot(stage.workspace, { cache: stage.cache });
    return { snapshot, listed: ran.some((each) => each.includes(' worktree list ')) };
  };
  const fresh = (): Promise<Snapshot> => readSnapshot(stage.workspace);

  it('costs no git process when nothing happened, and one for a tree of which only git can tell', async () => {
    const { snapshot } = await look();
    assert.deepEqual(ran, []);
    assert.deepEqual(snapshot, await fresh());
    await writeFile(join(stage.d, 'new.txt'), 'new\n');
    const later = await look();
    assert.deepEqual(
      ran.map((each) => / in (.*)$/.exec(each)?.[1]),
      [stage.d],
    );
    assert.deepEqual(later.snapshot, await fresh());
  });

  for (const [name, event] of Object.entries(keepTheList)) {
    it(`is the same as one from nothing, and needs no new list, when ${name}`, async () => {
      const before = await fresh();
      await event(stage);
      const { snapshot, listed } = await look();
      assert.deepEqual(snapshot, await fresh());
      assert.notDeepEqual(snapshot, before);
      assert.equal(listed, false);
      assert.deepEqual((await look()).snapshot, snapshot);
    });
  }

  for (const [name, event] of Object.entries(changeTheList)) {
    it(`is the same as one from nothing when ${name}`, async () => {
      const before = await fresh();
      await event(stage);
      const { snapshot, listed } = await look();
      assert.deepEqual(snapshot, await fresh());
      assert.notDeepEqual(snapshot, before);
      assert.equal(listed, true);
      assert.deepEqual((await look()).snapshot, snapshot);
    });
  }

  it('is the same as one from nothing when everything is to be looked at, whatever was told', async () => {
    await writeFile(join(stage.gitDir, 'worktrees', 'b', 'HEAD'), 'ref: refs/heads/idle\n');
    await appendFile(join(stage.a, 'file.txt'), 'untold\n');
    stage.cache.invalidate();
    const { snapshot, listed } = await look();
    assert.deepEqual(snapshot, await fresh());
    assert.equal(listed, true);
  });

  it('trusts no file that was written so lately that another change might leave the same times', async () => {
    const { environment } = stage.workspace;
    stage.workspace = { ...stage.workspace, environment: { ...environment, now: () => new Date() } };
    await stage.repository.git('branch', 'just-now');
    assert.equal((await look()).listed, true);
    assert.equal((await look()).listed, true);
  });

  it('is the same as one from nothing after each of many events in any order', async function () {
    this.timeout(300_000);
    const compatible = [
      ...['a file is changed', 'a file of the main working tree is made', 'a change is staged'],
      ...['a file of a tree that nobody watches is changed', 'the registry gets a base'],
      ...['a change of the main working tree is staged', 'another worktree becomes the active one'],
    ].map((name) => [name, keepTheList[name]] as const);
    const others = ['a commit is made', 'a branch of the remote moves', 'a branch gets an upstream'].map(
      (name) => [name, changeTheList[name]] as const,
    );
    const events = [...compatible, ...others];
    let state = 20_260_102;
    const history: string[] = [];
    for (let step = 0; step < 25; step++) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      const [name, event] = events[Math.floor(state / 65_536) % events.length] ?? [];
      assert.ok(name !== undefined && event);
      history.push(name);
      if (name === 'a commit is made') {
        await stage.repository.commit('More', { [`more-${step}.txt`]: 'm\n' }, stage.a);
      } else await event(stage);
      assert.deepEqual((await look()).snapshot, await fresh(), history.join(', '));
    }
  });
});
