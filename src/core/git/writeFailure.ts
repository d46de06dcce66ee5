import { statfs } from 'node:fs/promises';
import type { Git } from './git.ts';

/** A way in which git, or the disk, fails to write files for a reason that a person can change. */
interface Cause {
  readonly pattern: RegExp;
  /** The end of "x was not created: …", and what helps; the command is the one that is typed again then. */
  readonly tell: (
    command: string,
    words: string,
    found: RegExpExecArray | null,
  ) => readonly [why: string, next: string];
}

/** The first one that fits is told. */
const causes: readonly Cause[] = [
  {
    pattern: /No space left on device|Out of diskspace|ENOSPC|not enough space|disk is full/i,
    tell: (command) => ['the disk is full', `free some space, then run \`${command}\` again`],
  },
  {
    pattern: /Disk quota exceeded|EDQUOT/i,
    tell: (command) => ['your disk quota is used up', `free some space, then run \`${command}\` again`],
  },
  { pattern: /(?:smudge|clean) filter '?([^' ]+)'? failed|external filter '(.*)' failed/, tell: tellFilter },
  {
    pattern: /could not fetch .* from promisor remote|promisor remote .* could not|remote-did-not-send/i,
    tell: (command) => [
      'this is a partial clone, and the remote that has the missing files could not be reached',
      `connect to it (\`git remote -v\` names it), or fetch them with \`git fetch\`; then run \`${command}\` again`,
    ],
  },
  {
    pattern:
      /unable to read (?:sha1 file of|tree)|bad object|missing blob|(?:object file|loose object) .* is (?:empty|corrupt)/i,
    tell: () => ['objects are missing from this repository', '`git fsck` names them, `git fetch` may bring them back'],
  },
  {
    pattern: /File ?name too long|ENAMETOOLONG/i,
    tell: () => [
      'a path would be longer than this system allows',
      'choose a shorter name, or a shorter `worktree.location_pattern`; on Windows `git config core.longpaths true` helps',
    ],
  },
  {
    pattern: /invalid path '(.*)'/,
    tell: (command, _, found) => [
      `this system does not allow the file name ${found?.[1] ?? ''}`,
      `rename the file on that branch, on a system that allows it; then run \`${command}\` again`,
    ],
  },
  {
    pattern: /Illegal byte sequence|EILSEQ/i,
    tell: (command) => [
      'a file name is not valid on this disk',
      `rename the file on that branch; then run \`${command}\` again`,
    ],
  },
  {
    pattern: /Read-only file system|EROFS/i,
    tell: () => ['the disk is read-only', 'make it writable, or set `worktree.location_pattern` to another place'],
  },
  {
    pattern: /Permission denied|Operation not permitted|EACCES|EPERM/i,
    tell: (command) => ['a file or folder is not yours to write', `see below which one, then run \`${command}\` again`],
  },
  {
    pattern: /Input\/output error|EIO\b/,
    tell: () => ['the disk reports errors', 'see what git says below'],
  },
  {
    pattern: /Too many open files|EMFILE|ENFILE|out of memory|Cannot allocate memory|ENOMEM/i,
    tell: (command) => [
      'this system has run out of memory or open files',
      `close other programs, then run \`${command}\` again`,
    ],
  },
];

/** What a filter that is missing, locked or away from its server needs. */
function tellFilter(command: string, words: string, found: RegExpExecArray | null): [why: string, next: string] {
  const name = /(?:smudge|clean) filter '?([^' ]+)'? failed/.exec(words)?.[1] ?? found?.[2] ?? '';
  // As a shell says it (127, "1: x: not found"), and as git does.
  const missing = /failed 127|command not found|: \d+: [^\n]*: not found|cannot (?:run|spawn) /.test(words);
  if (name === 'lfs' || /git-lfs/.test(words)) {
    return [
      missing
        ? 'git-lfs, which this repository needs for its large files, is not installed'
        : 'git-lfs could not get the large files of this repository',
      `${missing ? 'install git-lfs' : 'see below what is wrong'}, or run \`GIT_LFS_SKIP_SMUDGE=1 ${command}\`, which leaves their pointers in place`,
    ];
  }
  if (name.startsWith('git-crypt') || /git-crypt/.test(words)) {
    return missing
      ? ['git-crypt, which this repository needs, is not installed', `install git-crypt, then run \`${command}\` again`]
      : [
          'the files that git-crypt has encrypted are locked',
          `run \`git-crypt unlock\` in the main working tree, then \`${command}\` again`,
        ];
  }
  return [
    `the filter ${name} of this repository ${missing ? 'is not installed' : 'failed'}`,
    `correct what is said below (\`git config --get-regexp ^filter\` names its commands), then run \`${command}\` again`,
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
): Promise<{ readonly why: string; readonly next: string } | undefined> {
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
