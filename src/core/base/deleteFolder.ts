import { verbatim, type Message } from '../messages/message.ts';
import { chmod, lstat, rename, rmdir, unlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { relativeTo } from './paths.ts';
import { limitTo, type Limit } from './concurrency.ts';
import { Problem, errorCode, messageOf } from './problem.ts';
import { shellWord } from './quoted.ts';
import { inFolder, readRawFolder, type RawPath as Path } from './rawPaths.ts';
import { baseMessages } from '../messages/base.ts';

/** The longest path, in bytes, that is still worked with; below it folders are moved up first. */
const longestPath = 3000;

/** When so many things could not be deleted, no more time is given to others that are refused without a known reason. */
const mostPauses = 3;

/** Something that could not be deleted. */
interface Failure {
  readonly path: Path;
  /**
   * `foreign`: what it lies in belongs to somebody else. `held`: that is ours, and yet the system refuses. `busy`: it is in use. `disk`: another
   * disk is mounted there. `refused`: Windows says the same of what is in use and of what one may not delete.
   */
  readonly kind: 'foreign' | 'held' | 'busy' | 'refused' | 'disk' | 'other';
  /** The system's own words. */
  readonly words: string;
}

/**
 * Deletes a folder and everything in it, except entries of its top level that are named. Folders of ours that are read-only, or that their
 * own mode keeps us out of, are made writable first.
 *
 * @throws Problem `not-writable` naming what could not be deleted, why, and the command that helps; everything else is gone then.
 */
export async function deleteFolder(folder: string, except: readonly string[] = []): Promise<void> {
  const root = await lstat(folder).catch(() => undefined);
  if (!root) return;
  const deletion = new Deletion(folder, root.dev);
  if (root.isDirectory()) await deletion.empty(folder, except);
  if (except.length === 0 && deletion.failures.length === 0) await deletion.remove(folder, root.isDirectory());
  const [first, ...others] = deletion.failures;
  if (first === undefined) return;
  const { cause, next } = await explain(folder, first);
  throw new Problem('not-writable', baseMessages.notDeletedCompletely({ folder, cause }), {
    file: folder,
    next,
    items: others.slice(0, 20).map(({ words }) => words),
    outcome: 'incomplete',
  });
}

/** Why something could not be deleted, as a part of a sentence, and what helps. */
async function explain(folder: string, { path, kind, words }: Failure): Promise<{ cause: Message; next: Message }> {
  const what = path.toString() === folder ? baseMessages.it() : relativeTo(folder, path.toString());
  const remove = `sudo rm -rf ${shellWord(folder)}`;
  if (kind === 'busy') return { cause: baseMessages.isInUse({ what }), next: baseMessages.closeUsesTried() };
  if (kind === 'refused') return { cause: baseMessages.isInUseOrClosed({ what }), next: baseMessages.closeUsesTried() };
  if (kind === 'disk') {
    const first = `sudo umount ${shellWord(path.toString())}`;
    return {
      cause: baseMessages.anotherDiskMounted({ what }),
      next: baseMessages.runBoth({ first, then: `rm -rf ${shellWord(folder)}` }),
    };
  }
  if (kind === 'held') {
    const first = `sudo chattr -R -i -a ${shellWord(folder)}`;
    return { cause: baseMessages.systemDoesNotLet({ what }), next: baseMessages.runBoth({ first, then: remove }) };
  }
  if (kind === 'foreign') {
    const owner = await lstat(dirname(path.toString())).catch(() => undefined);
    const who = owner === undefined ? '' : owner.uid === 0 ? ' (root)' : baseMessages.userId({ uid: owner.uid });
    return { cause: baseMessages.folderAnotherUser({ what, who }), next: verbatim(`\`${remove}\``) };
  }
  return {
    cause: verbatim(words),
    next: sep === '\\' ? baseMessages.closeUsesTried() : baseMessages.closeOrDelete({ remove }),
  };
}

/** One run of {@link deleteFolder}. */
class Deletion {
  readonly failures: Failure[] = [];
  readonly #root: string;
  readonly #device: number;
  readonly #limit: Limit = limitTo(16);
  #moved = 0;

  constructor(root: string, device: number) {
    this.#root = root;
    this.#device = device;
  }

  /** Deletes what is in a folder, files side by side, folders one after the other. */
  async empty(folder: Path, except: readonly string[] = []): Promise<void> {
    const entries = (await this.#entries(folder)).filter(({ name }) => !except.includes(name.toString()));
    const folders = entries.filter((entry) => entry.isDirectory());
    const files = entries.filter((entry) => !entry.isDirectory());
    await Promise.all(files.map((file) => this.#limit(() => this.remove(inFolder(folder, file.name), false))));
    for (const each of folders) await this.#folder(folder, each.name);
  }

  async #folder(parent: Path, name: Path): Promise<void> {
    let path = inFolder(parent, name);
    try {
      // A folder may be listed that nothing in it can be reached through.
      const found = await lstat(path).catch(async (thrown: unknown) => {
        if (errorCode(thrown) !== 'EACCES' || !(await allowAll(parent))) throw thrown;
        return lstat(path);
      });
      if (found.dev !== this.#device) {
        this.failures.push({ path, kind: 'disk', words: `${path.toString()} is another disk` });
        return;
      }
      if (Buffer.byteLength(path) > longestPath && parent !== this.#root) {
        // Deeper down the system could not be told any more what is meant.
        const higher = join(this.#root, `.deep-${++this.#moved}`);
        await rename(path, higher);
        path = higher;
      }
    } catch (thrown) {
      if (errorCode(thrown) !== 'ENOENT') this.#failed(path, thrown, false);
      return;
    }
    const before = this.failures.length;
    await this.empty(path);
    // What holds something that could not be deleted cannot be deleted either, and needs no telling.
    if (this.failures.length === before) await this.remove(path, true);
  }

  async #entries(folder: Path): Promise<{ name: Path; isDirectory(): boolean }[]> {
    for (const last of [false, true]) {
      try {
        return await readRawFolder(folder);
      } catch (thrown) {
        if (errorCode(thrown) === 'ENOENT') return [];
        if (last || !(await allowAll(folder))) {
          this.#failed(folder, thrown, false);
          return [];
        }
      }
    }
    return [];
  }

  /** Deletes a file, a link, or an empty folder. */
  async remove(path: Path, isFolder: boolean): Promise<void> {
    let ours = false;
    for (let attempt = 1; ; attempt++) {
      try {
        await (isFolder ? rmdir(path) : unlink(path));
        return;
      } catch (thrown) {
        const code = errorCode(thrown);
        if (code === 'ENOENT') return;
        const failures = this.failures.length;
        if (code === 'EPERM' || code === 'EACCES') {
          const again = await this.#allow(path, isFolder);
          if (again && attempt < 3) {
            ours = true;
            continue;
          }
          // Windows also refuses so what somebody has open.
          if (sep === '\\' && attempt < 6 && this.failures.length < mostPauses) {
            await delay(50 * attempt);
            continue;
          }
          this.#failed(path, thrown, ours || again);
          return;
        }
        if (attempt < 5 && (await this.#clearTheWay(path, code, isFolder, attempt))) continue;
        if (this.failures.length === failures) this.#failed(path, thrown, true);
        return;
      }
    }
  }

  /** Whether it is worth another try, after what is in the way has been dealt with. */
  async #clearTheWay(path: Path, code: string | undefined, isFolder: boolean, attempt: number): Promise<boolean> {
    const failures = this.failures.length;
    if (code === 'EBUSY') await delay(50 * attempt);
    else if (isFolder && (code === 'ENOTEMPTY' || code === 'EEXIST')) {
      await this.empty(path);
      // There a file that was deleted stays until its last reader has closed it.
      if (sep === '\\') await delay(50 * attempt);
    }
    // A network disk may refuse something once.
    else if (attempt === 1 && failures < mostPauses) await delay(50);
    else return false;
    return this.failures.length === failures;
  }

  /** Whether something could be made writable that stands in the way. */
  async #allow(path: Path, isFolder: boolean): Promise<boolean> {
    // Windows refuses read-only entries, others those in a read-only folder. The mode of a file is that of all its hard links.
    const own = (isFolder || sep === '\\') && (await allowAll(path));
    const parent = path !== this.#root && (await allowAll(parentOf(path)));
    // Above the root nothing is changed: whether it can be deleted is not ours to decide there.
    return parent || (own && sep === '\\');
  }

  /** @param ours what it lies in could be made writable. */
  #failed(path: Path, thrown: unknown, ours: boolean): void {
    const code = errorCode(thrown);
    const refused = code === 'EPERM' || code === 'EACCES';
    const onWindows = sep === '\\';
    const kind = code === 'EBUSY' ? 'busy' : !refused ? 'other' : onWindows ? 'refused' : ours ? 'held' : 'foreign';
    this.failures.push({ path, kind, words: messageOf(thrown) });
  }
}

function parentOf(path: Path): Path {
  if (typeof path === 'string') return dirname(path);
  return path.subarray(0, path.lastIndexOf(sep));
}

/** Makes a folder or file writable for its owner, links apart: their mode is that of something else. Whether that could be done. */
async function allowAll(path: Path): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (!found || found.isSymbolicLink()) return false;
  return chmod(path, found.isDirectory() ? 0o700 : 0o600).then(
    () => true,
    () => false,
  );
}
