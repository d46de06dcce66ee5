import type { Environment } from '../base/environment.ts';
import { Problem } from '../base/problem.ts';
import { fitForWindows, foldedName, isDeviceName, unfitPart } from '../base/windowsNames.ts';
import { whyUnfit } from '../base/windowsNameProblem.ts';
import { baseMessages } from '../messages/base.ts';
import { createMessages } from '../messages/create.ts';
import type { Message } from '../messages/message.ts';

type Platform = Environment['platform'];

/** What is said of a name that Windows cannot hold. */
export interface UnfitName {
  /** Names that others have, of worktrees and of branches. */
  readonly taken: Iterable<string>;
  /** What is wrong. */
  readonly tell: (why: Message) => Message;
  /** What to do, with a name that Windows can hold. */
  readonly next: (better: string) => Message;
}

/**
 * Makes sure that no part of a worktree's name is a device to Windows. What else Windows cannot hold is left out of its folder and its branch.
 *
 * @throws Problem `invalid-name`.
 */
export function refuseDeviceName(name: string, platform: Platform, { taken, tell, next }: UnfitName): void {
  const part = platform === 'win32' ? name.split(/[\\/]/).find(isDeviceName) : undefined;
  if (part === undefined) return;
  const why = baseMessages.windowsDevice({ part: JSON.stringify(part) });
  throw new Problem('invalid-name', tell(why), { next: next(fitName(name, taken)), outcome: 'incomplete' });
}

/**
 * Makes sure that Windows can hold a branch, which is a file among folders there. Also one that exists: where another system has made it,
 * it may only be listed in a file of git's, and nothing can be committed to it.
 *
 * @throws Problem `invalid-name`.
 */
export function refuseUnfitBranch(branch: string, platform: Platform, { taken, next }: Omit<UnfitName, 'tell'>): void {
  if (platform !== 'win32') return;
  const unfit = unfitPart(branch);
  if (unfit === undefined) return;
  throw new Problem('invalid-name', createMessages.branchUnfit({ branch, why: whyUnfit(unfit) }), {
    next: next(fitName(branch, taken)),
    outcome: 'incomplete',
  });
}

/** A name like this one that Windows can hold, and that nothing else has, whatever the case. */
export function fitName(name: string, taken: Iterable<string>): string {
  const all = new Set([...taken].map(foldedName));
  for (let number = 1; ; number++) {
    const better = fitForWindows(name.replaceAll('\\', '/'), number);
    if (!all.has(foldedName(better))) return better;
  }
}

/**
 * The branch that is in the way of a new one. A branch is a file among folders: `billing` and `billing/x` cannot both be, and some disks
 * take `Billing` for `billing`, or one way of writing `é` for the other.
 */
export function clashingBranch(branches: Iterable<string>, branch: string, platform: Platform): string | undefined {
  const fold = platform === 'darwin' || platform === 'win32' ? foldedName : (name: string): string => name;
  const wanted = fold(branch);
  for (const other of branches) {
    const there = fold(other);
    if (there === wanted || there.startsWith(`${wanted}/`) || wanted.startsWith(`${there}/`)) return other;
  }
  return undefined;
}
