import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertMatches } from '../support/schema.ts';
import { hookProgram, wtHome, type Ran, type WtHome } from '../support/wt.ts';

describe('what became of work, as the programs tell it', () => {
  let home: WtHome;
  let repository: TestRepository;
  beforeEach(async () => {
    home = await wtHome();
    repository = await home.repository();
  });
  afterEach(() => home.dispose());

  const done = (...args: string[]): Promise<string> => home.done(repository.root, ...args);
  const json = async (...args: string[]): Promise<Record<string, unknown>> =>
    JSON.parse(await done(...args, '--json')) as Record<string, unknown>;
  /** Writes into the registry as another tool would. */
  const write = async (name: string, change: object): Promise<void> => {
    const file = join(repository.root, '.worktrees', 'stack.json');
    const registry = JSON.parse(await readFile(file, 'utf8')) as { worktrees: Record<string, object> };
    registry.worktrees[name] = { ...registry.worktrees[name], ...change };
    await writeFile(file, JSON.stringify(registry));
  };
  const idle = (name: string): Promise<Ran> =>
    home.wt(repository.root, ['teammate-idle'], {
      program: hookProgram,
      input: JSON.stringify({
        ...{ session_id: 's', transcript_path: '/t', cwd: repository.root, hook_event_name: 'TeammateIdle' },
        ...{ teammate_name: `wt-${name}`, team_name: 't' },
      }),
    });
  const guard = (command: string): Promise<Ran> =>
    home.wt(repository.root, ['bash-guard', join(repository.root, '.worktrees/a'), 'a'], {
      program: hookProgram,
      input: JSON.stringify({
        ...{ cwd: repository.root, hook_event_name: 'PreToolUse' },
        ...{ tool_name: 'Bash', tool_input: { command } },
      }),
    });
  const lifecycleOf = async (name: string): Promise<unknown> => {
    const listed = await json('list');
    assertMatches('list', listed);
    return (listed['worktrees'] as { name: string; lifecycle: unknown }[]).find((each) => each.name === name)
      ?.lifecycle;
  };

  it('a merged pull request is shown everywhere, and lets its worker rest, until the branch goes on', async () => {
    await done('create', 'a');
    const head = await repository.commit('Work', { 'a.txt': 'a\n' }, join(repository.root, '.worktrees/a'));
    const pr = { number: 7, url: 'https://github.com/o/r/pull/7' };
    await write('a', { pr });
    assert.equal((await idle('a')).code, 2, 'nobody watches it');
    await write('a', { pr: { ...pr, state: 'merged', headCommit: head } });
    assert.equal((await idle('a')).code, 0);
    // That its pull request is over says nothing about what is here.
    assert.match(await done('stack'), /\+-- a \(#7 merged on GitHub, not here\)/);
    assertMatches('stack', await json('stack'));
    assert.match(await done('list'), /#7 merged on GitHub, not here/);
    assert.doesNotMatch(await done('info', 'a'), /work +merged/);
    assert.equal(await lifecycleOf('a'), 'created');
    await repository.git('merge', '--quiet', '--no-ff', '--no-edit', 'a');
    await write('a', { lifecycle: 'merged', merged: { head, into: 'main' } });
    assert.match(await done('stack'), /\+-- a \(#7 merged\)/);
    assert.match(await done('list'), /#7 merged/);
    const info = await done('info', 'a');
    assert.match(info, /pull request +#7 https:\/\/github\.com\/o\/r\/pull\/7 \(merged\)/);
    assert.match(info, /work +merged/);
    assert.equal(await lifecycleOf('a'), 'merged');
    const told = await json('info', 'a');
    assertMatches('info', told);
    assert.equal((told['pr'] as { state: string }).state, 'merged');
    await repository.commit('More work', { 'b.txt': 'b\n' }, join(repository.root, '.worktrees/a'));
    assert.doesNotMatch(`${await done('stack')}${await done('list')}`, /merged/);
    assert.notEqual(await lifecycleOf('a'), 'merged');
    await write('a', { pr: { ...pr, state: 'closed' } });
    assert.match(`${await done('stack')}${await done('list')}`, /\(#7 closed\)[^]*#7 closed/);
    assert.equal((await idle('a')).code, 0);
  }).timeout(300_000);

  it('a merge is known until it is taken back', async () => {
    await done('create', 'a');
    await repository.commit('Work', { 'a.txt': 'a\n' }, join(repository.root, '.worktrees/a'));
    await done('merge', 'a');
    assert.equal(await lifecycleOf('a'), 'merged');
    assert.match(`${await done('stack')}${await done('list')}`, /\(merged\)[^]*merged/);
    const here = await home.done(join(repository.root, '.worktrees/a'));
    assert.match(here, /wt cleanup a/);
    await done('undo');
    assert.equal(await lifecycleOf('a'), 'created');
    await done('redo');
    assert.equal(await lifecycleOf('a'), 'merged');
    // A worktree that cannot go is told of its landing all the same.
    await done('undo');
    await repository.git('merge', '--quiet', '--no-ff', 'a');
    await writeFile(join(repository.root, '.worktrees/a/dirty.txt'), 'dirty\n');
    const kept = await home.wt(repository.root, ['cleanup', 'a']);
    assert.equal(kept.code, 1);
    assert.equal(await lifecycleOf('a'), 'merged');
  }).timeout(300_000);

  it('the tracking file has what was there before it, follows a renaming, and is mended', async () => {
    await done('create', 'old');
    await writeFile(join(repository.root, '.worktrees.yml'), 'tracking_file: t.json\n');
    await done('create', 'n', '--workflow-run-id', 'run-1', '--created-by', 'orchard');
    await done('rename', 'n', 'm');
    const records = async (): Promise<Record<string, unknown>[]> =>
      (JSON.parse(await readFile(join(repository.root, 't.json'), 'utf8')) as { worktrees: Record<string, unknown>[] })
        .worktrees;
    assert.deepEqual(
      (await records()).map((each) => [each['path'], each['branch'], each['status'], each['created_by']]),
      [
        ['.worktrees/n', 'm', 'active', 'orchard'],
        ['.worktrees/old', 'old', 'active', 'wt'],
      ],
    );
    assert.equal((await records())[0]?.['workflow_run_id'], 'run-1');
    await repository.git('worktree', 'remove', '--force', '.worktrees/n');
    const looked = await home.wt(repository.root, ['doctor', '--json']);
    assertMatches('doctor', looked.json());
    await home.wt(repository.root, ['doctor', '--fix']);
    assert.equal((await records())[0]?.['status'], 'removed');
  }).timeout(300_000);

  it('the bundled guard knows the commands of the bundled wt', async () => {
    for (const command of ['wt rename poll fix', 'wt log', 'wt predict poll', 'wt --json list', 'wt -C poll info'])
      assert.equal((await guard(command)).stdout, '', command);
    for (const command of ['wt poll', 'wt -C dir --json poll x'])
      assert.match((await guard(command)).stdout, /"permissionDecision":"deny"/, command);
  });
});
