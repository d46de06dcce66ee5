// `npm test`: installs what is missing, builds, and runs every lane; `npm test -- unit git` runs some of them.
// `npm test -- git cli --git /opt/git-2.38/bin` runs them with another git; `--git 2.38` with a stand-in for that version.
// Node's own modules only: on a fresh machine this file runs before anything is installed.
import { access, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureChromium, ensurePackages, node24, root } from './lib/install.mjs';
import { Failure, main, onEnd, run } from './lib/processes.mjs';
import { ensureServer } from './lib/vscodeServer.mjs';
import { build, packExtension } from './package.mjs';

const artifacts = join(root, 'artifacts');
const minute = 60_000;

/**
 * Told once more at the end, because what the lanes print is long.
 * @type {string[]}
 */
const failedTests = [];

/**
 * @typedef {object} Lane
 * @property {'nothing' | 'bundles' | 'vsix'} needs what must be built before
 * @property {boolean} [browser] drives a VS Code in a browser
 * @property {boolean} [parallel] its files are independent and wait for processes most of the time
 */

/**
 * In the order of what tells soonest.
 * @type {Record<string, Lane>}
 */
const lanes = {
  check: { needs: 'nothing' },
  unit: { needs: 'nothing' },
  git: { needs: 'nothing', parallel: true },
  cli: { needs: 'bundles', parallel: true },
  github: { needs: 'bundles', parallel: true },
  claude: { needs: 'bundles', parallel: true },
  package: { needs: 'vsix' },
  host: { needs: 'bundles', browser: true },
  ui: { needs: 'vsix', browser: true },
};

/**
 * What a test run tells is its answer, so it goes to standard output, in one order with what the lanes print.
 * @param {string} line
 */
function tell(line) {
  process.stdout.write(`${line}\n`);
}

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

/**
 * Runs the steps of `npm run check`; each counts as one test.
 * @returns {Promise<Count>}
 */
async function check() {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const step of ['types', 'lint', 'format']) {
    const { code } = await run('npm', ['run', '--silent', step], { cwd: root, deadline: 15 * minute });
    count[code === 0 ? 'passed' : 'failed'] += 1;
    if (code !== 0) failedTests.push(`check: ${step}`);
    tell(`${code === 0 ? '✔' : '✗'} ${step}`);
  }
  return count;
}

/**
 * What a lane runs, below Node 24.
 * @param {string} name
 * @param {{ grep?: string | undefined, vscode: string }} options
 */
function commandLine(name, { grep, vscode }) {
  const only = grep ? ['--grep', grep] : [];
  if (name === 'host') return ['test/support/launch/hostLane.ts', '--vscode', vscode, ...only];
  const report = [
    '--reporter',
    'test/support/launch/reporter.ts',
    '--reporter-option',
    `output=artifacts/${name}.json`,
  ];
  const parallel = lanes[name]?.parallel ? ['--parallel', '--jobs', '2'] : [];
  const strict = process.env['CI'] ? ['--forbid-only'] : [];
  return ['node_modules/mocha/bin/mocha.js', ...report, ...parallel, ...strict, ...only, `test/${name}/**/*.test.ts`];
}

/**
 * Runs one lane and counts its tests from the report that it leaves; a lane that ends badly without a failed test counts
 * as one failure, because what it would have said is unknown.
 * @param {string} name
 * @param {{ grep?: string | undefined, vscode: string }} options
 * @returns {Promise<Count>}
 */
async function runLane(name, options) {
  if (name === 'check') return check();
  if (!(await hasTests(name))) throw new Failure(`test/${name} holds no *.test.ts.`);
  const file = join(artifacts, `${name}.json`);
  await rm(file, { force: true });
  const { code, late } = await run(node24, commandLine(name, options), { cwd: root, deadline: 25 * minute });
  const { passes, failures, pending, failed } = await readReport(file);
  for (const title of failed) failedTests.push(`${name}: ${title}`);
  const crashed = code !== 0 && failures === 0;
  if (late) tell(`The ${name} lane did not end within 25 minutes and was ended.`);
  else if (crashed) tell(`The ${name} lane ended with ${code} without saying which test failed.`);
  return { passed: passes, failed: failures + (crashed ? 1 : 0), skipped: pending };
}

