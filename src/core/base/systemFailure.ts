import { verbatim, type Message } from '../messages/message.ts';
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
  Record<string, readonly [doing: Message, wanted: WantedEntry, reason: NonNullable<Attempt['reason']>]>
> = {
  mkdir: [baseMessages.cannotMake(), 'folder', 'not-writable'],
  mkdtemp: [baseMessages.cannotMake(), 'folder', 'not-writable'],
  scandir: [baseMessages.cannotRead(), 'folder', 'unreadable-file'],
  opendir: [baseMessages.cannotRead(), 'folder', 'unreadable-file'],
  open: [baseMessages.cannotOpen(), 'file', 'not-writable'],
  read: [baseMessages.cannotRead(), 'file', 'unreadable-file'],
  close: [baseMessages.cannotRead(), 'file', 'unreadable-file'],
  stat: [baseMessages.cannotLook(), 'file', 'unreadable-file'],
  lstat: [baseMessages.cannotLook(), 'file', 'unreadable-file'],
  fstat: [baseMessages.cannotLook(), 'file', 'unreadable-file'],
  realpath: [baseMessages.cannotLook(), 'file', 'unreadable-file'],
  readlink: [baseMessages.cannotLook(), 'file', 'unreadable-file'],
  access: [baseMessages.cannotLook(), 'file', 'unreadable-file'],
  write: [baseMessages.cannotWrite(), 'file', 'not-writable'],
  pwrite: [baseMessages.cannotWrite(), 'file', 'not-writable'],
  writev: [baseMessages.cannotWrite(), 'file', 'not-writable'],
  fsync: [baseMessages.cannotWrite(), 'file', 'not-writable'],
  fdatasync: [baseMessages.cannotWrite(), 'file', 'not-writable'],
  ftruncate: [baseMessages.cannotWrite(), 'file', 'not-writable'],
  unlink: [baseMessages.cannotDelete(), 'file', 'not-writable'],
  rm: [baseMessages.cannotDelete(), 'file', 'not-writable'],
  rmdir: [baseMessages.cannotDelete(), 'folder', 'not-writable'],
  rename: [baseMessages.cannotRename(), 'file', 'not-writable'],
  chmod: [baseMessages.cannotChangeMode(), 'file', 'not-writable'],
  fchmod: [baseMessages.cannotChangeMode(), 'file', 'not-writable'],
  chown: [baseMessages.cannotChangeOwner(), 'file', 'not-writable'],
  utime: [baseMessages.cannotChangeTime(), 'file', 'not-writable'],
  copyfile: [baseMessages.cannotCopy(), 'file', 'not-writable'],
  cp: [baseMessages.cannotCopy(), 'file', 'not-writable'],
  link: [baseMessages.cannotLink(), 'file', 'not-writable'],
  symlink: [baseMessages.cannotLink(), 'file', 'not-writable'],
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
  const [doing, wanted, reason] = known ?? ([baseMessages.cannotRead(), 'file', 'unreadable-file'] as const);
  // Of two paths the second one is the new one: what is in the way is there, unless the first one is missing.
  const file = dest !== undefined && code !== 'ENOENT' ? dest : path;
  if (file !== undefined) return fileProblem({ doing, file, wanted, reason }, thrown);
  const [what, next] = causes[code] ?? [verbatim(plainWords(thrown)), baseMessages.runVerbose()];
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
    code === 'ENOENT'
      ? baseMessages.notThere()
      : code === 'EACCES'
        ? baseMessages.mayNotBeRun()
        : (causes[code]?.[0] ?? code);
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
  return (
    systemProblem(thrown) ?? startProblem(thrown) ?? new Problem(reason, verbatim(messageOf(thrown)), { cause: thrown })
  );
}
