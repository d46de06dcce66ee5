import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf } from '../../../src/core/base/environment.ts';
import { defaultConfiguration, type Configuration } from '../../../src/core/repository/configuration.ts';
import type { Repository } from '../../../src/core/repository/identity.ts';
import { track, trackingFile, untrack, type TrackedWorktree } from '../../../src/core/repository/trackingFile.ts';

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

suite('the tracking file', () => {
  let repository: Repository;
  const configuration: Configuration = { ...defaultConfiguration, trackingFile: '.fractary/faber/worktrees.json' };
  let file: string;
  setup(async () => {
    const root = await mkdtemp(join(tmpdir(), 'wt-test-'));
    repository = { mainRoot: root, commonDir: join(root, '.git'), bare: false, name: 'project' };
    file = join(root, '.fractary/faber/worktrees.json');
  });
  teardown(() => rm(repository.mainRoot, { recursive: true }));

  const read = async (): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));
  const write = async (text: string): Promise<void> => {
    await mkdir(join(repository.mainRoot, '.fractary/faber'), { recursive: true });
    await writeFile(file, text);
  };

  test("has seed 003's format", async () => {
    await track(environment, repository, configuration, worktree);
    assert.deepEqual(await read(), {
      worktrees: [{ ...worktree, updated_at: '2026-01-06T10:30:00.000Z' }],
      last_updated: '2026-01-06T10:30:00.000Z',
    });
  });

  test('is not written when the team has none', async () => {
    await track(environment, repository, defaultConfiguration, worktree);
    await untrack(environment, repository, defaultConfiguration, worktree.path);
    assert.deepEqual(await readdir(repository.mainRoot), []);
  });

  test('keeps what other tools have added, and brings a record up to date by its path', async () => {
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

  test('forgets a worktree, and is not touched for one that it does not have', async () => {
    await track(environment, repository, configuration, worktree);
    const before = await readFile(file, 'utf8');
    await untrack(environment, repository, configuration, '.worktrees/other');
    assert.equal(await readFile(file, 'utf8'), before);
    await untrack(environment, repository, configuration, worktree.path);
    assert.deepEqual(await read(), {
      worktrees: [],
      last_updated: '2026-01-06T10:30:00.000Z',
    });
  });

  test('loses none of many records at once', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        track(environment, repository, configuration, { ...worktree, path: `w${index}` }),
      ),
    );
    assert.equal(((await read()) as { worktrees: unknown[] }).worktrees.length, 20);
  });

  test('that is damaged is refused with its line, never overwritten', async () => {
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

  test('outside the main root, by name or through a link, is refused', async () => {
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