/**
 * Puts another git first on the path, for whatever is started from here.
 * @param {string} where the folder that holds it, or `2.38` for a stand-in of the oldest that we work with
 */
async function useGit(where) {
  const folder = where === '2.38' ? join(root, 'test', 'support', 'git-2.38') : resolve(where);
  const found = ['git', 'git.exe'].map((name) =>
    access(join(folder, name)).then(
      () => true,
      () => false,
    ),
  );
  if (!(await Promise.all(found)).includes(true)) throw new Failure(`--git: there is no git in ${folder}.`);
  process.env['PATH'] = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
  await run('git', ['version'], { cwd: root, deadline: minute });
}

/** @param {string} name */
async function hasTests(name) {
  const files = await readdir(join(root, 'test', name), { recursive: true }).catch(() => []);
  return files.some((file) => file.endsWith('.test.ts'));
}

/**
 * @param {string} file a report in the shape of mocha's JSON reporter
 * @returns {Promise<{ passes: number, failures: number, pending: number, failed: string[] }>}
 */
async function readReport(file) {
  try {
    const { stats, failures } = JSON.parse(await readFile(file, 'utf8'));
    return { ...stats, failed: failures.map(titleAndWords) };
  } catch {
    return { passes: 0, failures: 0, pending: 0, failed: [] };
  }
}

/**
 * A failed test with the beginning of what it said: whoever sees only the end of a long run has no more than this.
 * @param {{ fullTitle: string, err?: { message?: string } }} test
 */
function titleAndWords({ fullTitle, err }) {
  const words = (err?.message ?? '').split('\n').filter((line) => line.trim() !== '');
  return [fullTitle, ...words.slice(0, 8).map((line) => line.slice(0, 300))].join('\n      ');
}

/**
 * Builds what the lanes need, once.
 * @param {readonly string[]} names
 */
async function buildFor(names) {
  const needs = new Set(names.map((name) => lanes[name]?.needs));
  if (needs.has('bundles') || needs.has('vsix')) {
    tell('Building …');
    await build();
  }
  if (needs.has('vsix')) {
    tell('Packing the extension …');
    await packExtension();
  }
}

onEnd(() => process.exit(130));
await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { grep: { type: 'string' }, git: { type: 'string' }, vscode: { type: 'string', default: 'current' } },
  });
  const unknown = positionals.filter((name) => !(name in lanes));
  if (unknown.length > 0)
    throw new Failure(`No lane ${unknown.join(', ')}: there are ${Object.keys(lanes).join(', ')}.`);
  if (!['current', 'oldest'].includes(values.vscode)) throw new Failure('--vscode takes current or oldest.');
  const chosen = Object.keys(lanes).filter((name) => positionals.length === 0 || positionals.includes(name));

  if (values.git !== undefined) await useGit(values.git);
  await ensurePackages();
  await mkdir(artifacts, { recursive: true });
  /** @type {Count} */
  const total = { passed: 0, failed: 0, skipped: 0 };
  /** @type {string | undefined} */
  let noBrowser;
  if (chosen.some((name) => lanes[name]?.browser)) {
    const chromium = await ensureChromium();
    if ('missing' in chromium) noBrowser = chromium.missing;
    else await ensureServer(values.vscode === 'oldest' ? 'oldest' : 'current');
  }
  await buildFor(chosen.filter((name) => !(lanes[name]?.browser && noBrowser)));

  for (const name of chosen) {
    tell(`\n— ${name} —`);
    if (lanes[name]?.browser && noBrowser) {
      tell(`Skipped: ${noBrowser}.`);
      total.skipped += 1;
      continue;
    }
    const count = await runLane(name, values).catch((error) => {
      tell(error instanceof Error ? error.message : String(error));
      return { passed: 0, failed: 1, skipped: 0 };
    });
    tell(`${name}: ${summary(count)}`);
    total.passed += count.passed;
    total.failed += count.failed;
    total.skipped += count.skipped;
  }
  if (failedTests.length > 0) tell(`\nFailed:\n  ${failedTests.join('\n  ')}`);
  tell(`\n${summary(total)}`);
  return total.failed === 0 ? 0 : 1;
});

/** @param {Count} count */
function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
