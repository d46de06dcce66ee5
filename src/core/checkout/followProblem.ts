import { dirname, join } from 'node:path';
import { Problem } from '../base/problem.ts';
import type { Checkout } from './checkout.ts';
import type { NotRestored } from './checkoutBackup.ts';
import { readIndexLock, indexLockProblem } from './indexLock.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { checkoutMessages } from '../messages/checkout.ts';
import { verbatim, type Message } from '../messages/message.ts';

/** How a worktree failed to follow its branch. */
export interface NotFollowed {
  readonly checkout: Checkout;
  readonly branch: string;
  /** The files that are not as in the new commit, as far as known. */
  readonly paths: readonly string[];
  /** The output of git, or the error of the file system. */
  readonly words: string;
}

/** Possible causes by their error messages, and how to fix each. */
const causes: readonly (readonly [pattern: RegExp, advice: (folder: string) => Message])[] = [
  [/Permission denied|EACCES|EPERM|Operation not permitted/, (folder) => checkoutMessages.makeWritable({ folder })],
  [/Read-only file system|EROFS/, (folder) => checkoutMessages.mountWritable({ folder })],
  [/No space left|Out of diskspace|ENOSPC|Disk quota|EDQUOT/, (folder) => checkoutMessages.freeSpaceOn({ folder })],
  [/busy|EBUSY|ETXTBSY|used by another process/i, (folder) => checkoutMessages.endProgramIn({ folder })],
  [/filter|was not filtered properly/, () => checkoutMessages.installFilter()],
];

/**
 * The failure of a worktree that could not follow its branch. Everything has been rolled back by then.
 *
 * @param kept the files that could not be restored, in any worktree.
 */
export async function followProblem(
  workspace: Workspace,
  failed: NotFollowed,
  kept: readonly NotRestored[],
): Promise<Problem> {
  const { checkout, branch, paths, words } = failed;
  const lock = /index\.lock': File exists/.test(words) ? readIndexLock(workspace, checkout) : undefined;
  if (lock)
    return indexLockProblem(
      checkout,
      lock,
      checkoutMessages.couldNotFollowNothingMoved({ checkoutPath: checkout.path, branch }),
    );
  const lines = words.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const line =
    lines.find((each) => paths.some((path) => each.includes(path)) && causes.some(([pattern]) => pattern.test(each))) ??
    lines.find((each) => causes.some(([pattern]) => pattern.test(each)));
  const cause = causes.find(([pattern]) => pattern.test(line ?? ''));
  const left = backupsOf(kept);
  const end = left.length === 0 ? checkoutMessages.nothingMoved() : checkoutMessages.noBranchMoved();
  const file = paths[0] ?? fileIn(lines);
  const details = { items: [...new Set([...left, ...lines])].slice(0, 20), outcome: 'incomplete' } as const;
  if (!cause && paths.length === 0) {
    return new Problem('dirty', checkoutMessages.couldNotFollow({ checkoutPath: checkout.path, branch, end }), {
      ...details,
      next: stepsFor(kept) ?? checkoutMessages.commitWayMove({ checkoutPath: checkout.path }),
    });
  }
  const what = file === undefined ? checkoutMessages.itsFiles() : verbatim(file);
  const more = paths.length > 1 ? checkoutMessages.andMore({ count: paths.length - 1 }) : '';
  const why = line === undefined ? '' : ` (${line.replace(/^(error|fatal|warning): /, '')})`;
  const folder = file === undefined ? checkout.path : dirname(join(checkout.path, file));
  const filtered = cause?.[0] === causes.at(-1)?.[0];
  return new Problem(
    filtered ? 'git-failed' : 'not-writable',
    checkoutMessages.gitCouldNotWrite({ checkoutPath: checkout.path, branch, what, more, why, end }),
    {
      ...details,
      ...(file === undefined ? {} : { file: join(checkout.path, file) }),
      next:
        stepsFor(kept) ??
        checkoutMessages.fixThenAgain({ fix: cause ? cause[1](folder) : checkoutMessages.findOutWhy({ folder }) }),
    },
  );
}

/** A failure, with the files that could not be restored after it. */
export function notRestoredProblem(problem: Problem, kept: readonly NotRestored[]): Problem {
  const { reason, what, file, items } = problem;
  return new Problem(reason, checkoutMessages.notEveryFile({ what }), {
    ...(file === undefined ? {} : { file }),
    next: stepsFor(kept) ?? problem.nextStep ?? checkoutMessages.checkFilesBelow(),
    items: [...backupsOf(kept), ...items].slice(0, 20),
    outcome: 'incomplete',
    cause: problem,
  });
}

function backupsOf(kept: readonly NotRestored[]): Message[] {
  return kept.flatMap(({ paths, folder }) => paths.map((path) => checkoutMessages.backupIn({ path, folder })));
}

/** The next step where the disk refused to restore files; `undefined` where somebody has changed them. */
function stepsFor(kept: readonly NotRestored[]): Message | undefined {
  if (!kept.some(({ again }) => again)) return undefined;
  return checkoutMessages.freeSomeSpaceCheck();
}

/** The file that git's message names: "fatal: data.bin: smudge filter lfs failed", "error: unable to unlink 'gen/f': Permission denied". */
function fileIn(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const file =
      /^(?:error|fatal): (.+): (?:smudge|clean) filter .* failed$/.exec(line)?.[1] ??
      /^(?:error|fatal|warning): unable to .*?'([^']+)': /.exec(line)?.[1] ??
      /^(?:error|fatal): '?([^']+?)'? was not filtered properly$/.exec(line)?.[1];
    if (file !== undefined) return file;
  }
  return undefined;
}
