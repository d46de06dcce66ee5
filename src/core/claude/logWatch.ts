import { watch, type FSWatcher } from 'node:fs';
import type { Disposable } from '../base/disposable.ts';
import { logFolder } from './decisionLog.ts';

/**
 * Watches the folder of a repository's log, once it is there. Not through the workbench: its watcher may miss what happens in a folder
 * that has just been made, together with the folder above it, and is then blind there for good.
 */
export class LogWatch implements Disposable {
  readonly #folder: string;
  readonly #changed: () => void;
  readonly #persistent: boolean;
  #watcher: FSWatcher | undefined;

  /** @param persistent whether the process is to live as long as it watches. */
  constructor(commonDir: string, changed: () => void, persistent = false) {
    this.#folder = logFolder(commonDir);
    this.#changed = changed;
    this.#persistent = persistent;
  }

  /** Whether changes are reported now. There is no folder before the first hook has run. */
  get isWatching(): boolean {
    return this.#watcher !== undefined;
  }

  /** Begins to watch, unless it does already or there is nothing to watch yet. */
  begin(): void {
    if (this.#watcher) return;
    try {
      const watcher = watch(this.#folder, { persistent: this.#persistent }, () => this.#changed());
      watcher.on('error', () => {
        watcher.close();
        if (this.#watcher === watcher) this.#watcher = undefined;
      });
      this.#watcher = watcher;
    } catch {
      // It is tried again with the next call.
    }
  }

  dispose(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
