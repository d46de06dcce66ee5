import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { l10n, type CancellationToken } from 'vscode';
import { byteSizeWords } from '../../core/base/byteSize.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import type { Log } from '../../core/base/log.ts';
import { Problem, messageOf } from '../../core/base/problem.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { measureWorktree, type WorktreeSize } from '../../core/worktree/worktreeSize.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';

/** A tooltip waits so long for a size, in milliseconds; a larger worktree is measured on in the background. */
const patience = 300;
/** What git ignores changes without a sign: a size is measured again after so long, in milliseconds. */
const holds = 5 * 60_000;

interface Measured {
  readonly key: string;
  readonly at: number;
  readonly size: WorktreeSize | undefined;
}

interface Measuring {
  readonly path: string;
  readonly cancel: AbortController;
  readonly result: Promise<WorktreeSize | undefined>;
}

/**
 * The sizes of worktrees whose tooltips were asked for. One is measured at a time, a folder after the other: the next one that is asked for
 * takes its place. Nothing is measured that nobody points at.
 */
export class WorktreeSizes implements Disposable {
  readonly #log: Log;
  readonly #onLate: (path: string) => void;
  readonly #known = new Map<string, Measured>();
  #measuring: Measuring | undefined;

  /** @param onLate a size that a tooltip did not wait for is known now. */
  constructor(log: Log, onLate: (path: string) => void) {
    this.#log = log;
    this.#onLate = onLate;
  }

  /** What a tooltip says of the size of a worktree; `undefined` where there is nothing to say. */
  async textOf(model: RepositoryModel, worktree: Worktree, token: CancellationToken): Promise<string | undefined> {
    const { path } = worktree;
    if (worktree.bare || worktree.condition !== 'fine') return undefined;
    const key = await keyOf(worktree);
    const known = this.#known.get(path);
    if (known?.key === key && Date.now() - known.at < holds) return sizeText(known.size);
    if (token.isCancellationRequested) return undefined;
    const measuring = this.#measuring?.path === path ? this.#measuring : this.#begin(model, worktree, key);
    const leaving = token.onCancellationRequested(() => measuring.cancel.abort());
    try {
      const soon = await Promise.race([measuring.result.then((size) => ({ size })), delay(patience)]);
      if (soon) return sizeText(soon.size);
    } finally {
      leaving.dispose();
    }
    void measuring.result.then(() => {
      if (!measuring.cancel.signal.aborted) this.#onLate(path);
    });
    return l10n.t('being measured');
  }

  /** Gives up what is being measured: nobody looks any more. */
  stop(): void {
    this.#measuring?.cancel.abort();
    this.#measuring = undefined;
  }

  dispose(): void {
    this.stop();
  }

  #begin(model: RepositoryModel, worktree: Worktree, key: string): Measuring {
    this.stop();
    const cancel = new AbortController();
    const measure = async (): Promise<WorktreeSize | undefined> => {
      try {
        const { git } = await model.workspace();
        const all = model.state?.snapshot.worktrees ?? [];
        const measured = await measureWorktree(git, worktree, { all, signal: cancel.signal, atOnce: 1 });
        this.#known.set(worktree.path, { key, at: Date.now(), size: measured?.size });
        return measured?.size;
      } catch (thrown) {
        if (!Problem.is(thrown, 'cancelled'))
          this.#log.warn(`${worktree.path} could not be measured: ${messageOf(thrown)}`);
        return undefined;
      } finally {
        if (this.#measuring === now) this.#measuring = undefined;
      }
    };
    // Never rejects.
    const now: Measuring = { path: worktree.path, cancel, result: Promise.resolve().then(measure) };
    this.#measuring = now;
    return now;
  }
}

function sizeText(size: WorktreeSize | undefined): string | undefined {
  if (!size) return undefined;
  const words = byteSizeWords(size.bytes);
  if (size.ignored === 0) return size.whole ? words : l10n.t('more than {0}', words);
  const ignored = byteSizeWords(size.ignored);
  return size.whole
    ? l10n.t('{0}, of which Git ignores {1}', words, ignored)
    : l10n.t('more than {0}, of which Git ignores {1}', words, ignored);
}

/** The same text as long as the worktree has not changed in a way that shows. */
async function keyOf({ path, gitDir, head, changes }: Worktree): Promise<string> {
  const times = await Promise.all(
    [path, join(gitDir ?? path, 'index')].map((file) =>
      stat(file).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return JSON.stringify([head, changes, times]);
}
