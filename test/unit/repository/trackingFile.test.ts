import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf } from '../../../src/core/base/environment.ts';
import { defaultConfiguration, type Configuration } from '../../../src/core/repository/configuration.ts';
import type { Repository } from '../../../src/core/repository/identity.ts';
import { track, trackingFile, untrack } from '../../../src/core/repository/trackingFile.ts';
import { reconcile, type TrackedWorktree } from '../../../src/core/repository/trackingRecords.ts';
import { onlyWhere, reasons } from '../../support/systems.ts';

const environment = { ...environmentOf(process), now: () => new Date('2026-01-06T10:30:00.000Z') };
const worktree: TrackedWorktree = {
  path: '.worktrees/258',
  branch: 'feature/258',
  work_id: '258',
  status: 'active',
  created_at: '2026-01-06T10:30:00.000Z',
  created_by: 'wt',
  auto_cleanup: true,
};

describe('the tracking file', () => {
  let repository: Repository;
  const configuration: Configuration = { ...defaultConfiguration, trackingFile: '.fractary/faber/worktrees.json' };
  let file: string;
  beforeEach(async () => {
    const root = await mkdtemp(join(tmpdir(), 'wt-test-'));
    repository = { mainRoot: root, commonDir: join(root, '.git'), bare: false, name: 'project' };
    file = join(root, '.fractary/faber/worktrees.json');
  });
  afterEach(() => rm(repository.mainRoot, { recursive: true }));

  const read = async (): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));
  const write = async (text: string): Promise<void> => {
    await mkdir(join(repository.mainRoot, '.fractary/faber'), { recursive: true });
    await writeFile(file, text);
  };

  it("has seed 003's format", async () => {
    await track(environment, repository, configuration, worktree);
    assert.deepEqual(await read(), {
      worktrees: [{ ...worktree, updated_at: '2026-01-06T10:30:00.000Z' }],
      last_updated: '2026-01-06T10:30:00.000Z',
    });
  });

  it('is not written when the team has none', async () => {
    await track(environment, repository, defaultConfiguration, worktree);
    await untrack(environment, repository, defaultConfiguration, worktree.path);
    assert.deepEqual(await readdir(repository.mainRoot), []);
  });

  it('keeps what other tools have added, and brings a record up to date by its path', async () => {
    await write(
      JSON.stringify({
        theirs: 1,
        worktrees: [{ path: 'other' }, { path: '.worktrees/258', workflow_run_id: 'r1', branch: 'old' }, 'odd'],
      }),
    );
    await track(environment, repository, configuration, worktree);
    assert.deepEqual(await read(), {
      theirs: 1,
      worktrees: [
        { path: 'other' },
        { workflow_run_id: 'r1', ...worktree, updated_at: '2026-01-06T10:30:00.000Z' },
        'odd',
      ],
      last_updated: '2026-01-06T10:30:00.000Z',
    });
  });

  it('marks a removed worktree, and is not touched for one that it does not have', async () => {
    await track(environment, repository, configuration, worktree);
    const before = await readFile(file, 'utf8');
    await untrack(environment, repository, configuration, '.worktrees/other');
    assert.equal(await readFile(file, 'utf8'), before);
    await untrack(environment, repository, configuration, worktree.path);
    const removed = { ...worktree, status: 'removed', updated_at: '2026-01-06T10:30:00.000Z' };
    assert.deepEqual(await read(), { worktrees: [removed], last_updated: '2026-01-06T10:30:00.000Z' });
  });

  it('gives the next worktree at a path a record of its own, with what other tools keep there', async () => {
    const before = { ...worktree, workflow_run_id: 'r1', theirs: 1, status: 'removed' };
    await write(JSON.stringify({ worktrees: [before] }));
    const { path, branch, status, created_by, auto_cleanup } = worktree;
    const next = { path, branch, status, created_by, auto_cleanup, created_at: '2026-02-01T00:00:00.000Z' };
    await track(environment, repository, configuration, next);
    const [record, ...others] = ((await read()) as { worktrees: object[] }).worktrees;
    assert.deepEqual(others, []);
    assert.deepEqual(record, { ...next, theirs: 1, updated_at: '2026-01-06T10:30:00.000Z' });
  });

  it('knows a worktree by its path however it is spelled, and leaves the spelling alone', async () => {
    for (const path of ['./.worktrees/258/', '.worktrees//258', join(repository.mainRoot, '.worktrees', '258')]) {
      const truth = { ...worktree, status: 'active' as const };
      const spelled = { ...worktree, path, branch: 'old' };
      const at = { mainRoot: repository.mainRoot, now: 'now' };
      const { records, faults } = reconcile([spelled], [truth], at);
      assert.deepEqual(records, [{ ...spelled, branch: worktree.branch, updated_at: 'now' }]);
      assert.deepEqual(
        faults.map(({ kind }) => kind),
        ['branch'],
      );
    }
  });

  it('drops records of ours that were removed 30 days ago, and nothing that another tool has written', async () => {
    const old = { ...worktree, path: 'old', status: 'removed', updated_at: '2025-12-01T00:00:00.000Z' };
    const kept = [
      { ...old, path: 'a', theirs: 1 },
      { ...old, path: 'b', created_by: 'other' },
      { ...old, path: 'c', status: 'paused' },
      { ...old, path: 'd', updated_at: '2026-01-05T00:00:00.000Z' },
      { ...old, path: 'e', status: 'active' },
      'odd',
    ];
    await write(JSON.stringify({ worktrees: [old, ...kept] }));
    await track(environment, repository, configuration, worktree);
    assert.deepEqual(((await read()) as { worktrees: object[] }).worktrees.slice(0, -1), kept);
  });

  it('has the run that began last, whoever has written it', () => {
    const truth = { ...worktree, status: 'active' as const, workflow_run_id: 'ours' };
    const at = { mainRoot: repository.mainRoot, now: 'now', runs: new Map([[worktree.path, '2026-01-06T12:00:00Z']]) };
    const runAfter = (record: object): unknown =>
      (reconcile([record], [truth], at).records[0] as { workflow_run_id?: string }).workflow_run_id;
    const theirs = { ...worktree, workflow_run_id: 'theirs' };
    assert.equal(runAfter({ ...theirs, updated_at: '2026-01-06T11:00:00Z' }), 'ours');
    assert.equal(runAfter({ ...theirs, updated_at: '2026-01-06T13:00:00Z' }), 'theirs');
    assert.equal(runAfter({ ...theirs, updated_at: 'some day' }), 'ours');
    assert.equal(runAfter(worktree), 'ours');
  });

  it('keeps what other tools have written to the last digit and blank', async () => {
    const own = `{"path": ".worktrees/258", "branch": "old", "id": 12345678901234567890, "size": 1.0, "e": { "a" : [1e400,{}] } }`;
    const theirs = `{ "path":"x,y:{}]", "n": 98765432109876543210,\n "t": "\\"}\\\\" }`;
    await write(`{ "run": 9007199254740993, "worktrees": [ ${theirs}, 7.10, ${own}, [ ] ],\n "__proto__": 1.50 }`);
    await track(environment, repository, configuration, worktree);
    const text = await readFile(file, 'utf8');
    for (const part of [
      '"run": 9007199254740993',
      theirs,
      ' 7.10,',
      '[ ]',
      '12345678901234567890',
      '"size": 1.0',
      '"__proto__": 1.50',
    ])
      assert.ok(text.includes(part), `${part} is not in ${text}`);
    assert.ok(text.includes('"e": { "a" : [1e400,{}] }'));
    const { worktrees } = JSON.parse(text) as { worktrees: Record<string, unknown>[] };
    assert.deepEqual([worktrees.length, worktrees[2]?.['branch']], [4, worktree.branch]);
    await untrack(environment, repository, configuration, worktree.path);
    assert.ok((await readFile(file, 'utf8')).includes('"id": 12345678901234567890'));
  });

  it('keeps the line ends and the byte order mark that an editor of Windows has given it', async () => {
    await track(environment, repository, configuration, worktree);
    await write(`\uFEFF${(await readFile(file, 'utf8')).replaceAll('\n', '\r\n')}`);
    await track(environment, repository, configuration, { ...worktree, path: '.worktrees/259' });
    await untrack(environment, repository, configuration, worktree.path);
    const text = await readFile(file, 'utf8');
    assert.match(text, /^\uFEFF\{\r\n/);
    assert.doesNotMatch(text, /(?<!\r)\n/);
    assert.equal((JSON.parse(text.slice(1)) as { worktrees: unknown[] }).worktrees.length, 2);
  });

  it('loses none of many records at once', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        track(environment, repository, configuration, { ...worktree, path: `w${index}` }),
      ),
    );
    assert.equal(((await read()) as { worktrees: unknown[] }).worktrees.length, 20);
  });

  it('that is damaged is refused with its line, never overwritten', async () => {
    for (const [text, line] of [
      ['{\n  "worktrees": [\n    {"path"', 3],
      ['{"worktrees": {}}', 1],
    ] as const) {
      await write(text);
      await assert.rejects(track(environment, repository, configuration, worktree), {
        reason: 'unreadable-file',
        line,
      });
      assert.equal(await readFile(file, 'utf8'), text);
    }
  });

  onlyWhere(reasons.links)('outside the main root, by name or through a link, is refused', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'wt-test-'));
    try {
      await symlink(outside, join(repository.mainRoot, 'link'));
      for (const configured of ['../x.json', join(outside, 'x.json'), 'link/x.json', '.']) {
        const elsewhere = { ...configuration, trackingFile: configured };
        await assert.rejects(trackingFile(repository, elsewhere), { reason: 'outside-repository' }, configured);
      }
      assert.deepEqual(await readdir(outside), []);
    } finally {
      await rm(outside, { recursive: true });
    }
  });
});
