import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rename, rm } from '../base/heldFiles.ts';
import { verbatim } from '../messages/message.ts';
import { databaseMessages } from '../messages/database.ts';
import { writeAtomically } from '../base/atomicFile.ts';
import type { Environment } from '../base/environment.ts';
import { withFileLock } from '../base/fileLock.ts';
import { runProgram } from '../base/process.ts';
import { Problem, messageOf, stopIfCancelled } from '../base/problem.ts';
import type { Engine } from './engine.ts';
import { engineLock } from './engineLock.ts';
import { engineFolder, engineNote } from './findEngine.ts';
import { loadLibrary } from './libraryEngine.ts';

/** How long npm may take, in milliseconds: it fetches 70 MB. */
const timeout = 15 * 60_000;

/** What an installation did. */
export interface Installed {
  readonly engine: Engine;
  readonly folder: string;
  /** It was there already. */
  readonly there: boolean;
}

/**
 * Installs the engine into a folder of its own: the user's npm fetches the packages from the registry that it is set up
 * for, and checks them against the hashes in our lock file. None of their scripts run. Doing it twice is harmless; a
 * process that is killed leaves nothing that counts.
 *
 * @param into the folder. Default: one of the user's own.
 * @throws Problem `not-found` without npm, `offline` when it fails, `unsupported` when what it has fetched cannot be loaded, `cancelled`.
 */
export async function installEngine(
  environment: Environment,
  into: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Installed> {
  const folder = into ?? engineFolder(environment);
  return withFileLock(
    environment,
    folder,
    async () => {
      const found = loaded(folder);
      const engine = found ?? (await fetchInto(environment, folder, signal));
      if (into !== undefined) await writeAtomically(engineNote(environment), `${into}\n`);
      return { engine, folder, there: found !== undefined };
    },
    signal,
  );
}

async function fetchInto(environment: Environment, folder: string, signal: AbortSignal | undefined): Promise<Engine> {
  // Under the lock it is ours, whoever has left it.
  const fresh = `${folder}.new`;
  try {
    await rm(fresh, { recursive: true, force: true });
    await mkdir(fresh, { recursive: true });
    await writeFile(join(fresh, 'package.json'), JSON.stringify({ ...engineLock.packages[''], private: true }));
    await writeFile(join(fresh, 'package-lock.json'), JSON.stringify(engineLock));
    await npm(environment, ['--version'], fresh, signal);
    await npm(environment, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], fresh, signal);
    tryToLoad(fresh);
    await rm(folder, { recursive: true, force: true });
    await rename(fresh, folder);
    return tryToLoad(folder);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function npm(
  { variables }: Environment,
  args: readonly string[],
  cwd: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { failure, stderr } = await runProgram('npm', args, { cwd, variables, timeout, signal });
  stopIfCancelled(signal);
  if (!failure) return;
  if (args[0] === '--version')
    throw new Problem('not-found', databaseMessages.noNpm(), {
      next: databaseMessages.getNpm(),
      outcome: 'incomplete',
      cause: failure,
    });
  const why = stderr
    .split('\n')
    .map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim())
    .find((line) => line !== '' && !line.startsWith('code '));
  throw new Problem(
    'offline',
    databaseMessages.npmFailed({ what: '@duckdb/node-api', why: verbatim(why ?? failure.message) }),
    {
      next: databaseMessages.lookNetwork(),
      outcome: 'incomplete',
      cause: failure,
    },
  );
}

function loaded(folder: string): Engine | undefined {
  // Not one of a folder above.
  if (!existsSync(join(folder, 'node_modules', '@duckdb', 'node-api'))) return undefined;
  try {
    return loadLibrary(folder);
  } catch {
    return undefined;
  }
}

function tryToLoad(folder: string): Engine {
  let why = 'it is not there';
  try {
    const engine = loadLibrary(folder);
    if (engine) return engine;
  } catch (thrown) {
    why = messageOf(thrown).split('\n')[0] ?? '';
  }
  throw new Problem('unsupported', databaseMessages.installedNotLoaded({ why: verbatim(why) }), {
    next: databaseMessages.installProgram(),
    outcome: 'incomplete',
  });
}
