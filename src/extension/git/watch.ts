import { sep } from 'node:path';
import { RelativePattern, Uri, workspace } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { isWithin, relativeTo, samePath } from '../../core/base/paths.ts';
import type { Repository } from '../../core/repository/identity.ts';
import { openFolders } from '../base/uris.ts';
import { effectInGit, effectInWorktree, leadsToGit, type FileChange } from './watchFilter.ts';

/**
 * How many working trees outside the window's folders are watched file by file, at most. Each costs the system a watch per folder; for the
 * others git's own files (commits, staging) and the window's focus have to do.
 */
const mostOutside = 12;

/**
 * Milliseconds after which a new watch is relied on. The workbench sets it up in another process and does not say when it is ready; until then
 * changes may be missed.
 */
const settling = 3000;

/** Receives the reports of a {@link RepositoryWatch}. */
export interface WatchListener {
  /** A file has changed. */
  changed(change: FileChange): void;
  /** Every change in a working tree will be reported from now on, until the result is disposed of. */
  relied(worktree: string): Disposable;
}

/**
 * Watches the files of a repository: its git directory, our own files, and its working trees. It reports to one listener. The workbench watches
 * its own folders anyway and shares those watches; only what lies outside costs more.
 */
export class RepositoryWatch implements Disposable {
  readonly #store = new DisposableStore();
  readonly #roots = new Map<string, Disposable>();
  readonly #relied = new Map<string, Disposable>();
  readonly #commonDir: string;
  readonly #listener: WatchListener;

  constructor({ commonDir, mainRoot }: Repository, listener: WatchListener) {
    this.#commonDir = commonDir;
    this.#listener = listener;
    this.#watch(this.#store, commonDir, '**', (path) => effectInGit(inside(commonDir, path)));
    const own = (folder: string, name: string): void => this.#watch(this.#store, folder, name, () => ({ shown: true }));
    own(`${mainRoot}${sep}.worktrees`, 'stack.json');
    own(`${mainRoot}${sep}.claude`, 'dev-worktree.local.md');
    own(mainRoot, '.worktrees.yml');
  }

  /** Watches these working trees from now on, and no others; the most important ones come first. */
  setWorktrees(worktrees: readonly string[]): void {
    const folders = openFolders();
    // One inside another is watched with it. A folder of the window may be only a part of a working tree; then that lies outside.
    const isOpen = (path: string): boolean => folders.some((folder) => isWithin(folder, path));
    const isOutermost = (path: string): boolean => !worktrees.some((other) => other !== path && isWithin(other, path));
    const roots = [
      ...folders.filter((folder) => worktrees.some((path) => isWithin(folder, path))),
      ...worktrees.filter((path) => !isOpen(path) && isOutermost(path)).slice(0, mostOutside),
    ];
    keepOnly(this.#roots, roots, (root) => this.#watchRoot(root));
    const watched = worktrees.filter((path) => roots.some((root) => isWithin(root, path)));
    keepOnly(this.#relied, watched, (path) => this.#relyOn(path));
  }

  dispose(): void {
    this.#store.dispose();
    keepOnly(this.#relied, []);
    keepOnly(this.#roots, []);
  }

  #watchRoot(root: string): Disposable {
    const store = new DisposableStore();
    this.#watch(store, root, '**', (path) =>
      samePath(path, this.#commonDir) && leadsToGit(path) ? {} : effectInWorktree(inside(root, path)),
    );
    return store;
  }

  #relyOn(worktree: string): Disposable {
    const store = new DisposableStore();
    const rely = (): void => {
      store.add(this.#listener.relied(worktree));
      // What happened while the watch was being set up was missed: reading once more catches up.
      this.#listener.changed({ path: worktree, shown: true });
    };
    const timer = setTimeout(rely, settling);
    store.add({ dispose: () => clearTimeout(timer) });
    return store;
  }

  #watch(store: DisposableStore, folder: string, glob: string, effectOf: (path: string) => Effect): void {
    const report = ({ fsPath: path }: Uri): void => {
      const effect = effectOf(path);
      if (Object.keys(effect).length > 0) this.#listener.changed({ path, ...effect });
    };
    store.add(watchFiles(folder, glob, report));
  }
}

type Effect = Omit<FileChange, 'path'>;

/** Watches the files of a folder that match a glob pattern, also outside of the window's folders. */
export function watchFiles(folder: string | Uri, glob: string, changed: (uri: Uri) => void): Disposable {
  const store = new DisposableStore();
  const base = typeof folder === 'string' ? Uri.file(folder) : folder;
  const watcher = store.add(workspace.createFileSystemWatcher(new RelativePattern(base, glob)));
  for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) store.add(event(changed));
  return store;
}

const inside = (root: string, path: string): string => relativeTo(root, path);

/** Makes a map hold exactly the wanted keys: disposes of the others, and makes the missing ones. */
export function keepOnly(
  map: Map<string, Disposable>,
  wanted: readonly string[],
  make?: (key: string) => Disposable,
): void {
  for (const [key, held] of map) {
    if (wanted.includes(key)) continue;
    held.dispose();
    map.delete(key);
  }
  for (const key of wanted) if (make && !map.has(key)) map.set(key, make(key));
}
