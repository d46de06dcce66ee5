import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { verbatim } from '../messages/message.ts';
import { databaseMessages } from '../messages/database.ts';
import { readTextIfThere } from '../base/atomicFile.ts';
import type { Environment } from '../base/environment.ts';
import { Problem, messageOf } from '../base/problem.ts';
import { userFolders } from '../base/userFolders.ts';
import { textOf } from '../messages/message.ts';
import type { Engine } from './engine.ts';
import { loadLibrary } from './libraryEngine.ts';
import { findProgram } from './programEngine.ts';

/** Where `wt state db install` puts the engine, unless it is told another folder. */
export function engineFolder(environment: Environment): string {
  return join(userFolders(environment).data, 'engine');
}

/** The file that names the folder where the engine was installed, when it is another one. */
export function engineNote(environment: Environment): string {
  return join(userFolders(environment).config, 'engine-folder');
}

/**
 * Finds an engine: the one that `WORKTREE_STACKS_ENGINE` names (a folder that holds the package, or a program), the
 * package beside `wt`, the one that was installed, the program `duckdb` on the path.
 *
 * @param folders where the package may lie: that of the running program.
 * @throws Problem `unsupported` (incomplete) that says how to get one.
 */
export async function findEngine(environment: Environment, folders: readonly string[]): Promise<Engine> {
  const failures: string[] = [];
  const chosen = environment.variables['WORKTREE_STACKS_ENGINE'];
  if (chosen !== undefined && (await stat(chosen).catch(() => undefined))?.isFile()) {
    const program = await findProgram(environment, chosen);
    if (program) return program;
    failures.push(chosen);
  }
  for (const folder of [...(chosen === undefined ? [] : [chosen]), ...folders, ...(await installed(environment))]) {
    try {
      const library = loadLibrary(folder);
      if (library) return library;
    } catch (thrown) {
      const why = verbatim(messageOf(thrown).split('\n')[0] ?? '');
      failures.push(textOf(databaseMessages.engineNotLoaded({ where: folder, why })));
    }
  }
  const program = await findProgram(environment);
  if (program) return program;
  throw new Problem('unsupported', databaseMessages.noEngine(), {
    next: databaseMessages.getEngine(),
    items: failures,
    outcome: 'incomplete',
  });
}

async function installed(environment: Environment): Promise<string[]> {
  const noted = (await readTextIfThere(engineNote(environment)).catch(() => undefined))?.trim();
  return [noted, engineFolder(environment)].filter(
    (each) => each !== undefined && each !== '' && existsSync(each),
  ) as string[];
}
