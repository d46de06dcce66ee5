import { constants } from 'node:fs';
import { access, copyFile, lstat, mkdir, readlink, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { readTextIfThere } from '../base/atomicFile.ts';
import { limitTo } from '../base/concurrency.ts';
import { copyLink } from '../base/copyLink.ts';
import { isWithin, realPathOf } from '../base/paths.ts';
import { Problem, errorCode, messageOf, stopIfCancelled } from '../base/problem.ts';
import { rulesFor } from '../repository/ignoreRules.ts';
import { findSpecialFiles } from './specialFiles.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { fieldsOf } from '../git/repositoryGit.ts';
import { createMessages } from '../messages/create.ts';
import { baseMessages } from '../messages/base.ts';
import type { Message } from '../messages/message.ts';

/** Names further files to bring along, in the main root, in the syntax of `.gitignore`. */
const includeFile = '.worktreeinclude';

/** So many files are copied at a time: enough to keep a disk busy, few enough for any limit on open files. */
const atOnce = 16;

/**
 * The git-ignored files of the main working tree that new worktrees get a copy of, relative to the main root: those that the
 * configured patterns or `.worktreeinclude` name. None of the product's own files, and none of a repository or worktree that
 * lies inside.
 */
export async function findCopies(workspace: Workspace, signal?: AbortSignal): Promise<string[]> {
  const { configuration, git, repository } = workspace;
  if (repository.bare) return [];
  const patterns = await readPatterns(workspace);
  if (patterns.length === 0) return [];
  const options = { cwd: repository.mainRoot, signal };
  const exclude = patterns.flatMap((pattern) => ['--exclude', pattern]);
  const own = rulesFor(configuration).map(({ beginning }) => beginning);
  const args = ['ls-files', '-z', '--others', '--ignored', ...exclude, '--', ...besides(own)];
  const all = await git.nul(args, options);
  const candidates = all
    // A repository inside is listed as a folder.
    .filter((path) => path !== '' && !path.endsWith('/') && !own.some((beginning) => path.startsWith(beginning)));
  if (candidates.length === 0) return [];
  const ignored = await git.run(['check-ignore', '-z', '--stdin'], {
    ...options,
    input: candidates.map((path) => `${path}\0`).join(''),
  });
  const isNested = nestedIn(repository.mainRoot);
  const found: string[] = [];
  for (const path of fieldsOf(ignored.stdout)) if (path !== '' && !(await isNested(path))) found.push(path);
  return found;
}

/**
 * Everything in a working tree but the folders of the product's own: git would look into each of a thousand worktrees.
 *
 * @param own how the paths of the product's own files begin, with a slash at the end where all of a folder is meant.
 * @returns pathspecs.
 */
function besides(own: readonly string[]): string[] {
  const folders = own.filter((beginning) => beginning.endsWith('/'));
  return [':(top)', ...folders.map((folder) => `:(top,exclude,literal)${folder}`)];
}

/** What names the files to bring along, in the syntax of `.gitignore`: the configured patterns and the lines of {@link includeFile}. */
export async function readPatterns({ configuration, repository }: Workspace): Promise<string[]> {
  const file = join(repository.mainRoot, includeFile);
  // A pipe of this name would never end.
  const isFile = (await stat(file).catch(() => undefined))?.isFile() ?? false;
  const lines = ((isFile ? await readTextIfThere(file) : undefined) ?? '').split(/\r?\n/);
  // As in `.gitignore`: blanks at the end count only when escaped.
  const included = lines.filter((line) => !line.startsWith('#')).map((line) => line.replace(/(?<!\\) +$/, ''));
  return [...configuration.worktree.copy, ...included].filter((pattern) => pattern.trim() !== '');
}

/** Whether a path lies inside another repository or worktree, also in one that git no longer takes for one. */
function nestedIn(root: string): (path: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>([['.', Promise.resolve(false)]]);
  const isNested = (folder: string): Promise<boolean> => {
    const before = known.get(folder);
    if (before) return before;
    const answer = lstat(join(root, folder, '.git')).then(
      () => true,
      () => isNested(dirname(folder)),
    );
    known.set(folder, answer);
    return answer;
  };
  return (path) => isNested(dirname(path));
}

/** Sentences about pipes, sockets and devices that are named as files to bring along, and stay where they are. */
export async function nameSpecialFiles(workspace: Workspace, signal?: AbortSignal): Promise<Message[]> {
  if (workspace.repository.bare) return [];
  const shares = workspace.configuration.worktree.share.map(({ pattern }) => pattern);
  const patterns = [...(await readPatterns(workspace)), ...shares];
  if (patterns.length === 0) return [];
  const found = await findSpecialFiles(workspace, patterns, signal);
  return found.map(({ path, what }) => createMessages.notCopied({ path, why: createMessages.specialFile({ what }) }));
}

/** What came of copying. */
export interface Copied {
  /** The files that were copied, relative to the worktree. */
  readonly files: readonly string[];
  /** Which files were left out, and why. */
  readonly warnings: readonly Message[];
}

/**
 * Copies files from the main working tree to the same place in a worktree: modes stay, links stay links, and the disk shares the
 * content where it can. A file that has vanished meanwhile is passed over, one that is there already is left alone, and nothing
 * is written through a link, nor a link made, that leads out of the worktree.
 *
 * @throws Problem `not-writable`, `cancelled`.
 */
export async function copyFiles(
  from: string,
  to: string,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<Copied> {
  const limit = limitTo(atOnce);
  const root = await realPathOf(to);
  const folders = new Map<string, Promise<boolean>>([[root, Promise.resolve(true)]]);
  const files: string[] = [];
  const leftOut = new Map<string, Message>();
  const copies: string[] = [];
  await Promise.all(
    paths.map((path) =>
      limit(async () => {
        stopIfCancelled(signal);
        const target = join(root, path);
        if (!isWithin(root, target) || !(await makeFolders(dirname(target), folders))) {
          leftOut.set(path, createMessages.linkInTheWay());
          return;
        }
        const answer = await copyOne(join(from, path), target, root);
        if (answer === true || answer === 'copy') files.push(path);
        if (answer === 'copy') copies.push(path);
        else if (typeof answer !== 'boolean') leftOut.set(path, answer);
      }),
    ),
  );
  const warnings = [...leftOut].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    files: files.sort(),
    warnings: [
      ...warnings.map(([path, why]) => createMessages.notCopied({ path, why })),
      ...copies.sort().map((path) => createMessages.linkIsCopy({ path })),
    ],
  };
}

/** Whether a folder is there now, and a real one all the way down from the root, which is in the map already. */
export function makeFolders(folder: string, known: Map<string, Promise<boolean>>): Promise<boolean> {
  const before = known.get(folder);
  if (before) return before;
  const answer = (async () => {
    if (!(await makeFolders(dirname(folder), known))) return false;
    await mkdir(folder).catch((thrown: unknown) => {
      if (errorCode(thrown) !== 'EEXIST') throw notWritable(folder, thrown);
    });
    return (await lstat(folder)).isDirectory();
  })();
  known.set(folder, answer);
  return answer;
}

/**
 * Whether it was copied, `copy` for what a link leads to; false when there was nothing to copy or the target is there; a reason when it
 * must not or cannot be.
 */
async function copyOne(source: string, target: string, root: string): Promise<boolean | 'copy' | Message> {
  try {
    const found = await lstat(source);
    if (found.isSymbolicLink()) {
      const link = await readlink(source);
      if (!staysInside(link, target, root)) return createMessages.linkLeadsOut({ link });
      if ((await copyLink(source, link, target)) === 'copy') return 'copy';
    } else if (found.isFile()) {
      await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    } else {
      return false;
    }
    return true;
  } catch (thrown) {
    const code = errorCode(thrown);
    if (code === 'EEXIST' || !(await lstat(source).catch(() => undefined))) return false;
    const readable = await access(source, constants.R_OK).then(
      () => true,
      () => false,
    );
    if (!readable) return createMessages.cannotBeRead();
    throw notWritable(target, thrown);
  }
}

function staysInside(link: string, target: string, root: string): boolean {
  return !isAbsolute(link) && isWithin(root, resolve(dirname(target), link.replaceAll('/', sep)));
}

function notWritable(file: string, thrown: unknown): Problem {
  return new Problem('not-writable', createMessages.cannotWrite({ file, reason: messageOf(thrown) }), {
    file,
    next: baseMessages.checkFolderYours(),
    outcome: 'incomplete',
    cause: thrown,
  });
}
