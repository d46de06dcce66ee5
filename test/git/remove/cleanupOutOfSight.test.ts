import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegistry } from '../../../src/core/repository/registry.ts';
import { readActive, writeActive } from '../../../src/core/repository/stateFile.ts';
import { undo } from '../../../src/core/recovery/undo.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { readOperations, forgetOldOperations } from '../../../src/core/operations/store.ts';
import { Removals } from '../../support/removals.ts';
import { runRestack } from '../../support/runRestack.ts';
import { dieRemoving } from '../../support/dieRemoving.ts';
import { filesIn } from '../../support/filesIn.ts';
import { texts } from '../../support/texts.ts';
import { isInShare, isThorough, shareOf } from '../../support/share.ts';

/** Later than any git process of a killed operation could still make something. */
const later = (): Date => new Date(Date.now() + 60_000);

describe('dropping a worktree whose folder is out of sight', function () {
  this.timeout(300_000);
  let at: Removals;
  let path: string;
  let gitDir: string;
  let away: string;
  beforeEach(async () => {
    at = await Removals.start();
    await at.repository.commit('Base', { 'lib/a.txt': 'a\n', 'lib/b.txt': 'b\n' });
    path = await at.add('one', { commits: 1 });
    gitDir = join(at.repository.root, '.git/worktrees/one');
    away = join(at.home.root, 'away');
  });
  afterEach(() => at.dispose());

  const git = (...args: string[]): Promise<string> => at.repository.gitIn(path, ...args);

  /** Everything that a worktree has beside its folder. */
  async function around(): Promise<unknown> {
    const { repository } = at.workspace;
    return {
      branches: await at.repository.git('for-each-ref', 'refs/heads'),
      admin: await filesIn(gitDir),
      entries: [...(await readRegistry(repository)).worktrees],
      active: await readActive(repository),
      agents: await filesIn(join(at.repository.root, '.claude/agents')),
      settings: await at.repository.git('config', '--local', '--list'),
    };
  }

  /** Puts something into all that git keeps of it. */
  async function fill(): Promise<void> {
    await at.repository.git('merge', '--quiet', '--no-ff', '--no-edit', 'one');
    await at.repository.git('config', 'extensions.worktreeConfig', 'true');
    await at.repository.git('config', 'branch.one.description', 'first');
    await git('config', '--worktree', 'user.name', 'Grace');
    await at.repository.write(join(path, 'lib/a.txt'), 'staged\n');
    await git('add', 'lib/a.txt');
    await at.repository.write(join(path, 'new.txt'), 'hours of work\n');
    await git('update-ref', 'refs/worktree/mine', 'HEAD');
    await at.repository.write('.claude/agents/wt-one.md', 'agent\n');
    await writeActive(at.workspace.environment, at.workspace.repository, {
      path,
      branch: 'one',
      created: '2026-01-06',
    });
  }

  it('takes all that git has on record of it, and undo brings it back byte for byte', async () => {
    await fill();
    const status = await git('status', '--porcelain');
    const before = await around();
    await rename(path, away);
    const removed = await at.remove('one', { force: true });
    assert.equal(removed.branchDeleted, true);
    assert.equal(existsSync(gitDir), false);
    assert.equal(existsSync(path), false);
    assert.deepEqual((await readRegistry(at.workspace.repository)).worktrees.size, 0);
    await at.repository.git('gc', '--quiet', '--prune=now');
    const done = await undo(at.workspace);
    assert.match(texts(done.notes).join(), /git worktree repair/);
    // The agent is written anew, as it is generated.
    const agents = await filesIn(join(at.repository.root, '.claude/agents'));
    assert.deepEqual({ ...((await around()) as object), agents: {} }, { ...(before as object), agents: {} });
    assert.deepEqual(Object.keys(agents), ['wt-one.md']);
    await rename(away, path);
    assert.equal(await git('status', '--porcelain'), status);
    assert.equal(await git('show', ':lib/a.txt'), 'staged');
    assert.equal(await readFile(join(path, 'new.txt'), 'utf8'), 'hours of work\n');
    assert.equal(await at.repository.git('fsck', '--no-dangling'), '');
  });

  it('keeps commits of its reflog and both sides of a conflict from garbage collection', async () => {
    await git('checkout', '--quiet', '--detach');
    const lost = await at.repository.commit('Only in the reflog', { 'lost.txt': 'lost\n' }, path);
    await git('reset', '--quiet', '--hard', 'one');
    await at.repository.commit('Theirs', { 'lib/a.txt': 'theirs\n' });
    await at.repository.commit('Ours', { 'lib/a.txt': 'ours\n' }, path);
    await git('merge', '--quiet', 'main').catch(() => undefined);
    const conflict = await git('ls-files', '--unmerged');
    assert.notEqual(conflict, '');
    const before = await filesIn(gitDir);
    await rename(path, away);
    await at.remove('one', { force: true });
    await at.repository.git('branch', '-D', '--quiet', 'one').catch(() => undefined);
    await at.repository.git('reset', '--quiet', '--hard', 'HEAD~1');
    await at.repository.git('reflog', 'expire', '--expire=now', '--all');
    await at.repository.git('gc', '--quiet', '--prune=now');
    await at.repository
      .git('branch', 'one', (await readOperations(at.workspace))[0]?.removal?.head ?? '')
      .catch(() => undefined);
    await undo(at.workspace);
    assert.deepEqual(await filesIn(gitDir), before);
    await rename(away, path);
    assert.equal(await git('ls-files', '--unmerged'), conflict);
    for (const line of conflict.split('\n')) await git('cat-file', '-e', line.split(' ')[1] ?? '');
    assert.equal(await git('show', '-s', '--format=%s', lost), 'Only in the reflog');
    assert.equal(await at.repository.git('fsck', '--no-dangling'), '');
  });

  const places: Record<string, () => Promise<void>> = {
    missing: () => rename(path, away),
    'an empty folder': () => rename(path, away).then(() => mkdir(path)),
    'somebody’s files': () => rename(path, away).then(() => at.repository.write(join(path, 'mine.txt'), 'mine\n')),
    'another repository': async () => {
      await rename(path, away);
      await at.repository.git('clone', '--quiet', at.repository.root, path);
    },
    'a damaged .git': () => writeFile(join(path, '.git'), 'gitdir: /nowhere\n'),
    'a file': () => rename(path, away).then(() => writeFile(path, 'mine\n')),
  };
  for (const [what, prepare] of shareOf(Object.entries(places), 2)) {
    it(`is no matter of course, and leaves what is there alone: ${what}`, async () => {
      await prepare();
      const there = await filesIn(path);
      const before = await around();
      await assert.rejects(at.remove('one'), { id: 'remove.outOfSight' });
      assert.deepEqual(await around(), before);
      await at.remove('one', { force: true });
      assert.equal(existsSync(gitDir), false);
      assert.deepEqual(await filesIn(path), there);
      await undo(at.workspace);
      assert.deepEqual(await around(), before);
      assert.deepEqual(await filesIn(path), there);
    });
  }

  it('of one that never had a commit', async () => {
    const orphan = join(at.repository.root, '.worktrees/fresh');
    await at.repository.git('worktree', 'add', '--quiet', '--detach', orphan);
    await at.repository.gitIn(orphan, 'checkout', '--quiet', '--orphan', 'fresh');
    const folder = join(at.repository.root, '.git/worktrees/fresh');
    const before = await filesIn(folder);
    await rename(orphan, away);
    await at.remove('fresh', { force: true });
    assert.equal(existsSync(folder), false);
    await undo(at.workspace);
    assert.deepEqual(await filesIn(folder), before);
  });

  it('is not taken back over another worktree with the same id or branch, and says what to do', async () => {
    await rename(path, away);
    await at.remove('one', { force: true });
    await at.repository.git('worktree', 'add', '--quiet', '--detach', path);
    await assert.rejects(undo(at.workspace), /git's id one is that of the worktree at/);
    await at.repository.git('worktree', 'remove', path);
    const tip = await at.repository.git('rev-parse', 'one');
    await at.repository.git('branch', '-f', 'one', 'main');
    await assert.rejects(undo(at.workspace), /one has moved since/);
    await at.repository.git('branch', '-f', 'one', tip);
    await at.repository.git('checkout', '--quiet', 'one');
    await assert.rejects(undo(at.workspace), /one is checked out in/);
    await at.repository.git('checkout', '--quiet', 'main');
    await undo(at.workspace);
    assert.ok(existsSync(gitDir));
  });

  it('is forgotten after thirty days, with what was kept', async () => {
    await rename(path, away);
    await at.remove('one', { force: true });
    const dropped = join(at.repository.root, '.git/worktree-stacks/dropped');
    assert.equal((await readdir(dropped)).length, 1);
    const now = (): Date => new Date(Date.now() + 31 * 24 * 60 * 60 * 1000);
    const workspace = { ...at.workspace, environment: { ...at.workspace.environment, now } };
    await forgetOldOperations(workspace);
    assert.deepEqual(await readdir(dropped), []);
  });

  it('killed between any two steps, it is there or gone as a whole, and so is its undo', async () => {
    await fill();
    await rename(path, away);
    const agent = join(at.repository.root, '.claude/agents/wt-one.md');
    await at.remove('one', { force: true });
    await undo(at.workspace);
    const there = await around();
    await at.remove('one', { force: true });
    const gone = await around();
    await undo(at.workspace);
    assert.deepEqual(await around(), there);
    const mend = async (): Promise<void> => {
      const environment = { ...at.workspace.environment, now: later };
      assert.deepEqual(await recoverInterrupted({ ...at.workspace, environment }), []);
      const pending = await readdir(join(at.repository.root, '.git/worktree-stacks/operations'));
      assert.deepEqual(
        pending.filter((name) => name.endsWith('.json')),
        [],
      );
    };
    const counts = { there: 0, gone: 0, back: 0, away: 0 };
    for (let step = 1, ended = false; !ended; step += isThorough ? 5 : 15) {
      assert.ok(step < 400, 'it has an end');
      ended = (await dieRemoving(at, 'one', 'force', step)) !== undefined;
      await mend();
      const isGone = !existsSync(gitDir);
      counts[isGone ? 'gone' : 'there']++;
      assert.deepEqual(await around(), isGone ? gone : there, `killed after step ${step}`);
      if (isGone) await undo(at.workspace);
    }
    for (let step = 1, ended = false; !ended; step++) {
      assert.ok(step < 100, 'it has an end');
      if (!isInShare(step, 3)) continue;
      if (existsSync(gitDir)) await at.remove('one', { force: true });
      ended = await runRestack(at, 'undo', 'one', step);
      await mend();
      const isBack = existsSync(gitDir);
      counts[isBack ? 'back' : 'away']++;
      assert.deepEqual(await around(), isBack ? there : gone, `undo killed after step ${step}`);
    }
    assert.ok(counts.there + counts.gone > 2 && counts.back + counts.away > 0, JSON.stringify(counts));
    // A share of the steps may see one way only.
    const seenAll = Object.values(counts).every((count) => count > 0);
    if (isThorough) assert.ok(seenAll, JSON.stringify(counts));
    assert.ok(existsSync(agent));
    await rm(away, { recursive: true });
  });
});
