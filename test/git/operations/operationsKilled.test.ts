import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { undoneIds } from '../../../src/core/operations/operation.ts';
import { finishedFolder, readOperations } from '../../../src/core/operations/store.ts';
import { operationKinds } from '../../../src/core/recovery/kinds.ts';
import { syncTracking } from '../../../src/core/lifecycle/tracking.ts';
import { readConfiguration } from '../../../src/core/repository/configuration.ts';
import { readRegistry, updateRegistry } from '../../../src/core/repository/registry.ts';
import { undo } from '../../../src/core/recovery/undo.ts';
import { killedCarry, killedCreateWithChanges } from '../../support/carries.ts';
import { killEveryStep, type Killable, type KillScene } from '../../support/killEveryStep.ts';
import { killedCleanup } from '../../support/killedCleanup.ts';
import { killedReclaim } from '../../support/killedReclaim.ts';
import { killedCreate } from '../../support/killedCreate.ts';
import { Removals } from '../../support/removals.ts';
import { runRestack } from '../../support/runRestack.ts';
import { Stacks } from '../../support/stacks.ts';

/** Branches, worktrees, what is in their folder and what the registry says. */
async function around(at: Removals): Promise<unknown> {
  const { repository, workspace } = at;
  return [
    await repository.git('for-each-ref', 'refs/heads'),
    await at.listed(),
    (await readdir(join(repository.root, '.worktrees'))).filter((name) => name !== 'stack.json').sort(),
    [...(await readRegistry(workspace.repository)).worktrees],
  ];
}

/** The log says that the last removal was undone, or that it was not. */
async function checkUndone(at: Removals, undone: boolean): Promise<void> {
  const operations = await readOperations(at.workspace);
  const removal = operations.find(({ kind }) => kind === 'cleanup');
  assert.equal(undoneIds(operations).has(removal?.id ?? ''), undone);
  assert.equal(operations[0]?.kind, undone ? 'undo' : 'cleanup');
}

async function stackOfThree(): Promise<Stacks> {
  const at = await Stacks.start();
  await at.add('a', 'main', { 'a.txt': 'a1\n' });
  await at.add('b', 'a', { 'b.txt': 'b1\n' });
  await at.add('c', 'b', { 'c.txt': 'c1\n' });
  await at.repository.write(join(at.path('a'), 'notes.txt'), 'mine\n');
  await at.repository.write(join(at.path('b'), 'b.txt'), 'b1\nmine\n');
  return at;
}

async function restack(): Promise<Killable> {
  const at = await stackOfThree();
  await at.commit('main', 'News', { 'news.txt': 'news\n' });
  return {
    workspace: at.workspace,
    run: (step) => runRestack(at, 'rebase', 'a', step),
    picture: () => at.picture(),
    // The ids of new commits hold the time.
    result: () =>
      Promise.all(
        ['a', 'b', 'c'].map(async (branch, index, all) => [
          branch,
          await at.repository.git('rev-parse', `${branch}^{tree}`),
          await at.subjects(branch),
          (await at.entry(branch))?.baseCommit === (await at.tip(all[index - 1] ?? 'main')),
          await at.git(branch, 'status', '--porcelain'),
        ]),
      ),
    check: async (finished) => assert.equal((await readOperations(at.workspace)).length, finished ? 1 : 0),
    reverse: async () => {
      await undo(at.workspace);
      await rm(finishedFolder(at.workspace.repository), { recursive: true });
    },
    dispose: () => at.dispose(),
  };
}

async function renaming(): Promise<Killable> {
  const at = await stackOfThree();
  await at.commit('main', 'Configure', { '.worktrees.yml': 'tracking_file: .work/worktrees.json\n' });
  const workspace = { ...at.workspace, configuration: await readConfiguration(at.repository.root) };
  await at.repository.write('.git/info/exclude', '/.worktrees/\n.work/\n');
  assert.deepEqual(await syncTracking(workspace), []);
  const tracked = async (): Promise<unknown> => {
    const text = await readFile(join(at.repository.root, '.work/worktrees.json'), 'utf8');
    const { worktrees } = JSON.parse(text) as { worktrees: Record<string, string>[] };
    return worktrees.map(({ path, branch, status }) => [path, branch, status]);
  };
  return {
    workspace,
    run: (step) => runRestack(at, 'rename', 'b', step),
    picture: async () => [await at.picture(), await tracked()],
    check: async (finished) => {
      const [last] = await readOperations(at.workspace);
      assert.deepEqual([last?.kind, last?.state], finished ? ['rename', 'done'] : [undefined, undefined]);
    },
    reverse: async () => {
      await undo(workspace);
      await rm(finishedFolder(workspace.repository), { recursive: true });
    },
    dispose: () => at.dispose(),
  };
}

