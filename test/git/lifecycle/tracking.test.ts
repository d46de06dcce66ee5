import assert from 'node:assert/strict';
import { copyFile, readFile, rename as renameFolder, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { examine, treat } from '../../../src/core/doctor/doctor.ts';
import type { Finding } from '../../../src/core/doctor/finding.ts';
import { recordMerge } from '../../../src/core/lifecycle/outcome.ts';
import { recordRun, recordRunEnded } from '../../../src/core/lifecycle/recordRun.ts';
import { followMoves } from '../../../src/core/relocation/followMoves.ts';
import { registryFile } from '../../../src/core/repository/registry.ts';
import { trackingCopy } from '../../../src/core/repository/trackingFile.ts';
import { planRename, renameWorktree } from '../../../src/core/restack/rename.ts';
import { redo, undo } from '../../../src/core/recovery/undo.ts';
import { findWorktree } from '../../../src/core/worktree/find.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { removeWorktree } from '../../../src/core/remove/remove.ts';
import { inspectRemoval } from '../../../src/core/remove/inspect.ts';
import { deleteTrash } from '../../../src/core/trash/trash.ts';
import { Merges } from '../../support/merges.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { texts } from '../../support/texts.ts';

type Item = Record<string, unknown>;

describe('the tracking file follows', function () {
  this.timeout(300_000);
  let merges: Merges;
  let file: string;
  beforeEach(async () => {
    merges = await Merges.start();
    file = join(merges.root, 'track', 'worktrees.json');
    await merges.commit('', { 'own.txt': 'own\n' });
  });
  afterEach(() => merges.dispose());

  const workspace = (): Merges['at']['workspace'] => merges.at.workspace;
  const configure = (): Promise<void> => merges.at.configure('tracking_file: track/worktrees.json\n');
  const records = async (): Promise<Item[]> =>
    (JSON.parse(await readFile(file, 'utf8')) as { worktrees: Item[] }).worktrees;
  /** Of each record the path, the branch and the state. */
  const said = async (): Promise<unknown[][]> =>
    (await records()).map(({ path, branch, status }) => [path, branch, status]);
  const write = (worktrees: unknown, more: Item = {}): Promise<void> =>
    writeFile(file, `${JSON.stringify({ ...more, worktrees }, null, 2)}\n`);
  const rename = async (name: string, to: string): Promise<void> => {
    const snapshot = await readSnapshot(workspace(), { withChanges: false });
    const worktree = await findWorktree(snapshot, name, merges.root);
    await renameWorktree(workspace(), (await planRename(workspace(), snapshot, worktree, { name: to })).renaming);
  };
  const remove = async (name: string): Promise<void> => {
    const snapshot = await readSnapshot(workspace(), { withChanges: false });
    const removal = await inspectRemoval(workspace(), snapshot, await findWorktree(snapshot, name, merges.root));
    const bins: string[] = [];
    await removeWorktree(workspace(), removal, { force: true, deleteLater: (folder) => void bins.push(folder) });
    for (const bin of bins) await deleteTrash(workspace().git, bin);
  };
  const findings = async (): Promise<Finding[]> =>
    (await examine(workspace())).filter(({ kind }) => kind === 'tracking');
  const mended = async (): Promise<void> => {
    const treated = await treat(await findings());
    assert.deepEqual(
      treated.map(({ outcome }) => outcome),
      treated.map(() => 'repaired'),
    );
    assert.deepEqual(await findings(), [], 'the next run finds nothing of it again');
  };

  it('a creation, with all that the caller says, and takes up those that were there before it was configured', async () => {
    await merges.at.create({ name: 'old', workId: '1' });
    await configure();
    await merges.at.create({ name: 'new', workId: '2', workflowRunId: 'run-7', createdBy: 'orchard' });
    const [first, second] = await records();
    assert.deepEqual(
      [first?.['path'], first?.['workflow_run_id'], first?.['created_by'], first?.['work_id']],
      ['.worktrees/new', 'run-7', 'orchard', '2'],
    );
    assert.deepEqual(
      [second?.['path'], second?.['created_by'], second?.['work_id'], second?.['auto_cleanup']],
      ['.worktrees/old', 'test', '1', true],
    );
    assert.ok(typeof second?.['created_at'] === 'string' && second['updated_at']);
  });

  it('a renaming, its undo and its redo', async () => {
    await configure();
    await merges.at.create('n');
    await rename('n', 'm');
    assert.deepEqual(await said(), [['.worktrees/n', 'm', 'active']]);
    await undo(workspace());
    assert.deepEqual(await said(), [['.worktrees/n', 'n', 'active']]);
    await redo(workspace());
    assert.deepEqual(await said(), [['.worktrees/n', 'm', 'active']]);
  });

  it('a merge, its undo, its redo, and the commits after it', async () => {
    await configure();
    await merges.at.create('x');
    await merges.commit('x', { 'x.txt': 'x\n' });
    await merges.merge('x');
    assert.deepEqual(await said(), [['.worktrees/x', 'x', 'merged']]);
    await undo(workspace());
    assert.deepEqual(await said(), [['.worktrees/x', 'x', 'active']]);
    await redo(workspace());
    assert.deepEqual(await said(), [['.worktrees/x', 'x', 'merged']]);
    await merges.commit('x', { 'y.txt': 'y\n' });
    await mended();
    assert.deepEqual(await said(), [['.worktrees/x', 'x', 'active']]);
  });

  it('a removal and its undo, which brings back what other tools had said', async () => {
    await configure();
    await merges.at.create('x');
    await merges.at.create('y');
    const [x, y] = await records();
    await write([{ ...x, theirs: { a: 1 }, status: 'paused' }, y]);
    await remove('x');
    const removed: Item = { ...(await records())[0], since: 2 };
    assert.deepEqual([removed['theirs'], removed['status']], [{ a: 1 }, 'removed']);
    await write([removed, y]);
    await undo(workspace());
    const [back, ...others] = await records();
    assert.deepEqual([back?.['theirs'], back?.['since'], back?.['status']], [{ a: 1 }, 2, 'paused']);
    assert.equal(others.length, 1);
    await remove('y');
    await merges.at.create({ name: 'y', createdBy: 'orchard' });
    const again = (await records()).filter(({ path }) => path === '.worktrees/y');
    assert.deepEqual(
      again.map(({ status, created_by }) => [status, created_by]),
      [['active', 'orchard']],
    );
    assert.deepEqual(await findings(), []);
  });

  it('the run of a workflow that begins and ends in a worktree', async () => {
    await configure();
    await merges.at.create({ name: 'x', workflowRunId: 'run-1' });
    const run = async (): Promise<unknown[]> => {
      const [x] = await records();
      return [x?.['workflow_run_id'], x?.['work_id'], x?.['status']];
    };
    await recordRunEnded(workspace(), 'x', { run_id: 'run-1' });
    assert.deepEqual(await run(), ['run-1', undefined, 'ended']);
    await recordRun(workspace(), 'x', { run_id: 'run-2', work_id: '7' });
    await recordRunEnded(workspace(), 'x', { run_id: 'run-1' });
    assert.deepEqual(await run(), ['run-2', '7', 'active']);
    // As when the process was killed between the two files.
    const [x] = await records();
    await write([{ ...x, workflow_run_id: 'run-1', updated_at: '2020-01-01T00:00:00.000Z' }]);
    assert.deepEqual(
      (await findings()).map(({ message }) => textOf(message)),
      ['The tracking file has .worktrees/x with the workflow_run_id run-1; it is run-2.'],
    );
    await mended();
    assert.deepEqual(await run(), ['run-2', '7', 'active']);
    await write([{ ...x, workflow_run_id: 'run-1', updated_at: '2020-01-01T00:00:00.000Z' }]);
    await recordRun(workspace(), 'x', { run_id: 'run-2', work_id: '7' });
    assert.deepEqual(await run(), ['run-2', '7', 'active'], 'who tries it again mends it');
  });

  it('a worktree that was moved by hand, also when whoever saw that was killed half-way', async () => {
    await configure();
    await merges.at.create('x');
    await renameFolder(merges.at.path('x'), merges.at.path('y'));
    const follow = async (): Promise<void> => {
      await followMoves(workspace(), await readSnapshot(workspace(), { withChanges: false }));
    };
    const registry = registryFile(workspace().repository);
    const registered = await readFile(registry, 'utf8');
    await follow();
    assert.deepEqual(await said(), [['.worktrees/y', 'x', 'active']]);
    // The tracking file is written first: with the registry still as it was, the next one does both.
    await writeFile(registry, registered);
    await follow();
    assert.deepEqual(await said(), [['.worktrees/y', 'x', 'active']]);
    assert.match(await readFile(registry, 'utf8'), /\.worktrees\/y/);
    assert.deepEqual(await findings(), []);
  });

  it('a merge that was killed when the registry had it and the tracking file had not', async () => {
    await configure();
    await merges.at.create('x');
    await merges.commit('x', { 'x.txt': 'x\n' });
    const before = await readFile(file, 'utf8');
    await merges.merge('x');
    await writeFile(file, before);
    const head = await merges.git('.', 'rev-parse', 'x');
    const commit = await merges.git('.', 'rev-parse', 'main');
    await recordMerge(workspace(), { branch: 'x', head, into: 'main', commit });
    assert.deepEqual(await said(), [['.worktrees/x', 'x', 'merged']]);
  });

  it('a record that lacks what the format has', async () => {
    await configure();
    await merges.at.create({ name: 'x', workId: '7' });
    const [x] = await records();
    await write([{ path: x?.['path'], theirs: 1 }]);
    assert.deepEqual(
      (await findings()).map(({ message }) => textOf(message)),
      [
        'The tracking file has .worktrees/x on no branch; it is on x.',
        'The tracking file says that .worktrees/x is nothing; it is active.',
        'The tracking file has .worktrees/x without work_id, created_at, created_by, auto_cleanup.',
      ],
    );
    await mended();
    const [now] = await records();
    assert.deepEqual({ ...now, updated_at: '' }, { ...x, theirs: 1, updated_at: '' });
  });

  it('nothing else: records, keys and words of other tools stay, and so does the file when nothing is new', async () => {
    await configure();
    await merges.at.create('x');
    const [x] = await records();
    const foreign = { path: 'elsewhere/thing', branch: 'b', status: 'active', created_by: 'other' };
    await write([foreign, { theirs: 1, ...x, status: 'on hold' }, 'odd', 7], { schema: 2 });
    await rename('x', 'renamed');
    const whole = JSON.parse(await readFile(file, 'utf8')) as Item;
    assert.equal(whole['schema'], 2);
    const [first, own, ...odd] = whole['worktrees'] as Item[];
    assert.deepEqual([first, odd], [foreign, ['odd', 7]]);
    assert.deepEqual([own?.['theirs'], own?.['status'], own?.['branch']], [1, 'on hold', 'renamed']);
    assert.deepEqual(await findings(), []);
    const before = await stat(file);
    await merges.at.create('z').then(() => remove('z'));
    assert.notEqual((await stat(file)).ino, before.ino);
    const then = await stat(file);
    await treat(await findings());
    assert.equal((await stat(file)).ino, then.ino);
  });

  it('what git alone has done, once doctor has looked', async () => {
    await merges.at.create({ name: 'late', createdBy: 'wt' });
    await configure();
    await writeFileIn('[]');
    assert.deepEqual(
      (await findings()).map(({ message }) => textOf(message)),
      ['The worktree .worktrees/late is not in the tracking file.'],
    );
    await mended();
    await merges.at.create({ name: 'gone', createdBy: 'orchard' });
    await merges.git('.', 'worktree', 'remove', '--force', '.worktrees/gone');
    assert.deepEqual(
      (await findings()).map(({ message }) => textOf(message)),
      ['The tracking file names .worktrees/gone as a worktree, but there is none.'],
    );
    await mended();
    assert.deepEqual(await said(), [
      ['.worktrees/late', 'late', 'active'],
      ['.worktrees/gone', 'gone', 'removed'],
    ]);
    // It is there again, and so it is active again.
    await merges.git('.', 'worktree', 'add', '--quiet', '.worktrees/gone', 'gone');
    await mended();
    assert.deepEqual((await said())[1], ['.worktrees/gone', 'gone', 'active']);
  });

  it('a branch that git has renamed, and a record that says another branch', async () => {
    await configure();
    await merges.at.create('x');
    await merges.git('.worktrees/x', 'branch', '-m', 'other');
    assert.deepEqual(
      (await findings()).map(({ message }) => textOf(message)),
      ['The tracking file has .worktrees/x on x; it is on other.'],
    );
    // The registry is mended first.
    await treat(await examine(workspace()));
    assert.deepEqual(await said(), [['.worktrees/x', 'other', 'active']]);
    const [x] = await records();
    await write([{ ...x, branch: 'wrong', status: 'removed' }]);
    await mended();
    assert.deepEqual(await said(), [['.worktrees/x', 'other', 'active']]);
  });

  it('not a worktree whose folder is out of sight, and not one that another folder has taken the place of', async () => {
    await configure();
    await merges.at.create({ name: 'x', createdBy: 'wt' });
    const before = await readFile(file, 'utf8');
    await rm(merges.at.path('x'), { recursive: true });
    assert.deepEqual(await findings(), [], 'git still knows it');
    await merges.at.create({ name: 'y', createdBy: 'wt' });
    await merges.git('.', 'worktree', 'remove', '--force', '.worktrees/y');
    await merges.at.repository.write('.worktrees/y/notes.txt', 'mine\n');
    const [found] = await findings();
    assert.match(textOf(found?.message ?? ''), /names \.worktrees\/y as a worktree/);
    assert.equal(found?.repair, undefined);
    assert.match(before, /"status": "active"/);
    assert.deepEqual(
      (await said()).map(([path, , status]) => [path, status]),
      [
        ['.worktrees/x', 'active'],
        ['.worktrees/y', 'active'],
      ],
    );
  });

  it('keeps a copy of the last good file, and names it when the file is broken', async () => {
    await configure();
    await merges.at.create('x');
    const copy = trackingCopy(workspace().repository);
    assert.equal(await readFile(copy, 'utf8'), await readFile(file, 'utf8'), 'from the first change on');
    await rename('x', 'y');
    const good = await readFile(file, 'utf8');
    assert.equal(await readFile(copy, 'utf8'), good);
    for (const [broken, says] of [
      ['{\n  "worktrees": [\n    {"path"', /worktrees\.json, line 3: .*left as it is/],
      ['', /worktrees\.json, line 1: /],
      ['{"worktrees": {}}', /worktrees\.json: `worktrees` is not an array/],
    ] as const) {
      await writeFile(file, broken);
      const [found, ...others] = await findings();
      assert.deepEqual([others, found?.repair], [[], undefined]);
      assert.match(textOf(found?.message ?? ''), says);
      assert.ok(textOf(found?.next ?? '').includes(copy));
    }
    const created = await merges.at.create('z');
    assert.match(texts(created.warnings).join('\n'), /worktrees\.json: .* last good one/);
    await rename('y', 'w');
    assert.equal(await readFile(file, 'utf8'), '{"worktrees": {}}');
    assert.equal(await readFile(copy, 'utf8'), good, 'the last good one is still there');
    // Put back as it is said, it is brought up to date.
    await copyFile(copy, file);
    await mended();
    assert.deepEqual(await said(), [
      ['.worktrees/x', 'w', 'active'],
      ['.worktrees/z', 'z', 'active'],
    ]);
  });

  async function writeFileIn(worktrees: string): Promise<void> {
    await merges.at.repository.write('track/worktrees.json', `{ "worktrees": ${worktrees} }\n`);
  }
});
