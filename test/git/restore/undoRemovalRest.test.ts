import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { readRegistry } from '../../../src/core/repository/registry.ts';
import { planRedo, planUndo, undo, undoable } from '../../../src/core/recovery/undo.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { forgetOldOperations, readOperations, reserve } from '../../../src/core/operations/store.ts';
import { newOperation } from '../../../src/core/operations/operation.ts';
import { removeWorktree } from '../../../src/core/remove/remove.ts';
import { newRemovalGroup } from '../../../src/core/remove/undoRecord.ts';
import { deleteTrash } from '../../../src/core/trash/trash.ts';
import { restoreKind } from '../../../src/core/restore/restore.ts';
import type { RestoreData } from '../../../src/core/restore/restoreData.ts';
import { planRestore } from '../../../src/core/restore/restorePlan.ts';
import { Removals } from '../../support/removals.ts';
import { texts } from '../../support/texts.ts';

describe('what the undo of a removal does beside the files', function () {
  this.timeout(300_000);
  let at: Removals;
  beforeEach(async () => {
    at = await Removals.start();
    await at.repository.commit('Base', {
      'lib/a.txt': 'a\n',
      'docs/b.txt': 'b\n',
      '.gitignore': '.env\nnode_modules/\n',
    });
  });
  afterEach(() => at.dispose());

  const status = (path: string): Promise<string> => at.repository.gitIn(path, 'status', '--porcelain', '--branch');
  const removeAll = async (...names: string[]): Promise<void> => {
    const group = newRemovalGroup(at.workspace);
    for (const name of names) {
      const later: string[] = [];
      const deleteLater = (folder: string): unknown => later.push(folder);
      await removeWorktree(at.workspace, await at.inspect(name), { force: true, group, deleteLater });
      for (const folder of later) await deleteTrash(at.workspace.git, folder);
    }
  };
  const bases = async (): Promise<(string | undefined)[][]> =>
    [...(await readRegistry(at.workspace.repository)).worktrees].map(([name, { base }]) => [name, base]).sort();

  it('takes back all that one command removed, whichever went first', async () => {
    for (const order of [
      ['base', 'child', 'other'],
      ['other', 'child', 'base'],
    ]) {
      const fresh = await Removals.start();
      await at.dispose();
      at = fresh;
      await at.add('base', { commits: 1 });
      await at.add('child', { base: 'base', commits: 1 });
      const other = await at.add('other', { commits: 1 });
      await writeFile(join(other, 'new.txt'), 'new\n');
      const before = [await bases(), await at.listed(), await at.repository.git('for-each-ref', 'refs/heads')];
      await removeAll(...order);
      assert.equal((await at.listed()).length, 1);
      const { restored, title } = await undo(at.workspace);
      assert.deepEqual(restored?.map(({ name }) => name).sort(), ['base', 'child', 'other']);
      assert.equal(title, `undo: remove ${[...order].reverse().join(', ')}`);
      const [registered, listed, refs] = before as [unknown, string[], string];
      assert.deepEqual(await bases(), registered);
      assert.deepEqual((await at.listed()).sort(), listed.sort());
      assert.equal(await at.repository.git('for-each-ref', 'refs/heads'), refs);
      assert.equal(await readFile(join(other, 'new.txt'), 'utf8'), 'new\n');
      await assert.rejects(planUndo(at.workspace), /nothing to undo/);
    }
  });

  it('takes back one of several by its own id, and then the rest', async () => {
    for (const name of ['one', 'two', 'three']) await at.add(name, { commits: 1 });
    await removeAll('one', 'two', 'three');
    const operations = await readOperations(at.workspace);
    assert.deepEqual(
      undoable(operations).map(({ title }) => title),
      ['remove three, two, one'],
    );
    const two = operations.find(({ removal }) => removal?.name === 'two');
    assert.deepEqual(
      (await undo(at.workspace, two?.id)).restored?.map(({ name }) => name),
      ['two'],
    );
    const rest = await undo(at.workspace, two?.group);
    assert.deepEqual(
      rest.restored?.map(({ name }) => name),
      ['three', 'one'],
    );
    await assert.rejects(undo(at.workspace, two?.group), { id: 'restore.undoneAlready' });
  });

  it('brings none of several back where one of them cannot be', async () => {
    for (const name of ['one', 'two']) await at.add(name, { commits: 1 });
    await removeAll('one', 'two');
    await at.repository.write('.worktrees/one/mine.txt', 'mine\n');
    await assert.rejects(undo(at.workspace), /something else is at .*one by now/);
    assert.equal((await at.listed()).length, 1);
  });

  it('hands the tasks that were released to it again, byte for byte where nobody has changed the file', async () => {
    const session =
      '# Session\n\n## Pending Tasks\n\n- [ ] **Write docs**\n\n## Worktree Tasks\n\n' +
      '- [ ] **Fix login** → `wt/work` — soon\n- [x] **Done** → `wt/work`\n  - more\n- [ ] **Else** → `wt/other`\n';
    await at.repository.commit('Session', { 'agents/session.md': session });
    const text = (): Promise<string> => readFile(join(at.repository.root, 'agents/session.md'), 'utf8');
    await at.add('work', { commits: 1 });
    await at.remove('work', { force: true });
    const released = await text();
    assert.ok(!released.includes('`wt/work`'), released);
    await undo(at.workspace);
    assert.equal(await text(), session);

    await at.remove('work', { force: true });
    assert.equal(await text(), released);
    const changed = released
      .replace('Write docs', 'Write more docs')
      .replace('Fix login**', 'Fix login** → `wt/other`');
    await at.repository.write('agents/session.md', changed);
    const { notes } = await undo(at.workspace);
    assert.match(texts(notes).join('\n'), /The task "Fix login" is assigned to wt\/other now/);
    const now = await text();
    assert.match(now, /Write more docs/);
    assert.match(now, /\*\*Fix login\*\* → `wt\/other`/);
    assert.match(now, /## Worktree Tasks[^]*\*\*Done\*\* → `wt\/work`\n {2}- more\n/);
  });

  it('names what git ignores, which nobody kept, and brings back changed copies', async () => {
    await at.repository.write('.env', 'KEY=1\n');
    const path = await at.add('work', { commits: 1 });
    await at.repository.write(join(path, '.env'), 'KEY=mine\n');
    await at.repository.write(join(path, 'node_modules/built.js'), 'built\n');
    await at.remove('work', { force: true });
    const { notes } = await undo(at.workspace);
    assert.equal(await readFile(join(path, '.env'), 'utf8'), 'KEY=mine\n');
    assert.deepEqual(texts(notes), [
      'What git ignores was not kept (node_modules/ (6 bytes)); `wt setup work` runs the setup of a new worktree.',
    ]);
    assert.equal(await at.repository.gitIn(path, 'status', '--porcelain'), '');
  });

  it('keeps a worktree sparse, with its own configuration', async () => {
    const path = await at.add('work', { commits: 1 });
    await at.repository.gitIn(path, 'sparse-checkout', 'set', 'lib');
    await at.repository.gitIn(path, 'config', '--worktree', 'user.name', 'Somebody else');
    await writeFile(join(path, 'lib/a.txt'), 'changed\n');
    const [files, before] = [(await readdir(path)).sort(), await status(path)];
    await at.remove('work', { force: true });
    await undo(at.workspace);
    assert.deepEqual([(await readdir(path)).sort(), await status(path)], [files, before]);
    assert.equal(existsSync(join(path, 'docs')), false);
    assert.equal(await at.repository.gitIn(path, 'config', 'user.name'), 'Somebody else');
  });

  it('says where that is which was written in the moment of the removal', async () => {
    const path = await at.add('work', { commits: 1 });
    const removal = await at.inspect('work');
    await writeFile(join(path, 'late.txt'), 'late\n');
    await removeWorktree(at.workspace, removal, { lookLater: true, deleteLater: () => undefined });
    const { notes } = await undo(at.workspace);
    const [kept] = (await readdir(join(at.repository.root, '.worktrees'))).filter((name) => name.startsWith('.trash-'));
    assert.ok(kept);
    assert.match(texts(notes).join('\n'), new RegExp(`written to it at that very moment; it is kept in .*${kept}`));
    assert.equal(await readFile(join(path, '..', kept, 'late.txt'), 'utf8'), 'late\n');
  });

  it('does not wait for the removed folder to be deleted', async () => {
    const path = await at.add('work', { commits: 1 });
    let bin = '';
    await removeWorktree(at.workspace, await at.inspect('work'), {
      lookLater: true,
      deleteLater: (folder) => (bin = folder),
    });
    assert.deepEqual((await undo(at.workspace)).notes, []);
    await deleteTrash(at.workspace.git, bin);
    assert.ok(existsSync(join(path, 'lib/a.txt')));
    assert.deepEqual(
      (await readdir(join(path, '..'))).filter((name) => name.startsWith('.')),
      [],
    );
  });

  it('brings submodules back, and says where their own work is', async () => {
    const upstream = await at.home.repository('lib');
    await at.repository.git('submodule', 'add', '--quiet', upstream.root, 'deps/lib');
    await at.repository.git('commit', '--quiet', '-m', 'Use lib');
    const path = await at.add('work');
    await at.repository.gitIn(path, 'submodule', 'update', '--quiet', '--init');
    const oid = await at.repository.commit('Only here', { 'mine.txt': 'mine\n' }, join(path, 'deps/lib'));
    await at.remove('work', { force: true });
    const words = texts((await undo(at.workspace)).notes).join('\n');
    assert.match(words, /Kept in refs\/wt-backup\/\S+: commits of the submodule deps\/lib\. To get it back: git /);
    const goes = new RegExp(`The submodule deps/lib was at ${oid}; \`git -C \\S+ checkout ${oid}\` goes there`);
    assert.match(words, goes);
    assert.equal(await at.repository.gitIn(join(path, 'deps/lib'), 'cat-file', '-t', 'HEAD'), 'commit');
  });

  it('refuses without the backup, and says how to have what was committed', async () => {
    const path = await at.add('work', { commits: 1 });
    await writeFile(join(path, 'new.txt'), 'new\n');
    const { backups } = await at.remove('work', { force: true });
    for (const { ref } of backups) await at.repository.git('update-ref', '-d', ref);
    await assert.rejects(undo(at.workspace), (thrown: unknown) => {
      assert.ok(Problem.is(thrown, 'not-found'));
      assert.match(thrown.message, /git does not have refs\/wt-backup\/\S+\/changes any more/);
      assert.match(thrown.next ?? '', /^`git worktree add \S+work work` brings back what was committed$/);
      return true;
    });
  });

  it('is not offered any more after thirty days, and the backups stay all the same', async () => {
    const path = await at.add('work', { commits: 1 });
    await writeFile(join(path, 'new.txt'), 'new\n');
    await at.remove('work', { force: true });
    const refs = await at.repository.git('for-each-ref', 'refs/wt-backup');
    const environment = { ...at.workspace.environment, now: () => new Date(Date.now() + 31 * 24 * 3_600_000) };
    await forgetOldOperations({ ...at.workspace, environment });
    await assert.rejects(undo(at.workspace), /nothing to undo/);
    assert.equal(await at.repository.git('for-each-ref', 'refs/wt-backup'), refs);
  });

  it('asked for twice at once happens once', async () => {
    const path = await at.add('work', { commits: 1 });
    await writeFile(join(path, 'new.txt'), 'new\n');
    const before = await status(path);
    await at.remove('work', { force: true });
    const both = await Promise.allSettled([undo(at.workspace), undo(at.workspace)]);
    const refused = both.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    assert.equal(refused.length, 1);
    assert.ok(Problem.is(refused[0]), String(refused[0]));
    assert.match(refused[0].message, /under way|undone already/);
    assert.equal(await status(path), before);
    assert.equal((await readOperations(at.workspace)).filter(({ kind }) => kind === 'undo').length, 1);
  });

  it('killed before it began leaves alone what somebody has made in its place', async () => {
    const path = await at.add('work', { commits: 1 });
    await at.repository.git('merge', '--quiet', '--no-ff', '--no-edit', 'work');
    await at.remove('work');
    const [operation] = await readOperations(at.workspace);
    assert.ok(operation?.kind === 'cleanup');
    const plan = await planRestore(at.workspace, operation);
    const data: RestoreData = {
      ...plan,
      operation: { ...newOperation(at.workspace, 'undo', 'undo: remove work'), of: operation.id },
      aside: join(path, '..', '.restore-work-1', 'work'),
      note: 'wt undo: remove work',
    };
    await (await reserve(at.workspace, restoreKind.name, 'work', () => Promise.resolve(data))).abandon();
    await at.repository.git('update-ref', '--create-reflog', '-m', data.note, 'refs/heads/work', plan.removal.head);
    await at.repository.git('worktree', 'add', '--quiet', path, 'work');
    assert.deepEqual(await recoverInterrupted(at.workspace), []);
    assert.equal(await at.repository.gitIn(path, 'rev-parse', 'HEAD'), plan.removal.head);
    assert.ok((await at.branches()).includes('work'));
    assert.deepEqual(
      (await readOperations(at.workspace)).map(({ kind }) => kind),
      ['cleanup'],
    );
  });

  it('a redo passes over what was removed again by hand', async () => {
    await at.add('work', { commits: 1 });
    await at.remove('work', { force: true });
    await undo(at.workspace);
    await assert.rejects(planRedo(at.workspace), { id: 'remove.removalNotDone' });
    await at.remove('work', { force: true });
    await assert.rejects(planRedo(at.workspace), /There is nothing to redo/);
  });
});
