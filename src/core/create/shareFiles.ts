import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { byteSizeWords } from '../base/byteSize.ts';
import { copyTree, type TreeCopy } from '../base/copyTree.ts';
import { CannotClone } from '../base/copyFileCheaply.ts';
import { isWithin, realPathOf, relativeTo } from '../base/paths.ts';
import { stopIfCancelled } from '../base/problem.ts';
import { counts } from '../messages/counts.ts';
import { createMessages } from '../messages/create.ts';
import type { Message } from '../messages/message.ts';
import type { Progress } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { makeFolders } from './copyIgnored.ts';
import { ignoredOf, isTaken, type Share } from './findShares.ts';
import { linkFrom, repointLinks } from './shareLinks.ts';
import { linkTo } from './shareAsLink.ts';
import type { SharedPath } from './shared.ts';
import { dropShares, forgetSharing, noteSharing } from './unfinishedShares.ts';

/** So many of the things in one folder that were left out are named. */
const mostNamed = 5;

/** How sharing is watched and cancelled. */
export interface ShareOptions {
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What came of sharing. */
export interface SharedFiles {
  readonly shared: readonly SharedPath[];
  /** What was left out, and why. */
  readonly warnings: readonly Message[];
}

/**
 * Brings what {@link findShares} has found to a new worktree, one after the other. What is there already stays as it is, and what git would not
 * ignore there is left out.
 *
 * @throws Problem `not-writable`, `cancelled`, after all of it was deleted again.
 */
export async function shareFiles(
  workspace: Workspace,
  worktree: string,
  shares: readonly Share[],
  options: ShareOptions = {},
): Promise<SharedFiles> {
  if (shares.length === 0) return { shared: [], warnings: [] };
  const root = await realPathOf(worktree);
  const sharing = new Sharing(workspace, root, await realPathOf(workspace.repository.mainRoot), options);
  return sharing.run(shares);
}

class Sharing {
  readonly #workspace: Workspace;
  readonly #root: string;
  readonly #mainRoot: string;
  readonly #options: ShareOptions;
  readonly #shared: SharedPath[] = [];
  readonly #warnings: Message[] = [];
  readonly #links: TreeCopy['absoluteLinks'][number][] = [];

  constructor(workspace: Workspace, root: string, mainRoot: string, options: ShareOptions) {
    this.#workspace = workspace;
    this.#root = root;
    this.#mainRoot = mainRoot;
    this.#options = options;
  }

  async run(shares: readonly Share[]): Promise<SharedFiles> {
    const ready = await this.#ready(shares);
    const paths = ready.map(({ path }) => path);
    await noteSharing(this.#root, paths);
    try {
      for (const share of ready) await this.#bring(share);
      this.#warnings.push(...(await repointLinks(this.#links, this.#mainRoot, this.#root)));
      stopIfCancelled(this.#options.signal);
    } catch (thrown) {
      // First of all what takes room: on a full disk nothing else could be rolled back.
      await dropShares(this.#root, paths);
      throw thrown;
    }
    await forgetSharing(this.#root);
    return { shared: this.#shared, warnings: this.#warnings };
  }

  /** Those that nothing is in the way of. */
  async #ready(shares: readonly Share[]): Promise<Share[]> {
    const ignored = await ignoredOf(this.#workspace, this.#root, shares, this.#options.signal);
    const known = new Map([[this.#root, Promise.resolve(true)]]);
    const ready: Share[] = [];
    for (const share of shares) {
      const why = await this.#obstacle(share, ignored, known);
      if (why) this.#warnings.push(createMessages.notCopied({ path: share.path, why }));
      else ready.push(share);
    }
    return ready;
  }

  async #obstacle(
    { path, isFolder }: Share,
    ignored: ReadonlySet<string>,
    known: Map<string, Promise<boolean>>,
  ): Promise<Message | undefined> {
    if (isFolder && isWithin(join(this.#mainRoot, path), this.#root)) return createMessages.worktreeInside();
    if (isFolder && (await isTaken(this.#mainRoot, `${path}/.git`))) return createMessages.ownRepository();
    if (!ignored.has(path)) return createMessages.notIgnoredThere();
    if (await isTaken(this.#root, path)) return createMessages.somethingThere();
    if (!(await makeFolders(dirname(join(this.#root, path)), known))) return createMessages.linkInTheWay();
    return undefined;
  }

  async #bring(share: Share): Promise<void> {
    const { path, method } = share;
    this.#options.progress?.(createMessages.sharing({ path }));
    if (method === 'link') {
      const answer = await linkTo(this.#workspace, this.#mainRoot, this.#root, share, this.#options.signal);
      if ('bytes' in answer) this.#shared.push(answer);
      else this.#warnings.push(createMessages.notCopied({ path, why: answer }));
      return;
    }
    const [source, target] = [join(this.#mainRoot, path), join(this.#root, path)];
    try {
      const copy = await copyTree(source, target, {
        method: method ?? 'cheap',
        isStored,
        linkTo: linkFrom(this.#mainRoot),
        signal: this.#options.signal,
        onProgress: (files, bytes) =>
          this.#options.progress?.(
            createMessages.sharingSoFar({ path, files: counts.files({ count: files }), size: byteSizeWords(bytes) }),
          ),
      });
      this.#links.push(...copy.absoluteLinks);
      this.#nameLeftOut(copy, path);
      this.#shared.push(sharedOf(path, copy, method));
    } catch (thrown) {
      if (!(thrown instanceof CannotClone)) throw thrown;
      await dropShares(this.#root, [path]);
      this.#warnings.push(createMessages.notCopied({ path, why: createMessages.noReflink() }));
    }
  }

  #nameLeftOut({ leftOut }: TreeCopy, path: string): void {
    const sorted = [...leftOut].sort((one, other) => (one.path < other.path ? -1 : 1));
    for (const each of sorted.slice(0, mostNamed)) {
      const why =
        each.why === 'repository'
          ? createMessages.ownRepository()
          : each.why === 'unreadable'
            ? createMessages.cannotBeRead()
            : createMessages.specialFile({ what: each.why });
      this.#warnings.push(createMessages.notCopied({ path: relativeTo(this.#mainRoot, each.path), why }));
    }
    const others = sorted.length - mostNamed;
    if (others > 0) this.#warnings.push(createMessages.othersNotCopied({ path, count: others }));
  }
}

/** How most of it came, and what all of it saves. */
function sharedOf(path: string, { files, bytes, cloned, linked }: TreeCopy, method: Share['method']): SharedPath {
  const saved = cloned + linked;
  const isShared = bytes === 0 ? method !== undefined && method !== 'copy' : saved * 2 > bytes;
  return {
    path,
    how: !isShared ? 'copy' : linked > cloned || (bytes === 0 && method === 'hardlink') ? 'hardlink' : 'reflink',
    files,
    bytes,
    saved,
  };
}

/**
 * Files that pnpm keeps under the hash of what is in them: those in its store, and those of `node_modules` that are second names of them. It makes
 * second names of them itself, in every project, so another one changes nothing.
 */
function isStored(path: string, { nlink }: Stats): boolean {
  const names = path.split(/[\\/]/);
  const store = names.lastIndexOf('.pnpm-store');
  if (store !== -1) return names.slice(store).includes('files');
  const pnpm = names.lastIndexOf('.pnpm');
  return pnpm > 0 && names[pnpm - 1] === 'node_modules' && nlink > 1;
}
