import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { withFileLock } from '../base/fileLock.ts';
import { Problem, messageOf } from '../base/problem.ts';
import { systemProblem } from '../base/systemFailure.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { OperationKind } from './runner.ts';
import {
  isAbandoned,
  isUnderWay,
  pendingFiles,
  readOperation,
  readPendingFile,
  rememberOperation,
  writePending,
  type PendingOperation,
} from './store.ts';

/** Kinds of operations by name. Each is loaded only when one of it was interrupted: every command asks. */
export type KindLoaders = Readonly<Record<string, () => Promise<OperationKind<never>>>>;

/** Git processes of a killed operation begin nothing new this long after it began, in milliseconds. */
const settlingTime = 2000;

/**
 * Recovers operations whose process died or gave them up, each by one process at a time: past its commit point an operation is finished,
 * before it is rolled back. Its file goes when that was done; else the next recovery tries again.
 *
 * @param kinds those that can be recovered; operations of other kinds are left alone.
 * @returns the problems of those that could not be recovered.
 */
export async function recoverDead(workspace: Workspace, kinds: KindLoaders): Promise<Problem[]> {
  const { environment, repository } = workspace;
  const problems: Problem[] = [];
  for (const file of await pendingFiles(repository)) {
    try {
      const found = await readPendingFile(repository, file);
      if (found !== 'empty' && (!found || !Object.hasOwn(kinds, found.kind) || (await isUnderWay(environment, found))))
        continue;
      await withFileLock(environment, file, async () => {
        const pending = await readPendingFile(repository, file);
        if (pending === undefined || (pending !== 'empty' && (await isUnderWay(environment, pending)))) return;
        const isDone = pending === 'empty' || (await recover(workspace, kinds, pending));
        if (isDone) await rm(file, { force: true });
      });
    } catch (thrown) {
      problems.push(Problem.is(thrown) ? thrown : notRecovered(file, thrown));
    }
  }
  return problems;
}

/** Whether nothing is left to do for it. */
async function recover(workspace: Workspace, kinds: KindLoaders, pending: PendingOperation): Promise<boolean> {
  const { environment, repository } = workspace;
  const load = kinds[pending.kind];
  if (!load) return true;
  const kind: OperationKind<unknown> = await load();
  const { data, committed = false } = pending;
  environment.log.info(`Recovering: ${kind.describe(data)}.`);
  if (await isRemembered(workspace, data)) return true;
  if (kind.startsGit) await settle(workspace, pending);
  if (committed || (await kind.isCommitted(workspace, data))) {
    if (kind.notesCommit && !committed) await writePending(repository, { ...pending, committed: true });
    const { operation, remains = false } = await kind.finish(workspace, data);
    if (operation) await rememberOperation(workspace, operation);
    if (!remains) environment.log.info(`Finished: ${kind.describe(data)}.`);
    return !remains;
  }
  await kind.rollBack(workspace, data);
  environment.log.info(`Rolled back: ${kind.describe(data)}.`);
  return true;
}

/** Whether the log has it as done: its process died between that and removing its file. */
async function isRemembered(workspace: Workspace, data: unknown): Promise<boolean> {
  const { operation } = data as { readonly operation?: { readonly id: string } };
  const state = operation && (await readOperation(workspace, operation.id))?.state;
  return state === 'done' || state === 'aborted';
}

/** Git processes outlive the one that started them; the short ones, which create a ref or an admin directory, have ended after this. */
async function settle({ environment }: Workspace, pending: PendingOperation): Promise<void> {
  if (isAbandoned(pending)) return;
  const age = environment.now().getTime() - Date.parse(pending.started);
  if (age >= 0 && age < settlingTime) await delay(settlingTime - age);
}

/** A file that makes no sense must not keep every command from its work. */
function notRecovered(file: string, thrown: unknown): Problem {
  return (
    systemProblem(thrown) ??
    new Problem('inconsistent', `An interrupted operation could not be recovered: ${messageOf(thrown)}`, {
      file,
      next: `see what is left of it (\`git worktree list\`), then move its record away: ${file}`,
      outcome: 'incomplete',
      cause: thrown,
    })
  );
}
