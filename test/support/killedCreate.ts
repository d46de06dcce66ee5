import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { updateRegistry } from '../../src/core/repository/registry.ts';
import { stateFile } from '../../src/core/repository/stateFile.ts';
import { bundled } from './bundled.ts';
import { Creations, type Traces } from './creations.ts';
import { ignoreInodes, runOnCopies } from './killOnCopies.ts';
import type { Killable } from './killEveryStep.ts';

const driver = new URL('./createDriver.ts', import.meta.url);
const tracking = '.tracking/worktrees.json';

/** A repository whose new worktrees have a submodule, a copied file, a shared folder and a record in the tracking file. */
export async function startCreations(): Promise<Creations> {
  const at = await Creations.start();
  const sub = join(at.home.root, 'sub');
  await at.repository.write(join(sub, 'sub.txt'), 'sub\n');
  await at.repository.gitIn(sub, 'init', '--quiet');
  await at.repository.commit('Start', {}, sub);
  await at.repository.git('submodule', '--quiet', 'add', sub, 'libs/sub');
  await at.repository.commit('Files', { '.gitignore': '.env\n/deps/\n', 'deep/file.txt': 'text\n' });
  await at.configure(`tracking_file: ${tracking}\nworktree: { share: [deps] }\n`);
  await at.repository.write('.env', 'KEY=1\n');
  for (const file of ['deps/one', 'deps/more/two']) await at.repository.write(file, `${file}\n`);
  await ignoreInodes(at.repository);
  return at;
}

/** Runs a creation that is killed after a step; whether it came to its end. */
export async function dieCreating(
  at: Creations,
  name: string,
  step: number | string,
  variables: Record<string, string> = {},
): Promise<boolean> {
  const child = spawn(process.execPath, [bundled(driver), at.repository.root, name, String(step)], {
    env: { ...at.home.variables, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  return output !== '';
}

/** How much of a worktree there is; each of these must be all or nothing after recovery. */
export async function remainsOf(at: Creations, name: string, traces: Traces): Promise<boolean[]> {
  const tracked = await readFile(join(at.repository.root, tracking), 'utf8').catch(() => '');
  return [
    traces.branches.includes(name),
    traces.listed.includes(at.path(name)),
    traces.records.includes(name),
    traces.registered.includes(name),
    traces.folders.includes(name),
    traces.active === at.path(name),
    existsSync(join(at.path(name), 'deep/file.txt')),
    existsSync(join(at.path(name), '.env')),
    existsSync(join(at.path(name), 'libs/sub/sub.txt')),
    tracked.includes(`".worktrees/${name}"`),
  ];
}

/** What is shared with the main working tree came along whole, or not at all. */
export async function checkShared(at: Creations, name: string): Promise<void> {
  const deps = join(at.path(name), 'deps');
  if (!existsSync(deps)) return;
  for (const file of ['one', 'more/two']) assert.equal(await readFile(join(deps, file), 'utf8'), `deps/${file}\n`);
}

/** The creation of a worktree. */
export async function killedCreate(): Promise<Killable> {
  const at = await startCreations();
  const { environment, repository } = at.workspace;
  const steps = runOnCopies(at.home.root, (into) => dieCreating(at, 'x', into));
  return {
    workspace: at.workspace,
    run: steps.run,
    picture: async () => {
      const traces = await at.traces();
      return [traces, await remainsOf(at, 'x', traces)];
    },
    check: async (finished) => {
      const traces = await at.traces();
      assert.deepEqual(new Set(await remainsOf(at, 'x', traces)), new Set([finished]));
      assert.equal(traces.status, '');
      await checkShared(at, 'x');
      if (finished) assert.equal(await at.repository.gitIn(at.path('x'), 'status', '--porcelain'), '');
    },
    reverse: async () => {
      await at.repository.git('worktree', 'remove', '--force', at.path('x'));
      await at.repository.git('branch', '--quiet', '-D', 'x');
      await updateRegistry(environment, repository, ({ worktrees }) => void worktrees.delete('x'));
      for (const file of [stateFile(repository), join(at.repository.root, tracking)]) await rm(file, { force: true });
    },
    dispose: () => {
      steps.forget();
      return at.dispose();
    },
  };
}
