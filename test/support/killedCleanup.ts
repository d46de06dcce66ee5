import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfiguration } from '../../src/core/repository/configuration.ts';
import { finishedFolder } from '../../src/core/operations/store.ts';
import { readRegistry, updateRegistry } from '../../src/core/repository/registry.ts';
import { readActive, writeActive } from '../../src/core/repository/stateFile.ts';
import { dieRemoving } from './dieRemoving.ts';
import { ignoreInodes, runOnCopies } from './killOnCopies.ts';
import type { Killable } from './killEveryStep.ts';
import { Removals } from './removals.ts';

const tracking = '.work/worktrees.json';

/** A repository whose worktrees all parts of a removal have something to do with. */
export async function startRemovals(): Promise<Removals> {
  const at = await Removals.start();
  await at.repository.write('.git/info/exclude', '/.worktrees/\n.work/\n');
  await at.repository.write('.claude/settings.json', '{}\n');
  await at.repository.commit('Base', { 'lib/a.txt': 'a\n', 'lib/b.txt': 'b\n' });
  await ignoreInodes(at.repository);
  return at;
}

/** Makes such a worktree: active, with an agent and a dependent; its path. */
export async function addToRemove(at: Removals, name: string): Promise<string> {
  const path = await at.add(name);
  const { environment, repository } = at.workspace;
  await updateRegistry(environment, repository, ({ worktrees }) => {
    worktrees.set(`${name}-child`, { path: `/nowhere/${name}`, branch: `${name}-child`, base: name, pr: null });
  });
  await writeActive(environment, repository, { path, branch: name, created: '2026-01-06' });
  await at.repository.write(`.claude/agents/wt-${name}.md`, 'agent\n');
  return path;
}

/** A removal of a worktree: gently with ignored files and a commit that only its log names, by force with uncommitted files. */
export async function killedCleanup(how: 'gently' | 'force'): Promise<Killable> {
  const at = await startRemovals();
  const { repository } = at;
  await repository.commit('Configure', { '.worktrees.yml': `tracking_file: ${tracking}\n` });
  const workspace = { ...at.workspace, configuration: await readConfiguration(repository.root) };
  const own = join(workspace.repository.commonDir, 'worktree-stacks');
  const path = join(repository.root, '.worktrees', 'login');
  const textOf = (...names: string[]): Promise<string | undefined> =>
    readFile(join(...names), 'utf8').catch(() => undefined);
  const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch((): string[] => []);

  async function fill(): Promise<void> {
    await addToRemove(at, 'login');
    const record = { path: '.worktrees/login', branch: 'login', status: 'active', theirs: 1 };
    await repository.write(tracking, JSON.stringify({ worktrees: [record] }));
    if (how === 'force') {
      await repository.write(join(path, 'lib/a.txt'), 'changed\n');
      await repository.write(join(path, 'new.txt'), 'new\n');
      return;
    }
    await repository.write(join(path, '.work/notes.md'), 'notes\n');
    await repository.gitIn(path, 'checkout', '--quiet', '--detach');
    await repository.commit('lost', {}, path);
    await repository.gitIn(path, 'checkout', '--quiet', 'login');
  }

  /** What is kept of it in files: an ignored file, and the log of its `HEAD`, whose commit a ref holds. */
  async function kept(): Promise<unknown> {
    const [id, ...others] = await namesIn(join(own, 'kept'));
    assert.deepEqual(others, [], 'kept once');
    if (id === undefined) return undefined;
    const lost = /([0-9a-f]{40}) Ada.*\tcommit: lost/.exec(
      (await textOf(own, 'kept', id, 'record/logs/HEAD')) ?? '',
    )?.[1];
    const refs = lost === undefined ? '' : await repository.git('for-each-ref', '--contains', lost);
    return [await textOf(own, 'kept', id, 'files/.work/notes.md'), /-login\/reflog$/.test(refs)];
  }

  /** Which of its traces there are: all or none. */
  async function traces(): Promise<boolean[]> {
    const { worktrees } = await readRegistry(workspace.repository);
    const tracked = (await textOf(repository.root, tracking)) ?? '';
    const [record] = (JSON.parse(tracked) as { worktrees: { status: string; theirs: number }[] }).worktrees;
    assert.equal(record?.theirs, 1);
    return [
      record.status === 'active',
      existsSync(path),
      (await at.listed()).includes(path),
      (await at.branches()).includes('login'),
      worktrees.has('login'),
      worktrees.get('login-child')?.base === 'login',
      (await readActive(workspace.repository))?.path === path,
      existsSync(join(repository.root, '.claude/agents/wt-login.md')),
    ];
  }

  await fill();
  const steps = runOnCopies(at.home.root, (into) => dieRemoving(at, 'login', how, into));
  return {
    workspace,
    run: steps.run,
    picture: async () => [
      await traces(),
      existsSync(path) && [
        await repository.gitIn(path, 'status', '--porcelain'),
        /^commit: lost$/m.test(await repository.gitIn(path, 'reflog', '--format=%gs')),
      ],
      await Promise.all(['.work/notes.md', 'lib/a.txt', 'new.txt'].map((file) => textOf(path, file))),
      await kept(),
      await namesIn(join(own, 'trash')),
      (await namesIn(join(repository.root, '.worktrees'))).sort(),
    ],
    check: async (finished) => {
      assert.deepEqual(new Set(await traces()), new Set([!finished]));
      if (how === 'gently' || !finished) return;
      const refs = await repository.git('for-each-ref', '--format=%(refname)', 'refs/wt-backup');
      const ref = refs.split('\n').find((each) => each.endsWith('-login/changes'));
      assert.ok(ref, `no backup among ${refs}`);
      assert.equal(await repository.git('show', `${ref}:new.txt`), 'new');
      assert.equal(await repository.git('show', `${ref}:lib/a.txt`), 'changed');
    },
    reverse: async () => {
      const refs = (await repository.git('for-each-ref', '--format=%(refname)', 'refs/wt-backup')).split('\n');
      for (const ref of refs.filter((each) => each !== '')) await repository.git('update-ref', '-d', ref);
      for (const folder of [join(own, 'kept'), finishedFolder(workspace.repository)])
        await rm(folder, { recursive: true, force: true });
      await fill();
    },
    dispose: async () => {
      assert.equal(await repository.git('fsck', '--connectivity-only', '--no-dangling'), '');
      steps.forget();
      await at.dispose();
    },
  };
}