async function restore(): Promise<Killable> {
  const at = await Removals.start();
  await at.repository.write('.git/info/exclude', '/.worktrees/\n.notes/\n');
  await at.repository.commit('Base', { 'lib/a.txt': 'a\n', 'lib/b.txt': 'b\n' });
  const path = await at.add('login', { commits: 1 });
  await at.repository.git('merge', '--quiet', '--no-ff', '--no-edit', 'login');
  await at.repository.write(join(path, 'lib/a.txt'), 'staged\n');
  await at.repository.gitIn(path, 'add', 'lib/a.txt');
  await at.repository.write(join(path, 'new.txt'), 'new\n');
  await at.repository.write(join(path, '.notes/notes.md'), 'notes\n');
  await at.repository.gitIn(path, 'checkout', '--quiet', '--detach');
  await at.repository.gitIn(path, 'commit', '--quiet', '--allow-empty', '-m', 'lost');
  await at.repository.gitIn(path, 'checkout', '--quiet', 'login');
  const textOf = (...names: string[]): Promise<string> => readFile(join(...names), 'utf8');
  const result = async (): Promise<unknown> =>
    existsSync(path) && [
      await around(at),
      await at.repository.gitIn(path, 'status', '--porcelain', '--branch'),
      await textOf(path, 'new.txt'),
      await textOf(path, '.notes/notes.md'),
      await textOf(at.repository.root, '.git/worktrees/login/logs/HEAD'),
      await textOf(at.repository.root, '.git/logs/refs/heads/login'),
    ];
  const there = await result();
  await at.remove('login', { force: true });
  return {
    workspace: at.workspace,
    run: (step) => runRestack(at, 'undo', 'login', step),
    picture: () => around(at),
    result,
    check: async (finished) => {
      if (finished) assert.deepEqual(await result(), there);
      await checkUndone(at, finished);
    },
    reverse: async () => void (await at.remove('login', { force: true })),
    dispose: async () => {
      assert.equal(await at.repository.git('fsck', '--no-dangling'), '');
      await at.dispose();
    },
  };
}

async function restoreRecord(): Promise<Killable> {
  const at = await Removals.start();
  const path = await at.add('login', { commits: 1 });
  await rename(path, join(at.home.root, 'away'));
  await at.remove('login', { force: true });
  return {
    workspace: at.workspace,
    run: (step) => runRestack(at, 'undo', 'login', step),
    picture: () => around(at),
    check: (finished) => checkUndone(at, finished),
    reverse: async () => void (await at.remove('login', { force: true })),
    dispose: () => at.dispose(),
  };
}

/** Into a linked worktree, with a session file that the rules merge. */
async function merge(): Promise<Killable> {
  const at = await Stacks.start();
  const session = (...tasks: string[]): string =>
    `# Session Handoff\n\n## Pending Tasks\n\n${tasks.map((each) => `- [ ] **${each}**\n`).join('')}`;
  await at.commit('main', 'Session', { 'agents/session.md': session('Login'), 'both.txt': '1\n2\n3\n4\n5\n' });
  await at.add('release', 'main', { 'agents/session.md': session('Login', 'Ours'), 'both.txt': 'ours\n2\n3\n4\n5\n' });
  await at.add('a', 'main', { 'agents/session.md': session('Login', 'Theirs'), 'both.txt': '1\n2\n3\n4\ntheirs\n' });
  await at.commit('a', 'More', { 'new/a.txt': 'a\n' });
  // As an undo of the merge leaves it.
  await updateRegistry(at.workspace.environment, at.workspace.repository, ({ worktrees }) => {
    const entry = worktrees.get('a');
    if (entry) worktrees.set('a', { ...entry, lifecycle: 'active' });
  });
  return {
    workspace: at.workspace,
    run: (step) => runRestack(at, 'merge', 'a into release', step),
    picture: () => at.picture(),
    result: async () => [
      await at.repository.git('rev-parse', 'release^{tree}'),
      await at.git('release', 'status', '--porcelain'),
      (await at.entry('a'))?.lifecycle,
      existsSync(join(at.repository.root, '.git/worktrees/release/wt-merge')),
    ],
    check: async (finished) => assert.equal((await readOperations(at.workspace)).length, finished ? 1 : 0),
    reverse: async () => {
      await undo(at.workspace);
      await rm(finishedFolder(at.workspace.repository), { recursive: true });
    },
    dispose: () => at.dispose(),
  };
}

/** Scenes for every kind of operation, or where else it is killed. */
const scenes: Readonly<Record<keyof typeof operationKinds, readonly KillScene[] | string>> = {
  create: [
    { start: killedCreate, least: { rolledBack: 6, finished: 4 } },
    { start: killedCreateWithChanges, least: { rolledBack: 6, finished: 2 } },
  ],
  cleanup: [
    { start: () => killedCleanup('gently'), least: { rolledBack: 11, finished: 2 } },
    // From the decision on, a forced removal is like any other.
    {
      start: () => killedCleanup('force'),
      ...{ least: { rolledBack: 11, finished: 2 }, enough: ({ finished }) => finished > 1 },
    },
  ],
  // Once it is decided, what is left is to delete what is aside.
  reclaim: [{ start: killedReclaim, least: { rolledBack: 4, finished: 2 }, enough: ({ finished }) => finished > 1 }],
  // Its steps are the last ones of a removal.
  trash: 'cleanup',
  restore: [{ start: restore }],
  'restore-record': [{ start: restoreRecord }],
  restack: [{ start: restack }],
  rename: [{ start: renaming }],
  merge: [{ start: merge }],
  carry: [
    { start: () => killedCarry('carry'), least: { rolledBack: 6, finished: 2 } },
    { start: () => killedCarry('undo'), least: { rolledBack: 6, finished: 2 } },
  ],
  stack: 'earlierOperations.test.ts',
};

describe('an operation that is killed', function () {
  this.timeout(900_000);

  it('is of a kind that has a scene here', () => {
    assert.deepEqual(Object.keys(scenes).sort(), Object.keys(operationKinds).sort());
    for (const other of Object.values(scenes).filter((each) => typeof each === 'string'))
      assert.ok(Object.hasOwn(scenes, other) || existsSync(new URL(other, import.meta.url)), other);
  });

  for (const [kind, all] of Object.entries(scenes)) {
    for (const [index, scene] of (typeof all === 'string' ? [] : all).entries()) {
      const which = index === 0 ? kind : `${kind} (${index + 1})`;
      it(`between any two steps of ${which} is finished or rolled back as a whole, can be undone, and run again`, () =>
        killEveryStep(scene));
    }
  }
});
