import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAbandoned, type JournalRecord } from '../operations/journal.ts';
import { readOperation } from '../operations/operationLog.ts';
import { notInSight, sightOf } from '../worktree/pathVisibility.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { RestoreData } from './restoreData.ts';
import { completeRestore, isInPlace, removeMark, takeRestoreBack } from './restoreSteps.ts';

/** So long after it began, in milliseconds, no git process of one that was killed makes anything new any more. */
const settlingTime = 2000;

/**
 * Completes bringing a worktree back when its process has died after it was in its place, and removes what was begun otherwise.
 *
 * @throws Problem when that fails; it is tried again then.
 */
export async function mendRestore(workspace: Workspace, record: JournalRecord): Promise<void> {
  const data = record.data as unknown as RestoreData;
  const { environment } = workspace;
  const age = environment.now().getTime() - Date.parse(record.started);
  if ((await readOperation(workspace, data.operation.id))?.state === 'done') return removeMark(data);
  if (!isAbandoned(record) && age >= 0 && age < settlingTime) await delay(settlingTime - age);
  if (await isInPlace(data)) {
    await completeRestore(workspace, data);
    await removeMark(data);
    environment.log.info(`Completed: ${data.operation.title}.`);
  } else {
    // Where it belongs may be a disk that is away, with the worktree on it. The folder that it is built in is made for it alone: seen empty, it
    // proves that the disk is there.
    const { name, path } = data.removal;
    const seen = await Promise.all([dirname(data.aside), path].map((each) => sightOf(each, workspace.repository)));
    if (!seen.includes('there') && seen.includes('unknown')) throw notInSight(`Bringing ${name} back`, path);
    await takeRestoreBack(workspace, data);
  }
}
