import type { Message } from '../messages/message.ts';
import { Problem } from '../base/problem.ts';
import { gitMessages } from '../messages/git.ts';
import { baseMessages } from '../messages/base.ts';

/** Causes as the C library words them, which git repeats: what is wrong, and what to do. */
const causes: Readonly<Record<string, readonly [what: Message, next: Message]>> = {
  'No space left on device': [baseMessages.diskFull(), baseMessages.freeSomeSpace()],
  // Git's own words, where the system has written less than it was given.
  'Out of diskspace': [baseMessages.diskFull(), baseMessages.freeSomeSpace()],
  'Disk quota exceeded': [baseMessages.quotaDiskUsed(), baseMessages.freeSomeSpace()],
  'Read-only file system': [baseMessages.diskReadOnly(), gitMessages.makeWritableWork()],
  'Permission denied': [gitMessages.permissionDenied(), gitMessages.lookWhoseLs()],
  'Operation not permitted': [gitMessages.permissionDenied(), gitMessages.lookWhoseLs()],
  'Not a directory': [gitMessages.fileWhereFolder(), gitMessages.moveFileAway()],
  'Is a directory': [gitMessages.folderWhereFile(), gitMessages.moveFolderAway()],
  'Too many levels of symbolic links': [gitMessages.linkWayLeads(), gitMessages.removeLinkSame()],
  'File name too long': [baseMessages.pathTooLong(), gitMessages.putRepositoryInto()],
  // As Git for Windows words it.
  'Filename too long': [baseMessages.pathTooLong(), gitMessages.chooseShorterName()],
  'Input/output error': [baseMessages.diskNotAnswering(), gitMessages.lookMessagesSystem()],
  'Device or resource busy': [baseMessages.anotherProgramUsing(), baseMessages.closeUsesSame()],
  'Text file busy': [baseMessages.programRunning(), baseMessages.endProgramSame()],
  'Too many open files': [baseMessages.tooManyFiles(), gitMessages.closeProgramsRaiseLimit()],
  'Cannot allocate memory': [baseMessages.notEnoughMemory(), baseMessages.closeProgramsTry()],
  'Stale file handle': [baseMessages.networkDiskLost(), baseMessages.mountDiskAgain()],
  'Invalid cross-device link': [baseMessages.anotherDisk(), baseMessages.putBothOne()],
};

/** What git says of files of its own that are damaged. */
const damages: readonly (readonly [pattern: RegExp, tell: (match: RegExpExecArray) => Told])[] = [
  [
    /bad config (?:line|value)[^\n]*?(?:line )?(\d+)? in file ([^\n]+)/,
    ([, line, file = '']) => ({
      message: gitMessages.badConfiguration({ file, where: line === undefined ? '' : gitMessages.inLine({ line }) }),
      next: gitMessages.correctGitConfig({ file }),
      file,
      ...(line === undefined ? {} : { line: Number(line) }),
    }),
  ],
  [
    /(?:bad|invalid) (?:numeric |boolean )?config value '([^']*)' for '([^']*)'(?: in file ([^\n:]+))?/,
    ([, value = '', key = '', file]) => ({
      message: gitMessages.gitDoesNotUnderstand({ key, value: JSON.stringify(value) }),
      next: gitMessages.correctGitConfigValue({ key }),
      ...(file === undefined ? {} : { file }),
    }),
  ],
  [
    /index file (?:corrupt|smaller than expected)|bad index file|(?:bad signature|index uses .* extension|bad index version)/,
    () => ({
      message: gitMessages.gitCannotReadIndex(),
      next: gitMessages.makeAnewMove(),
    }),
  ],
  [
    /(?:loose object|packed object) [0-9a-f]+ .*is corrupt|object file .* is empty|unable to read (?:tree|sha1 file|object)|bad (?:object|tree|tag) [0-9a-f]{7,}|missing (?:blob|tree|commit) object|inflate: data stream error/,
    () => ({
      message: gitMessages.somethingGitStored(),
      next: gitMessages.gitFsckNames(),
    }),
  ],
  [
    /(?:unexpected line in|packed-refs has|bad packed-refs)[^\n]*/i,
    () => ({
      message: gitMessages.gitCannotReadList(),
      next: gitMessages.correctLineNamed(),
    }),
  ],
  [
    /[Pp]athspec '([^']*)' is beyond a symbolic link/,
    ([, path = '']) => ({
      message: gitMessages.gitDoesNotLook({ path }),
      next: gitMessages.nameFilePath(),
      file: path,
    }),
  ],
  [
    /[Pp]athspec '([^']*)' is in submodule '([^']*)'/,
    ([, path = '', submodule = '']) => ({
      message: gitMessages.submoduleRepositoryOwn({ path, submodule }),
      next: gitMessages.choosePlaceOutside(),
      file: path,
    }),
  ],
];

interface Told {
  readonly message: Message;
  readonly next: Message;
  readonly file?: string;
  readonly line?: number;
}

/**
 * The problem that git's words tell of when the disk, or a damaged file of git's own, was what it failed at; `undefined` for any other
 * failure. A person can change it, so the command ends with 1.
 *
 * @param who the command, for the sentence.
 */
export function fileTrouble(who: string, words: string): Problem | undefined {
  // A warning alone stops nothing, unless git says no more than that.
  const told = ['fatal: ', 'error: ', 'warning: '].flatMap((start) =>
    lines(words).filter((line) => line.startsWith(start)),
  );
  for (const line of told) {
    const name = /^(?:fatal|error): invalid path '(.*)'$/.exec(line)?.[1];
    if (name !== undefined) {
      return new Problem(
        'not-writable',
        gitMessages.commandFailed({ who, where: '', what: gitMessages.nameNotAllowed({ name }) }),
        {
          next: gitMessages.renameFileElsewhere(),
          items: lines(words),
          outcome: 'incomplete',
        },
      );
    }
    const [cause, [what, next] = []] = Object.entries(causes).find(([each]) => line.endsWith(each)) ?? [];
    if (cause === undefined || what === undefined) continue;
    const file = fileIn(line.slice(0, line.indexOf(cause)));
    return new Problem(
      'not-writable',
      gitMessages.commandFailed({ who, where: file === undefined ? '' : gitMessages.atFile({ file }), what }),
      {
        next,
        ...(file === undefined ? {} : { file }),
        items: lines(words),
        outcome: 'incomplete',
      },
    );
  }
  for (const [pattern, tell] of damages) {
    const match = pattern.exec(words);
    if (!match) continue;
    const { message, ...details } = tell(match);
    return new Problem('unreadable-file', message, { ...details, items: lines(words), outcome: 'incomplete' });
  }
  return undefined;
}

/** The path that git names before the cause, in quotes or at the end. */
function fileIn(before: string): string | undefined {
  const quoted = [...before.matchAll(/['"]([^'"]+)['"]/g)].map(([, path]) => path).at(-1);
  const plain = /(?:^|\s)((?:\.{0,2}\/|[\w.-]+\/)[^\s:'"]*):?\s*$/.exec(before)?.[1];
  return quoted ?? plain;
}

/** The lines of git's words that are worth showing. */
export function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(0, 20);
}
