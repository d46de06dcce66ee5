import { buildSync } from 'esbuild';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWine } from './systems.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, '.cache/drivers');
const built = new Map<string, string>();

/**
 * Bundles a script that tests start as a process of its own, together with the product's sources that it imports. A bundle starts in half the
 * time of some two hundred sources, and tests that kill it at every step start it hundreds of times.
 *
 * @param script the URL of the TypeScript file.
 * @returns the file for Node to run; it is built once in each process that runs tests, from the sources as they are then.
 */
export function bundled(script: URL): string {
  const source = fileURLToPath(script);
  // The lane has bundled these for the Node that runs there; esbuild itself is a program for Linux.
  if (isWine) return join(root, '.cache/windows-tests/support', `${basename(source, '.ts')}.mjs`);
  const known = built.get(source);
  if (known !== undefined) return known;
  const { outputFiles } = buildSync({
    entryPoints: [source],
    absWorkingDir: root,
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    // Libraries that are CommonJS expect these names.
    banner: {
      js: [
        "import { createRequire } from 'node:module';",
        'const require = createRequire(import.meta.url);',
        'const __filename = import.meta.filename;',
      ].join(' '),
    },
    logLevel: 'error',
  });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${basename(source, '.ts')}.mjs`);
  // Test files run beside each other, and each has its own bundle of the same sources: whoever starts one finds it whole.
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, outputFiles[0]?.text ?? '');
  renameSync(fresh, file);
  built.set(source, file);
  return file;
}
