import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { updateRegistry } from '../../../src/core/repository/registry.ts';
import { undo } from '../../../src/core/recovery/undo.ts';
import { feed, RandomWorld, type RandomBranch } from '../../support/randomStacks.ts';
import { Stacks } from '../../support/stacks.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { shareOf } from '../../support/share.ts';

/** More are tried with `STACK_SEEDS=from-to`; a share of these in the ordinary run. */
const [from = 1, to = 6] = (process.env['STACK_SEEDS'] ?? '')
  .split('-')
  .map(Number)
  .filter((number) => number > 0);
const seeds = Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('restacking stacks of all kinds', function () {
  this.timeout(300_000);
  for (const seed of process.env['STACK_SEEDS'] ? seeds : shareOf(seeds, 3)) {
    it(`gives what git’s own rebase from the right commit gives, and undoes it (seed ${seed})`, async () => {
      // One of the two kinds of ids that git knows, or the other.
      const at = await Stacks.start(seed % 3 === 0 ? { GIT_DEFAULT_HASH: 'sha256' } : {});
      try {
        await check(at, new RandomWorld(seed), seed);
      } finally {
        await at.dispose();
      }
    });
  }

  async function check(at: Stacks, world: RandomWorld, seed: number): Promise<void> {
    const { repository, home } = at;
    await repository.git('checkout', '--quiet', '--detach');
    await feed(repository.root, home.variables, ['fast-import', '--quiet', '--force'], world.stream());
    await repository.git('checkout', '--quiet', '--force', 'main');
    const oid = (mark: number): Promise<string> => repository.git('rev-parse', `refs/marks/${mark}`);
    const living = world.branches.filter(({ deleted }) => !deleted);
    for (const { name, recordedName } of living) {
      await repository.git('worktree', 'add', '--quiet', '--no-checkout', at.path(recordedName), name);
      await at.git(recordedName, 'reset', '--quiet', '--hard');
    }
    const records = await Promise.all(
      world.branches.map(async (branch) => ({ branch, baseCommit: await oid(branch.recordedCommit) })),
    );
    await updateRegistry(at.workspace.environment, at.workspace.repository, ({ worktrees }) => {
      for (const { branch, baseCommit } of records) {
        const { recordedName, recordedBase } = branch;
        worktrees.set(recordedName, {
          path: at.path(recordedName),
          branch: recordedName,
          base: recordedBase,
          pr: null,
          baseCommit,
        });
      }
    });
    const dirty = living.filter((_, index) => (seed + index) % 3 === 0);
    for (const { recordedName } of dirty) {
      await repository.write(join(at.path(recordedName), 'README.md'), 'read me, changed\n');
      await repository.write(join(at.path(recordedName), 'untracked.txt'), 'mine\n');
    }
    const before = await at.picture();

    const tips = new Map<string, string>();
    for (const { name } of living) tips.set(name, await at.tip(name));
    const outcomes = new Map<string, string>();
    const bottoms = living.filter(({ base }) => !base);
    let operations = 0;
    for (const { recordedName } of bottoms) {
      const { branches } = await at.plan(recordedName, { wholeStack: true });
      if (branches.some(({ branch }) => outcomes.has(branch))) continue;
      for (const { branch, outcome, why } of branches)
        outcomes.set(branch, outcome === 'held' ? textOf(why ?? '') : outcome);
      const conflicts = branches.some(({ outcome }) => outcome === 'conflict');
      const done = await at.rebase(recordedName, { wholeStack: true });
      if (conflicts) await at.abort(done.stop?.branch ?? '');
      else if (done.operation) operations++;
      for (const each of branches) await compare(at, world, each.branch, outcomes, tips, conflicts);
    }
    assert.deepEqual([...outcomes.keys()].sort(), living.map(({ name }) => name).sort());
    for (const { recordedName } of dirty) {
      assert.equal(await readFile(join(at.path(recordedName), 'README.md'), 'utf8'), 'read me, changed\n');
      assert.equal(await at.git(recordedName, 'status', '--porcelain'), ' M README.md\n?? untracked.txt');
    }
    for (const branch of living.filter((each) => !dirty.includes(each)))
      assert.equal(await at.git(branch.recordedName, 'status', '--porcelain'), '');
    for (; operations > 0; operations--) await undo(at.workspace);
    assert.deepEqual(await at.picture(), before);
    // `git stash` belongs to the person, and all worktrees have one together.
    assert.equal(await repository.git('for-each-ref', 'refs/stash'), '');
  }

  async function compare(
    at: Stacks,
    world: RandomWorld,
    name: string,
    outcomes: ReadonlyMap<string, string>,
    tips: ReadonlyMap<string, string>,
    aborted: boolean,
  ): Promise<void> {
    const branch = world.branches.find((each) => each.name === name);
    assert.ok(branch);
    const outcome = outcomes.get(name);
    if (branch.landed) return void assert.equal(outcome, 'landed', name);
    const stays = outcome === 'waits' || outcome === 'it would conflict, and has uncommitted changes';
    if (stays) return void assert.equal(await at.tip(name), tips.get(name), name);
    assert.ok(outcome === 'moves' || outcome === 'current' || outcome === 'conflict', `${name}: ${outcome}`);
    if (aborted) return void assert.equal(await at.tip(name), tips.get(name));
    const base = branch.base?.name ?? 'main';
    const own = (await at.repository.git('log', '--reverse', '--no-merges', '--format=%s', `${base}..${name}`))
      .split('\n')
      .filter((s) => s !== '');
    const expected = branch.own.map(({ subject }) => subject);
    // One that the base has by now, word for word, is dropped.
    assert.deepEqual(
      own,
      expected.filter((subject) => own.includes(subject)),
      name,
    );
    if (branch.merges) return;
    const plain = await rebased(at, branch, tips.get(name) ?? '', base);
    assert.equal(await at.repository.git('rev-parse', `${name}^{tree}`), plain.tree, name);
    assert.deepEqual(own, plain.subjects, name);
  }

  /** What git's own rebase makes of a branch, told where its own commits begin. */
  async function rebased(
    at: Stacks,
    branch: RandomBranch,
    tip: string,
    base: string,
  ): Promise<{ tree: string; subjects: string[] }> {
    const scratch = join(at.home.root, `scratch-${branch.name}`);
    const start = branch.own[0]?.parents[0];
    const since = start === undefined ? tip : await at.repository.git('rev-parse', `refs/marks/${start}`);
    await at.repository.git('worktree', 'add', '--quiet', '--detach', scratch, tip);
    await at.repository.gitIn(scratch, 'rebase', '--quiet', '--no-fork-point', '--onto', base, since);
    const subjects = await at.repository.gitIn(scratch, 'log', '--reverse', '--format=%s', `${base}..HEAD`);
    const tree = await at.repository.gitIn(scratch, 'rev-parse', 'HEAD^{tree}');
    await at.repository.git('worktree', 'remove', '--force', scratch);
    return { tree, subjects: subjects.split('\n').filter((subject) => subject !== '') };
  }
});
