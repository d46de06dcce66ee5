import { lstat, mkdtemp, readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { asGitTakesIt } from '../base/composed.ts';
import { relativeTo } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import { unfitPart } from '../base/windowsNames.ts';
import type { CreateData } from './createData.ts';
import type { Workspace } from '../worktree/workspace.ts';

/**
 * Files in a worktree that its commit does not have.
 *
 * @param options.own files that are ours although the commit does not have them.
 * @param options.thorough git-ignored files count too, and so do files of the commit that are not as it has them. What git was writing
 *   when it was ended, the beginning of a file, does not. For a worktree that somebody has had time to work in.
 */
export async function foreignFiles(
  workspace: Workspace,
  data: Pick<CreateData, 'path' | 'startCommit'>,
  options: { own: readonly string[]; thorough: boolean },
): Promise<string[]> {
  const { environment } = workspace;
  if (!(await lstat(data.path).catch(() => undefined))?.isDirectory()) return [];
  try {
    return await compare(workspace, data, options);
  } catch (thrown) {
    // Where Windows starts no program in a folder of that name, git has written nothing there, and nobody could work there.
    const isClosed = environment.platform === 'win32' && unfitPart(basename(data.path)) !== undefined;
    if ((options.thorough && !isClosed) || Problem.is(thrown, 'cancelled')) throw thrown;
    // On a full disk there is no room for an index. By names alone git-ignored files count as well, which keeps more.
    return unknownNames(workspace, data, options.own);
  }
}

async function compare(
  { git, repository }: Workspace,
  data: Pick<CreateData, 'path' | 'startCommit'>,
  options: { own: readonly string[]; thorough: boolean },
): Promise<string[]> {
  // The worktree's own index may be missing or half done; this one says what the commit has.
  const scratch = await mkdtemp(join(tmpdir(), 'worktree-stacks-'));
  const place = { cwd: data.path, variables: { GIT_INDEX_FILE: join(scratch, 'index') } };
  const inTree = [`--git-dir=${repository.commonDir}`, `--work-tree=${data.path}`];
  const paths = (...args: string[]): Promise<string[]> => git.nul([...inTree, ...args], place);
  try {
    await git.text([...inTree, 'read-tree', data.startCommit], place);
    const [others, changed] = await Promise.all([
      paths('ls-files', '-z', '--others', ...(options.thorough ? [] : ['--exclude-standard'])),
      options.thorough ? paths('diff-files', '-z', '--name-only', '--diff-filter=d', '--ignore-submodules=all') : [],
    ]);
    const own = new Set(options.own);
    const found = others.filter((path) => !own.has(path));
    for (const path of changed) {
      const whole = await git.text([...inTree, 'cat-file', '--filters', `${data.startCommit}:${path}`], place);
      const there = await readFile(join(data.path, path), 'utf8').catch(() => '');
      // A character may have been cut in half.
      if (!whole.startsWith(there.replace(/\uFFFD$/, ''))) found.push(path);
    }
    return found.sort();
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The same without writing anything: what has a name that the commit does not have. */
async function unknownNames(
  { environment, git, repository }: Workspace,
  { path, startCommit }: Pick<CreateData, 'path' | 'startCommit'>,
  own: readonly string[],
): Promise<string[]> {
  const args = ['ls-tree', '-r', '-z', '--name-only', startCommit];
  const known = new Set([...(await git.in(repository.commonDir).nul(args)), ...own, '.git']);
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relativeTo(path, join(entry.parentPath, entry.name)))
    .filter((file) => !known.has(file) && !known.has(asGitTakesIt(file, environment.platform)))
    .sort();
}
