import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** A way in which a file or a folder of a repository can be something else than it should be. */
export interface Breakage {
  readonly name: string;
  /** Whether it needs the bytes that a file had. */
  readonly forFilesOnly?: boolean;
  /** What git itself waits for without end. */
  readonly pipe?: boolean;
  /** Only means something to a user who is not root. */
  readonly mode?: boolean;
  readonly apply: (path: string) => void;
}

const remake = (path: string): void => {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
};
const bytesOf = (path: string): Buffer => (existsSync(path) ? readFileSync(path) : Buffer.from('{"version": 1}\n'));
const put = (path: string, bytes: string | Uint8Array): void => {
  remake(path);
  writeFileSync(path, bytes);
};
const changed = (path: string, change: (bytes: Buffer) => string | Uint8Array): void =>
  put(path, change(bytesOf(path)));

/** Every one of them. */
export const breakages: readonly Breakage[] = [
  { name: 'gone', apply: (path) => remake(path) },
  { name: 'a file', apply: (path) => put(path, 'something\n') },
  { name: 'an empty file', apply: (path) => put(path, '') },
  {
    name: 'an empty folder',
    apply: (path) => {
      remake(path);
      mkdirSync(path);
    },
  },
  {
    name: 'a full folder',
    apply: (path) => {
      remake(path);
      mkdirSync(join(path, 'x.json', 'deep'), { recursive: true });
      writeFileSync(join(path, 'README'), 'x');
      writeFileSync(join(path, 'y.json'), 'null');
    },
  },
  {
    name: 'a link to nothing',
    apply: (path) => {
      remake(path);
      symlinkSync(join(dirname(path), 'not-there'), path);
    },
  },
  {
    name: 'a link to itself',
    apply: (path) => {
      remake(path);
      symlinkSync(path, path);
    },
  },
  {
    name: 'a link to its own place elsewhere',
    apply: (path) => {
      if (!existsSync(path)) return;
      const elsewhere = `${path}.elsewhere`;
      cpSync(path, elsewhere, { recursive: true, verbatimSymlinks: true });
      remake(path);
      symlinkSync(elsewhere, path);
    },
  },
  {
    name: 'a pipe',
    pipe: true,
    apply: (path) => {
      remake(path);
      execFileSync('mkfifo', [path]);
    },
  },
  {
    name: 'unreadable',
    mode: true,
    apply: (path) => {
      if (existsSync(path)) chmodSync(path, 0);
      else put(path, 'x');
    },
  },
  {
    name: 'not to be written to',
    mode: true,
    apply: (path) => {
      if (existsSync(path)) chmodSync(path, lstatSync(path).isDirectory() ? 0o555 : 0o444);
    },
  },
  {
    name: 'garbage',
    forFilesOnly: true,
    apply: (path) => put(path, Buffer.from([0, 255, 254, 123, 10, 91, 0, 195, 40])),
  },
  {
    name: 'JSON of another kind',
    forFilesOnly: true,
    apply: (path) => put(path, '{"version":1,"kind":7,"worktrees":[1],"moves":3,"data":null}'),
  },
  { name: 'a list', forFilesOnly: true, apply: (path) => put(path, '[null, 1, "x"]\n') },
  { name: 'null', forFilesOnly: true, apply: (path) => put(path, 'null') },
  {
    name: 'with a byte order mark',
    forFilesOnly: true,
    apply: (path) => changed(path, (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])),
  },
  {
    name: 'with Windows line ends',
    forFilesOnly: true,
    apply: (path) => changed(path, (bytes) => bytes.toString('latin1').replaceAll('\n', '\r\n')),
  },
  {
    name: 'half of it',
    forFilesOnly: true,
    apply: (path) => changed(path, (bytes) => bytes.subarray(0, bytes.length >> 1)),
  },
  {
    name: 'huge',
    forFilesOnly: true,
    apply: (path) => {
      put(path, 'x');
      // More than Node reads at once; no larger, because git itself reads all of it in a merge, to be able to go back.
      truncateSync(path, 2 * 1024 * 1024 * 1024 + 1);
    },
  },
];
