import { isAbsolute, parse, resolve } from 'node:path';

/** Why a path cannot be the worktree that a guard keeps to; `undefined` if it can. */
export function rootFault(root: string): string | undefined {
  if (root.trim() === '') return 'it was started without the worktree';
  if (root.includes('\0') || !isAbsolute(root)) return 'the worktree that it was given is no absolute path';
  const whole = resolve(root);
  if (whole === parse(whole).root) return 'the worktree that it was given is the root of the disk';
  return undefined;
}
