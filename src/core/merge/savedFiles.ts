import { constants, type Stats } from 'node:fs';
import { copyFile, link, lstat, mkdir, readlink, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rename, rm } from '../base/heldFiles.ts';
import { limitTo } from '../base/concurrency.ts';
import { errorCode } from '../base/problem.ts';
import { makeFolders } from '../base/sharing.ts';
import { gitMessages } from '../messages/git.ts';
import type { Message } from '../messages/message.ts';
import { mergeMessages } from '../messages/merge.ts';

/**
 * Files up to this size, in bytes, are copied, others get a second name: that takes no space, but git has to read such a file again
 * before it knows it for unchanged.
 */
const largestCopy = 4 * 1024 * 1024;

/** Where saved files are; what is there without a merge that runs was left by a killed one. */
export function savedFilesFolder(gitDir: string): string {
  return join(gitDir, 'wt-merge-files');
}

interface Saved {
  readonly path: string;
  readonly before: Stats;
  /** The second name of the file; of a symbolic link its target. */
  readonly saved: { readonly file: string } | { readonly target: string };
}

/**
 * The files of a working tree as they were before git merged over them, so that they can be restored byte for byte: also where git itself
 * could not do it, because the disk is full or a filter fails. Git replaces files and does not write into them, so a second name of one
 * keeps what is in it.
 */
export class SavedFiles {
  readonly #root: string;
  readonly #gitDir: string;
  readonly #files: Saved[] = [];
  readonly #absent = new Set<string>();
  #index = false;
  #isKept = false;

  private constructor(root: string, gitDir: string) {
    this.#root = root;
    this.#gitDir = gitDir;
  }

  /**
   * Saves files and the index of a working tree.
   *
   * @param paths relative to the root; those that are not there, and folders, are only noted.
   * @throws the system's error when they cannot be saved; nothing is left of it then.
   */
  static async of(root: string, gitDir: string, paths: Iterable<string>): Promise<SavedFiles> {
    const saved = new SavedFiles(root, gitDir);
    const limit = limitTo(16);
    try {
      await rm(saved.#folder, { recursive: true, force: true });
      await mkdir(saved.#folder);
      await Promise.all([...new Set(paths)].map((path, index) => limit(() => saved.#save(path, index))));
      await copyFile(join(gitDir, 'index'), join(saved.#folder, 'index')).then(
        () => (saved.#index = true),
        (thrown: unknown) => {
          if (errorCode(thrown) !== 'ENOENT') throw thrown;
        },
      );
      return saved;
    } catch (thrown) {
      await saved.drop();
      throw thrown;
    }
  }

  get #folder(): string {
    return savedFilesFolder(this.#gitDir);
  }

  async #save(path: string, index: number): Promise<void> {
    const file = join(this.#root, path);
    const before = await lstat(file).catch(() => undefined);
    if (!before) this.#absent.add(path);
    else if (before.isSymbolicLink()) this.#files.push({ path, before, saved: { target: await readlink(file) } });
    else if (before.isFile()) {
      const saved = join(this.#folder, String(index));
      if (before.size > largestCopy) await link(file, saved).catch(() => copy(file, saved, before));
      else await copy(file, saved, before).catch(() => link(file, saved));
      this.#files.push({ path, before, saved: { file: saved } });
    }
  }

  /** The paths that were not there. */
  get absent(): ReadonlySet<string> {
    return this.#absent;
  }

  /**
   * Restores the files and the index. What is as it was is not touched.
   *
   * @returns the paths that were restored, and those that could not be, each with the reason.
   */
  async restore(): Promise<{ readonly restored: readonly string[]; readonly failed: readonly Message[] }> {
    const restored: string[] = [];
    const failed: Message[] = [];
    const fail = (what: string | Message, thrown: unknown): void => {
      failed.push(mergeMessages.notSavedBack({ what, why: errorCode(thrown) ?? mergeMessages.couldNotWrite() }));
    };
    for (const saved of this.#files) {
      try {
        if (await this.#restore(saved)) restored.push(saved.path);
      } catch (thrown) {
        fail(saved.path, thrown);
      }
    }
    if (this.#index) {
      try {
        await this.#restoreIndex();
      } catch (thrown) {
        fail(gitMessages.theIndex(), thrown);
      }
    }
    return { restored, failed };
  }

  /** As git does it: whoever holds the lock writes the index. */
  async #restoreIndex(): Promise<void> {
    const lock = join(this.#gitDir, 'index.lock');
    const restore = (): Promise<void> => rename(join(this.#folder, 'index'), join(this.#gitDir, 'index'));
    try {
      await writeFile(lock, '', { flag: 'wx' });
    } catch (thrown) {
      // On a full disk nobody can take the lock, and a file can still be renamed.
      if (!['ENOSPC', 'EDQUOT'].includes(errorCode(thrown) ?? '')) throw thrown;
      return restore();
    }
    try {
      await restore();
    } finally {
      // What could not be deleted just now often can be a moment later; where it stays, the next git command names it.
      await rm(lock, { force: true }).catch(() => rm(lock, { force: true }).catch(() => undefined));
    }
  }

  /** Whether it was not as it had been. */
  async #restore({ path, before, saved }: Saved): Promise<boolean> {
    const file = join(this.#root, path);
    const now = await lstat(file).catch(() => undefined);
    if (now && isSame(now, before)) return false;
    await mkdir(dirname(file), { recursive: true });
    if ('target' in saved) {
      if (now?.isSymbolicLink() && (await readlink(file)) === saved.target) return false;
      await rm(file, { recursive: false, force: true });
      await symlink(saved.target, file);
    } else await rename(saved.file, file);
    return true;
  }

  /**
   * Keeps what was saved for a person, since not all of it could be put back.
   *
   * @param folder where it is to be, which is not there yet.
   * @returns the folder that has it.
   */
  async keep(folder: string): Promise<string> {
    this.#isKept = true;
    try {
      await makeFolders(dirname(folder));
      await rename(this.#folder, folder);
      return folder;
    } catch {
      return this.#folder;
    }
  }

  /** Forgets what was saved. Where it cannot be deleted the next merge does that. */
  async drop(): Promise<void> {
    if (this.#isKept) return;
    await rm(this.#folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function copy(from: string, to: string, { atime, mtime }: Stats): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await utimes(to, atime, mtime);
}

function isSame(now: Stats, before: Stats): boolean {
  return (
    now.ino === before.ino && now.size === before.size && now.mtimeMs === before.mtimeMs && now.mode === before.mode
  );
}
