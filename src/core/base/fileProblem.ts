import { Problem, errorCode, messageOf } from './problem.ts';
import { shellWord } from './quoted.ts';
import { closedFolder, obstacleOn, type Obstacle, type WantedEntry } from './obstacle.ts';
import { baseMessages } from '../messages/base.ts';

/** What was to be done with a file when the system refused it. */
export interface Attempt {
  /** The beginning of a sentence that the path ends: "Cannot write". */
  readonly doing: string;
  /** The absolute path. */
  readonly file: string;
  /** What is needed there. Default `file`. */
  readonly wanted?: WantedEntry;
  /** Default `not-writable`. */
  readonly reason?: 'not-writable' | 'unreadable-file';
  /** What to do about it, where more is known than can be said of any file. */
  readonly next?: string | undefined;
}

/** Causes that have one explanation wherever they are met: what is wrong, and what to do. */
export const causes: Readonly<Record<string, readonly [what: string, next: string]>> = {
  ENOSPC: ['the disk is full', 'free some space, then run the same command again'],
  EDQUOT: ['your quota on that disk is used up', 'free some space, then run the same command again'],
  EROFS: ['the disk is read-only', 'make it writable (`mount -o remount,rw`), or work in a copy that is'],
  EBUSY: ['another program is using it', 'close what uses it, then run the same command again'],
  ETXTBSY: ['it is a program that is running', 'end that program, then run the same command again'],
  EXDEV: ['it is on another disk', 'put both on one disk, then run the same command again'],
  EMFILE: ['too many files are open', 'close programs, or raise the limit (`ulimit -n 4096`), then try again'],
  ENFILE: ['too many files are open on this machine', 'close programs, then try again'],
  ENAMETOOLONG: ['the path is too long', 'choose a shorter name, or put the repository into a folder higher up'],
  EIO: ['the disk does not answer as it should', 'look at the messages of the system (`dmesg`), and try again'],
  ENOMEM: ['there is not enough memory', 'close programs, then try again'],
  ESTALE: ['the network disk has lost it', 'mount the disk again, then run the same command again'],
  ENOTCONN: ['its disk is not connected', 'mount the disk again, then run the same command again'],
  EHOSTDOWN: ['its disk cannot be reached', 'mount the disk again, then run the same command again'],
  ETIMEDOUT: ['its disk does not answer', 'mount the disk again, then run the same command again'],
  EILSEQ: ['the disk cannot hold such a name', 'choose a name of plain letters'],
  EFBIG: ['the file is too large for its disk', 'move the file away'],
  ERR_FS_FILE_TOO_LARGE: ['the file is too large', 'move the file away, then run the same command again'],
  ERR_STRING_TOO_LONG: ['the file is too large', 'move the file away, then run the same command again'],
  ENOTEMPTY: ['something is in that folder', 'look what it is, and move it away'],
  ENXIO: ['it is a pipe that nobody reads', 'move it away, then run the same command again'],
  EAGAIN: ['it is a pipe that nobody writes to', 'move it away, then run the same command again'],
};

/**
 * The problem of a file that the system would not let us work with: it says which entry is in the way and what it is, and how to get it
 * out of the way. The person can change it, so the command ends with 1.
 *
 * @param thrown what Node threw.
 */
export function fileProblem(attempt: Attempt, thrown: unknown): Problem {
  const { doing, file, wanted = 'file', reason = 'not-writable' } = attempt;
  const [what, next] = explain(errorCode(thrown), file, wanted, thrown);
  return new Problem(reason, baseMessages.text({ doing, file, what }), {
    file,
    next: attempt.next ?? next,
    outcome: 'incomplete',
    cause: thrown,
  });
}

/** The problem of an entry that is in the way, before anything was tried. */
export function obstacleProblem(
  doing: string,
  { at, what }: Obstacle,
  reason: Attempt['reason'] = 'not-writable',
): Problem {
  return new Problem(reason, baseMessages.text2({ doing, at, what }), {
    file: at,
    next: nextFor(at, what),
    outcome: 'incomplete',
  });
}

/** The problem of a folder that the user may not write to, before anything was tried. */
export function closedProblem(doing: string, folder: string, act: 'write to' | 'enter' = 'write to'): Problem {
  return new Problem('not-writable', baseMessages.mayNot({ doing, act, folder }), {
    file: folder,
    next: ownerFor(folder),
    outcome: 'incomplete',
  });
}

function ownerFor(path: string): string {
  return `look whose it is (\`ls -ld ${shellWord(path)}\`), and make it yours or ask its owner`;
}

function explain(
  code: string | undefined,
  file: string,
  wanted: WantedEntry,
  thrown: unknown,
): readonly [string, string] {
  const known = code === undefined ? undefined : causes[code];
  if (known) return known;
  const obstacle = obstacleOn(file, wanted);
  if (obstacle)
    return [`${obstacle.at === file ? 'it' : obstacle.at} ${obstacle.what}`, nextFor(obstacle.at, obstacle.what)];
  if (code === 'EACCES' || code === 'EPERM') {
    const closed = closedFolder(file);
    return [
      closed === undefined ? 'the system does not let you' : `you may not write to ${closed}`,
      ownerFor(closed ?? file),
    ];
  }
  if (code === 'ENOENT')
    return ['it is not there', 'look whether somebody has moved it, then run the same command again'];
  return [plainWords(thrown), 'look at what is there, then run the same command again'];
}

function nextFor(at: string, what: string): string {
  if (what.includes('you may not')) return ownerFor(at);
  if (what.includes('which is not there'))
    return `bring back what it leads to (is a disk not mounted?), or remove the link (\`rm ${shellWord(at)}\`)`;
  if (what.startsWith('cannot be')) return 'look whether its disk is mounted, then run the same command again';
  return `move it away (\`mv ${shellWord(at)} ${shellWord(`${at}.old`)}\`), then run the same command again`;
}

/** Node's words without the code and the paths: the sentence has them. */
export function plainWords(thrown: unknown): string {
  const words = messageOf(thrown).split('\n')[0] ?? '';
  return (/^[A-Z_0-9]+: (.*?)(?:, \w+ '.*)?$/.exec(words)?.[1] ?? words).replace(/\.$/, '');
}
