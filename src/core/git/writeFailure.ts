import type { Message } from '../messages/message.ts';
import { statfs } from 'node:fs/promises';
import type { Git } from './git.ts';
import { gitMessages } from '../messages/git.ts';
import { baseMessages } from '../messages/base.ts';

/** A way in which git, or the disk, fails to write files for a reason that a person can change. */
interface Cause {
  readonly pattern: RegExp;
  /** The end of "x was not created: …", and what helps; the command is the one that is typed again then. */
  readonly tell: (
    command: string,
    words: string,
    found: RegExpExecArray | null,
  ) => readonly [why: Message, next: Message];
}

/** The first one that fits is told. */
const causes: readonly Cause[] = [
  {
    pattern: /No space left on device|Out of diskspace|ENOSPC|not enough space|disk is full/i,
    tell: (command) => [baseMessages.diskFull(), gitMessages.freeSpaceThenCommand({ command })],
  },
  {
    pattern: /Disk quota exceeded|EDQUOT/i,
    tell: (command) => [gitMessages.diskQuotaUsed(), gitMessages.freeSpaceThenCommand({ command })],
  },
  { pattern: /(?:smudge|clean) filter '?([^' ]+)'? failed|external filter '(.*)' failed/, tell: tellFilter },
  {
    pattern: /could not fetch .* from promisor remote|promisor remote .* could not|remote-did-not-send/i,
    tell: (command) => [gitMessages.partialCloneRemote(), gitMessages.connectGitRemote({ command })],
  },
  {
    pattern:
      /unable to read (?:sha1 file of|tree)|bad object|missing blob|(?:object file|loose object) .* is (?:empty|corrupt)/i,
    tell: () => [gitMessages.objectsMissingRepository(), gitMessages.gitFsckNamesThem()],
  },
  {
    pattern: /File ?name too long|ENAMETOOLONG/i,
    tell: () => [gitMessages.pathWouldLonger(), gitMessages.chooseShorterName()],
  },
  {
    pattern: /invalid path '(.*)'/,
    tell: (command, _, found) => [
      gitMessages.nameNotAllowed({ name: found?.[1] ?? '' }),
      gitMessages.renameFileBranch({ command }),
    ],
  },
  {
    pattern: /Illegal byte sequence|EILSEQ/i,
    tell: (command) => [gitMessages.nameNotValid(), gitMessages.renameThenCommand({ command })],
  },
  {
    pattern: /Read-only file system|EROFS/i,
    tell: () => [baseMessages.diskReadOnly(), gitMessages.makeWritableSet()],
  },
  {
    pattern: /Permission denied|Operation not permitted|EACCES|EPERM/i,
    tell: (command) => [gitMessages.notYours(), gitMessages.seeBelowOne({ command })],
  },
  {
    pattern: /Input\/output error|EIO\b/,
    tell: () => [gitMessages.diskReportsErrors(), gitMessages.seeBelow()],
  },
  {
    pattern: /Too many open files|EMFILE|ENFILE|out of memory|Cannot allocate memory|ENOMEM/i,
    tell: (command) => [gitMessages.systemOutMemory(), gitMessages.closeOtherPrograms({ command })],
  },
];

/** What a filter that is missing, locked or away from its server needs. */
function tellFilter(command: string, words: string, found: RegExpExecArray | null): [why: Message, next: Message] {
  const name = /(?:smudge|clean) filter '?([^' ]+)'? failed/.exec(words)?.[1] ?? found?.[2] ?? '';
  // As a shell says it (127, "1: x: not found"), and as git does.
  const missing = /failed 127|command not found|: \d+: [^\n]*: not found|cannot (?:run|spawn) /.test(words);
  if (name === 'lfs' || /git-lfs/.test(words)) {
    return [
      missing ? gitMessages.gitLfsRepository() : gitMessages.largeFilesMissing(),
      gitMessages.skipLargeFiles({
        first: missing ? gitMessages.installGitLfs() : gitMessages.seeBelowWrong(),
        command,
      }),
    ];
  }
  if (name.startsWith('git-crypt') || /git-crypt/.test(words)) {
    return missing
      ? [gitMessages.gitCryptRepository(), gitMessages.installGitCrypt({ command })]
      : [gitMessages.filesGitCrypt(), gitMessages.gitCryptUnlock({ command })];
  }
  return [
    gitMessages.filter({ name, what: missing ? gitMessages.notInstalled() : gitMessages.filterFailed() }),
    gitMessages.correctSaidBelow({ command }),
  ];
}

/** A disk with less room than this, in bytes, is full: git needs more for a branch and the files that it keeps of a worktree. */
const leastRoom = 65_536;

/**
 * Why git, or we, could not write something, as far as a person can change it: the end of a sentence, and the next step.
 *
 * @param words what git or the system said.
 * @param command the command that was typed, such as `wt create x`.
 * @param folder on the disk in question: it is asked for its free space where the words do not tell the cause. To be asked before anything is
 *   rolled back.
 */
export async function tellWriteFailure(
  words: string,
  command: string,
  folder: string,
): Promise<{ readonly why: Message; readonly next: Message } | undefined> {
  const cause = causes.find(({ pattern }) => pattern.test(words)) ?? ((await isFull(folder)) ? causes[0] : undefined);
  if (!cause) return undefined;
  const [why, next] = cause.tell(command, words, cause.pattern.exec(words));
  return { why, next };
}

/**
 * What git does not say of a file that it could not write: that the disk has no room for it.
 *
 * @param cwd the root of the working tree.
 * @param tree the tree or commit whose files were to be written.
 * @param words what git said.
 * @returns the system's words for a full disk, as a line to add; none where there is room.
 */
export async function noteFullDisk(git: Git, cwd: string, tree: string, words: string): Promise<string[]> {
  const file = /unable to write (?:new )?(?:file|index) ?'?(.*?)'?$/m.exec(words)?.[1];
  if (file === undefined) return [];
  const [disk, size] = await Promise.all([
    statfs(cwd).catch(() => undefined),
    git.line(['cat-file', '-s', `${tree}:${file}`], { cwd }),
  ]);
  const isOut = disk !== undefined && disk.bavail * disk.bsize <= Math.max(Number(size ?? 0), leastRoom);
  return isOut ? ['No space left on device'] : [];
}

async function isFull(folder: string): Promise<boolean> {
  const disk = await statfs(folder).catch(() => undefined);
  return disk !== undefined && disk.bavail * disk.bsize < leastRoom;
}
