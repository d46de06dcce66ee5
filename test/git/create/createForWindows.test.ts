import assert from 'node:assert/strict';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../../../src/core/base/problem.ts';
import type { CreateData } from '../../../src/core/create/createData.ts';
import { register } from '../../../src/core/create/register.ts';
import type { CreateRequest } from '../../../src/core/create/request.ts';
import { Git } from '../../../src/core/git/git.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { planRename, renameWorktree } from '../../../src/core/restack/rename.ts';
import { undo } from '../../../src/core/recovery/undo.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { findWorktree } from '../../../src/core/worktree/find.ts';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';
import { Creations } from '../../support/creations.ts';
import { Removals } from '../../support/removals.ts';
import { texts } from '../../support/texts.ts';

/** The workspace as it would be on another system, whose disk this one is not. */
function on<T extends Workspace>(platform: NodeJS.Platform, workspace: T): T {
  return { ...workspace, environment: { ...workspace.environment, platform } };
}

describe('names that Windows cannot hold', function () {
  this.timeout(300_000);
  let at: Creations;
  before(async () => {
    at = await Creations.start();
  });
  after(() => at.dispose());

  /** Asserts that each request is refused on Windows for its name, with a next step that has what is expected, and touches nothing. */
  async function refuses(
    requests: readonly (readonly [Partial<CreateRequest> | string, next: string])[],
  ): Promise<void> {
    const before = await at.traces();
    for (const [request, next] of requests) {
      await assert.rejects(at.create(request, {}, on('win32', at.workspace)), (thrown: Problem) => {
        assert.equal(thrown.reason, 'invalid-name', `${JSON.stringify(request)}: ${thrown.message}`);
        assert.equal(thrown.outcome, 'incomplete');
        assert.match(thrown.message, /Windows/);
        assert.ok(thrown.next?.includes(next), `${JSON.stringify(request)}: ${thrown.next}`);
        return true;
      });
    }
    assert.deepEqual(await at.traces(), before);
  }

  it('are refused there before anything is touched, with one that works', () =>
    refuses([
      ['aux', '`wt create aux-1`'],
      ['CON', '`wt create CON-1`'],
      ['nul.txt', '`wt create nul-1.txt`'],
      ['com¹', '`wt create com¹-1`'],
      ['CONIN$', '`wt create CONIN-1`'],
      ['x/aux/y', '`wt create x/aux-1/y`'],
      ['x\\prn', '`wt create x/prn-1`'],
      [{ workId: 'LPT1' }, '`wt create LPT1-1 --work-id LPT1`'],
      [{ name: 'fine', branch: 'nul' }, '`wt create fine --branch nul-1`'],
      [{ name: 'fine', branch: 'x/con.y/z' }, '`wt create fine --branch x/con-1.y/z`'],
      [{ name: 'fine', branch: 'a<b' }, '`wt create fine --branch a-b`'],
      [{ name: 'fine', branch: 'a"b|c' }, '`wt create fine --branch a-b-c`'],
      [{ name: 'fine', branch: 'a./b' }, '`wt create fine --branch a/b`'],
    ]));

  it('are left out of a folder and a branch that are called after a name or a task', async () => {
    const workspace = on('win32', at.workspace);
    for (const [name, folder, branch] of [
      ['a<b>', 'a-b', 'a-b'],
      ['name.', 'name', 'name'],
      ['say "x"|y', 'say-x-y', 'say-x-y'],
      ['aux!', /^aux-[0-9a-f]{6}$/, 'aux!'],
    ] as const) {
      const plan = await at.plan(name, workspace);
      assert.deepEqual([plan.name, plan.branch], [name, branch]);
      if (typeof folder === 'string') assert.equal(plan.slug, folder);
      else assert.match(plan.slug, folder);
    }
    await at.repository.write('agents/session.md', '## Pending Tasks\n\n- [ ] **Con**\n');
    const task = await at.plan({ task: 'Con' }, workspace);
    await rm(join(at.repository.root, 'agents'), { recursive: true });
    assert.match(`${task.name} ${task.branch} ${task.slug}`, /^(con-[0-9a-f]{6}) \1 con-[0-9a-f]{6}$/);
  });

  it('are told of a branch that another system made, here or on a remote, with a branch that continues it', async () => {
    await at.repository.git('branch', 'x/aux/y');
    await at.repository.git('update-ref', 'refs/remotes/origin/com1', 'main');
    await refuses([
      [{ name: 'fine', branch: 'x/aux/y' }, '`wt create fine --branch x/aux-1/y --base x/aux/y`'],
      [{ name: 'fine', branch: 'origin/com1' }, '`wt create fine --branch com1-1 --base origin/com1`'],
      [{ name: 'fine', branch: 'com1' }, '`wt create fine --branch com1-1 --base origin/com1`'],
    ]);
    const plan = await at.plan({ name: 'fine', branch: 'x/aux-1/y', base: 'x/aux/y' }, on('win32', at.workspace));
    assert.deepEqual([plan.branch, plan.base, plan.newBranch], ['x/aux-1/y', 'x/aux/y', true]);
    await at.repository.git('branch', '-D', 'x/aux/y');
    await at.repository.git('update-ref', '-d', 'refs/remotes/origin/com1');
  });

  it('are refused in a location pattern, and so are paths in which nothing can be started', async () => {
    const withPattern = (locationPattern: string): Workspace => {
      const { configuration } = at.workspace;
      const worktree = { ...configuration.worktree, locationPattern };
      return on('win32', { ...at.workspace, configuration: { ...configuration, worktree } });
    };
    const path = async (pattern: string, name: string): Promise<string> =>
      (await at.plan({ name, branch: 'fine' }, withPattern(pattern))).relativePath;
    assert.equal(await path('trees/{name}', 'a./b.'), 'trees/a/b');
    assert.equal(await path('trees/{branch}', 'x'), 'trees/fine');
    for (const [pattern, name] of [
      ['trees/{slug}/nul', 'x'],
      ['trees/{slug}.', 'x'],
      ['trees/{name}', 'x'.repeat(200)],
    ] as const)
      await assert.rejects(path(pattern.replace('trees', pattern.includes('name') ? 't'.repeat(99) : 'trees'), name), {
        reason: 'invalid-name',
        message: /Windows/,
        next: /location_pattern/,
      });
  });

  it('differ by more than case, and by more than how a letter is written', async () => {
    await at.repository.git('branch', 'Topic');
    await at.repository.git('branch', 'caf\u00e9/x');
    for (const platform of ['win32', 'darwin'] as const) {
      for (const branch of ['topic', 'TOPIC/x', 'cafe\u0301', 'CAFE\u0301/x'])
        await assert.rejects(at.plan({ name: 'fine', branch }, on(platform, at.workspace)), { reason: 'taken' });
    }
    assert.equal((await at.plan({ name: 'fine', branch: 'topic' }, on('linux', at.workspace))).branch, 'topic');
  });

  it('are allowed elsewhere, with a warning where there is a remote that others may use', async () => {
    const warnings = async (): Promise<string[]> =>
      texts((await at.plan('x/aux/y', on('linux', at.workspace))).warnings);
    assert.deepEqual(await warnings(), []);
    await at.repository.git('update-ref', 'refs/remotes/origin/main', 'main');
    assert.match((await warnings()).join(), /x\/aux\/y cannot be held on Windows: Windows keeps "aux" for a device/);
    await at.repository.git('update-ref', '-d', 'refs/remotes/origin/main');
  });

  it('are refused as new names of a worktree', async () => {
    await at.create('one');
    const workspace = on('win32', at.workspace);
    const plan = async (name: string, branch?: string): ReturnType<typeof planRename> => {
      const snapshot = await readSnapshot(at.workspace, { withChanges: false });
      return planRename(workspace, snapshot, await findWorktree(snapshot, 'one', at.repository.root), { name, branch });
    };
    await assert.rejects(plan('aux'), { reason: 'invalid-name', next: 'run `wt rename one aux-1`' });
    await assert.rejects(plan('two', 'x/nul'), {
      reason: 'invalid-name',
      next: 'run `wt rename one two --branch x/nul-1`',
    });
    await assert.rejects(plan('One'), { reason: 'taken', message: /branch One cannot be made while .* one\./ });
    assert.equal((await plan('a<b')).renaming.to.branch, 'a-b');
    await renameWorktree(workspace, (await plan('two')).renaming);
    assert.deepEqual((await at.traces()).registered, ['two']);
  });

  it('are not the reason that is told when a branch cannot be made for another one', async () => {
    const oid = await at.repository.git('rev-parse', 'main');
    const data = { name: 'x', path: at.path('x'), startCommit: oid, newBranch: true, entry: {}, folderThere: false };
    const attempt = (branch: string): Promise<void> =>
      register(at.workspace, { ...data, branch } as unknown as CreateData, undefined, () => undefined);
    await at.repository.git('branch', 'pay');
    await assert.rejects(attempt('pay'), { reason: 'taken', message: /created by another process meanwhile/ });
    await assert.rejects(attempt('pay/y'), {
      reason: 'taken',
      message: /cannot be made while there is a branch pay\./,
    });
    // As a disk does that cannot hold the name: git cannot even make its lock.
    const odd = join(at.repository.root, '.git/refs/heads/odd');
    await writeFile(odd, 'no ref\n');
    await assert.rejects(attempt('odd/x'), (thrown: Problem) => {
      assert.doesNotMatch(thrown.message, /another process/);
      return true;
    });
    await rm(odd);
  });

  it('are recovered from where an earlier version has left half of a worktree', async () => {
    const before = await at.traces();
    const binary = join(at.home.root, 'windows-git');
    const refuse = "echo 'fatal: no' >&2; exit 128 ;;";
    const script = (cases: string): Promise<void> =>
      writeFile(binary, `#!/bin/sh\ncase "$PWD $*" in\n${cases}\nesac\nexec git "$@"\n`).then(() =>
        chmod(binary, 0o755),
      );
    const workspace = { ...at.workspace, git: new Git(at.workspace.environment, { binary }) };
    await script(`*'worktree add'*) ${refuse}\n*'update-ref -d'*) ${refuse}`);
    await assert.rejects(at.create('aux', {}, workspace), { message: /Rolling back failed too/ });
    await mkdir(at.path('aux'), { recursive: true });
    // No program starts there.
    await script(`*/.worktrees/aux' '*) ${refuse}`);
    assert.deepEqual(await recoverInterrupted(on('win32', workspace)), []);
    assert.deepEqual(await at.traces(), before);
  });
});

describe('a worktree that another system removed', () => {
  it('is not restored where Windows cannot hold its folder or its branch, with what goes on from it', async () => {
    const at = await Removals.start();
    try {
      for (const name of ['aux', 'a"b']) {
        await at.add(name, { commits: 1 });
        await at.remove(name, { force: true });
        await assert.rejects(undo(on('win32', at.workspace)), (thrown: Problem) => {
          assert.equal(thrown.reason, 'invalid-name');
          assert.match(thrown.next ?? '', /`wt create (aux-1|a-b) --branch \1 --base [0-9a-f]{40}`/);
          return true;
        });
        assert.deepEqual((await undo(at.workspace)).restored?.length, 1);
      }
    } finally {
      await at.home.dispose();
    }
  });
});
