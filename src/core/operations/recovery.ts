import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { rm } from '../base/heldFiles.ts';
import { withFileLock } from '../base/fileLock.ts';
import { Problem, messageOf } from '../base/problem.ts';
import { systemProblem } from '../base/systemFailure.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { OperationKind } from './runner.ts';
import {
  isAbandoned,
  isPaused,
  isUnderWay,
  notePending,
  pendingFiles,
  readOperation,
  readPendingFile,
  rememberOperation,
  type PendingOperation,
} from './store.ts';
import { operationsMessages } from '../messages/operations.ts';
import { textOf } from '../messages/message.ts';

/** Kinds of operations by name. Each is loaded only when one of it was interrupted: every command asks. */
export type KindLoaders = Readonly<Record<string, () => Promise<OperationKind<never>>>>;

/** Git processes of a killed operation begin nothing new this long after it began, in milliseconds. */
const settlingTime = 2000;

/**
 * Recovers operations whose process died or gave them up, each by one process at a time: past its commit point an operation is finished,
 * before it is rolled back, unless it waits for a person. Its file goes when that was done; else the next recovery tries again.
 *
 * @param kinds those that can be recovered; operations of other kinds are left alone.
 * @returns the problems of those that could not be recovered.
 */
export async function recoverDead(workspace: Workspace, kinds: KindLoaders): Promise<Problem[]> {
  const { environment, repository } = workspace;
  const problems: Problem[] = [];
  // What belongs to no worktree alone first: the creation of one waits for what was being carried to it.
  const isShared = (file: string): boolean => basename(file).startsWith('_');
  const files = await pendingFiles(repository);
  for (const file of [...files.filter(isShared), ...files.filter((each) => !isShared(each))]) {
    try {
      const found = await readPendingFile(repository, file);
      if (found === undefined || (found !== 'empty' && !(await isDead(found)))) continue;
      await withFileLock(environment, file, async () => {
        const pending = await readPendingFile(repository, file);
        if (pending === undefined) return;
        if (pending !== 'empty') {
          const load = (await isDead(pending)) ? kinds[pending.kind] : undefined;
          if (!load || (await recover(workspace, await load(), pending, file)) === 'waits') return;
        }
        await rm(file, { force: true });
      });
    } catch (thrown) {
      problems.push(Problem.is(thrown) ? thrown : notRecovered(file, thrown));
    }
  }
  return problems;

  async function isDead(pending: PendingOperation): Promise<boolean> {
    return Object.hasOwn(kinds, pending.kind) && !isPaused(pending) && !(await isUnderWay(environment, pending));
  }
}

async function recover(
  workspace: Workspace,
  kind: OperationKind<unknown>,
  pending: PendingOperation,
  file: string,
): Promise<'done' | 'waits'> {
  const { environment, repository } = workspace;
  const { data, committed = false } = pending;
  const report = (what: string): void => environment.log.info(`${what}: ${textOf(kind.describe(data))}.`);
  const pause = async (): Promise<'waits'> => {
    await notePending(repository, file, pending, { waits: true });
    report('Waits for a person');
    return 'waits';
  };
  report('Recovering');
  if (await isRemembered(workspace, data)) return 'done';
  if (kind.startsGit) await settle(workspace, pending);
  if (committed || (await kind.isCommitted(workspace, data))) {
    if (kind.notesCommit && !committed) await notePending(repository, file, pending, { committed: true });
    const { operation, waits, remains } = await kind.finish(workspace, data);
    if (operation) await rememberOperation(workspace, operation);
    if (waits) return pause();
    if (remains) return 'waits';
    report('Finished');
  } else {
    if (pending.waits || (await kind.waits?.(workspace, data))) return pause();
    await kind.rollBack(workspace, data);
    report('Rolled back');
  }
  return 'done';
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
    new Problem('inconsistent', operationsMessages.notRecovered({ reason: messageOf(thrown) }), {
      file,
      next: operationsMessages.seeWhatIsLeft({ file }),
      outcome: 'incomplete',
      cause: thrown,
    })
  );
}
