// Bundles the three programs (the extension, `wt` and the small fast hook runner) and the page of the session merge editor. Types are checked apart
// (`npm run types`). For a debugger, `--dev` leaves the text as it was written and adds source maps; so does `--watch`, and builds again at each change.
import { Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build, context, transform } from 'esbuild';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';
import { cutEngineLock } from './lib/engineLock.mjs';

const watch = process.argv.includes('--watch');
const dev = watch || process.argv.includes('--dev');
const into = process.argv.includes('--into') ? process.argv[process.argv.indexOf('--into') + 1] : undefined;
/** The folder that is built into: `dist`, unless `--into` names another one. */
const dist = into ?? 'dist';
const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));

await mkdir(dist, { recursive: true });
// The parts of the extension are named by their content: those of earlier builds would stay, and so would maps.
await rm(`${dist}/extension`, { recursive: true, force: true });
const maps = (await readdir(dist, { recursive: true })).filter((file) => file.endsWith('.map'));
await Promise.all(maps.map((file) => rm(`${dist}/${file}`)));
// The package is an ES module; the programs are CommonJS, which starts faster.
await writeFile(`${dist}/package.json`, '{ "type": "commonjs" }\n');

/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  minify: !dev,
  sourcemap: dev && 'linked',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  define: { WORKTREE_STACKS_VERSION: JSON.stringify(version) },
  // Libraries that ship both kinds are taken as ES modules, so that what is not used is left out.
  mainFields: ['module', 'main'],
};

const helpersFile = 'helpers.cjs';

/**
 * Takes what esbuild puts before each part of a split build, always the same functions for modules, out into one file: in some hundred parts they
 * are a thirtieth of the VSIX.
 * @param {string} code of a part, as esbuild writes it without minifying.
 */
function helpersApart(code) {
  const [head = '', ...rest] = code.split(/^(?=var (?!__)|import |\w+ ?\(|module\.exports)/m);
  const names = [...head.matchAll(/^var (__\w+) =/gm)].map(([, name]) => name ?? '');
  const body = rest.join('');
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(body));
  return {
    used,
    helpers: `${head}module.exports = { ${names.join(', ')} };\n`,
    code: used.length === 0 ? body : `var { ${used.join(', ')} } = require("./${helpersFile}");\n${body}`,
  };
}

/**
 * Makes CommonJS of the parts of a split build. esbuild splits ES modules only, but the editor's host asks a thread of its own about every
 * `import` of an extension, which takes longer than what is loaded; `require` asks nobody.
 * @type {import('esbuild').Plugin}
 */
const partsAsCommonJs = {
  name: 'parts-as-common-js',
  setup: ({ initialOptions, onEnd }) => {
    initialOptions.write = false;
    // Inside the text the second step finds the map of the first one, and composes the two.
    if (dev) initialOptions.sourcemap = 'inline';
    onEnd(async ({ outputFiles = [] }) => {
      await mkdir(`${dist}/extension`, { recursive: true });
      /** @type {import('esbuild').TransformOptions} */
      const asCommonJs = {
        format: 'cjs',
        platform: 'node',
        target: 'node22',
        sourcemap: dev && 'inline',
        supported: { 'dynamic-import': false },
      };
      let helpers = '';
      /** @type {Set<string>} */
      const used = new Set();
      await Promise.all(
        outputFiles.map(async ({ path, text }) => {
          const { code } = await transform(text, { ...asCommonJs, sourcefile: path });
          if (dev) return writeFile(path, code);
          const split = helpersApart(code);
          if (split.helpers.length > helpers.length) helpers = split.helpers;
          split.used.forEach((name) => used.add(name));
          return writeFile(path, (await transform(split.code, { ...asCommonJs, minify: true })).code);
        }),
      );
      const lacking = [...used].filter((name) => !helpers.includes(`var ${name} =`));
      if (lacking.length > 0) throw new Error(`${helpersFile} lacks ${lacking.join(', ')}`);
      if (helpers !== '')
        await writeFile(
          `${dist}/extension/${helpersFile}`,
          (await transform(helpers, { ...asCommonJs, minify: true })).code,
        );
    });
  },
};

