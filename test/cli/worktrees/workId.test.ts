import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { needsTerminal } from '../../support/skip.ts';
import { repositoryForEach, spawnAndWait, wtProgram, type Ran, type WtHome } from '../support/wt.ts';

type Item = Record<string, unknown>;

describe('a worktree for a work id', function () {
  this.timeout(300_000);
  let home: WtHome;
  let repository: TestRepository;
  repositoryForEach((at) => ({ home, repository } = at));

  const at = (name: string): string => join(repository.root, '.worktrees', name);
  const wt = (...args: string[]): Promise<Ran> => home.wt(repository.root, args);
  const done = (...args: string[]): Promise<string> => home.done(repository.root, ...args);
  const configure = (text: string): Promise<string> => repository.commit('Settings', { '.worktrees.yml': text });
  const tracked = async (): Promise<Item> =>
    JSON.parse(await readFile(join(repository.root, 'track', 'worktrees.json'), 'utf8')) as Item;
  const records = async (): Promise<Item[]> => (await tracked())['worktrees'] as Item[];
  /** Runs a command on a terminal where somebody types a line. */
  const onTerminal = (line: string, typed: string): Promise<Ran> =>
    spawnAndWait(
      'script',
      ['-qec', `'${process.execPath}' '${wtProgram}' ${line}`, '/dev/null'],
      repository.root,
      home.variables,
      { input: `${typed}\n` },
    );

  it('is called by it, where no name is given', async () => {
    await configure('worktree: { branch_pattern: "feature/{name}" }\n');
    const ran = await wt('create', '--work-id', ' 258 ', '--json');
    assertMatches('create', ran.json());
    const { success, path, absolute_path, branch, created_at } = ran.json();
    assert.deepEqual([success, path, absolute_path, branch], [true, '.worktrees/258', at('258'), 'feature/258']);
    assert.match(String(created_at), /^\d{4}-\d\d-\d\dT/);
    const again = await wt('create', '--work-id', '258', '--json');
    assert.equal(again.code, 2);
    assertFailure(again.json(), 'taken');
    assert.match(again.stderr, /The worktree "258" at \S+\/258 has the work id "258" already/);
    assert.match(again.stderr, /`wt switch 258`.*`wt create <name> --work-id 258`/);
    await done('create', 'more', '--work-id', '258');
  });

  it('lives beside others, and one file in the main root tells of all of them', async () => {
    await configure('tracking_file: track/worktrees.json\n');
    const [one, two] = await Promise.all([wt('create', '--work-id', '1'), wt('create', '--work-id', '2')]);
    assert.deepEqual([one.code, two.code], [0, 0], one.stderr + two.stderr);
    // From inside of another one, by a caller that says who it is.
    const options = ['--workflow-run-id', 'run-3', '--created-by', 'orchard', '--no-auto-cleanup'];
    const three = await home.wt(at('1'), ['create', '--work-id', '3', '--base', 'main', ...options, '--json']);
    assert.deepEqual(await records().then((all) => all.map(({ work_id }) => work_id).sort()), ['1', '2', '3']);
    assert.equal(existsSync(join(at('1'), 'track')), false);
    const { updated_at, ...record } = (await records()).find(({ work_id }) => work_id === '3') ?? {};
    assert.equal(typeof updated_at, 'string');
    assert.deepEqual(record, {
      ...{ path: '.worktrees/3', branch: '3', workflow_run_id: 'run-3', work_id: '3', status: 'active' },
      ...{ created_at: three.json()['created_at'], created_by: 'orchard', auto_cleanup: false },
    });
    assert.equal((await tracked())['last_updated'], updated_at);
    const states = ['1', '2', '3'].map((name) => home.done(at(name), 'state', 'context', '--json'));
    const ids = (await Promise.all(states)).map((text) => (JSON.parse(text) as Item)['worktree_id']);
    assert.equal(new Set(ids).size, 3);
    assert.equal(await home.done(at('1'), 'path', 'README.md'), `${join(at('1'), 'README.md')}\n`);
    // A folder that is gone without us is no reason to stop.
    await rm(at('2'), { recursive: true });
    await done('cleanup', '2', '--force');
    assert.equal((await records()).find(({ work_id }) => work_id === '2')?.['status'], 'removed');
  });

  it('that was merged is offered for removal on a terminal, and the session goes on in the main one', async function () {
    needsTerminal(this);
    await configure('tracking_file: track/worktrees.json\n');
    await done('create', '--work-id', '258');
    await repository.commit('Work', { 'a.txt': 'a\n' }, at('258'));
    const kept = await onTerminal('merge 258', '');
    assert.match(kept.stdout, /Remove the worktree now\?.*\[y\/N\] .*258 stays; `wt cleanup 258` removes it/s);
    assert.deepEqual([kept.code, existsSync(at('258')), (await records())[0]?.['status']], [0, true, 'merged']);
    assert.equal(await done('active'), `${at('258')}\n`);
    const gone = await onTerminal('merge 258', 'y');
    assert.match(gone.stdout, /was merged before.*Removed 258 and its branch/s);
    assert.deepEqual([gone.code, existsSync(at('258')), (await records())[0]?.['status']], [0, false, 'removed']);
    assert.equal((await wt('active')).code, 1);
    await done('undo');
    assert.deepEqual([existsSync(at('258')), (await records())[0]?.['status']], [true, 'merged']);
  });

  it('is named as the next step without a terminal, where it may go', async () => {
    await done('create', 'a', '--work-id', '1');
    await home.done(at('a'), 'state', 'begin', '--run-id', 'r1');
    const ended = JSON.parse(await home.done(at('a'), 'state', 'end', '--json')) as Item;
    assertMatches('state-end', ended);
    assert.deepEqual(ended['next'], [`cd ${repository.root} && wt cleanup a`]);
    await repository.commit('Work', { 'a.txt': 'a\n' }, at('a'));
    const merged = JSON.parse(await done('merge', 'a', '--json')) as Item;
    assertMatches('merge', merged);
    assert.deepEqual(merged['next'], ['wt cleanup a']);
    assert.match((await wt('merge', 'a')).stderr, /next: `wt cleanup a` removes the worktree a: its work is done/);
    await configure('worktree: { auto_cleanup: false }\n');
    assert.doesNotMatch((await wt('merge', 'a')).stderr + (await home.done(at('a'))) + (await done()), /cleanup/);
  });
});
