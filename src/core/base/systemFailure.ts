import { Problem, errorCode } from './problem.ts';

/** What the calls that change something wanted to do, in a word for a sentence. Any other call of the file system wanted to read. */
const verbs: Readonly<Record<string, string>> = {
  write: 'write',
  pwrite: 'write',
  writev: 'write',
  fsync: 'write',
  fdatasync: 'write',
  ftruncate: 'write',
  unlink: 'delete',
  rmdir: 'delete',
  rm: 'delete',
  mkdir: 'make',
  mkdtemp: 'make',
  rename: 'rename',
  copyfile: 'copy',
  cp: 'copy',
  link: 'link',
  symlink: 'link',
  chmod: 'change the mode of',
  fchmod: 'change the mode of',
  utime: 'change the time of',
};
const reading: ReadonlySet<string> = new Set(
  ['open', 'read', 'close', 'stat', 'lstat', 'fstat', 'scandir', 'opendir', 'readlink', 'realpath', 'access'], //
);

/**
 * The problem that a failure of the file system is for a person: a full or read-only disk, a missing permission, a file in use. Whoever
 * knows what was being done says it in better words; this is for all the others.
 *
 * @returns `undefined` for what is no failure of the file system, and a problem as it is.
 */
export function systemProblem(thrown: unknown): Problem | undefined {
  if (Problem.is(thrown)) return thrown;
  const code = errorCode(thrown);
  if (code === undefined) return undefined;
  const { syscall = '', path, dest, message } = thrown as NodeJS.ErrnoException & { dest?: string };
  const verb = Object.hasOwn(verbs, syscall) ? verbs[syscall] : undefined;
  if (verb === undefined && !reading.has(syscall)) return undefined;
  const words = /^\w+: ([^,]+)/.exec(message)?.[1] ?? code;
  const what = [path ?? 'a file', ...(dest === undefined ? [] : [`to ${dest}`])].join(' ');
  return new Problem(
    verb === undefined && syscall !== 'open' ? 'unreadable-file' : 'not-writable',
    `Cannot ${verb ?? (syscall === 'open' ? 'open' : 'read')} ${what}: ${words}.`,
    { ...(path === undefined ? {} : { file: path }), next: nextStep(code), outcome: 'incomplete', cause: thrown },
  );
}

function nextStep(code: string): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'free some space on the disk, then run the same again';
  if (code === 'EROFS') return 'make the disk writable, then run the same again';
  if (code === 'EBUSY') return 'close what uses it, then run the same again';
  return 'check that it is there, is yours and may be written, then run the same again';
}
