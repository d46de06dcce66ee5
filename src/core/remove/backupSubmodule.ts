import { copyFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { withSlashes } from '../base/paths.ts';
import { readTextIfThere } from '../base/atomicFile.ts';
import { Problem } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import type { Backup } from '../operations/backups.ts';
import { shellWord } from '../base/quoted.ts';
import { keepTree, writeTreeOf } from './backupTree.ts';
import type { LocalWork } from './localWork.ts';
import { inTree } from '../worktree/treeState.ts';
import { removeMessages } from '../messages/remove.ts';

/**
 * Brings the work of one submodule into the repository that stays: that of the same submodule in the main working tree, else the
 * main repository.
 *
 * @param below what the names of its refs begin with.
 * @throws Problem when something has not arrived there.
 */
export async function keepSubmodule(
  git: Git,
  commonDir: string,
  work: LocalWork,
  below: string,
  signal: AbortSignal | undefined,
): Promise<Backup[]> {
  const home = work.home ?? commonDir;
  const wanted = work.tips.map(({ name, oid }) => ({
    oid,
    ref: `${below}/${name}`,
    what: removeMessages.submoduleCommits({ path: work.path }),
  }));
  if (work.changes.length > 0 && work.folder !== undefined && work.state) {
    const tree = { path: work.folder, gitDir: work.store };
    const files = await writeTreeOf(git, tree, { ...work.state, stray: [] }, signal);
    const ref = `${below}/changes`;
    const message = `Backup of uncommitted files in ${work.path}`;
    const oid = await keepTree(git, tree, { ref, object: files, head: work.state.head, message }, signal);
    wanted.push({ oid, ref, what: removeMessages.submoduleFiles({ path: work.path }) });
  }
  if (wanted.length === 0) return [];
  const at = { path: home, gitDir: home };
  await withReadable(git, work.store, wanted[0]?.oid ?? '', (source) => {
    // Any commit may be asked for in the second version of the protocol, and only there.
    const settings = ['-c', 'protocol.version=2', '-c', 'fetch.fsckObjects=false', '-c', 'transfer.fsckObjects=false'];
    const quietly = ['--quiet', '--no-tags', '--no-prune', '--no-write-fetch-head', '--no-recurse-submodules'];
    const fetch = ['fetch', ...quietly, '--no-auto-maintenance', '--update-shallow', source];
    const specs = wanted.map(({ oid, ref }) => `+${oid}:${ref}`);
    return git.text([...settings, ...inTree(at, ...fetch, ...specs)], { cwd: home, writes: true, signal });
  });
  const kept = await git.text(inTree(at, 'for-each-ref', '--format=%(objectname) %(refname)', below), {
    cwd: home,
    signal,
  });
  const missing = wanted.find(({ oid, ref }) => !kept.split('\n').includes(`${oid} ${ref}`));
  if (missing) throw new Problem('git-failed', removeMessages.didNotArrive({ what: missing.what, home }));
  return wanted.map(({ ref, what }) => ({
    ref,
    what,
    restore: `git --git-dir=${shellWord(home)} branch <name> ${ref}`,
  }));
}

/**
 * Runs something with a repository that has the objects of a store and can be fetched from. The store itself often cannot be: its
 * settings name a working tree, and git refuses to start where that is missing.
 */
export async function withReadable<T>(
  git: Git,
  store: string,
  oid: string,
  task: (source: string) => Promise<T>,
): Promise<T> {
  const source = await mkdtemp(join(tmpdir(), 'wt-backup-'));
  try {
    const format = oid.length === 64 ? ['--object-format=sha256'] : [];
    await git.text(['init', '--quiet', '--bare', ...format, source], { cwd: source, writes: true });
    const objects = join(store, 'objects');
    const borrowed = ((await readTextIfThere(join(objects, 'info', 'alternates'))) ?? '').split('\n');
    const folders = [objects, ...borrowed.filter((line) => line !== '' && !line.startsWith('#'))];
    const lines = folders.map((folder) =>
      folder.startsWith('"') ? folder : JSON.stringify(withSlashes(resolve(objects, folder))),
    );
    await mkdir(join(source, 'objects', 'info'), { recursive: true });
    await writeFile(join(source, 'objects', 'info', 'alternates'), `${lines.join('\n')}\n`);
    await copyFile(join(store, 'shallow'), join(source, 'shallow')).catch(() => undefined);
    return await task(source);
  } finally {
    await rm(source, { recursive: true, force: true });
  }
}

/** A name for each submodule that can be part of a ref's name, each once. */
export function refNames(paths: readonly string[]): string[] {
  const taken = new Set<string>();
  return paths.map((path) => {
    const plain = path.replace(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '') || 'submodule';
    let name = plain;
    for (let number = 2; taken.has(name); number++) name = `${plain}-${number}`;
    taken.add(name);
    return name;
  });
}
