import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { adopt, planAdoption, type AdoptionPlan } from '../../../src/core/create/adopt.ts';
import { examine } from '../../../src/core/doctor/doctor.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { Stacks } from '../../support/stacks.ts';

describe('adopting worktrees that other programs have made', function () {
  this.timeout(300_000);
  let at: Stacks;
  beforeEach(async () => {
    at = await Stacks.start();
  });
  afterEach(() => at.dispose());

  /** Makes a worktree as git, an editor or an agent does, at any place. */
  const make = async (name: string, from: string, folder = join('.claude', 'worktrees', name)): Promise<string> => {
    const path = join(at.repository.root, folder);
    await at.repository.git('worktree', 'add', '--quiet', '-b', name, path, from);
    return path;
  };
  const plan = async (names: readonly string[], base?: string): Promise<AdoptionPlan> => {
    const snapshot = await readSnapshot(at.workspace, { withChanges: false });
    const wanted = snapshot.worktrees.filter(({ name }) => names.includes(name));
    return planAdoption(at.workspace, snapshot, wanted, { base });
  };
  const bases = ({ adoptions }: AdoptionPlan): string[] => adoptions.map(({ name, base }) => `${name} on ${base}`);

  it('finds their bases in their history, wherever they are, and records them', async () => {
    await at.add('lower', 'main', { 'lower.txt': 'lower\n' });
    await make('fresh', 'main');
    await make('onLower', 'lower', '../onLower');
    const middle = await make('middle', 'lower');
    await at.repository.commit('Middle', { 'middle.txt': 'middle\n' }, middle);
    await make('upper', 'middle', '.worktrees/upper');
    // Its base moves on, and so does the trunk.
    await at.commit('lower', 'Lower again', { 'lower.txt': 'more\n' });
    await at.commit('main', 'Trunk', { 'trunk.txt': 'trunk\n' });
    const found = await plan(['fresh', 'onLower', 'middle', 'upper']);
    assert.deepEqual(found.left, []);
    assert.deepEqual(bases(found).sort(), ['fresh on main', 'middle on lower', 'onLower on lower', 'upper on middle']);
    await adopt(at.workspace, found.adoptions);
    const entry = await at.entry('middle');
    assert.deepEqual(
      [entry?.path, entry?.base, entry?.baseCommit, entry?.id],
      [middle, 'lower', await at.repository.git('rev-parse', 'lower~1'), 'middle'],
    );
    const again = await plan(['middle']);
    assert.deepEqual(
      again.left.map(({ problem }) => problem.message),
      ['middle is in the registry already, based on lower.'],
    );
  });

  it('leaves what history does not tell to a person, who may name any base', async () => {
    await at.repository.git('branch', 'shared');
    await at.repository.commit('Shared', { 's.txt': 's\n' });
    await at.repository.git('branch', '-f', 'shared');
    await at.repository.git('reset', '--quiet', '--hard', 'HEAD~1');
    // Two stacks go on from a commit that neither of them owns more than the other.
    await at.add('one', 'shared', { 'one.txt': '1\n' });
    await at.add('two', 'shared', { 'two.txt': '2\n' });
    await at.repository.commit('Three', { 'three.txt': '3\n' }, await make('three', 'shared~0'));
    const unsure = await plan(['three']);
    assert.deepEqual(
      unsure.left.map(({ bases: possible }) => [...possible].sort()),
      [['one', 'two']],
    );
    assert.match(unsure.left[0]?.problem.next ?? '', /wt adopt three --base/);
    const said = await plan(['three'], 'two');
    assert.deepEqual(bases(said), ['three on two']);
    assert.equal(said.adoptions[0]?.baseCommit, await at.repository.git('rev-parse', 'shared'));
    await assert.rejects(plan(['three'], 'nowhere'), { reason: 'not-found' });
  });

  it('says why one cannot be adopted as it is', async () => {
    const gone = await make('gone', 'main');
    await rm(gone, { recursive: true });
    const detached = await make('detached', 'main');
    await at.repository.gitIn(detached, 'switch', '--quiet', '--detach');
    await at.repository.git('switch', '--quiet', '-c', 'elsewhere');
    await at.repository.git('worktree', 'add', '--quiet', join(at.repository.root, '.claude/worktrees/trunk'), 'main');
    const { left, adoptions } = await plan(['gone', 'detached', 'trunk']);
    assert.deepEqual(adoptions, []);
    const why = new Map(left.map(({ worktree, problem }) => [worktree.name, problem.message]));
    assert.match(why.get('gone') ?? '', /its folder .* is not as git has it on record/);
    assert.match(why.get('detached') ?? '', /no branch checked out/);
    assert.match(why.get('trunk') ?? '', /main is the base itself/);
  });

  it('refuses on Windows what another system has called as no disk there can, with a name that works', async () => {
    const workspace = { ...at.workspace, environment: { ...at.workspace.environment, platform: 'win32' as const } };
    const root = at.repository.root;
    await make('fine', 'main');
    await make('inAux', 'main', '.claude/aux/inAux');
    await make('named', 'main', '.claude/nul.txt');
    await make('x/con', 'main', '.claude/branch');
    await make('x/con-1', 'main', '.claude/other');
    const snapshot = await readSnapshot(workspace, { withChanges: false });
    const wanted = snapshot.worktrees.filter(({ main }) => !main);
    const { adoptions, left } = await planAdoption(workspace, snapshot, wanted, { base: 'main' });
    assert.deepEqual(adoptions.map(({ name }) => name).sort(), ['fine', 'other']);
    const said = new Map(left.map(({ worktree, problem }) => [worktree.branch, problem]));
    for (const [branch, next] of [
      ['inAux', `git worktree move ${root}/.claude/aux/inAux ${root}/.claude/aux-1/inAux`],
      ['named', `git worktree move ${root}/.claude/nul.txt ${root}/.claude/nul-1.txt`],
      ['x/con', `git -C ${root}/.claude/branch switch -c x/con-2`],
    ] as const) {
      const problem = said.get(branch);
      assert.deepEqual([problem?.reason, problem?.outcome], ['invalid-name', 'incomplete'], branch);
      assert.match(problem?.message ?? '', /^Windows cannot hold/);
      assert.ok(problem?.next?.includes(`\`${next}\``), problem?.next);
    }
    const { left: here } = await planAdoption(at.workspace, snapshot, wanted, { base: 'main' });
    assert.deepEqual(here, []);
  });

  it('is no fault of theirs: the doctor tells of all in one line, as information', async () => {
    for (const name of ['one', 'two', 'three', 'four', 'five']) await make(name, 'main', `.worktrees/${name}`);
    const found = await examine(at.workspace);
    assert.deepEqual(
      found.map(({ kind, isInformation, message }) => [kind, isInformation, textOf(message)]),
      [
        [
          'worktree-unregistered',
          true,
          'Other programs have made 5 worktrees, whose bases are not recorded: five, four, one and 2 more.',
        ],
      ],
    );
  });
});
