import { Problem } from '../base/problem.ts';
import { quotePath } from '../git/quotePath.ts';
import { parseRawDiff } from '../git/rawDiff.ts';
import { diffStart, type DiffStart } from './diffStart.ts';
import type { Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { snapshotMessages } from '../messages/snapshot.ts';

/** A file that differs from the merge base; `?` is one that git does not track yet. */
export interface ChangedFile {
  readonly status: 'A' | 'M' | 'D' | 'R' | 'C' | 'T' | 'U' | '?';
  /** Relative to the worktree's root, with forward slashes; of a repository inside the worktree its folder, with a slash at the end. */
  readonly path: string;
  /** Where a renamed or copied file came from. */
  readonly from?: string;
  /** Lines; not there for a binary file and for one that is not tracked. */
  readonly added?: number;
  readonly deleted?: number;
}

/** What a worktree has changed since it left its base, committed or not. */
export interface WorktreeDiff {
  /** The commit that it is compared with, where the branch's own commits begin. */
  readonly from: string;
  /** Its base; `undefined` when it is based on none, and is compared with its upstream or its last commit. */
  readonly base: string | undefined;
  /** By path; files that are not tracked last. */
  readonly files: readonly ChangedFile[];
}

/** The text of a diff. */
export interface DiffText {
  readonly from: string;
  readonly base: string | undefined;
  /** As git writes it, byte for byte: files need not be UTF-8. */
  readonly bytes: Buffer;
  /** Files that git does not track yet. The summaries list them, a patch does not hold them. */
  readonly untracked: readonly string[];
}

/** How the text of a diff is to look. */
export interface DiffTextOptions {
  /** A patch, git's `--stat`, or a line `<status>\t<path>` for each file. Default `patch`. */
  readonly form?: 'patch' | 'stat' | 'name-status';
  readonly colour?: boolean;
  /** Columns for `stat`; default 80. */
  readonly width?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Whatever the user has configured for diffs, the text can be applied and parsed. */
const plain = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--find-renames',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/**
 * What a worktree has changed: its working tree, uncommitted changes included, against the commit where it left its base.
 *
 * @throws Problem `not-found` when there is no working tree or no base commit to compare with.
 */
export async function diffFromBase(
  workspace: Workspace,
  worktree: Worktree,
  options: {
    readonly signal?: AbortSignal | undefined;
    /** Only what is not committed: against the last commit. */
    readonly uncommitted?: boolean;
  } = {},
): Promise<WorktreeDiff> {
  const head = options.uncommitted === true && worktree.head !== undefined;
  const { from, base, untracked, conflicts } = await startOf(workspace, worktree, options.signal, head);
  const args = ['diff', ...plain, '--raw', '--numstat', '-z', from, '--'];
  const output = await workspace.git.text(args, { cwd: worktree.path, signal: options.signal });
  // Compared with a commit, git tells of a file in conflict only that it is changed.
  const tracked = parseRawDiff(output).map((file): ChangedFile =>
    conflicts.has(file.path) ? { ...file, status: 'U' } : file,
  );
  return { from, base, files: [...tracked, ...untracked.map((path): ChangedFile => ({ status: '?', path }))] };
}

/**
 * The same as text for a person or a program.
 *
 * @throws Problem as {@link diffFromBase}.
 */
export async function diffTextFromBase(
  workspace: Workspace,
  worktree: Worktree,
  options: DiffTextOptions = {},
): Promise<DiffText> {
  const { form = 'patch', colour = false, width = 80, signal } = options;
  const { from, base, untracked } = await startOf(workspace, worktree, signal);
  const shape = { patch: '--patch', stat: `--stat=${width}`, 'name-status': '--name-status' }[form];
  const args = ['diff', ...plain, `--color=${colour ? 'always' : 'never'}`, shape, from, '--'];
  const tracked = await workspace.git.bytes(args, { cwd: worktree.path, signal });
  const rest = untracked.map((path) => {
    return form === 'stat' ? ` ${quotePath(path)} | not tracked\n` : `?\t${quotePath(path)}\n`;
  });
  const bytes = form === 'patch' ? tracked : Buffer.concat([tracked, Buffer.from(rest.join(''))]);
  return { from, base, bytes, untracked };
}

interface Start extends DiffStart {
  readonly untracked: readonly string[];
  readonly conflicts: ReadonlySet<string>;
}

async function startOf(
  workspace: Workspace,
  worktree: Worktree,
  signal: AbortSignal | undefined,
  head = false,
): Promise<Start> {
  if (worktree.bare || worktree.condition !== 'fine') {
    throw new Problem('not-found', snapshotMessages.noWorkingTree({ name: worktree.name, path: worktree.path }), {
      next: snapshotMessages.seeWtInfo({ name: JSON.stringify(worktree.name) }),
    });
  }
  const tagged = ['ls-files', '-t', '--others', '--unmerged', '--exclude-standard', '-z'];
  const [start, records] = await Promise.all([
    head ? { from: worktree.head ?? 'HEAD', base: undefined } : diffStart(workspace, worktree, signal),
    workspace.git.nul(tagged, { cwd: worktree.path, signal }),
  ]);
  const untracked: string[] = [];
  const conflicts = new Set<string>();
  for (const record of records) {
    if (record.startsWith('? ')) untracked.push(record.slice(2));
    else conflicts.add(record.slice(record.indexOf('\t') + 1));
  }
  return { ...start, untracked, conflicts };
}
