import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { createWithChanges, type CreatedWithChanges } from '../../../src/core/carry/createWithChanges.ts';
import { readOperations } from '../../../src/core/operations/store.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { findWorktree } from '../../../src/core/worktree/find.ts';
import { pictureOf } from '../../support/carries.ts';
import { Creations } from '../../support/creations.ts';

describe('uncommitted work that comes along into a new worktree whose setup fails', function () {
  this.timeout(300_000);
  let at: Creations;

  beforeEach(async () => {
    at = await Creations.start();
    await at.repository.write('.git/info/exclude', '/.worktrees/\n');
    await at.repository.commit('Files', { 'one.txt': 'one\n', 'two.txt': 'two\n', 'gone.txt': 'gone\n' });
  });
  afterEach(() => at.dispose());

  async function work(): Promise<void> {
    await at.repository.write('one.txt', 'staged\n');
    await at.repository.git('add', 'one.txt');
    await at.repository.write('one.txt', 'unstaged\n');
    await at.repository.write('two.txt', 'changed\r\n');
    await at.repository.git('rm', '--quiet', 'gone.txt');
    await at.repository.write('new/untracked.txt', 'untracked\n');
    await at.repository.write('meant.txt', 'meant\n');
    await at.repository.git('add', '--intent-to-add', 'meant.txt');
  }

  async function create(mode: 'move' | 'copy'): Promise<CreatedWithChanges> {
    const snapshot = await readSnapshot(at.workspace, { withChanges: false });
    const source = await findWorktree(snapshot, '@', at.repository.root);
    const request = { name: 'x', createdBy: 'test' };
    return createWithChanges(at.workspace, request, { from: source, mode }, { approveSetup: async () => true });
  }

  async function failed(mode: 'move' | 'copy'): Promise<Problem> {
    const thrown: unknown = await create(mode).then(
      () => assert.fail('it was created'),
      (problem: unknown) => problem,
    );
    assert.ok(Problem.is(thrown), String(thrown));
    assert.equal(thrown.reason, 'setup-failed');
    assert.equal(thrown.outcome, 'incomplete');
    return thrown;
  }

  /** Without the registry, which is made with the first worktree. */
  const picture = async (): Promise<unknown> => {
    const { status = '', ...rest } = await pictureOf(at.repository, at.repository.root);
    return { ...rest, status: status.replace('\n! .worktrees/stack.json', '') };
  };
  const refs = (): Promise<string> => at.repository.git('for-each-ref', 'refs/wt-backup');

  for (const mode of ['move', 'copy'] as const) {
    it(`is where it was, to the byte, and nothing is left of the worktree (${mode})`, async () => {
      const inside = 'echo mine > one.txt; rm two.txt; git add --all; echo more > new/more.txt';
      await at.configure(`setup: ["test -e new/untracked.txt", "${inside}", "test ! -e ../../.git/fails"]\n`);
      await at.repository.write('.git/fails', '');
      await work();
      const [before, traces] = [await picture(), await at.traces()];
      await failed(mode);
      assert.deepEqual(await picture(), before);
      assert.deepEqual(await at.traces(), traces);
      assert.deepEqual(await readOperations(at.workspace), []);
      assert.equal(await refs(), '');
      await rm(join(at.repository.root, '.git/fails'));
      const { carried } = await create(mode);
      assert.equal(carried?.files.length, 5, 'the same works once setup does');
    });
  }

  it('stays in the worktree where something else is in its place, and the message says so', async () => {
    await at.configure('setup: ["echo later > ../../two.txt", "exit 3"]\n');
    await work();
    const problem = await failed('move');
    assert.equal(problem.file, at.path('x'));
    assert.deepEqual(problem.items, ['two.txt']);
    assert.equal(problem.what.id, 'create.keptForItsWork');
    assert.match(problem.next ?? '', /`wt carry x <to>`/);
    assert.equal(await readFile(join(at.repository.root, 'two.txt'), 'utf8'), 'later\n');
    const there = (file: string): Promise<string> => readFile(join(at.path('x'), file), 'utf8');
    assert.deepEqual(
      [await there('one.txt'), await there('two.txt'), await there('new/untracked.txt')],
      ['unstaged\n', 'changed\r\n', 'untracked\n'],
    );
    assert.equal(await at.repository.gitIn(at.path('x'), 'show', ':one.txt'), 'staged');
    assert.ok((await at.traces()).registered.includes('x'));
    assert.match(await refs(), /\/from\/before\/files/);
  });

  it('was only copied is as it was, whatever setup writes beside it', async () => {
    await at.configure('setup: ["echo later > ../../two.txt", "exit 3"]\n');
    await work();
    await failed('copy');
    assert.ok(!existsSync(at.path('x')));
    assert.equal(await readFile(join(at.repository.root, 'two.txt'), 'utf8'), 'later\n');
    assert.equal(await readFile(join(at.repository.root, 'one.txt'), 'utf8'), 'unstaged\n');
    assert.equal(await refs(), '');
  });
});
