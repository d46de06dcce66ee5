import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Problem } from '../../../src/core/base/problem.ts';
import { carryKey } from '../../../src/core/carry/carryKind.ts';
import { pendingFile, readOperations } from '../../../src/core/operations/store.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';
import { drive, killedCarry, pictureOf, startCarries } from '../../support/carries.ts';
import { runOnCopies } from '../../support/killOnCopies.ts';
import { recoverKilled, type Killable } from '../../support/killEveryStep.ts';
import { isInShare } from '../../support/share.ts';

/** One in so many steps is tried in the ordinary run. */
const parts = 5;

describe('carrying uncommitted work that is killed', function () {
  this.timeout(600_000);
  let scene: Killable;
  afterEach(() => scene.dispose());

  const kept = (name: string, file: string): Promise<string> =>
    scene.workspace.git.in(scene.workspace.repository.commonDir).text(['cat-file', 'blob', `${name}:${file}`]);

  /** What the first worktree had is as it was there, or is in the refs that name it. */
  async function nothingIsLost(picture: unknown, before: unknown): Promise<void> {
    const repo = scene.workspace.git.in(scene.workspace.repository.commonDir);
    const refs = (await repo.text(['for-each-ref', '--format=%(refname)', 'refs/wt-backup'])).split('\n');
    const from = refs.find((each) => each.endsWith('/from/before/files'))?.replace(/\/files$/, '');
    if (from === undefined) return void assert.deepEqual(picture, before);
    assert.equal(await kept(`${from}/files`, 'lib/a.txt'), 'unstaged\n');
    assert.equal(await kept(`${from}/files`, 'new/untracked.txt'), 'untracked\n');
    assert.equal(await kept(`${from}/staged`, 'lib/a.txt'), 'staged\n');
    assert.match(await kept(`${from}/staged`, 'both.txt'), /^staged\n/);
  }

  for (const [how, damage] of [
    ['is empty', () => ''],
    ['is half written', (text: string) => text.slice(0, text.length / 2)],
  ] as const) {
    it(`loses nothing and is in nobody’s way where its own file ${how}`, async () => {
      scene = await killedCarry('carry');
      const before = await scene.picture();
      const file = pendingFile(scene.workspace.repository, carryKey);
      let damaged = 0;
      for (let step = 1, ended = false; !ended; step++) {
        if (!isInShare(step, parts)) continue;
        ended = await scene.run(step);
        if (!existsSync(file)) continue;
        writeFileSync(file, damage(readFileSync(file, 'utf8')));
        damaged++;
        const picture = await recoverKilled(scene.workspace, () => scene.picture());
        assert.deepEqual(await readOperations(scene.workspace), []);
        await nothingIsLost(picture, before);
      }
      assert.ok(damaged > 0);
    });
  }

  it('into a new worktree while its failed setup takes everything back has the work in one of the two', async () => {
    const at = await startCarries();
    writeFileSync(`${at.repository.root}/.worktrees.yml`, 'setup: ["echo made > made.txt", "exit 3"]\n');
    const steps = runOnCopies(at.home.root, (into) => drive(at, 'create-fails', 'a to x', into));
    const workspace: Workspace = at.workspace;
    scene = {
      workspace,
      run: steps.run,
      picture: () => pictureOf(at.repository, at.path('a')),
      reverse: () => Promise.resolve(),
      dispose: () => {
        steps.forget();
        return at.dispose();
      },
    };
    const before = await scene.picture();
    const later = {
      ...workspace,
      environment: { ...workspace.environment, now: () => new Date(Date.now() + 3_600_000) },
    };
    const seen = { back: 0, there: 0 };
    for (let step = 1, ended = false; !ended; step++) {
      if (!isInShare(step, parts)) continue;
      ended = await scene.run(step);
      const problems = await recoverInterrupted(later);
      // What setup has written may be somebody's: it stays, and is named.
      assert.ok(
        problems.every((each) => Problem.is(each, 'would-lose-work')),
        String(problems[0]?.stack),
      );
      const isBack = JSON.stringify(await scene.picture()) === JSON.stringify(before);
      seen[isBack ? 'back' : 'there']++;
      if (isBack) {
        // In one of them, not in both: of what was carried nothing is left there.
        const there = (path: string): boolean => existsSync(`${at.path('x')}/${path}`);
        assert.equal(there('new/untracked.txt'), false, `step ${step}`);
        if (there('lib/a.txt') && problems.length > 0)
          assert.doesNotMatch(readFileSync(`${at.path('x')}/lib/a.txt`, 'utf8'), /staged/, `step ${step}`);
        continue;
      }
      assert.deepEqual(problems, []);
      assert.equal(await at.git('a', 'status', '--porcelain'), '', `step ${step}`);
      assert.equal(await at.git('x', 'show', ':lib/a.txt'), 'staged');
      assert.equal(readFileSync(`${at.path('x')}/lib/a.txt`, 'utf8'), 'unstaged\n');
      assert.equal(readFileSync(`${at.path('x')}/new/untracked.txt`, 'utf8'), 'untracked\n');
      assert.equal((await readOperations(workspace))[0]?.kind, 'carry', 'it can be undone');
    }
    assert.ok(seen.back > 1 && seen.there > 0, JSON.stringify(seen));
  });
});
