import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { rename, rm, rmdir, unlink } from '../base/heldFiles.ts';
import { messageOf } from '../base/problem.ts';
import type { RawTreeChange } from '../git/treeDiff.ts';
import { gitlink } from '../git/indexEntries.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { checkoutBackups } from '../operations/staleFiles.ts';
import { keptAside } from '../operations/keptFolder.ts';
import type { Checkout } from './checkout.ts';
import { pathIn } from '../base/rawPaths.ts';
import { duplicate, existingFolder, identityOf, moveTo } from './fileIdentity.ts';
import { isWrittenByGit } from './writtenByGit.ts';
import { makeFolders } from '../base/sharing.ts';

/** The state of a path before git changed a worktree. */
interface Saved {
  readonly change: RawTreeChange;
  /** Where the backup is; `undefined` where there was nothing. */
  readonly backup: string | undefined;
  /** The identity of the file, which shows whether it was replaced; after a rollback that of the backup. */
  readonly identity: string | undefined;
  /** For a path where no file was: how many bytes of its absolute path named a folder that was there. */
  readonly folder: number;
}

/** How a list of what was saved has it: paths in Base64, since they are bytes. */
type SavedJson = Omit<Saved, 'change'> & { readonly raw: string; readonly after: RawTreeChange['after'] };

/** This many files are handled concurrently. */
const sideBySide = 64;
/** The list of what is in a backup; written last. */
const listName = 'list.json';

/** Files of a worktree that a rollback could not restore, and the folder with their backups. */
export interface NotRestored {
  readonly paths: readonly string[];
  /** The folder that has them. */
  readonly folder: string;
  /** The disk refused, so it can be tried again. Otherwise somebody has changed the files. */
  readonly again: boolean;
}

/**
 * The files of a worktree that git is about to replace or delete, and its index, as they were. Hard links where the disk allows it: git
 * never writes into a file but replaces it, so that a backup needs neither time nor space, and a rollback works on a full disk and without
 * the filters that made the files.
 */
export class CheckoutBackup {
  readonly #workspace: Workspace;
  readonly #checkout: Checkout;
  readonly #folder: string;
  readonly #saved: readonly Saved[];
  /** The identity of the index before; `undefined` when there was none. */
  readonly #indexBefore: string | undefined;
  readonly #foreign = new Set<RawTreeChange>();
  #indexAfter: string | undefined;

  private constructor(
    workspace: Workspace,
    checkout: Checkout,
    parts: { saved: readonly Saved[]; indexBefore: string | undefined },
  ) {
    this.#workspace = workspace;
    this.#checkout = checkout;
    this.#folder = backupFolder(workspace, checkout);
    this.#saved = parts.saved;
    this.#indexBefore = parts.indexBefore;
  }

  /**
   * Makes the backup.
   *
   * @param changes what is going to change; submodules among it are passed over.
   * @throws an error of the file system when a file cannot be backed up: nothing has been changed then.
   */
  static async make(
    workspace: Workspace,
    checkout: Checkout,
    changes: readonly RawTreeChange[],
  ): Promise<CheckoutBackup> {
    const folder = backupFolder(workspace, checkout);
    await rm(folder, { recursive: true, force: true });
    await makeFolders(folder);
    const index = join(checkout.gitDir, 'index');
    const indexBefore = await identityOf(index);
    if (indexBefore !== undefined) await duplicate(Buffer.from(index), join(folder, 'index'));
    const files = changes.filter(({ before, after }) => before?.mode !== gitlink && after?.mode !== gitlink);
    const saved: Saved[] = [];
    for (let start = 0; start < files.length; start += sideBySide) {
      const some = files.slice(start, start + sideBySide);
      saved.push(
        ...(await Promise.all(some.map((change, at) => save(checkout, change, join(folder, `${start + at}`))))),
      );
    }
    await writeFile(join(folder, listName), JSON.stringify({ saved: saved.map(toJson), indexBefore }));
    return new CheckoutBackup(workspace, checkout, { saved, indexBefore });
  }

