import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { carry, type Carried } from '../../src/core/carry/carry.ts';
import { readSnapshot } from '../../src/core/snapshot/snapshot.ts';
import { findWorktree } from '../../src/core/worktree/find.ts';
import { readOperations } from '../../src/core/operations/store.ts';
import { redo, undo } from '../../src/core/recovery/undo.ts';
import { updateRegistry } from '../../src/core/repository/registry.ts';
import { stateFile } from '../../src/core/repository/stateFile.ts';
import { bundled } from './bundled.ts';
import { ignoreInodes, runOnCopies } from './killOnCopies.ts';
import type { Killable } from './killEveryStep.ts';
import type { TestRepository } from './tempRepo.ts';
import { Stacks } from './stacks.ts';

/** Carries uncommitted work between two worktrees of {@link Stacks}. */
export async function carryBetween(
  { workspace, repository }: Pick<Stacks, 'workspace' | 'repository'>,
  from: string,
  to: string,
  mode: 'move' | 'copy' = 'move',
): Promise<Carried> {
  const snapshot = await readSnapshot(workspace, { withChanges: false });
  const find = (word: string): ReturnType<typeof findWorktree> => findWorktree(snapshot, word, repository.root);
  return carry(workspace, { from: await find(from), to: await find(to), mode });
}

/** Every file of a worktree to the byte, with its kind and whether it can be executed; what is staged; and what git says of both. */
export async function pictureOf(
  { gitIn }: Pick<TestRepository, 'gitIn'>,
  root: string,
): Promise<Record<string, string>> {
  const picture: Record<string, string> = {
    head: await gitIn(root, 'rev-parse', 'HEAD'),
    staged: await gitIn(root, 'ls-files', '--stage'),
    status: await gitIn(root, 'status', '--porcelain=v2', '--untracked-files=all', '--ignored', '--no-renames'),
  };
  const walk = (folder: Buffer): void => {
    for (const name of readdirSync(folder, { encoding: 'buffer' })) {
      if (name.toString() === '.git' || name.toString() === '.worktrees') continue;
      const path = Buffer.concat([folder, Buffer.from('/'), name]);
      const found = lstatSync(path);
      const key = `file ${path.subarray(Buffer.byteLength(root) + 1).toString('latin1')}`;
      if (found.isDirectory()) walk(path);
      else if (found.isSymbolicLink()) picture[key] = `-> ${readlinkSync(path)}`;
      else
        picture[key] =
          `${(found.mode & 0o111) === 0 ? '' : 'x '}${createHash('sha1').update(readFileSync(path)).digest('hex')}`;
    }
  };
  walk(Buffer.from(root));
  return picture;
}

/** Two worktrees, the first with work of several kinds, the second at another commit. */
export async function startCarries(): Promise<Stacks> {
  const at = await Stacks.start();
  await ignoreInodes(at.repository);
  await at.commit('main', 'Files', { 'both.txt': '1\n2\n3\n4\n5\n', 'gone.txt': 'gone\n', 'lib/a.txt': 'a\n' });
  await at.add('a', 'main');
  await at.add('b', 'main', { 'both.txt': '1\n2\n3\n4\ntheirs\n' });
  const inA = (file: string): string => join(at.path('a'), file);
  writeFileSync(inA('both.txt'), 'staged\n2\n3\n4\n5\n');
  writeFileSync(inA('lib/a.txt'), 'staged\n');
  await at.git('a', 'add', 'both.txt', 'lib/a.txt');
  writeFileSync(inA('lib/a.txt'), 'unstaged\n');
  chmodSync(inA('lib/a.txt'), 0o755);
  unlinkSync(inA('gone.txt'));
  symlinkSync('both.txt', inA('link'));
  await at.repository.write(inA('new/untracked.txt'), 'untracked\n');
  writeFileSync(inA('meant.txt'), 'meant\n');
  await at.git('a', 'add', '--intent-to-add', 'meant.txt');
  return at;
}

/** Carrying, or its undo, that is killed. */
export async function killedCarry(what: 'carry' | 'undo'): Promise<Killable> {
  const at = await startCarries();
  const picture = async (): Promise<unknown> => [
    await pictureOf(at.repository, at.path('a')),
    await pictureOf(at.repository, at.path('b')),
  ];
  if (what === 'undo') await carryBetween(at, 'a', 'b');
  const steps = runOnCopies(at.home.root, (into) => drive(at, what, 'a to b', into));
  return {
    workspace: at.workspace,
    run: steps.run,
    picture,
    check: async (finished) => {
      const [last] = await readOperations(at.workspace);
      const before = what === 'undo' ? ['carry', 'done'] : [undefined, undefined];
      assert.deepEqual([last?.kind, last?.state], finished ? [what, 'done'] : before);
      if (!finished && what === 'carry')
        assert.equal(await at.repository.git('for-each-ref', 'refs/wt-backup'), '', 'no refs are left');
    },
    reverse: async () => {
      await (what === 'undo' ? redo(at.workspace) : undo(at.workspace));
    },
    dispose: () => {
      steps.forget();
      return at.dispose();
    },
  };
}

/** The creation of a worktree with the work of another. */
export async function killedCreateWithChanges(): Promise<Killable> {
  const at = await startCarries();
  const steps = runOnCopies(at.home.root, (into) => drive(at, 'create', 'a to x', into));
  return {
    workspace: at.workspace,
    run: steps.run,
    picture: async () => [
      await pictureOf(at.repository, at.path('a')),
      existsSync(at.path('x')) && (await pictureOf(at.repository, at.path('x'))),
      await at.picture(),
    ],
    check: async (finished) => {
      assert.equal(existsSync(at.path('x')), finished);
      assert.equal((await at.git('a', 'status', '--porcelain')) === '', finished);
      if (finished) assert.equal((await at.git('x', 'status', '--porcelain')).split('\n').length, 6);
    },
    reverse: async () => {
      await undo(at.workspace);
      await at.repository.git('worktree', 'remove', '--force', at.path('x'));
      await at.repository.git('branch', '--quiet', '-D', 'x');
      const { environment, repository } = at.workspace;
      await updateRegistry(environment, repository, ({ worktrees }) => void worktrees.delete('x'));
      rmSync(stateFile(repository), { force: true });
    },
    dispose: () => {
      steps.forget();
      return at.dispose();
    },
  };
}

/** Carries in a process of its own, which leaves a copy of the home at each step: `carryDriver.ts`. */
export async function drive(at: Stacks, what: string, names: string, into: string): Promise<void> {
  const driver = new URL('./carryDriver.ts', import.meta.url);
  const child = spawn(process.execPath, [bundled(driver), at.repository.root, what, names, into], {
    env: at.home.variables,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  assert.notEqual(output, '', 'it came to its end');
}
