import { relative, sep } from 'node:path';
import { RelativePattern, Uri, workspace, type FileSystemWatcher } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { isWithin } from '../../core/base/paths.ts';
import type { Repository } from '../../core/repository/identity.ts';
import type { SnapshotCache } from '../../core/snapshot/snapshotCache.ts';
import { openFolders } from '../uris.ts';
import { concernsAgents, concernsFiles, concernsGit, leadsToGit, leavesList } from './watchFilter.ts';

/**
 * The most working trees outside the window's folders that are watched file by file. Each costs the system a watch per folder; for those beyond,
 * git's own files (commits, staging) and the window's focus tell.
 */
const mostOutsideTrees = 12;

/**
 * Milliseconds after which a new watch is relied on. The workbench sets it up in another process and does not say when it stands; until then
 * a change may go unseen.
 */
const settling = 3000;

/**
 * Watches a repository: its git directory, our files in it, and its working trees. The workbench watches its own folders anyway and shares
 * those watches; only what lies outside costs more.
 */
export class RepositoryWatch implements Disposable {
  readonly #store = new DisposableStore();
  readonly #trees = new Map<string, Disposable>();
  readonly #relied = new Map<string, Disposable>();
  readonly #commonDir: string;
  readonly #cache: SnapshotCache;
  readonly #onChange: (path: string) => void;

  /**
   * @param cache is told what is watched, and what changed there.
   * @param onChange hears of every change that may change what is shown.
   * @param onAgents hears when hooks of Claude Code have written into their log.
   */
  constructor(
    { commonDir, mainRoot }: Repository,
    cache: SnapshotCache,
    onChange: (path: string) => void,
    onAgents: () => void,
  ) {
    this.#commonDir = commonDir;
    this.#cache = cache;
    this.#onChange = onChange;
    this.#watch(this.#store, commonDir, '**', (path) => {
      const inside = relative(commonDir, path).split(sep).join('/');
      if (!leavesList(inside)) cache.invalidateList();
      if (concernsAgents(inside)) onAgents();
      else if (concernsGit(inside)) onChange(path);
    });
    const own = (folder: string, name: string): void => this.#watch(this.#store, folder, name, onChange);
    own(`${mainRoot}${sep}.worktrees`, 'stack.json');
    own(`${mainRoot}${sep}.claude`, 'dev-worktree.local.md');
    own(mainRoot, '.worktrees.yml');
  }

  /** Watches these working trees from now on, and no others; those that matter most come first. */
  setTrees(trees: readonly string[]): void {
    const folders = openFolders();
    // A tree inside another one is watched with it. A folder of the window may be only a part of a tree; then the tree is outside.
    const inside = (tree: string): boolean => folders.some((folder) => isWithin(folder, tree));
    const outermost = (tree: string): boolean => !trees.some((other) => other !== tree && isWithin(other, tree));
    const roots = [
      ...folders.filter((folder) => trees.some((tree) => isWithin(folder, tree))),
      ...trees.filter((tree) => !inside(tree) && outermost(tree)).slice(0, mostOutsideTrees),
    ];
    keepOnly(this.#trees, roots, (root) => this.#watchTree(root));
    const watched = trees.filter((tree) => roots.some((root) => isWithin(root, tree)));
    keepOnly(this.#relied, watched, (tree) => this.#relyOn(tree));
  }

  dispose(): void {
    this.#store.dispose();
    keepOnly(this.#relied, []);
    keepOnly(this.#trees, []);
  }

  #watchTree(root: string): Disposable {
    const store = new DisposableStore();
    this.#watch(store, root, '**', (path) => {
      const inside = relative(root, path).split(sep).join('/');
      const concerns = concernsFiles(inside);
      if (concerns || (leadsToGit(inside) && path !== this.#commonDir)) this.#cache.invalidate(path);
      if (concerns) this.#onChange(path);
    });
    return store;
  }

  #relyOn(tree: string): Disposable {
    const store = new DisposableStore();
    const rely = (): void => {
      store.add(this.#cache.watch(tree));
      // What happened while the watch was being set up was seen by nobody: one more look catches up.
      this.#onChange(tree);
    };
    const timer = setTimeout(rely, settling);
    store.add({ dispose: () => clearTimeout(timer) });
    return store;
  }

  #watch(store: DisposableStore, folder: string, glob: string, onPath: (path: string) => void): void {
    const watcher: FileSystemWatcher = workspace.createFileSystemWatcher(new RelativePattern(Uri.file(folder), glob));
    const listener = (uri: Uri): void => onPath(uri.fsPath);
    store.add(watcher);
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) store.add(event(listener));
  }
}

/** Makes a map hold exactly the wanted keys: lets go of the others, and makes those that are missing. */
function keepOnly(map: Map<string, Disposable>, wanted: readonly string[], make?: (key: string) => Disposable): void {
  for (const [key, held] of map) {
    if (wanted.includes(key)) continue;
    held.dispose();
    map.delete(key);
  }
  for (const key of wanted) if (make && !map.has(key)) map.set(key, make(key));
}
