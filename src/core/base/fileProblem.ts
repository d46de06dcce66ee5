import { sep } from 'node:path';
import { verbatim, type Message } from '../messages/message.ts';
import { Problem, errorCode, messageOf } from './problem.ts';
import { shellWord } from './quoted.ts';
import { isHeld } from './heldFiles.ts';
import { closedFolder, obstacleOn, type Obstacle, type WantedEntry } from './obstacle.ts';
import { baseMessages } from '../messages/base.ts';

/** What was to be done with a file when the system refused it. */
export interface Attempt {
  /** The beginning of a sentence that the path ends: "Cannot write". */
  readonly doing: Message;
  /** The absolute path. */
  readonly file: string;
  /** What is needed there. Default `file`. */
  readonly wanted?: WantedEntry;
  /** Default `not-writable`. */
  readonly reason?: 'not-writable' | 'unreadable-file';
  /** What to do about it, where more is known than can be said of any file. */
  readonly next?: Message | undefined;
  /** Whether the system is Windows. Default: the one that this runs on. */
  readonly windows?: boolean;
}

const onWindows = sep === '\\';

/** Causes that have one explanation wherever they are met: what is wrong, and what to do. */
export const causes: Readonly<Record<string, readonly [what: Message, next: Message]>> = {
  ENOSPC: [baseMessages.diskFull(), baseMessages.freeSomeSpace()],
  EDQUOT: [baseMessages.quotaDiskUsed(), baseMessages.freeSomeSpace()],
  EROFS: [baseMessages.diskReadOnly(), baseMessages.makeWritableMount()],
  EBUSY: [baseMessages.anotherProgramUsing(), baseMessages.closeUsesSame()],
  ETXTBSY: [baseMessages.programRunning(), baseMessages.endProgramSame()],
  EXDEV: [baseMessages.anotherDisk(), baseMessages.putBothOne()],
  EMFILE: [baseMessages.tooManyFiles(), baseMessages.closeProgramsRaise()],
  ENFILE: [baseMessages.tooManyFilesOpen(), baseMessages.closeProgramsTry()],
  ENAMETOOLONG: [baseMessages.pathTooLong(), baseMessages.chooseShorterName()],
  EIO: [baseMessages.diskNotAnswering(), baseMessages.lookMessagesSystem()],
  ENOMEM: [baseMessages.notEnoughMemory(), baseMessages.closeProgramsTry()],
  ESTALE: [baseMessages.networkDiskLost(), baseMessages.mountDiskAgain()],
  ENOTCONN: [baseMessages.diskNotConnected(), baseMessages.mountDiskAgain()],
  EHOSTDOWN: [baseMessages.diskCannotReached(), baseMessages.mountDiskAgain()],
  ETIMEDOUT: [baseMessages.diskDoesNotAnswer(), baseMessages.mountDiskAgain()],
  EILSEQ: [baseMessages.diskCannotHold(), baseMessages.chooseNamePlain()],
  EFBIG: [baseMessages.fileTooLarge(), baseMessages.moveFileAway()],
  ERR_FS_FILE_TOO_LARGE: [baseMessages.fileTooLargeToRead(), baseMessages.moveFileAwaySame()],
  ERR_STRING_TOO_LONG: [baseMessages.fileTooLargeToRead(), baseMessages.moveFileAwaySame()],
  ENOTEMPTY: [baseMessages.somethingFolder(), baseMessages.lookMoveAway()],
  ENXIO: [baseMessages.pipeNobodyReads(), baseMessages.moveAwaySame()],
  EAGAIN: [baseMessages.pipeNobodyWrites(), baseMessages.moveAwaySame()],
};

/**
 * The problem of a file that the system would not let us work with: it says which entry is in the way and what it is, and how to get it
 * out of the way. The person can change it, so the command ends with 1.
 *
 * @param thrown what Node threw.
 */
export function fileProblem(attempt: Attempt, thrown: unknown): Problem {
  const { doing, file, wanted = 'file', reason = 'not-writable', windows = onWindows } = attempt;
  const [what, next] = explain(file, wanted, windows, thrown);
  return new Problem(reason, baseMessages.fileFailure({ doing, file, what }), {
    file,
    next: attempt.next ?? next,
    outcome: 'incomplete',
    cause: thrown,
  });
}

/** The problem of an entry that is in the way, before anything was tried. */
export function obstacleProblem(
  doing: Message,
  { at, what }: Obstacle,
  reason: Attempt['reason'] = 'not-writable',
): Problem {
  return new Problem(reason, baseMessages.obstacle({ doing, at, what }), {
    file: at,
    next: nextFor(at, what, onWindows),
    outcome: 'incomplete',
  });
}

/** The problem of a folder that the user may not write to, before anything was tried. */
export function closedProblem(doing: Message, folder: string, act: 'write to' | 'enter' = 'write to'): Problem {
  return new Problem('not-writable', baseMessages.mayNot({ doing, act, folder }), {
    file: folder,
    next: ownerFor(folder),
    outcome: 'incomplete',
  });
}

function ownerFor(path: string): Message {
  return onWindows ? baseMessages.lookPermissions({ path }) : baseMessages.lookWhoseLs({ path: shellWord(path) });
}

function explain(file: string, wanted: WantedEntry, windows: boolean, thrown: unknown): readonly [Message, Message] {
  const code = errorCode(thrown);
  const known = code === undefined ? undefined : causes[code];
  if (known) return known;
  const obstacle = obstacleOn(file, wanted);
  if (obstacle)
    return [
      baseMessages.entryIs({ entry: obstacle.at === file ? baseMessages.it() : obstacle.at, what: obstacle.what }),
      nextFor(obstacle.at, obstacle.what, windows),
    ];
  if (isHeld(thrown, windows)) return [baseMessages.heldOrClosed(), baseMessages.closeUsesSame()];
  if (code === 'EACCES' || code === 'EPERM') {
    const closed = closedFolder(file);
    return [
      closed === undefined ? baseMessages.notPermitted() : baseMessages.mayNotWrite({ closed }),
      ownerFor(closed ?? file),
    ];
  }
  if (code === 'ENOENT') return [baseMessages.notThere(), baseMessages.lookWhetherSomebody()];
  return [verbatim(plainWords(thrown)), baseMessages.lookSameCommand()];
}

function nextFor(at: string, { id }: Message, windows: boolean): Message {
  if (id === baseMessages.unreachable.id) return baseMessages.lookWhetherDisk();
  if (id === baseMessages.closedFolder.id || id === baseMessages.linkToClosed.id)
    return windows ? baseMessages.lookPermissions({ path: at }) : ownerFor(at);
  // No command of Windows is the same in all of its shells.
  if (id === baseMessages.linkToNothing.id)
    return windows ? baseMessages.bringBackOrDelete({ at }) : baseMessages.bringBackLeads({ at: shellWord(at) });
  if (windows) return baseMessages.moveAwayTo({ at, to: `${at}.old` });
  return baseMessages.moveAwayByCommand({ at: shellWord(at), to: shellWord(`${at}.old`) });
}

/** Node's words without the code and the paths: the sentence has them. */
export function plainWords(thrown: unknown): string {
  const words = messageOf(thrown).split('\n')[0] ?? '';
  return (/^[A-Z_0-9]+: (.*?)(?:, \w+ '.*)?$/.exec(words)?.[1] ?? words).replace(/\.$/, '');
}
