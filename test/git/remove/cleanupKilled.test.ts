import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readRegistry, updateRegistry } from '../../../src/core/repository/registry.ts';
import { readActive, writeActive } from '../../../src/core/repository/stateFile.ts';
import { deleteForgottenFiles } from '../../../src/core/operations/staleFiles.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { deleteForgottenTrash } from '../../../src/core/remove/trash.ts';
import { dieRemoving } from '../../support/dieRemoving.ts';
import { Removals } from '../../support/removals.ts';
import { StepCopies } from '../../support/stepCopies.ts';

/** The worktree that is removed. */
const name = 'gone';

type How = 'force' | 'gently';

/** What is kept of a worktree in files: the text of an ignored file, and the log of its HEAD. */
async function hostFactsToRecord(at: Removals, name: string): Promise<(string | undefined)[]> {
  const folder = join(at.workspace.repository.commonDir, 'worktree-stacks', 'kept');
  const ids = (await readdir(folder).catch((): string[] => [])).filter((id) => id.endsWith(`-${name}`));
  assert.ok(ids.length < 2, `kept more than once: ${ids.join(', ')}`);
  const texts = ['files/.work/notes.md', 'record/logs/HEAD'].map((file) =>
    readFile(join(folder, ids[0] ?? '', file), 'utf8').catch(() => undefined),
  );
  return ids.length === 0 ? [] : Promise.all(texts);
}

async function start(): Promise<Removals> {
  const at = await Removals.start();
  await at.repository.write('.git/info/exclude', '/.worktrees/\n.work/\n');
  await at.repository.write('.claude/settings.json', '{}\n');
  await at.repository.commit('Base', { 'lib/a.txt': 'a\n', 'lib/b.txt': 'b\n' });
  return at;
}

/** A worktree that all parts of a removal have something to do with. */
async function prepare(at: Removals, name: string): Promise<string> {
  const path = await at.add(name);
  const { environment, repository } = at.workspace;
  await updateRegistry(environment, repository, ({ worktrees }) => {
    worktrees.set(`${name}-child`, { path: `/nowhere/${name}`, branch: `${name}-child`, base: name, pr: null });
  });
  await writeActive(environment, repository, { path, branch: name, created: '2026-01-06' });
  await at.repository.write(`.claude/agents/wt-${name}.md`, 'agent\n');
  return path;
}

const keys = ['folder', 'listed', 'branch', 'entry', 'child', 'active', 'agent'] as const;
type Traces = Record<(typeof keys)[number], boolean>;
const all = (value: boolean): Traces => Object.fromEntries(keys.map((key) => [key, value])) as Traces;

/** Which of its traces a worktree has. */
async function tracesOf(at: Removals, name: string, path: string): Promise<Traces> {
  const { worktrees } = await readRegistry(at.workspace.repository);
  return {
    folder: existsSync(path),
    listed: (await at.listed()).includes(path),
    branch: (await at.branches()).includes(name),
    entry: worktrees.has(name),
    child: worktrees.get(`${name}-child`)?.base === name,
    active: (await readActive(at.workspace.repository))?.path === path,
    agent: existsSync(join(at.repository.root, '.claude', 'agents', `wt-${name}.md`)),
  };
}

/** Everything of ours that a removal may leave, once what waits for its time has had it. */
async function leftovers(at: Removals): Promise<string[]> {
  const { repository } = at.workspace;
  const later = new Date(Date.now() + 3_600_000);
  await deleteForgottenTrash(at.workspace.git, repository, later);
  await deleteForgottenFiles(at.workspace, later);
  const own = join(repository.commonDir, 'worktree-stacks');
  const names = await Promise.all(
    ['operations', 'trash'].map((name) => readdir(join(own, name)).catch((): string[] => [])),
  );
  const beside = await readdir(join(repository.mainRoot, '.worktrees'));
  return [...names.flat(), ...beside.filter((name) => name.startsWith('.trash-') || /^stack\.json\.\d/.test(name))];
}

