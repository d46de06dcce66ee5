// Bundles test files for Node for Windows: an older Node than that of the other lanes, which reads no TypeScript.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './install.mjs';
import { onZ } from './windowsPrograms.mjs';

/**
 * Lets each module believe that it lies where its source is: tests find their data, the built programs and one another by that.
 * @type {import('esbuild').Plugin}
 */
const whereTheSourcesAre = {
  name: 'where-the-sources-are',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$|[\\/]scripts[\\/].*\.mjs$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes('import.meta.')) return undefined;
      const places = {
        'import.meta.dirname': onZ(dirname(path)),
        'import.meta.filename': onZ(path),
        'import.meta.url': pathToFileURL(path).href.replace('file:///', 'file:///Z:/'),
      };
      const contents = Object.entries(places).reduce(
        (sum, [name, place]) => sum.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), () => JSON.stringify(place)),
        text,
      );
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    }),
};

/**
 * Bundles test files, what they share once.
 * @param {readonly string[]} files relative to the project's folder, all below `test`
 * @returns {Promise<(file: string) => string>} gives the bundle of each file
 */
export async function bundleForWindows(files) {
  const folder = join(root, '.cache/windows-tests');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  // Imported here: on a fresh machine this file is read before it is installed.
  const { build } = await import('esbuild');
  await build({
    entryPoints: [...files],
    absWorkingDir: root,
    outdir: folder,
    outbase: 'test',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    mainFields: ['module', 'main'],
    // These have parts that are found beside them at run time, or are programs for another system.
    external: ['esbuild', 'mocha', 'typescript', 'vscode', 'playwright-core', 'web-tree-sitter', '@duckdb/*'],
    // Libraries that are CommonJS expect these names.
    banner: {
      js: [
        "import { createRequire as __requireFrom } from 'node:module';",
        'const require = __requireFrom(import.meta.url);',
      ].join(' '),
    },
    define: { __filename: 'import.meta.filename' },
    plugins: [whereTheSourcesAre],
    logLevel: 'error',
  });
  return (file) => join(folder, file.replace(/^test\//, '').replace(/\.ts$/, '.mjs'));
}
