import { build } from 'esbuild';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/install.mjs';

/** Where test/host lives. */
export const hostTests = join(root, 'test/host');

/** The names of the host suites: the folders of test/host that hold a suite.ts. */
export async function hostSuiteNames(): Promise<string[]> {
  const entries = await readdir(hostTests, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

/**
 * Bundles a suite's test files with the runner into one module that an extension host can load: the host knows neither
 * TypeScript nor the project's other files when the tests run in a desktop VS Code of another machine.
 */
export async function bundleHostSuite(suite: string): Promise<string> {
  const files = (await readdir(join(hostTests, suite), { recursive: true }))
    .filter((file) => file.endsWith('.test.ts'))
    .sort();
  if (files.length === 0) throw new Error(`test/host/${suite} holds no *.test.ts.`);
  const loads = files.map((file) => `await import(${JSON.stringify(`./${suite}/${file}`)});`);
  const outfile = join(root, 'dist-test/host', `${suite}.cjs`);
  await build({
    stdin: {
      contents: `import { runTests } from './index.ts';\nexport const run = () => runTests(async () => { ${loads.join(' ')} });`,
      resolveDir: hostTests,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
  // The package is an ES module, the bundles are not.
  await writeFile(join(root, 'dist-test/package.json'), '{ "type": "commonjs" }\n');
  return outfile;
}