/**
 * Parts that are files of their own. GitHub's library and that for YAML are there once for `wt` and the extension: what asks nothing of GitHub
 * does not even read its library, nor what picks from no list that of prompts. The guards are there once for `wt hook` and the hooks themselves.
 * @param {string} folder from the program to those files.
 * @returns {import('esbuild').Plugin}
 */
const apart = (folder) => ({
  name: 'apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/(?:octokit|yamlText|hookProgram|listPrompt)\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `${folder}${basename(path, '.ts')}.js`, external: true } : undefined,
    ),
});

/**
 * Asks the command definitions what the shell guard has to know of them. The guard itself cannot load them: it has to start fast.
 * @returns {Promise<string>} the source of `wtTable.ts`.
 */
async function makeGuardTable() {
  const { outputFiles } = await build({
    ...common,
    entryPoints: ['src/cli/guardTable.ts'],
    write: false,
    sourcemap: false,
  });
  const made = { exports: /** @type {{ guardTable?: () => unknown }} */ ({}) };
  new Function('module', 'exports', 'require', outputFiles[0]?.text ?? '')(
    made,
    made.exports,
    createRequire(import.meta.url),
  );
  return `export const wtTable = ${JSON.stringify(made.exports.guardTable?.())};\n`;
}

/**
 * @type {import('esbuild').Plugin}
 */
const guardTable = {
  name: 'guard-table',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]guard[\\/]commands[\\/]wtTable\.ts$/ }, async () => ({
      contents: await makeGuardTable(),
      loader: 'ts',
    })),
};

/**
 * Writes the check of `.worktrees.yml` as source: the programs need no compiler of schemas then.
 * @returns {Promise<string>} the source of `configurationSchema.ts`, which needs nothing but Ajv's small runtime.
 */
async function makeConfigurationSchema() {
  const schema = JSON.parse(await readFile('schemas/worktrees.schema.json', 'utf8'));
  const ajv = new Ajv({ allErrors: true, strict: false, code: { source: true, esm: true, lines: false } });
  ajv.addSchema(schema, 'configuration');
  return standaloneCode(ajv, { configurationSchema: 'configuration' });
}

/**
 * @type {import('esbuild').Plugin}
 */
const configurationSchema = {
  name: 'configuration-schema',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]repository[\\/]configurationSchema\.ts$/ }, async () => ({
      contents: await makeConfigurationSchema(),
      loader: 'js',
    })),
};

/**
 * Puts the schemas of `wt schema` into the program.
 * @type {import('esbuild').Plugin}
 */
const schemaFiles = {
  name: 'schema-files',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]cli[\\/]schemaFiles\.ts$/ }, async () => {
      const names = (await readdir('schemas')).filter((file) => file.endsWith('.schema.json'));
      const texts = await Promise.all(names.map((file) => readFile(`schemas/${file}`, 'utf8')));
      const entries = names.map((file, index) => `${JSON.stringify(basename(file, '.schema.json'))}: ${texts[index]}`);
      return { contents: `export const schemaFiles = {${entries.join(',')}};`, loader: 'ts' };
    }),
};

/**
 * Puts the lock file of the database's engine into the program.
 * @type {import('esbuild').Plugin}
 */
const engineLock = {
  name: 'engine-lock',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]database[\\/]engineLock\.ts$/ }, async () => {
      const lock = cutEngineLock(JSON.parse(await readFile('package-lock.json', 'utf8')));
      return { contents: `export const engineLock = ${JSON.stringify(lock)};`, loader: 'ts' };
    }),
};

/**
 * Small files by the thousand are read in another way by `wt`, which has a process of its own.
 * @type {import('esbuild').Plugin}
 */
const manyFilesSync = {
  name: 'many-files-sync',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/manyFiles\.ts$/ }, () => ({ path: resolve('src/shims/manyFilesSync.ts') })),
};

