import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { examine, treat } from '../../../src/core/doctor/doctor.ts';
import type { Finding } from '../../../src/core/doctor/finding.ts';
import { Problem } from '../../../src/core/base/problem.ts';
import { createWorktree } from '../../../src/core/create/create.ts';
import { needsProc } from '../../support/skip.ts';
import { Stacks } from '../../support/stacks.ts';
import { textOf } from '../../../src/core/messages/message.ts';

describe('locks that git left behind', function () {
  this.timeout(300_000);
  let at: Stacks;
  beforeEach(async () => {
    at = await Stacks.start();
    await at.add('a', 'main', { 'a.txt': 'a\n' });
    await treat(await examine(at.workspace));
  });
  afterEach(() => at.dispose());

  const hour = 60 * 60 * 1000;
  const leave = async (name: string, age: number): Promise<string> => {
    const file = join(at.repository.root, '.git', name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '');
    const then = new Date(Date.now() - age);
    await utimes(file, then, then);
    return file;
  };
  const find = async (workspace = at.workspace): Promise<Finding[]> =>
    (await examine(workspace)).filter(({ kind }) => kind === 'lock');
  const names = [
    'index.lock',
    'HEAD.lock',
    'config.lock',
    'packed-refs.lock',
    'shallow.lock',
    'refs/heads/a.lock',
    'refs/heads/deep/er.lock',
    'refs/remotes/origin/a.lock',
    'worktrees/a/index.lock',
    'worktrees/a/HEAD.lock',
    'worktrees/a/config.worktree.lock',
    'objects/info/commit-graphs/commit-graph-chain.lock',
  ];

  it('are left alone while they are fresh, named when they are old, and removed when they are dead', async () => {
    for (const [age, named, removed] of [
      [0, false, false],
      [2 * hour, true, false],
      [48 * hour, true, process.platform === 'linux'],
    ] as const) {
      const files = await Promise.all(names.map((name) => leave(name, age)));
      const found = await find();
      assert.equal(found.length, named ? files.length : 0);
      for (const { message, next } of found) {
        assert.match(
          textOf(message),
          /^The lock on .* is (2 hours|2 days) old: the git command that made it has most likely died\.$/,
        );
        assert.ok(
          files.some((file) => textOf(next ?? '').includes(file)),
          textOf(next ?? ''),
        );
      }
      await treat(found);
      for (const file of files) assert.equal(existsSync(file), !removed, file);
      assert.equal((await find()).length, named && !removed ? files.length : 0);
      for (const file of files) await rm(file, { force: true });
    }
  });

  it('that a process has open, or that a git command works beside, are not removed', async function () {
    needsProc(this);
    const lock = await leave('refs/heads/a.lock', 48 * hour);
    // What the doctor has started itself does not count, so it is somebody else here.
    const other = { ...at.workspace, environment: { ...at.workspace.environment, pid: 2 ** 30 } };
    for (const [program, args, options] of [
      ['sh', ['-c', 'exec 3<"$1"; echo ready; exec cat', 'sh', lock], {}],
      ['git', ['cat-file', '--batch-check'], { cwd: at.path('a') }],
    ] as const) {
      const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], ...options });
      const ended = once(child, 'close');
      try {
        if (program === 'git') child.stdin.write('HEAD\n');
        await once(child.stdout, 'data');
        assert.deepEqual(
          (await find(other)).map(({ repair }) => repair),
          [undefined],
        );
      } finally {
        child.stdin.end();
        await ended;
      }
    }
    const [finding] = await find();
    assert.ok(finding?.repair);
    // It is taken again between the look and the removal.
    await writeFile(lock, 'new');
    await assert.rejects(finding.repair(), (thrown) => Problem.is(thrown, 'in-use'));
    assert.ok(existsSync(lock));
  });

  for (const [name, act] of [
    ['refs/heads/a.lock', () => at.rebase('a')],
    ['refs/heads/new.lock', () => createWorktree(at.workspace, { name: 'new', createdBy: 'test' })],
  ] as const) {
    it(`are named by the command that they are in the way of, with their age and the way out: ${name}`, async () => {
      await at.commit('main', 'News', { 'news.txt': 'news\n' });
      const lock = await leave(name, 2 * hour);
      const before = await at.repository.git('for-each-ref', '--format=%(refname) %(objectname)');
      const thrown: unknown = await act().then(
        () => undefined,
        (problem: unknown) => problem,
      );
      assert.ok(thrown instanceof Problem, String(thrown));
      assert.deepEqual([thrown.outcome, thrown.file], ['incomplete', lock]);
      assert.match(`${thrown.message} ${thrown.next}`, /2 hours old.*`rm /);
      assert.equal(await at.repository.git('for-each-ref', '--format=%(refname) %(objectname)'), before);
    });
  }
});
