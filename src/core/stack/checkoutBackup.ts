import { mkdir, readFile, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { messageOf } from '../base/problem.ts';
import type { RawTreeChange } from '../git/treeDiff.ts';
import { gitlink } from '../git/indexEntries.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { checkoutBackups } from '../operations/staleFiles.ts';
import { keptAside } from '../remove/keptFolder.ts';
import type { TreePlace } from './blockers.ts';
import { duplicate, existingFolder, identityOf, moveTo, pathIn } from './fileIdentity.ts';
import { isWrittenByGit } from './writtenByGit.ts';
import { makeFolders } from '../base/sharing.ts';

/** What was at a path before git changed a worktree. */
interface Saved {
  readonly change: RawTreeChange;
  /** Where the backup is; `undefined` where there was nothing. */
  readonly backup: string | undefined;
  /** Of the file at its path, and after a rollback that of the backup: tells whether it was replaced. */
  readonly identity: string | undefined;
  /** For a path where no file was: how many bytes of its absolute path named a folder that was there. */
  readonly folder: number;
}

/** How a list of what was saved has it: paths in Base64, since they are bytes. */
type SavedJson = Omit<Saved, 'change'> & { readonly raw: string; readonly after: RawTreeChange['after'] };

/** So many files are looked at side by side. */
const sideBySide = 64;
/** The list of what is in a backup; written last. */
const listName = 'list.json';

/** Files of a worktree that a rollback could not put back, and where they are instead. */
export interface NotRestored {
  readonly paths: readonly string[];
  /** The folder that has them. */
  readonly folder: string;
  /** It was the disk that refused: the same can be tried again. Otherwise somebody has changed the files. */
  readonly again: boolean;
}

/**
 * The files of a worktree that git is about to replace or delete, and its index, as they were. Hard links where the disk allows it: git
 * never writes into a file but replaces it, so that a backup needs neither time nor space, and a rollback works on a full disk and without
 * the filters that made the files.
 */
export class CheckoutBackup {
  readonly #workspace: Workspace;
  readonly #place: TreePlace;
  readonly #folder: string;
  readonly #saved: readonly Saved[];
  /** Of the index at its place before; `undefined` when there was none. */
  readonly #indexBefore: string | undefined;
  readonly #foreign = new Set<RawTreeChange>();
  #indexAfter: string | undefined;

  private constructor(
    workspace: Workspace,
    place: TreePlace,
    parts: { saved: readonly Saved[]; indexBefore: string | undefined },
  ) {
    this.#workspace = workspace;
    this.#place = place;
    this.#folder = backupFolder(workspace, place);
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
    place: TreePlace,
    changes: readonly RawTreeChange[],
  ): Promise<CheckoutBackup> {
    const folder = backupFolder(workspace, place);
    await rm(folder, { recursive: true, force: true });
    await makeFolders(folder);
    const index = join(place.gitDir, 'index');
    const indexBefore = await identityOf(index);
    if (indexBefore !== undefined) await duplicate(Buffer.from(index), join(folder, 'index'));
    const files = changes.filter(({ before, after }) => before?.mode !== gitlink && after?.mode !== gitlink);
    const saved: Saved[] = [];
    for (let start = 0; start < files.length; start += sideBySide) {
      const some = files.slice(start, start + sideBySide);
      saved.push(...(await Promise.all(some.map((change, at) => save(place, change, join(folder, `${start + at}`))))));
    }
    await writeFile(join(folder, listName), JSON.stringify({ saved: saved.map(toJson), indexBefore }));
    return new CheckoutBackup(workspace, place, { saved, indexBefore });
  }

  /** The backup that a killed process has left of a worktree; `undefined` when there is no whole one. */
  static async left(workspace: Workspace, place: TreePlace): Promise<CheckoutBackup | undefined> {
    const text = await readFile(join(backupFolder(workspace, place), listName), 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    try {
      const list = JSON.parse(text) as { saved: SavedJson[]; indexBefore?: string };
      return new CheckoutBackup(workspace, place, { saved: list.saved.map(fromJson), indexBefore: list.indexBefore });
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
    return (await identityOf(join(this.#place.gitDir, 'index'))) === this.#indexBefore;
  }

  /** Tells that git has ended: an index that is replaced after this is somebody else's. */
  async noteIndex(): Promise<void> {
    this.#indexAfter = await identityOf(join(this.#place.gitDir, 'index'));
  }

  /**
   * Puts the index and every file back as they were, and checks that. What somebody else has written meanwhile stays where it is.
   *
   * @param recovers a journal stays, by which recovery tries again what the disk has refused now. Default true.
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
    // First: as long as it is the new one git leads the files back. With the old one only the backup can, which has them.
    await attempt(join(this.#place.gitDir, 'index'), () => this.#restoreIndex());
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

  /** The backup is not needed any more. What of it cannot be deleted is in nobody's way, and goes later. */
  async drop(): Promise<void> {
    // Without its list nobody takes what is left for a backup.
    for (const path of [join(this.#folder, listName), this.#folder])
      await rm(path, { recursive: true, force: true }).catch((thrown: unknown) =>
        this.#workspace.environment.log.info(`${path} could not be deleted: ${messageOf(thrown)}`),
      );
  }

  /** Which files are not git's to delete. Before any of them goes: `.gitattributes` may be among them. */
  async #inspect(): Promise<void> {
    for (const { change, identity } of this.#saved) {
      const path = pathIn(this.#place.path, change.raw);
      const found = await identityOf(path);
      if (found === undefined || found === 'folder' || found === identity) continue;
      if (!(await isWrittenByGit(this.#workspace, this.#place, change, path))) this.#foreign.add(change);
    }
  }

  async #remove({ change, folder }: Saved): Promise<boolean> {
    const path = pathIn(this.#place.path, change.raw);
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
    const path = pathIn(this.#place.path, change.raw);
    const found = await identityOf(path);
    if (found === identity) return true;
    if (found === 'folder') return false;
    if (this.#foreign.has(change)) return false;
    await mkdir(path.subarray(0, path.lastIndexOf(sep)), { recursive: true });
    return moveTo(backup, path, found !== undefined);
  }

  async #restoreIndex(): Promise<boolean> {
    const now = join(this.#place.gitDir, 'index');
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

async function save(place: TreePlace, change: RawTreeChange, backup: string): Promise<Saved> {
  const path = pathIn(place.path, change.raw);
  const found = await identityOf(path);
  if (found === undefined || found === 'folder') {
    const folder = found ? path.length : await existingFolder(place.path, path);
    return { change, backup: undefined, identity: undefined, folder };
  }
  await duplicate(path, backup);
  return { change, backup, identity: await identityOf(path), folder: 0 };
}

function backupFolder({ repository }: Workspace, { gitDir }: TreePlace): string {
  const name = gitDir === repository.commonDir ? '@main' : basename(gitDir);
  return join(checkoutBackups(repository), name);
}
