import type { Git } from './git.ts';
import type { RepositoryGit } from './repositoryGit.ts';

/** A commit as git stores it. */
export interface CommitObject {
  readonly oid: string;
  readonly tree: string;
  readonly parents: readonly string[];
  /** The whole object, byte for byte: its text may be in any encoding. */
  readonly bytes: Buffer;
}

/** Reads commits in one process; those that do not exist, or are none, are left out. */
export async function readCommits(
  git: Git,
  commonDir: string,
  oids: Iterable<string>,
  signal?: AbortSignal,
): Promise<Map<string, CommitObject>> {
  const wanted = [...new Set(oids)];
  if (wanted.length === 0) return new Map();
  const output = await git
    .in(commonDir)
    .bytes(['cat-file', '--batch'], { signal, input: wanted.map((oid) => `${oid}\n`).join('') });
  return parseBatch(output);
}

/** Reads the output of `git cat-file --batch`: a line with id, kind and size, the object, a line break. Keeps the commits. */
export function parseBatch(output: Buffer): Map<string, CommitObject> {
  const commits = new Map<string, CommitObject>();
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(10, at);
    if (end < 0) break;
    const [oid = '', kind, size] = output.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (kind === undefined || size === undefined) continue;
    const bytes = output.subarray(at, at + Number(size));
    at += Number(size) + 1;
    if (kind === 'commit') commits.set(oid, parseCommit(oid, bytes));
  }
  return commits;
}

/** Finds the tree and the parents of a commit. */
export function parseCommit(oid: string, bytes: Buffer): CommitObject {
  const headers = headersOf(bytes);
  return {
    oid,
    tree: headers.find(({ name }) => name === 'tree')?.value ?? '',
    parents: headers.filter(({ name }) => name === 'parent').map(({ value }) => value),
    bytes,
  };
}

/**
 * The same commit on another parent: author, dates, encoding and message stay as they are to the byte. A signature would not hold
 * any more and is dropped.
 *
 * @param committer as `git var GIT_COMMITTER_IDENT` gives it.
 */
export function recommit(commit: CommitObject, tree: string, parent: string, committer: string): Buffer {
  const { bytes } = commit;
  const kept = headersOf(bytes)
    .filter(({ name }) => !['tree', 'parent', 'committer', 'gpgsig', 'gpgsig-sha256', 'mergetag'].includes(name))
    .map(({ name, value }) => ({ name, text: Buffer.from(`${name} ${value}\n`, 'latin1') }));
  const own = Buffer.from(`committer ${committer}\n`, 'utf8');
  const headers = kept.flatMap(({ name, text }) => (name === 'author' ? [text, own] : [text]));
  return Buffer.concat([Buffer.from(`tree ${tree}\nparent ${parent}\n`), ...headers, bytes.subarray(bodyStart(bytes))]);
}

/**
 * The same commit with other parents, everything else to the byte; a signature would not hold any more and is left out.
 *
 * @returns the object, and whether the commit was signed.
 */
export function withParents(
  { bytes, tree }: CommitObject,
  parents: readonly string[],
): { readonly bytes: Buffer; readonly signed: boolean } {
  const all = headersOf(bytes);
  const kept = all.filter(({ name }) => !['tree', 'parent', 'gpgsig', 'gpgsig-sha256'].includes(name));
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)];
  const headers = [...lines, ...kept.map(({ name, value }) => `${name} ${value}`)].map((line) => `${line}\n`);
  return {
    bytes: Buffer.concat([Buffer.from(headers.join(''), 'latin1'), bytes.subarray(bodyStart(bytes))]),
    signed: all.some(({ name }) => name.startsWith('gpgsig')),
  };
}

/**
 * A commit that exists for one question only: it makes a commit the merge base of two trees for a git that cannot be told it, or stands
 * for the history of several commits. The same each time, so that asking again makes no new object.
 */
