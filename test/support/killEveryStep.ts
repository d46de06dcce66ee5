import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { pendingFolder } from '../../src/core/operations/store.ts';
import { recoverInterrupted } from '../../src/core/recovery/recover.ts';
import type { Workspace } from '../../src/core/worktree/workspace.ts';
import { isInShare, isThorough } from './share.ts';

/** Later than any git process of a killed operation could still make something, and than trash and half-written files are left alone. */
const later = (): Date => new Date(Date.now() + 3_600_000);

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
  /** Checks the rest, such as the log. @param finished whether it was finished. */
  check?(finished: boolean): Promise<void>;
  /** Ends the processes and folders of its scene. */
  dispose(): Promise<void>;
}

/** One in so many steps is tried in the ordinary run: hundreds of kills, each with a recovery and an undo. */
const parts = 4;

/** How often an operation was rolled back, and how often it was finished. */
interface Counts {
  rolledBack: number;
  finished: number;
}

/** A scene in which an operation is killed. */
export interface KillScene {
  readonly start: () => Promise<Killable>;
  /** So many scenes share the steps, each in a repository of its own; default one. Most of a run is waiting. */
  readonly atOnce?: number;
  /** How often it must have come out in either way, where all steps are tried. */
  readonly least?: Readonly<Counts>;
  /** From here on it would be like another scene. */
  readonly enough?: (counts: Readonly<Counts>) => boolean;
}

/** Recovers what a killed process left: all of it, and nothing when it is asked for twice. */
export async function recoverKilled(workspace: Workspace, picture: () => Promise<unknown>): Promise<unknown> {
  const now = { ...workspace, environment: { ...workspace.environment, now: later } };
  const left = (): Promise<string[]> => readdir(pendingFolder(workspace.repository)).catch((): string[] => []);
  assert.deepEqual(await recoverInterrupted(now), []);
  const recovered = await picture();
  assert.deepEqual(await recoverInterrupted(now), []);
  // A lock whose owner died before it had signed it is believed to be dead only after some seconds.
  for (const deadline = Date.now() + 30_000; (await left()).length > 0 && Date.now() < deadline;)
    assert.deepEqual(await recoverInterrupted(now), []);
  assert.deepEqual(await picture(), recovered);
  assert.deepEqual(await left(), []);
  return recovered;
}

/**
 * Kills an operation after each of its steps (in the ordinary run a share of them), one after the other: recovery must have rolled it back or
 * finished it as a whole, and it must be possible to undo it, and to run it again.
 */
export async function killEveryStep({ start, atOnce = 1, least, enough }: KillScene): Promise<void> {
  const counts: Counts = { rolledBack: 0, finished: 0 };
  let next = 1;
  let ended = false;
  const work = async (): Promise<void> => {
    const killable = await start();
    try {
      const result = (): Promise<unknown> => killable.result?.() ?? killable.picture();
      const [before, beforeResult] = [await killable.picture(), await result()];
      let after: unknown;
      while (!ended && !enough?.(counts)) {
        while (!isInShare(next, parts)) next++;
        const step = next++;
        assert.ok(step < 500, 'it has an end');
        const when = `killed after step ${step}`;
        const lived = await killable.run(step);
        ended ||= lived;
        const recovered = await recoverKilled(killable.workspace, () => killable.picture());
        const now = await result();
        const isFinished = JSON.stringify(now) !== JSON.stringify(beforeResult);
        assert.ok(isFinished || !lived, 'it did something');
        await killable.check?.(isFinished);
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
    } finally {
      await killable.dispose();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const { rolledBack, finished } = least ?? { rolledBack: 1, finished: 2 };
  const enoughOf = (count: number): number => (isThorough ? count : Math.floor(count / parts));
  const isSeen = counts.rolledBack >= enoughOf(rolledBack) && counts.finished >= Math.max(1, enoughOf(finished));
  assert.ok(isSeen, JSON.stringify(counts));
}