/** @type {import('esbuild').BuildOptions[]} */
const builds = [
  {
    // Split: what starts with the editor is a twentieth of the whole, the rest is read when it is used.
    entryPoints: ['src/extension/extension.ts'],
    outdir: `${dist}/extension`,
    outExtension: { '.js': '.cjs' },
    format: 'esm',
    splitting: true,
    external: ['vscode'],
    target: 'node22',
    plugins: [apart('../'), guardTable, configurationSchema, partsAsCommonJs],
  },
  // `wt` and the hooks are two files each: the first runs the second with code that was compiled in earlier runs (src/shims/v8CodeCache.ts).
  // That is outside of Node's loader, where there is no import().
  {
    entryPoints: ['src/cli/entry/main.ts'],
    outfile: `${dist}/wt.js`,
    target: 'node20',
    banner: { js: '#!/usr/bin/env node' },
  },
  {
    entryPoints: ['src/cli/entry/run.ts'],
    outfile: `${dist}/wtProgram.js`,
    target: 'node20',
    supported: { 'dynamic-import': false },
    plugins: [apart('./'), guardTable, configurationSchema, schemaFiles, engineLock, manyFilesSync],
  },
  { entryPoints: ['src/core/github/octokit.ts'], outfile: `${dist}/octokit.js`, target: 'node20' },
  { entryPoints: ['src/core/base/yamlText.ts'], outfile: `${dist}/yamlText.js`, target: 'node20' },
  { entryPoints: ['src/cli/listPrompt.ts'], outfile: `${dist}/listPrompt.js`, target: 'node20' },
  {
    entryPoints: ['src/cli/hook.ts'],
    outfile: `${dist}/hook.js`,
    target: 'node20',
    banner: { js: '#!/usr/bin/env node' },
  },
  {
    entryPoints: ['src/cli/hookProgram.ts'],
    outfile: `${dist}/hookProgram.js`,
    target: 'node20',
    // For a fast start: see these files, and src/shims/v8CodeCache.ts, which runs the bundle outside of Node's loader.
    alias: {
      'node:fs/promises': './src/shims/fsPromisesSync.ts',
      'node:os': './src/shims/lazyOs.ts',
      'node:process': './src/shims/lazyOs.ts',
    },
    supported: { 'dynamic-import': false },
    plugins: [guardTable, configurationSchema],
  },
  {
    // The page of the session merge editor. The editor's own Chromium is the only browser that it runs in.
    entryPoints: ['src/webview/sessionMerge.ts', 'src/webview/sessionMerge.css'],
    outdir: `${dist}/webview`,
    platform: 'browser',
    format: 'esm',
    target: 'chrome138',
  },
];

/**
 * The folders of the packages that something was taken from: their licenses have to be told (`npm run notices`).
 * @param {readonly PromiseSettledResult<import('esbuild').BuildResult>[]} results
 * @returns {string[]}
 */
function packagesIn(results) {
  const metafiles = results.flatMap((each) => (each.status === 'fulfilled' ? (each.value.metafile ?? []) : []));
  // An input that nothing was taken from is in no output.
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap((output) =>
      Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    ),
  );
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

let running = 0;
/**
 * Says when a round of builds begins and ends, in the words that the task `watch` of .vscode waits for.
 * @type {import('esbuild').Plugin}
 */
const rounds = {
  name: 'rounds',
  setup: ({ onStart, onEnd }) => {
    onStart(() => void (running++ === 0 && process.stderr.write('Building …\n')));
    onEnd(() => void (--running === 0 && process.stderr.write('Built. Watching src/ for changes; Ctrl-C ends it.\n')));
  },
};

const contexts = await Promise.all(
  builds.map(({ plugins = [], ...build }) =>
    context({ ...common, ...build, plugins: watch ? [...plugins, rounds] : plugins }),
  ),
);
if (watch) {
  await Promise.all(contexts.map((each) => each.watch()));
} else {
  // esbuild has printed what is wrong; a stack of its own would only hide that.
  const results = await Promise.allSettled(contexts.map((each) => each.rebuild()));
  await Promise.all(contexts.map((each) => each.dispose()));
  if (results.some(({ status }) => status === 'rejected')) process.exitCode = 1;
  await writeFile(`${dist}/packages.json`, `${JSON.stringify(packagesIn(results), undefined, 2)}\n`);
}
