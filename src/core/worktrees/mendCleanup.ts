import type { JournalRecord } from './journal.ts';
import type { Workspace } from './workspace.ts';

/** Completes a removal whose process died. */
export async function mendCleanup(_workspace: Workspace, _record: JournalRecord): Promise<void> {}
