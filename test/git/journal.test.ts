import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../src/core/base/problem.ts';
import { mendRecords, openJournal, recordsUnderWay, type JournalRecord } from '../../src/core/operations/journal.ts';
import type { Workspace } from '../../src/core/worktree/workspace.ts';
import { testHome, type TestHome } from '../support/tempRepo.ts';
import { testWorkspace } from '../support/workspace.ts';

suite('the journal of operations', () => {
  let home: TestHome;
  let workspace: Workspace;
  let folder: string;
  setup(async () => {
    home = await testHome();
    workspace = await testWorkspace(home, (await home.repository()).root);
    folder = join(workspace.repository.commonDir, 'worktree-stacks', 'operations');
  });
  teardown(() => home.dispose());

  const collect = (): { seen: JournalRecord[]; mend: (record: JournalRecord) => Promise<void> } => {
    const seen: JournalRecord[] = [];
    return { seen, mend: async (record) => void seen.push(record) };
  };
  const write = (name: string, text: string): Promise<void> =>
    mkdir(folder, { recursive: true }).then(() => writeFile(join(folder, name), text));
  const dead = { pid: 0, host: '' };

  test('reserves its key until it is closed', async () => {
    const journal = await openJournal(workspace, 'create', 'x', { step: 1 });
    await assert.rejects(openJournal(workspace, 'cleanup', 'x', {}), { reason: 'in-use', outcome: 'incomplete' });
    await (await openJournal(workspace, 'create', 'y', {})).close();
    await journal.close();
    await (await openJournal(workspace, 'cleanup', 'x', {})).close();
    assert.deepEqual(await readdir(folder), []);
  });

  test('gives one key to one of many at once', async () => {
    const opened = await Promise.allSettled(
      Array.from({ length: 10 }, () => openJournal(workspace, 'create', 'x', {})),
    );
    assert.equal(opened.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  test('tells what is under way, with what was noted last', async () => {
    const journal = await openJournal(workspace, 'create', 'x', { step: 1 });
    await journal.note({ step: 2 });
    await openJournal(workspace, 'cleanup', 'y', {});
    await write('half.json', '{"kind": "create", ');
    const records = await recordsUnderWay(workspace, 'create');
    assert.deepEqual(
      records.map(({ key, data }) => [key, data]),
      [['x', { step: 2 }]],
    );
  });

  test('of a living process is nobody else’s to mend', async () => {
    await openJournal(workspace, 'create', 'x', {});
    const { seen, mend } = collect();
    assert.deepEqual(await mendRecords(workspace, mend), []);
    assert.deepEqual(seen, []);
    assert.deepEqual(await readdir(folder), ['x.json']);
  });

  test('of a dead process is handed to mend once, and gone when that has returned', async () => {
    const record = {
      kind: 'create',
      key: 'x',
      owner: { ...dead, host: workspace.environment.host },
      started: '2026-01-01T00:00:00.000Z',
      data: {},
    };
    await write('x.json', JSON.stringify(record));
    const { seen, mend } = collect();
    await Promise.all([mendRecords(workspace, mend), mendRecords(workspace, mend), mendRecords(workspace, mend)]);
    assert.deepEqual(seen, [record]);
    assert.deepEqual(await readdir(folder), []);
  });

  test('that was given up can be mended although its process lives', async () => {
    const journal = await openJournal(workspace, 'create', 'x', { step: 1 });
    await journal.note({ step: 2 });
    await journal.abandon();
    const { seen, mend } = collect();
    await mendRecords(workspace, mend);
    assert.deepEqual(seen[0]?.data, { step: 2 });
  });

  test('that cannot be mended stays, and its problem is told', async () => {
    await (await openJournal(workspace, 'create', 'x', {})).abandon();
    await (await openJournal(workspace, 'create', 'y', {})).abandon();
    const problems = await mendRecords(workspace, async ({ key }) => {
      if (key === 'x') throw new Problem('would-lose-work', 'No.');
    });
    assert.deepEqual(
      problems.map(({ message }) => message),
      ['No.'],
    );
    assert.deepEqual(await readdir(folder), ['x.json']);
  });

  test('that was only reserved by a process that died has nothing to mend', async () => {
    await write('x.json', '');
    const { seen, mend } = collect();
    assert.deepEqual(await mendRecords(workspace, mend), []);
    assert.deepEqual(seen, []);
    assert.deepEqual(await readdir(folder), []);
  });

  test('of another machine is left alone', async () => {
    await write(
      'x.json',
      JSON.stringify({ kind: 'create', key: 'x', owner: { pid: 1, host: 'elsewhere' }, started: '', data: {} }),
    );
    const { seen, mend } = collect();
    await mendRecords(workspace, mend);
    assert.deepEqual(seen, []);
  });
});
