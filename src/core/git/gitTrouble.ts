import { Problem } from '../base/problem.ts';
import { gitMessages } from '../messages/git.ts';

/** Causes as the C library words them, which git repeats: what is wrong, and what to do. */
const causes: Readonly<Record<string, readonly [what: string, next: string]>> = {
  'No space left on device': ['the disk is full', 'free some space, then run the same command again'],
  // Git's own words, where the system has written less than it was given.
  'Out of diskspace': ['the disk is full', 'free some space, then run the same command again'],
  'Disk quota exceeded': ['your quota on that disk is used up', 'free some space, then run the same command again'],
  'Read-only file system': ['the disk is read-only', 'make it writable, or work in a copy that is'],
  'Permission denied': ['permission denied', 'look whose it is (`ls -ld`), and make it yours or ask its owner'],
  'Operation not permitted': ['permission denied', 'look whose it is (`ls -ld`), and make it yours or ask its owner'],
  'Not a directory': ['a file is where a folder is needed', 'move that file away, then run the same command again'],
  'Is a directory': ['a folder is where a file is needed', 'move that folder away, then run the same command again'],
  'Too many levels of symbolic links': [
    'a link on the way leads in a circle',
    'remove that link, then run the same command again',
  ],
  'File name too long': [
    'the path is too long',
    'put the repository into a folder higher up, or choose a shorter name',
  ],
  'Input/output error': ['the disk does not answer as it should', 'look at the messages of the system (`dmesg`)'],
  'Device or resource busy': ['another program is using it', 'close what uses it, then run the same command again'],
  'Text file busy': ['it is a program that is running', 'end that program, then run the same command again'],
  'Too many open files': ['too many files are open', 'close programs, or raise the limit (`ulimit -n 4096`)'],
  'Cannot allocate memory': ['there is not enough memory', 'close programs, then try again'],
  'Stale file handle': ['the network disk has lost it', 'mount the disk again, then run the same command again'],
  'Invalid cross-device link': ['it is on another disk', 'put both on one disk, then run the same command again'],
};

/** What git says of files of its own that are damaged. */
const damages: readonly (readonly [pattern: RegExp, tell: (match: RegExpExecArray) => Told])[] = [
  [
    /bad config (?:line|value)[^\n]*?(?:line )?(\d+)? in file ([^\n]+)/,
    ([, line, file = '']) => ({
      message: `Git cannot read its configuration: ${file}${line === undefined ? '' : `, line ${line}`}.`,
      next: `correct it there (\`git config --file ${file} --edit\`)`,
      file,
      ...(line === undefined ? {} : { line: Number(line) }),
    }),
  ],
  [
    /(?:bad|invalid) (?:numeric |boolean )?config value '([^']*)' for '([^']*)'(?: in file ([^\n:]+))?/,
    ([, value = '', key = '', file]) => ({
      message: `Git does not understand its setting ${key}: ${JSON.stringify(value)}.`,
      next: `correct it: \`git config ${key} <value>\``,
      ...(file === undefined ? {} : { file }),
    }),
  ],
  [
    /index file (?:corrupt|smaller than expected)|bad index file|(?:bad signature|index uses .* extension|bad index version)/,
    () => ({
      message: "Git cannot read the index of this working tree: git's file `index` is damaged.",
      next: 'make it anew: move the file that `git rev-parse --git-path index` names away, then run `git reset` (files stay as they are)',
    }),
  ],
  [
    /(?:loose object|packed object) [0-9a-f]+ .*is corrupt|object file .* is empty|unable to read (?:tree|sha1 file|object)|bad (?:object|tree|tag) [0-9a-f]{7,}|missing (?:blob|tree|commit) object|inflate: data stream error/,
    () => ({
      message: 'Something that git has stored is missing or damaged.',
      next: 'run `git fsck`, which names it; what others have can be fetched again (`git fetch --refetch`)',
    }),
  ],
  [
    /(?:unexpected line in|packed-refs has|bad packed-refs)[^\n]*/i,
    () => ({
      message: "Git cannot read its list of branches: the file `packed-refs` in git's folder is damaged.",
      next: 'correct the line that is named below, or bring that file back from a copy',
    }),
  ],
  [
    /[Pp]athspec '([^']*)' is beyond a symbolic link/,
    ([, path = '']) => ({
      message: `Git does not look behind links, and ${path} is behind one.`,
      next: 'name the file by the path that the link leads to, or put a folder in the place of the link',
      file: path,
    }),
  ],
  [
    /[Pp]athspec '([^']*)' is in submodule '([^']*)'/,
    ([, path = '', submodule = '']) => ({
      message: `${path} is in the submodule ${submodule}, which is a repository of its own.`,
      next: 'choose a place outside of submodules',
      file: path,
    }),
  ],
];

interface Told {
  readonly message: string;
  readonly next: string;
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
    const cause = Object.keys(causes).find((each) => line.endsWith(each));
    if (cause === undefined) continue;
    const [what, next] = causes[cause] ?? ['', ''];
    const file = fileIn(line.slice(0, line.indexOf(cause)));
    return new Problem(
      'not-writable',
      gitMessages.failed({ who, detail: file === undefined ? '' : gitMessages.at({ file }), what }),
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
