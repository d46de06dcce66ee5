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

/** The code is kept again after each of so many runs, because each may need functions that none before has compiled. */
const growingRuns = 8;
/** Code of other builds that was kept so long ago, in milliseconds, goes. Where it is still in use it is made again. */
const keptFor = 30 * 24 * 60 * 60_000;

/**
 * Runs a bundled program with the code that V8 compiled for it in earlier runs. Node's own cache does the same for fewer functions,
 * and only since version 22; for a program that runs at every tool call, the difference is a fifth of its time.
 *
 * @param program a CommonJS bundle, an absolute path.
 * @param load what the program gets as `require`.
 * @param use names a use of the program that needs functions of its own: the code is kept apart for each, so that it holds little else.
 * @returns what the program exports.
 */
export function runCompiled(program: string, load: NodeJS.Require, of: NodeJS.Process, use = ''): unknown {
  // V8 compares the length of the source only, so the name has to tell one build from another; and it takes no code that was compiled
  // with other options.
  const { source, size, mtimeMs } = readProgram(program);
  const options = of.execArgv.join('').replace(/\W/g, '').slice(0, 40);
  const kind = [basename(program, '.js'), use, of.version, of.arch, options].filter((part) => part !== '').join('-');
  const name = `${kind}-${size}-${Math.round(mtimeMs)}`;
  const file = join(cacheFolder(of, load), 'compiled', name);
  const kept = readKept(file, of.getuid?.());
  const script = new Script(source, { filename: program, ...(kept === undefined ? {} : { cachedData: kept.code }) });
  const runs = kept === undefined || script.cachedDataRejected ? 0 : kept.runs;
  // A command that ended in an error has used little of the program, and may have been a slip of the finger.
  const learn = (): unknown => (use === '' || of.exitCode !== 2) && keep(file, script.createCachedData(), runs + 1);
  if (runs < growingRuns) of.once('exit', learn);
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

/** A CommonJS module as the function that Node makes of it, put together without copying it once more. */
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

/** Fills the bytes from a file; gives how many there were. */
function readWhole(descriptor: number, bytes: Buffer): number {
  let at = 0;
  for (let more = -1; more !== 0 && at < bytes.length; at += more)
    more = readSync(descriptor, bytes, at, bytes.length - at, null);
  return at;
}

interface Kept {
  readonly runs: number;
  readonly code: Buffer;
}

/**
 * V8 believes what it is given and crashes on anything else, so the code stands there twice, and both must be the same. It is run, so
 * nobody else may have written it, wherever the user's variables put the cache.
 */
function readKept(file: string, user: number | undefined): Kept | undefined {
  let bytes: Buffer;
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { uid, mode, size } = fstatSync(descriptor);
      if (user !== undefined && (uid !== user || (mode & 0o022) !== 0)) return undefined;
      bytes = Buffer.allocUnsafeSlow(size);
      bytes = bytes.subarray(0, readWhole(descriptor, bytes));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
  const half = (bytes.length - 1) / 2;
  if (half < 64 || !Number.isInteger(half)) return undefined;
  const code = bytes.subarray(1, half + 1);
  return code.equals(bytes.subarray(half + 1)) ? { runs: bytes[0]!, code } : undefined;
}

function keep(file: string, code: Buffer, runs: number): void {
  const unfinished = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(unfinished, Buffer.concat([Buffer.from([runs]), code, code]), { mode: 0o600 });
    renameSync(unfinished, file);
    if (runs === 1) removeOld(dirname(file));
  } catch {
    // Without the cache the next run is slower, nothing else.
  }
}

/** Every update of the product leaves code that nobody asks for any more, and a killed process an unfinished file. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (Date.now() - statSync(file).mtimeMs > keptFor) rmSync(file, { force: true });
  }
}