  /** The backup that a killed process has left of a worktree; `undefined` when there is no whole one. */
  static async left(workspace: Workspace, checkout: Checkout): Promise<CheckoutBackup | undefined> {
    const text = await readFile(join(backupFolder(workspace, checkout), listName), 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    try {
      const list = JSON.parse(text) as { saved: SavedJson[]; indexBefore?: string };
      return new CheckoutBackup(workspace, checkout, {
        saved: list.saved.map(fromJson),
        indexBefore: list.indexBefore,
      });
    } catch {
      return undefined;
    }
  }

  /** The index as it was; `undefined` when there was none. */
  get index(): string | undefined {
    return this.#indexBefore === undefined ? undefined : join(this.#folder, 'index');
  }

  /** Whether git has not written the index since: it had not come to its end. */
  async isUnfinished(): Promise<boolean> {
    return (await identityOf(join(this.#checkout.gitDir, 'index'))) === this.#indexBefore;
  }

  /** Marks the end of git's run: a later change of the index is somebody else's. */
  async noteIndex(): Promise<void> {
    this.#indexAfter = await identityOf(join(this.#checkout.gitDir, 'index'));
  }

  /**
   * Restores the index and every file, and checks them. What somebody else has written in the meantime stays.
   *
   * @param recovers a pending operation stays, so recovery tries again what the disk has refused now. Default true.
   * @returns `undefined` when everything is as it was; otherwise the backups stay: where recovery finds them, or in a folder of their own.
   */
  async restore(recovers = true): Promise<NotRestored | undefined> {
    const left: string[] = [];
    let again = false;
    const attempt = async (path: string, act: () => Promise<boolean>): Promise<void> => {
      const done = await act().catch(() => {
        again = true;
        return false;
      });
      if (!done) left.push(path);
    };
    await this.#inspect();
    // First: as long as the index is the new one git can restore the files; with the old one only the backup can.
    await attempt(join(this.#checkout.gitDir, 'index'), () => this.#restoreIndex());
    if (again && recovers) return { paths: left, folder: this.#folder, again };
    // What git has added may be where a folder has to be.
    for (const each of this.#saved.filter(({ backup }) => backup === undefined))
      await attempt(each.change.path, () => this.#remove(each));
    for (const each of this.#saved.filter(({ backup }) => backup !== undefined))
      await attempt(each.change.path, () => this.#putBack(each));
    if (left.length === 0) {
      await this.drop();
      return undefined;
    }
    if (again && recovers) return { paths: left, folder: this.#folder, again };
    const { repository, environment } = this.#workspace;
    const kept = keptAside(repository, environment.now(), basename(this.#folder));
    try {
      await makeFolders(dirname(kept));
      await rename(this.#folder, kept);
      return { paths: left, folder: kept, again: false };
    } catch {
      return { paths: left, folder: this.#folder, again: recovers };
    }
  }

  /** Deletes the backup. What cannot be deleted now does no harm, and is deleted later. */
  async drop(): Promise<void> {
    // The rest does not count as a backup without its list.
    for (const path of [join(this.#folder, listName), this.#folder])
      await rm(path, { recursive: true, force: true }).catch((thrown: unknown) =>
        this.#workspace.environment.log.info(`${path} could not be deleted: ${messageOf(thrown)}`),
      );
  }

  /** Finds the files that git did not write, before any is deleted: `.gitattributes` may be among them. */
  async #inspect(): Promise<void> {
    for (const { change, identity } of this.#saved) {
      const path = pathIn(this.#checkout.path, change.raw);
      const found = await identityOf(path);
      if (found === undefined || found === 'folder' || found === identity) continue;
      if (!(await isWrittenByGit(this.#workspace, this.#checkout, change, path))) this.#foreign.add(change);
    }
  }

  async #remove({ change, folder }: Saved): Promise<boolean> {
    const path = pathIn(this.#checkout.path, change.raw);
    const found = await identityOf(path);
    if (found !== undefined && found !== 'folder') {
      if (this.#foreign.has(change)) return false;
      await unlink(path);
    }
    if (folder === path.length) await mkdir(path, { recursive: true });
    for (let end = path.lastIndexOf(sep); end > folder; end = path.lastIndexOf(sep, end - 1)) {
      try {
        await rmdir(path.subarray(0, end));
      } catch {
        break;
      }
    }
    return true;
  }

  async #putBack({ change, backup, identity }: Saved): Promise<boolean> {
    if (backup === undefined) return true;
    const path = pathIn(this.#checkout.path, change.raw);
    const found = await identityOf(path);
    if (found === identity) return true;
    if (found === 'folder') return false;
    if (this.#foreign.has(change)) return false;
    await mkdir(path.subarray(0, path.lastIndexOf(sep)), { recursive: true });
    return moveTo(backup, path, found !== undefined);
  }

  async #restoreIndex(): Promise<boolean> {
    const now = join(this.#checkout.gitDir, 'index');
    const current = await identityOf(now);
    if (this.index === undefined || current === this.#indexBefore) return true;
    if (current !== this.#indexAfter) return false;
    await rename(this.index, now);
    return true;
  }
}

function toJson({ change, ...rest }: Saved): SavedJson {
  return { ...rest, raw: change.raw.toString('base64'), after: change.after };
}

function fromJson({ raw, after, ...rest }: SavedJson): Saved {
  const bytes = Buffer.from(raw, 'base64');
  return { ...rest, change: { path: bytes.toString('utf8'), raw: bytes, before: undefined, after } };
}

async function save(checkout: Checkout, change: RawTreeChange, backup: string): Promise<Saved> {
  const path = pathIn(checkout.path, change.raw);
  const found = await identityOf(path);
  if (found === undefined || found === 'folder') {
    const folder = found ? path.length : await existingFolder(checkout.path, path);
    return { change, backup: undefined, identity: undefined, folder };
  }
  await duplicate(path, backup);
  return { change, backup, identity: await identityOf(path), folder: 0 };
}

function backupFolder({ repository }: Workspace, { gitDir }: Checkout): string {
  const name = gitDir === repository.commonDir ? '@main' : basename(gitDir);
  return join(checkoutBackups(repository), name);
}
