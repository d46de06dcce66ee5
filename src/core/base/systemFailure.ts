import { causes, fileProblem, plainWords, type Attempt } from './fileProblem.ts';
import type { WantedEntry } from './obstacle.ts';
import { Problem, errorCode, messageOf, type ProblemReason } from './problem.ts';
import { baseMessages } from '../messages/base.ts';

interface SystemError extends Error {
  readonly code: string;
  readonly syscall?: string;
  readonly path?: string;
  readonly dest?: string;
}

/** What the system was asked to do, as the beginning of a sentence. */
const doings: Readonly<
  Record<string, readonly [doing: string, wanted: WantedEntry, reason: NonNullable<Attempt['reason']>]>
> = {
  mkdir: ['Cannot make', 'folder', 'not-writable'],
  mkdtemp: ['Cannot make', 'folder', 'not-writable'],
  scandir: ['Cannot read', 'folder', 'unreadable-file'],
  opendir: ['Cannot read', 'folder', 'unreadable-file'],
  open: ['Cannot open', 'file', 'not-writable'],
  read: ['Cannot read', 'file', 'unreadable-file'],
  close: ['Cannot read', 'file', 'unreadable-file'],
  stat: ['Cannot look at', 'file', 'unreadable-file'],
  lstat: ['Cannot look at', 'file', 'unreadable-file'],
  fstat: ['Cannot look at', 'file', 'unreadable-file'],
  realpath: ['Cannot look at', 'file', 'unreadable-file'],
  readlink: ['Cannot look at', 'file', 'unreadable-file'],
  access: ['Cannot look at', 'file', 'unreadable-file'],
  write: ['Cannot write', 'file', 'not-writable'],
  pwrite: ['Cannot write', 'file', 'not-writable'],
  writev: ['Cannot write', 'file', 'not-writable'],
  fsync: ['Cannot write', 'file', 'not-writable'],
  fdatasync: ['Cannot write', 'file', 'not-writable'],
  ftruncate: ['Cannot write', 'file', 'not-writable'],
  unlink: ['Cannot delete', 'file', 'not-writable'],
  rm: ['Cannot delete', 'file', 'not-writable'],
  rmdir: ['Cannot delete', 'folder', 'not-writable'],
  rename: ['Cannot rename', 'file', 'not-writable'],
  chmod: ['Cannot change the mode of', 'file', 'not-writable'],
  fchmod: ['Cannot change the mode of', 'file', 'not-writable'],
  chown: ['Cannot change the owner of', 'file', 'not-writable'],
  utime: ['Cannot change the time of', 'file', 'not-writable'],
  copyfile: ['Cannot copy', 'file', 'not-writable'],
  cp: ['Cannot copy', 'file', 'not-writable'],
  link: ['Cannot link', 'file', 'not-writable'],
  symlink: ['Cannot link', 'file', 'not-writable'],
};

/**
 * The problem that a failure of the file system is for a person: a full or read-only disk, a missing permission, a file in use or in the
 * way. Whoever knows what was being done says it in better words; this is for all the others.
 *
 * @returns `undefined` for what is no failure of the file system, and a problem as it is.
 */
export function systemProblem(thrown: unknown): Problem | undefined {
  if (Problem.is(thrown)) return thrown;
  if (!isSystemError(thrown)) return undefined;
  const { syscall = '', path, dest } = thrown;
  const code = systemCode(thrown.code);
  const known = Object.hasOwn(doings, syscall.toLowerCase()) ? doings[syscall.toLowerCase()] : undefined;
  if (!known && !code.startsWith('ERR_')) return undefined;
  const [doing, wanted, reason] = known ?? (['Cannot read', 'file', 'unreadable-file'] as const);
  // Of two paths the second one is the new one: what is in the way is there, unless the first one is missing.
  const file = dest !== undefined && code !== 'ENOENT' ? dest : path;
  if (file !== undefined) return fileProblem({ doing, file, wanted, reason }, thrown);
  const [what, next] = causes[code] ?? [plainWords(thrown), 'run the same command with --verbose to see where'];
  return new Problem(reason, baseMessages.aFile({ doing, what }), { next, outcome: 'incomplete', cause: thrown });
}

/** The problem of a program that could not be started; `undefined` for any other failure. */
export function startProblem(thrown: unknown): Problem | undefined {
  const code = errorCode(thrown);
  if (code === undefined) return undefined;
  const { syscall = '', path } = thrown as NodeJS.ErrnoException;
  if (!syscall.startsWith('spawn')) return undefined;
  return notStarted(syscall.replace(/^spawn ?/, '') || path || 'A program', code, thrown);
}

function notStarted(program: string, code: string, cause: unknown): Problem {
  const why =
    code === 'ENOENT' ? 'it is not there' : code === 'EACCES' ? 'it may not be run' : (causes[code]?.[0] ?? code);
  return new Problem('not-found', baseMessages.couldNotStarted({ program, why }), {
    next: causes[code]?.[1] ?? baseMessages.installCorrectPath({ program }),
    outcome: 'incomplete',
    cause,
  });
}

/** Node gives failures of the system a code such as `ENOENT`, and those of its own file functions one such as `ERR_FS_FILE_TOO_LARGE`. */
function isSystemError(thrown: unknown): thrown is SystemError {
  const code = errorCode(thrown);
  if (code === undefined) return false;
  return /^E[A-Z0-9]+$/.test(systemCode(code)) || Object.hasOwn(causes, code);
}

/** `EISDIR` for `ERR_FS_EISDIR`, as Node's own `rm` says it. */
function systemCode(code: string): string {
  return code.replace(/^ERR_FS_(?=E[A-Z0-9]+$)/, '');
}

/**
 * Whatever was thrown, as a problem to be told: as it is, or as {@link systemProblem} explains it.
 *
 * @param reason for what nobody has foreseen.
 */
export function asProblem(thrown: unknown, reason: ProblemReason = 'git-failed'): Problem {
  if (Problem.is(thrown)) return thrown;
  return systemProblem(thrown) ?? startProblem(thrown) ?? new Problem(reason, messageOf(thrown), { cause: thrown });
}
