import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until no process was started about a folder any more: git processes outlive the one that started them, and no person moves a
 * repository within those milliseconds. Known on Linux only.
 */
export async function nobodyWorksIn(folder: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const pids = (await readdir('/proc').catch((): string[] => [])).filter((name) => /^\d+$/.test(name));
    const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
    const folders = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')));
    const busy = commands.filter((command, index) => command.startsWith('git\0') && folders[index]?.includes(folder));
    if (busy.length === 0) return;
    assert.ok(Date.now() < deadline, `still at work: ${busy.join(' ')}`);
    await delay(20);
  }
}
