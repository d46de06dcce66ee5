/**
 * A process of its own that removes a worktree and dies by SIGKILL at a given step of it. A step is each call that changes
 * something on disk and each start of a program, before and right after it: those are the moments between which a killed
 * process leaves different things behind.
 *
 * Arguments: the main root, the worktree's name, `force` or `gently` (or `reclaim`: only its build output goes), and the step to die at (0: live, and print how many
 * steps there are), or a folder: live, and leave a copy of the home there for each step.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { copyAtSteps } from './stepCopies.ts';

const [root = '', name = '', how = '', at = '0'] = process.argv.slice(2);
const dieAt = Number(at);
const copy = at.startsWith('/') ? copyAtSteps(process.env['HOME'] ?? '', at) : undefined;
let step = 0;
let counting = false;

function countStep(): void {
  if (!counting) return;
  step++;
  copy?.();
  if (step !== dieAt) return;
  process.kill(process.pid, 'SIGKILL');
  // The signal arrives at some time; nothing more may happen until then.
  for (;;);
}

type Callable = (this: unknown, ...args: unknown[]) => unknown;

function wrap(holder: object, method: string, both: boolean): void {
  const methods = holder as Record<string, Callable>;
  const original = methods[method];
  if (!original) throw new Error(`There is no ${method} to count.`);
  methods[method] = function (this: unknown, ...args: unknown[]): unknown {
    countStep();
    const result = original.apply(this, args);
    if (both) countStep();
    return result;
  };
}

for (const method of ['rename', 'rm', 'rmdir', 'unlink', 'mkdir', 'writeFile', 'open', 'copyFile', 'link', 'chmod']) {
  wrap(fs.promises, method, false);
}
// The libraries that write and lock use callbacks.
for (const method of ['rename', 'rmdir', 'unlink', 'mkdir', 'write']) wrap(fs, method, false);
wrap(childProcess, 'spawn', true);
syncBuiltinESMExports();

const { environmentOf } = await import('../../src/core/base/environment.ts');
const { Git } = await import('../../src/core/git/git.ts');
const { readConfiguration } = await import('../../src/core/repository/configuration.ts');
const { locate } = await import('../../src/core/repository/identity.ts');
const { removeWorktree } = await import('../../src/core/remove/remove.ts');
const { findWorktree } = await import('../../src/core/worktree/find.ts');
const { inspectRemoval } = await import('../../src/core/remove/inspect.ts');
const { readSnapshot } = await import('../../src/core/snapshot/snapshot.ts');
const { inspectReclaim } = await import('../../src/core/reclaim/inspect.ts');
const { reclaim } = await import('../../src/core/reclaim/reclaim.ts');
const { deleteTrash } = await import('../../src/core/trash/trash.ts');

const environment = environmentOf(process);
const git = new Git(environment);
const { repository } = await locate(git, root);
const workspace = { environment, git, repository, configuration: await readConfiguration(repository.mainRoot) };
const snapshot = await readSnapshot(workspace, { withChanges: false });
const worktree = await findWorktree(snapshot, name, root);
const later: string[] = [];
const deleteLater = (folder: string): void => void later.push(folder);
if (how === 'reclaim') {
  const again = (): ReturnType<typeof inspectReclaim> => inspectReclaim(workspace, snapshot, worktree, { idle: 0 });
  const shown = await again();
  counting = true;
  await reclaim(workspace, shown, { again, deleteLater });
} else {
  const removal = await inspectRemoval(workspace, snapshot, worktree);
  // Looking changes nothing, so it is no step.
  counting = true;
  const force = how === 'force';
  await removeWorktree(workspace, removal, { force, drop: force, lookLater: true, deleteLater });
}
for (const folder of later) await deleteTrash(git, folder);
process.stdout.write(String(step));
