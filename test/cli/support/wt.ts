import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { untilStarted } from '../../../src/core/base/startAgain.ts';
import { testHome, type TestHome, type TestRepository } from '../../support/tempRepo.ts';

const dist = resolve(import.meta.dirname, '../../../dist');
/** The bundled programs that are tested. */
export const wtProgram = resolve(dist, 'wt.js');
export const hookProgram = resolve(dist, 'hook.js');

/** How one run of `wt` ended. */
export interface Ran {
  /** `null` when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON. */
  json(): Record<string, unknown>;
}

/** What a run is given beside its arguments. */
export interface RunOptions {
  /** For standard input, which is closed after it. */
  readonly input?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** The runtime; default the one that runs the tests. */
  readonly node?: string;
  readonly program?: string;
  /** Gets the process as soon as it is started. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** A throw-away home with `wt` in it. */
export interface WtHome extends TestHome {
  /** Runs the bundle in a folder. No exit code is a failure here. */
  wt(folder: string, args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** The same, for a run that must succeed: its standard output. */
  done(folder: string, ...args: string[]): Promise<string>;
}

/**
 * Makes a {@link WtHome}.
 *
 * @param patience for each run of `wt`; default: the patience of the test.
 */
export async function wtHome(patience?: Patience): Promise<WtHome> {
  assert.ok(existsSync(wtProgram), 'dist/wt.js is missing: run `npm run build` first');
  const home = await testHome({ bundles: true });
  const wt: WtHome['wt'] = (folder, args, options = {}) =>
    spawnAndWait(
      options.node ?? process.execPath,
      [options.program ?? wtProgram, ...args],
      folder,
      { ...home.variables, ...options.variables },
      { ...options, ...(patience ? { patience } : {}) },
    );
  return {
    ...home,
    wt,
    done: async (folder, ...args) => {
      const ran = await wt(folder, args);
      assert.equal(ran.code, 0, `wt ${args.join(' ')} ended with ${ran.code}:\n${ran.stderr}\n${ran.stdout}`);
      return ran.stdout;
    },
  };
}

/** Hooks for a suite: one home for all of its tests, and for each a repository of its own, with its number. */
export function repositoryForEach(
  use: (at: { readonly home: WtHome; readonly repository: TestRepository; readonly count: number }) => void,
): void {
  let home: WtHome;
  let count = 0;
  before(async () => {
    home = await wtHome();
  });
  after(() => home.dispose());
  beforeEach(async () => use({ home, repository: await home.repository(`project-${++count}`), count }));
}

/** How long a program may take, where a hang has to end as a failure that says what hung. */
export interface Patience {
  /** Milliseconds. */
  readonly within: number;
  /** For the failure: what runs at that moment. */
  whatRuns(): string;
}

/** Runs any program to its end. Wine refuses one in some ten thousand for a moment. */
export function spawnAndWait(...how: Parameters<typeof spawnOnce>): Promise<Ran> {
  return untilStarted(() => spawnOnce(...how));
}

function spawnOnce(
  program: string,
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>>,
  options: Pick<RunOptions, 'input' | 'onStart'> & { readonly verbatim?: boolean; readonly patience?: Patience } = {},
): Promise<Ran> {
  return new Promise((resolveRan, reject) => {
    const verbatim = options.verbatim ?? false;
    const stdio = ['pipe', 'pipe', 'pipe'] as const;
    const child = spawn(program, args, { cwd, env: variables, stdio: [...stdio], windowsVerbatimArguments: verbatim });
    const chunks: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
    child.stdout.on('data', (chunk: Buffer) => chunks.stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.stderr.push(chunk));
    // A program that ends without reading its input closes the pipe; that is its business.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
    child.once('error', reject);
    const { patience } = options;
    const waiting =
      patience &&
      setTimeout(() => {
        const printed = Buffer.concat([...chunks.stdout, ...chunks.stderr]).toString('utf8');
        const what = [program, ...args].join(' ');
        reject(new Error(`${what} did not end within ${patience.within} ms.\n${printed}\n${patience.whatRuns()}`));
        child.kill();
      }, patience.within);
    child.once('close', (code, signal) => {
      clearTimeout(waiting);
      const stdout = Buffer.concat(chunks.stdout).toString('utf8');
      const stderr = Buffer.concat(chunks.stderr).toString('utf8');
      resolveRan({ code, signal, stdout, stderr, json: () => parse(stdout, stderr) });
    });
    options.onStart?.(child);
  });
}

function parse(stdout: string, stderr: string): Record<string, unknown> {
  try {
    return JSON.parse(stdout) as Record<string, unknown>;
  } catch (thrown) {
    assert.fail(`standard output is no JSON (${String(thrown)}):\n${stdout}\n${stderr}`);
  }
}

/** Whether a program is on the path, and starts. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
