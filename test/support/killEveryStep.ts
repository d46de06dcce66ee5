import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { pendingFolder } from '../../src/core/operations/store.ts';
import { recoverInterrupted } from '../../src/core/recovery/recover.ts';
import type { Workspace } from '../../src/core/worktree/workspace.ts';

/** Later than any git process of a killed operation could still make something. */
const later = (): Date => new Date(Date.now() + 60_000);

/** An operation that can be killed at each of its steps. */
export interface Killable {
  readonly workspace: Workspace;
  /** Runs it in a process that kills itself after a step; whether it came to its end. */
  run(step: number): Promise<boolean>;
  /** Everything that it could change: must be the same before it, and whenever it was rolled back. */
  picture(): Promise<unknown>;
  /** What must be the same whenever it was finished; without it the picture. */
  result?(): Promise<unknown>;
  /** Takes it back after it was finished, so that it can run again. */
  reverse(): Promise<void>;
  /** Looks at the log. @param finished whether it was finished. */
  checkLog?(finished: boolean): Promise<void>;
}

/** Recovers what a killed process left: all of it, and nothing when it is asked for twice. */
export async function recoverKilled(workspace: Workspace, picture: () => Promise<unknown>): Promise<unknown> {
  const now = { ...workspace, environment: { ...workspace.environment, now: later } };
  assert.deepEqual(await recoverInterrupted(now), []);
  const recovered = await picture();
  assert.deepEqual(await recoverInterrupted(now), []);
  assert.deepEqual(await picture(), recovered);
  const pending = await readdir(pendingFolder(workspace.repository)).catch((): string[] => []);
  // The lock of a dead process is taken over by whoever wants it.
  assert.deepEqual(
    pending.filter((name) => !name.endsWith('.lock')),
    [],
  );
  return recovered;
}

/**
 * Kills an operation after each of its steps, one after the other: recovery must have rolled it back or finished it as a whole, and it
 * must be possible to undo it, and to run it again.
 *
 * @returns how often it was rolled back, and how often it was finished.
 */
export async function killEveryStep(
  killable: Killable,
): Promise<{ readonly rolledBack: number; readonly finished: number }> {
  const result = (): Promise<unknown> => killable.result?.() ?? killable.picture();
  const [before, beforeResult] = [await killable.picture(), await result()];
  let after: unknown;
  const counts = { rolledBack: 0, finished: 0 };
  for (let step = 1, ended = false; !ended; step++) {
    assert.ok(step < 200, 'it has an end');
    const when = `killed after step ${step}`;
    ended = await killable.run(step);
    const recovered = await recoverKilled(killable.workspace, () => killable.picture());
    const now = await result();
    const isFinished = JSON.stringify(now) !== JSON.stringify(beforeResult);
    assert.ok(isFinished || !ended, 'it did something');
    await killable.checkLog?.(isFinished);
    if (isFinished) {
      counts.finished++;
      after ??= now;
      assert.deepEqual(now, after, when);
      await killable.reverse();
    } else {
      counts.rolledBack++;
      assert.deepEqual(recovered, before, when);
    }
    assert.deepEqual(await killable.picture(), before, `${when}, then reversed`);
  }
  assert.ok(counts.rolledBack > 0 && counts.finished > 1, JSON.stringify(counts));
  return counts;
}
