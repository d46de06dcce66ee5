import assert from 'node:assert/strict';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { examine, treat } from '../../../src/core/doctor/doctor.ts';
import type { Finding } from '../../../src/core/doctor/finding.ts';
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
  this.timeout(60_000);
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

  it('a removal and its undo, which brings back what other tools have written', async () => {
    await configure();
    await merges.at.create('x');
    await merges.at.create('y');
    const [x, y] = await records();
    await write([{ ...x, theirs: { a: 1 }, status: 'paused' }, y]);
    await remove('x');
    assert.deepEqual(await said(), [['.worktrees/y', 'y', 'active']]);
    await undo(workspace());
    const back = (await records()).find(({ path }) => path === '.worktrees/x');
    assert.deepEqual([back?.['theirs'], back?.['status']], [{ a: 1 }, 'paused']);
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

  it('keeps the file as it was before each change, and names it when the file is broken', async () => {
    await configure();
    await merges.at.create('x');
    const before = await readFile(file, 'utf8');
    await rename('x', 'y');
    const copy = trackingCopy(workspace().repository);
    assert.equal(await readFile(copy, 'utf8'), before);
    const broken = '{\n  "worktrees": [\n    {"path"';
    await writeFile(file, broken);
    const created = await merges.at.create('z');
    assert.match(texts(created.warnings).join('\n'), /worktrees\.json, line 3: .*left as it is/);
    await rename('y', 'w');
    assert.equal(await readFile(file, 'utf8'), broken);
    assert.equal(await readFile(copy, 'utf8'), before, 'the last good one is still there');
    const [found, ...others] = await findings();
    assert.deepEqual([others, found?.repair], [[], undefined]);
    assert.match(textOf(found?.message ?? ''), /line 3/);
    assert.ok(textOf(found?.next ?? '').includes(copy));
  });

  async function writeFileIn(worktrees: string): Promise<void> {
    await merges.at.repository.write('track/worktrees.json', `{ "worktrees": ${worktrees} }\n`);
  }
});
