// The library that lets Node start programs without copying itself (vfork.c).
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { exists, root } from './install.mjs';
import { run } from './processes.mjs';

const minute = 60_000;

/**
 * What a lane has in its environment so that it starts programs quickly: nothing where the library cannot be compiled, on which no test depends.
 * @param {string} artifacts the folder for what is compiled
 * @returns {Promise<Record<string, string>>}
 */
export async function quickStart(artifacts) {
  if (process.platform !== 'linux' || process.arch !== 'x64' || process.env['LD_PRELOAD']) return {};
  const source = join(root, 'scripts/lib/vfork.c');
  const hash = createHash('sha256')
    .update(await readFile(source))
    .digest('hex')
    .slice(0, 12);
  const library = join(artifacts, `vfork-${hash}.so`);
  if (await exists(library)) return { LD_PRELOAD: library };
  await mkdir(artifacts, { recursive: true });
  const fresh = `${library}.${process.pid}`;
  const flags = ['-shared', '-fPIC', '-O2', '-Wall', '-Werror'];
  const compiled = await run('cc', [...flags, '-o', fresh, source], { cwd: root, deadline: minute, quiet: true }).catch(
    () => undefined,
  );
  if (compiled?.code !== 0) return {};
  await rename(fresh, library);
  return { LD_PRELOAD: library };
}
