import { lstat, mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { kindOf } from '../base/obstacle.ts';
import { fieldsOf } from '../git/repositoryGit.ts';
import type { Message } from '../messages/message.ts';

/** So many folders are looked through, the outermost first. */
const mostFolders = 200;

/** A file that a copy cannot be made of. */
export interface SpecialFile {
  /** Relative to the main root. */
  readonly path: string;
  /** What it is, with its article. */
  readonly what: Message;
}

/**
 * Pipes, sockets and devices in the main working tree that the patterns for files to copy name, such as a `.env` that a password manager
 * serves. Git does not list them, so they are looked for here: in the folders of the commit, and where a pattern leads directly.
 *
 * @param patterns in the syntax of `.gitignore`.
 */
export async function findSpecialFiles(
  { git, repository }: Workspace,
  patterns: readonly string[],
  signal?: AbortSignal,
): Promise<SpecialFile[]> {
  const { mainRoot } = repository;
  const listed = await git.run(['ls-tree', '-d', '-r', '-z', '--name-only', 'HEAD'], { cwd: mainRoot, signal });
  const depth = (path: string): number => path.split('/').length;
  const folders = fieldsOf(listed.stdout)
    .sort((one, other) => depth(one) - depth(other))
    .slice(0, mostFolders);
  const found = new Map<string, Message>();
  const mayMatch = roughly(patterns);
  const look = async (path: string): Promise<void> => {
    const stats = await lstat(join(mainRoot, path)).catch(() => undefined);
    const what = stats && specialKind(stats);
    if (what !== undefined) found.set(path, what);
  };
  await Promise.all(
    ['', ...folders].map(async (folder) => {
      const all = folder.split('/').some(mayMatch);
      // Names alone are read much faster than names with what each of them is.
      const names = await readdir(join(mainRoot, folder)).catch(() => []);
      const some = all ? names : names.filter(mayMatch);
      await Promise.all(some.map((name) => look(folder === '' ? name : `${folder}/${name}`)));
    }),
  );
  for (const pattern of patterns) {
    const path = pattern.replace(/^\//, '');
    if (!/[*?[\\!#]/.test(path) && !path.split('/').includes('..')) await look(path);
  }
  const matching = await matchingOf(git, repository.commonDir, [...found.keys()], patterns);
  return matching.flatMap((path) => {
    const what = found.get(path);
    return what ? [{ path, what }] : [];
  });
}

/** Whether a name can be one that a pattern is about, decided by the last part of each pattern: never no where git says yes. */
function roughly(patterns: readonly string[]): (name: string) => boolean {
  const texts = patterns
    .filter((pattern) => !pattern.startsWith('!'))
    .map((pattern) => pattern.replace(/\/+$/, '').split('/').at(-1) ?? '')
    .map((last) =>
      /[[\\]/.test(last)
        ? '.*'
        : last
            .replace(/[.+^${}()|]/g, '\\$&')
            .replace(/\*+/g, '.*')
            .replaceAll('?', '.'),
    );
  const one = new RegExp(`^(?:${texts.join('|')})$`, 's');
  return (name) => one.test(name);
}

/** What a thing is that is neither file nor folder nor link. */
function specialKind(entry: Stats): Message | undefined {
  const plain = entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
  return plain ? undefined : kindOf(entry);
}

/** The paths that patterns name. Git tells it, of empty files with these names. */
async function matchingOf(
  git: Workspace['git'],
  commonDir: string,
  paths: readonly string[],
  patterns: readonly string[],
): Promise<string[]> {
  if (paths.length === 0) return [];
  const scratch = await mkdtemp(join(tmpdir(), 'worktree-stacks-'));
  try {
    for (const path of paths) {
      await mkdir(join(scratch, 'tree', dirname(path)), { recursive: true });
      await writeFile(join(scratch, 'tree', path), '');
    }
    const exclude = patterns.flatMap((pattern) => ['--exclude', pattern]);
    const args = [`--git-dir=${commonDir}`, `--work-tree=${join(scratch, 'tree')}`];
    return await git.nul([...args, 'ls-files', '-z', '--others', '--ignored', ...exclude], {
      cwd: join(scratch, 'tree'),
      variables: { GIT_INDEX_FILE: join(scratch, 'index') },
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