/** A lock whose owner died before it had signed it is believed to be dead only after some seconds: makes those so old. */
async function ageLocks(at: Removals): Promise<void> {
  const { mainRoot } = at.workspace.repository;
  const past = new Date(Date.now() - 60_000);
  const entries = await readdir(mainRoot, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isDirectory() && each.name.endsWith('.lock')))
    await utimes(join(entry.parentPath, entry.name), past, past);
}

interface Scene {
  /** Puts work into a worktree. */
  fill(at: Removals, path: string): Promise<void>;
  /** Checks that the work is there: in the worktree, or where it was backed up. */
  check(at: Removals, path: string | undefined, name: string): Promise<void>;
}

/** Mends what a removal has left that was killed at a step, and says what came of it. */
async function mend(at: Removals, step: number, how: How, scene: Scene): Promise<'before' | 'removed'> {
  const path = join(at.repository.root, '.worktrees', name);
  await ageLocks(at);
  assert.deepEqual(await recoverInterrupted(at.workspace), [], `step ${step}`);
  const isBefore = existsSync(path);
  assert.deepEqual(await tracesOf(at, name, path), all(isBefore), `step ${step}`);
  assert.deepEqual(await leftovers(at), [], `step ${step}`);
  await scene.check(at, isBefore ? path : undefined, name);
  if (isBefore) {
    await at.remove(name, { force: how === 'force' });
    assert.deepEqual(await tracesOf(at, name, path), all(false), `step ${step}, then removed`);
  }
  assert.equal(await at.repository.git('fsck', '--connectivity-only', '--no-dangling'), '');
  return isBefore ? 'before' : 'removed';
}

/** Kills removals at all steps that there are. */
async function killEverywhere(how: How, scene: Scene): Promise<void> {
  const outcomes = { before: 0, removed: 0 };
  const at = await start();
  try {
    // Copies have other inodes, which git would take for changes.
    await at.repository.git('config', '--global', 'core.checkStat', 'minimal');
    await at.repository.git('config', '--global', 'core.trustctime', 'false');
    await scene.fill(at, await prepare(at, name));
    const copies = new StepCopies(at.home.root);
    assert.notEqual(await dieRemoving(at, name, how, copies.into), undefined);
    for (const step of copies.all()) {
      copies.restore(step);
      outcomes[await mend(at, step, how, scene)]++;
      // From the decision on, a forced removal is like any other.
      if (how === 'force' && outcomes.removed > 1) break;
    }
    copies.forget();
  } finally {
    await at.dispose();
  }
  assert.ok(outcomes.before > 10 && outcomes.removed > 1, JSON.stringify(outcomes));
  console.log(JSON.stringify(outcomes));
}