export function stepCommit(tree: string, parents: readonly string[]): Buffer {
  const nobody = 'Worktree Stacks <worktree-stacks@localhost> 946684800 +0000';
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${nobody}`,
    `committer ${nobody}`,
  ];
  return Buffer.from(`${lines.join('\n')}\n\nA step of a rebase\n`);
}

/** Writes a commit byte for byte, and gives its id. */
export async function writeCommit(repository: RepositoryGit, bytes: Buffer, signal?: AbortSignal): Promise<string> {
  const args = ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'];
  return (await repository.text(args, { writes: true, signal, input: bytes })).trim();
}

/** What git has to be told about a commit that it is to make anew and sign. */
export interface CommitParts {
  readonly author: { readonly name: string; readonly email: string; readonly date: string };
  /** In the encoding that git is to be told. */
  readonly message: Uint8Array;
  readonly encoding: string;
  /** Git would write down another author than this one: it tidies names up. */
  readonly tidied: boolean;
}

/** The encoding that a commit names; `undefined` for UTF-8, which needs no name. */
export function encodingOf({ bytes }: CommitObject): string | undefined {
  return headersOf(bytes).find(({ name }) => name === 'encoding')?.value;
}

/**
 * Takes a commit apart. Its message stays as it is to the byte, unless its author has a name that only another encoding than UTF-8 can
 * write: programs are told names in UTF-8, and a commit has one encoding.
 */
export function partsOf(commit: CommitObject): CommitParts {
  const { bytes } = commit;
  const headers = headersOf(bytes);
  const named = encodingOf(commit);
  const decoder = decoderFor(named);
  const raw = Buffer.from(headers.find(({ name }) => name === 'author')?.value ?? '', 'latin1');
  const [, name = '', email = '', seconds = '0', zone = '+0000'] =
    /^(.*?) ?<([^>]*)> (-?\d+) ([+-]\d+)$/s.exec(decoder.decode(raw)) ?? [];
  const author = { name, email, date: `@${seconds} ${zone}` };
  const message = bytes.subarray(bodyStart(bytes) + 1);
  const tidied = [name, email].some((word) => word === '' || untidy.test(word));
  if (named === undefined || isAscii(raw)) return { author, message, encoding: named ?? 'UTF-8', tidied };
  return { author, message: Buffer.from(decoder.decode(message), 'utf8'), encoding: 'UTF-8', tidied };
}

/** What git removes from names and addresses that it is given (ident.c). */

const untidy = /^[\0-\x20.,:;<>"\\']|[\0-\x20.,:;<>"\\']$|[\n<>]/;

function isAscii(bytes: Buffer): boolean {
  return bytes.every((byte) => byte < 0x80);
}

/** Whatever git takes for an encoding and we do not know is read as Latin-1, which loses no byte. */
function decoderFor(encoding = 'utf-8'): { decode(bytes: Uint8Array): string } {
  try {
    return new TextDecoder(encoding, { ignoreBOM: true });
  } catch {
    return new TextDecoder('latin1');
  }
}

interface Header {
  readonly name: string;
  /** Further lines included, each with the space that marks it. Latin-1, so that no byte is lost. */
  readonly value: string;
}

function headersOf(bytes: Buffer): Header[] {
  const headers: Header[] = [];
  for (const line of bytes.toString('latin1', 0, bodyStart(bytes)).split('\n')) {
    const last = headers.at(-1);
    if (line.startsWith(' ') && last) headers[headers.length - 1] = { ...last, value: `${last.value}\n${line}` };
    else if (line !== '') {
      const space = line.indexOf(' ');
      headers.push({ name: line.slice(0, space), value: line.slice(space + 1) });
    }
  }
  return headers;
}

/** Where the empty line between headers and message begins. */
function bodyStart(bytes: Buffer): number {
  const at = bytes.indexOf('\n\n');
  return at < 0 ? bytes.length : at + 1;
}
