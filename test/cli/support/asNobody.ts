import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestHome } from '../../support/tempRepo.ts';

const execute = promisify(execFile);
const id = '65534';

/**
 * Gives a throw-away home to a user without rights, whom the file system refuses what it would not refuse root.
 *
 * @returns the runtime to run programs with as that user; the one of the tests where they do not run as root.
 */
export async function asNobody(home: TestHome): Promise<string> {
  if (process.getuid?.() !== 0) return process.execPath;
  const runtime = join(home.root, 'node-as-nobody');
  const words = ['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups', `'${process.execPath}'`];
  await writeFile(runtime, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`);
  await chmod(runtime, 0o755);
  await execute('git', ['config', '--global', 'safe.directory', '*'], { env: home.variables });
  await execute('chown', ['-R', `${id}:${id}`, home.root]);
  await chmod(home.root, 0o755);
  return runtime;
}
