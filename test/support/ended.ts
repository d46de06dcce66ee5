import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { processExists } from '../../src/core/base/processes.ts';

/**
 * Waits until a process has ended. One that was killed keeps its number until whoever inherited it has asked how it ended, which not
 * every first process of a machine does: such a zombie counts as ended.
 */
export async function ended(pid: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (processExists(pid)) {
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => 'unknown');
    if (/\) Z /.test(state)) return;
    assert.ok(Date.now() < deadline, `process ${pid} goes on: ${state}`);
    await delay(20);
  }
}
