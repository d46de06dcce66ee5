import { parse } from 'node:path';
import type { Git } from './git.ts';
import { parseStatus, type Status } from './status.ts';

/** Where the paths are put for git to find; no file is written. */
const key = 'worktree-stacks.path';

/**
 * The statuses of several working trees by one process of ours: git itself starts one for each, which costs far less than it
 * would here, where every start copies the tables of a large process and holds up the event loop meanwhile.
 *
 * Git stops at the first tree that fails. What it has told until then is given, in the order of the paths, without the last
 * one, which may be half; the rest has to be asked otherwise.
 *
 * @param roots absolute paths.
 */
export async function readManyStatuses(git: Git, roots: readonly string[], signal?: AbortSignal): Promise<Status[]> {
  const [first] = roots;
  if (first === undefined) return [];
  // Started inside a repository, git would hand that one on to the processes that it starts.
  const cwd = parse(first).root;
  const status = ['status', '--porcelain=v2', '--branch', '--no-ahead-behind', '-z', '--untracked-files=normal'];
  const paths = roots.flatMap((root) => ['-c', `${key}=${root}`]);
  const { exitCode, stdout } = await git.run([...paths, 'for-each-repo', `--config=${key}`, '--', ...status], {
    cwd,
    signal,
  });
  const statuses = splitStatuses(stdout).map(parseStatus);
  return exitCode === 0 && statuses.length === roots.length ? statuses : statuses.slice(0, -1);
}

/** Cuts several outputs of `git status --porcelain=v2 --branch -z` in a row apart: each begins with the header of the commit. */
export function splitStatuses(output: string): string[] {
  const outputs: string[][] = [];
  const words = output.split('\0');
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word.startsWith('# branch.oid ')) outputs.push([]);
    const current = outputs.at(-1);
    if (word === '' || !current) continue;
    current.push(word);
    // The old path of a rename is a word of its own, and may look like anything.
    if (word.startsWith('2 ')) current.push(words[++at] ?? '');
  }
  return outputs.map((each) => each.map((word) => `${word}\0`).join(''));
}