suite('a removal that is killed', function () {
  this.timeout(600_000);

  test('anywhere is complete or as before once the next command has run', () =>
    killEverywhere('gently', {
      fill: async (at, path) => {
        await at.repository.write(join(path, '.work/notes.md'), `notes of ${path}\n`);
        await at.repository.gitIn(path, 'checkout', '--quiet', '--detach');
        await at.repository.commit(`lost in ${path}`, {}, path);
        await at.repository.gitIn(path, 'checkout', '--quiet', basename(path));
      },
      check: async (at, path, name) => {
        if (path) {
          assert.equal(await at.repository.gitIn(path, 'status', '--porcelain'), '');
          assert.match(await readFile(join(path, '.work/notes.md'), 'utf8'), /^notes of/);
          assert.match(await at.repository.gitIn(path, 'reflog', '--format=%gs'), /^commit: lost in/m);
          assert.deepEqual(await hostFactsToRecord(at, name), []);
          return;
        }
        const [notes, log] = await hostFactsToRecord(at, name);
        assert.match(notes ?? '', new RegExp(`^notes of .*/${name}\n$`));
        const lost = /([0-9a-f]{40}) Ada.*\tcommit: lost in/.exec(log ?? '')?.[1] ?? '';
        assert.match(await at.repository.git('for-each-ref', '--contains', lost), new RegExp(`-${name}/reflog$`));
      },
    }));

  test('anywhere loses no uncommitted file when it is forced', () =>
    killEverywhere('force', {
      fill: async (at, path) => {
        await at.repository.write(join(path, 'lib', 'a.txt'), 'changed\n');
        await at.repository.write(join(path, 'new.txt'), `new in ${path}\n`);
      },
      check: async (at, path, name) => {
        if (path) {
          assert.equal(await at.repository.gitIn(path, 'status', '--porcelain'), ' M lib/a.txt\n?? new.txt');
          assert.equal(await readFile(join(path, 'lib', 'a.txt'), 'utf8'), 'changed\n');
          return;
        }
        const refs = await at.repository.git('for-each-ref', '--format=%(refname)', 'refs/wt-backup');
        const ref = refs.split('\n').find((each) => each.includes(`-${name}/changes`));
        assert.ok(ref, `no backup of ${name} among ${refs}`);
        assert.match(await at.repository.git('show', `${ref}:new.txt`), new RegExp(`^new in .*/${name}$`));
        assert.equal(await at.repository.git('show', `${ref}:lib/a.txt`), 'changed');
      },
    }));

  test('cannot go back to where something else is by now, says so, and waits', async () => {
    const at = await start();
    try {
      const isUndecided = async (name: string): Promise<boolean> => {
        const file = join(at.repository.root, '.git', 'worktree-stacks', 'operations', `${name}.json`);
        return /"step": "begun"/.test(await readFile(file, 'utf8').catch(() => ''));
      };
      let path = '';
      // A step after which the folder is aside and the removal not decided.
      for (let step = 1, found = false; !found; step++) {
        const name = `at-${step}`;
        path = await prepare(at, name);
        assert.equal(
          await dieRemoving(at, name, 'gently', step),
          undefined,
          'it lived although its folder never went aside',
        );
        found = !existsSync(path) && (await isUndecided(name));
      }
      await at.repository.write(join(path, 'mine.txt'), 'mine\n');
      const [problem] = await recoverInterrupted(at.workspace);
      assert.match(problem?.message ?? '', /where an interrupted removal has put it, and something else is at/);
      assert.equal(await readFile(join(path, 'mine.txt'), 'utf8'), 'mine\n');
      await rm(path, { recursive: true });
      assert.deepEqual(await recoverInterrupted(at.workspace), []);
      assert.equal(await at.repository.gitIn(path, 'status', '--porcelain'), '');
    } finally {
      await at.dispose();
    }
  });

  test('leaves half-written copies and locks that are swept up when they are old, and nothing else is', async () => {
    const at = await start();
    try {
      const operations = join(at.repository.root, '.git', 'worktree-stacks', 'operations');
      const files = [
        join(operations, 'one.json.123'),
        join(operations, 'one.json.lock', 'owner.json'),
        join(at.repository.root, '.worktrees', 'stack.json.123'),
        join(at.repository.root, '.worktrees', 'stack.json.new.123'),
        join(at.repository.root, '.claude', 'dev-worktree.local.md.123'),
      ];
      const others = [
        join(at.repository.root, '.worktrees', 'stack.json.old'),
        join(at.repository.root, '.claude', 'settings.json'),
        join(operations, 'two.json.456'),
      ];
      const owner = JSON.stringify({ pid: 4_999_999, host: at.workspace.environment.host, since: '' });
      for (const file of [...files, ...others]) {
        await mkdir(join(file, '..'), { recursive: true });
        await writeFile(file, owner);
      }
      const past = new Date(Date.now() - 3_600_000);
      for (const file of [...files, join(operations, 'one.json.lock'), ...others.slice(0, 2)]) {
        await utimes(file, past, past);
      }
      assert.deepEqual(await recoverInterrupted(at.workspace), []);
      assert.deepEqual(files.filter(existsSync), []);
      assert.deepEqual(others.filter(existsSync), others);
    } finally {
      await at.dispose();
    }
  });
});
