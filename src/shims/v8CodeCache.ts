import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { cacheFolder } from './cacheFolder.ts';

/** The cache is written after each of the first runs, because each may compile functions that none before has needed. */
const learningRuns = 8;
/** Caches that are older than this (ms) are deleted: they are mostly of other builds. */
const longestAge = 30 * 24 * 60 * 60_000;

/**
 * Runs a bundle with V8's code cache: the code that V8 compiled for it in earlier runs. Node's own compile cache holds fewer functions
 * and needs Node 22; for a bundle that runs at every tool call, the difference is a fifth of its time.
 *
 * @param program a CommonJS bundle, an absolute path.
 * @param load the `require` of the bundle.
 * @param use names a way to use the bundle. Each has a cache of its own, with the functions that it needs and little else.
 * @returns the exports of the bundle.
 */
export function runWithCodeCache(program: string, load: NodeJS.Require, of: NodeJS.Process, use = ''): unknown {
  // V8 compares only the length of the source, so the file name must identify the build; and it rejects code that was compiled with
  // other options.
  const { source, size, mtimeMs } = readProgram(program);
  const options = of.execArgv.join('').replace(/\W/g, '').slice(0, 40);
  const kind = [basename(program, '.js'), use, of.version, of.arch, options].filter((part) => part !== '').join('-');
  const name = `${kind}-${size}-${Math.round(mtimeMs)}`;
  const file = join(cacheFolder(of, load), 'compiled', name);
  const cached = readCache(file, of.getuid?.());
  const script = new Script(source, {
    filename: program,
    ...(cached === undefined ? {} : { cachedData: cached.code }),
  });
  const runs = cached === undefined || script.cachedDataRejected ? 0 : cached.runs;
  // A command with a usage error has run little of the bundle.
  const learn = (): unknown =>
    (use === '' || of.exitCode !== 2) && writeCache(file, script.createCachedData(), runs + 1);
  if (runs < learningRuns) of.once('exit', learn);
  const module = { exports: {} };
  (script.runInThisContext() as Wrapped)(module.exports, load, module, program, dirname(program));
  return module.exports;
}

type Wrapped = (exports: unknown, load: NodeJS.Require, module: unknown, file: string, folder: string) => void;

interface Program {
  readonly source: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** The source of a CommonJS module, in the function that Node wraps around it, without copying it twice. */
function readProgram(program: string): Program {
  const descriptor = openSync(program, 'r');
  try {
    const { size, mtimeMs } = fstatSync(descriptor);
    const opening = '(function (exports, require, module, __filename, __dirname) {';
    const closing = '\n})';
    const whole = Buffer.allocUnsafeSlow(opening.length + size + closing.length);
    const start = whole.write(opening, 'latin1');
    const end = start + readWhole(descriptor, whole.subarray(start, start + size));
    return { source: whole.toString('utf8', 0, end + whole.write(closing, end, 'latin1')), size, mtimeMs };
  } finally {
    closeSync(descriptor);
  }
}

/** Fills the bytes from a file. Returns how many there were. */
function readWhole(descriptor: number, bytes: Buffer): number {
  let at = 0;
  for (let more = -1; more !== 0 && at < bytes.length; at += more)
    more = readSync(descriptor, bytes, at, bytes.length - at, null);
  return at;
}

interface Cached {
  readonly runs: number;
  readonly code: Buffer;
}

/**
 * V8 trusts its cache and crashes on damaged ones, so the file holds the code twice, and both copies must match. The code is run, so
 * only the user may have written it.
 */
function readCache(file: string, user: number | undefined): Cached | undefined {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { uid, mode, size } = fstatSync(descriptor);
      if (user !== undefined && (uid !== user || (mode & 0o022) !== 0)) return undefined;
      const half = (size - 1) / 2;
      if (half < 64 || !Number.isInteger(half)) return undefined;
      // The code comes first: V8 copies code that is not aligned.
      const code = Buffer.allocUnsafeSlow(half);
      if (readWhole(descriptor, code) < half || !isNext(descriptor, code)) return undefined;
      const last = Buffer.allocUnsafeSlow(1);
      return readWhole(descriptor, last) === 1 ? { runs: last[0]!, code } : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** Whether the same bytes come next in a file. They are read piece by piece: memory that is new costs more than what is read into it. */
function isNext(descriptor: number, bytes: Buffer): boolean {
  const piece = Buffer.allocUnsafeSlow(Math.min(bytes.length, 65_536));
  for (let at = 0; at < bytes.length;) {
    const read = readWhole(descriptor, piece.subarray(0, bytes.length - at));
    if (read === 0 || bytes.compare(piece, 0, read, at, at + read) !== 0) return false;
    at += read;
  }
  return true;
}

function writeCache(file: string, code: Buffer, runs: number): void {
  const unfinished = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(unfinished, Buffer.concat([code, code, Buffer.from([runs])]), { mode: 0o600 });
    renameSync(unfinished, file);
    if (runs === 1) removeOld(dirname(file));
  } catch {
    // Without the cache the next run is slower, nothing else.
  }
}

/** Updates leave caches of older builds behind, and killed processes unfinished files. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (Date.now() - statSync(file).mtimeMs > longestAge) rmSync(file, { force: true });
  }
}
