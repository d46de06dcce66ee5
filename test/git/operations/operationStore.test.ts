import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { recoverDead } from '../../../src/core/operations/recovery.ts';
import type { OperationKind } from '../../../src/core/operations/runner.ts';
import {
  finishedFolder,
  readOperation,
  readPending,
  reserve,
  type Reservation,
} from '../../../src/core/operations/store.ts';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';
import { testHome, type TestHome } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';
import { verbatim } from '../../../src/core/messages/message.ts';
import { stackMessages } from '../../../src/core/messages/stack.ts';

describe('the store of operations', () => {
  let home: TestHome;
  let workspace: Workspace;
  let folder: string;
  beforeEach(async () => {
    home = await testHome();
    workspace = await testWorkspace(home, (await home.repository()).root);
    folder = join(workspace.repository.commonDir, 'worktree-stacks', 'operations');
  });
  afterEach(() => home.dispose());

  /** Recovers every kind of these tests, and tells what was handed to it. */
  const collect = (
    rollBack: (key: string) => Promise<void> = () => Promise.resolve(),
  ): { seen: unknown[]; recover: () => Promise<Problem[]> } => {
    const seen: unknown[] = [];
    const kind: OperationKind<{ key?: string }> = {
      name: 'create',
      describe: ({ key = '' }) => key,
      isCommitted: () => Promise.resolve(false),
      finish: () => Promise.resolve({ operation: undefined }),
      rollBack: (_, data) => {
        seen.push(data);
        return rollBack(data.key ?? '');
      },
    };
    return { seen, recover: () => recoverDead(workspace, { create: () => Promise.resolve(kind) }) };
  };
  const open = (kind: string, key: string, data: object): Promise<Reservation<object>> =>
    reserve(workspace, kind, key, () => Promise.resolve(data));
  const write = (name: string, text: string): Promise<void> =>
    mkdir(folder, { recursive: true }).then(() => writeFile(join(folder, name), text));
  const dead = { pid: 0, host: '' };

  it('reserves its key until it is closed', async () => {
    const reservation = await open('create', 'x', { step: 1 });
    await assert.rejects(open('cleanup', 'x', {}), { reason: 'in-use', outcome: 'incomplete' });
    await (await open('create', 'y', {})).close();
    await reservation.close();
    await (await open('cleanup', 'x', {})).close();
    assert.deepEqual(await readdir(folder), []);
  });

  it('gives one key to one of many at once', async () => {
    const opened = await Promise.allSettled(Array.from({ length: 10 }, () => open('create', 'x', {})));
    assert.equal(opened.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  it('tells what is under way, with what was noted last', async () => {
    const reservation = await open('create', 'x', { step: 1 });
    await reservation.note({ step: 2 });
    await open('cleanup', 'y', {});
    await write('half.json', '{"kind": "create", ');
    const records = await readPending(workspace, 'create');
    assert.deepEqual(
      records.map(({ key, data }) => [key, data]),
      [['x', { step: 2 }]],
    );
  });

  it('of a living process is nobody else’s to mend', async () => {
    await open('create', 'x', {});
    const { seen, recover } = collect();
    assert.deepEqual(await recover(), []);
    assert.deepEqual(seen, []);
    assert.deepEqual(await readdir(folder), ['x.json']);
  });

  it('of a dead process is handed to mend once, and gone when that has returned', async () => {
    const record = {
      kind: 'create',
      key: 'x',
      owner: { ...dead, host: workspace.environment.host },
      started: '2026-01-01T00:00:00.000Z',
      data: { step: 1 },
    };
    await write('x.json', JSON.stringify(record));
    const { seen, recover } = collect();
    await Promise.all([recover(), recover(), recover()]);
    assert.deepEqual(seen, [record.data]);
    assert.deepEqual(await readdir(folder), []);
  });

  it('that was given up can be mended although its process lives', async () => {
    const reservation = await open('create', 'x', { step: 1 });
    await reservation.note({ step: 2 });
    await reservation.abandon();
    const { seen, recover } = collect();
    await recover();
    assert.deepEqual(seen, [{ step: 2 }]);
  });

  it('that cannot be mended stays, and its problem is told', async () => {
    await (await open('create', 'x', { key: 'x' })).abandon();
    await (await open('create', 'y', { key: 'y' })).abandon();
    const { recover } = collect(async (key) => {
      if (key === 'x') throw new Problem('would-lose-work', verbatim('No.'));
    });
    const problems = await recover();
    assert.deepEqual(
      problems.map(({ message }) => message),
      ['No.'],
    );
    assert.deepEqual(await readdir(folder), ['x.json']);
  });

  it('that was only reserved by a process that died has nothing to mend', async () => {
    await write('x.json', '');
    const { seen, recover } = collect();
    assert.deepEqual(await recover(), []);
    assert.deepEqual(seen, []);
    assert.deepEqual(await readdir(folder), []);
  });

  it('of another machine is left alone', async () => {
    await write(
      'x.json',
      JSON.stringify({ kind: 'create', key: 'x', owner: { pid: 1, host: 'elsewhere' }, started: '', data: {} }),
    );
    const { seen, recover } = collect();
    await recover();
    assert.deepEqual(seen, []);
  });

  it('reads notes in the log that an earlier version wrote as sentences', async () => {
    const finished = finishedFolder(workspace.repository);
    const operation = {
      version: 1,
      id: '20260101-1',
      kind: 'rebase',
      title: 't',
      started: '2026-01-01',
      state: 'done',
    };
    const note = stackMessages.noBranchCheckedOut({ name: 'x' });
    await mkdir(finished, { recursive: true });
    await writeFile(
      join(finished, `${operation.id}.json`),
      JSON.stringify({ ...operation, moves: [], entries: [], remaining: [], notes: ['As it was.', note] }),
    );
    const notes = (await readOperation(workspace, operation.id))?.notes;
    assert.deepEqual(notes, [verbatim('As it was.'), note]);
  });
});
