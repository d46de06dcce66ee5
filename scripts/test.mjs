// `npm test`: installs what is missing, builds, and runs every lane; `npm test -- unit git` runs some of them, `npm test -- test/git/merge/merge.test.ts`
// some files. `npm test -- git cli --git /opt/git-2.38/bin` runs them with another git; `--git 2.38` with a stand-in for that version.
// `--thorough` tries every variation where the ordinary run tries a share of them (`test/support/share.ts`).
// Node's own modules only: on a fresh machine this file runs before anything is installed.
import { access, mkdir } from 'node:fs/promises';
import { delimiter, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  ensureChromium,
  ensureCompiler,
  ensureHeadlessShell,
  ensurePackages,
  ensurePrograms,
  exists,
  root,
} from './lib/install.mjs';
import { artifacts, laneOf, lanes, runLane } from './lib/lanes.mjs';
import { startTime } from './lib/machineSpeed.mjs';
import { Failure, main, onEnd, run } from './lib/processes.mjs';
import { quickStart } from './lib/vfork.mjs';
import { ensureServer } from './lib/vscodeServer.mjs';
import { build, packExtension } from './package.mjs';

/** @typedef {import('./lib/lanes.mjs').Result} Result */

const minute = 60_000;

/**
 * What a test run tells is its answer, so it goes to standard output, in one order with what the lanes print.
 * @param {string} line
 */
function tell(line) {
  process.stdout.write(`${line}\n`);
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

/**
 * Tells the lanes and the test files of the arguments apart.
 * @param {readonly string[]} words
 * @returns {Promise<{ chosen: string[], files: string[] }>}
 */
async function choose(words) {
  /** @type {string[]} */
  const files = [];
  /** @type {string[]} */
  const names = [];
  for (const word of words) {
    const file = relative(root, resolve(word)).replaceAll('\\', '/');
    const lane = word in lanes ? undefined : laneOf(file);
    if (lane !== undefined && !(await exists(join(root, file)))) throw new Failure(`There is no ${file}.`);
    if (lane !== undefined) files.push(file);
    names.push(lane ?? word);
  }
  const unknown = names.filter((name) => !(name in lanes));
  if (unknown.length > 0) {
    const known = Object.keys(lanes).join(', ');
    throw new Failure(`No lane or test file ${unknown.join(', ')}: there are the lanes ${known}.`);
  }
  return { chosen: Object.keys(lanes).filter((name) => names.length === 0 || names.includes(name)), files };
}

/** Whether a lane begins while things are built and installed for the others. @param {string} name */
const isFirst = (name) => lanes[name]?.needs === 'nothing';

/**
 * Installs what lanes need beside the packages.
 * @param {readonly string[]} chosen
 * @param {'current' | 'oldest'} vscode
 * @returns {Promise<Map<string, string>>} the lanes that cannot run here, and why
 */
async function prepare(chosen, vscode) {
  /** @type {Map<string, string>} */
  const impossible = new Map();
  const browsers = chosen.filter((name) => lanes[name]?.browser);
  if (browsers.length > 0) {
    if (chosen.includes('host')) await ensureHeadlessShell();
    const chromium = await ensureChromium();
    if ('missing' in chromium) browsers.forEach((name) => impossible.set(name, chromium.missing));
    else await ensureServer(vscode);
  }
  await ensurePrograms(chosen.filter((name) => !isFirst(name)));
  for (const name of chosen.filter((each) => lanes[each]?.compiler)) {
    const compiler = await ensureCompiler();
    if ('missing' in compiler) impossible.set(name, compiler.missing);
  }
  return impossible;
}

onEnd(() => process.exit(130));
await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      grep: { type: 'string' },
      git: { type: 'string' },
      vscode: { type: 'string', default: 'current' },
      thorough: { type: 'boolean', default: false },
    },
  });
  const vscode = values.vscode === 'oldest' ? 'oldest' : 'current';
  if (values.vscode !== vscode) throw new Failure('--vscode takes current or oldest.');
  const { chosen, files } = await choose(positionals);

  if (values.git !== undefined) await useGit(values.git);
  await ensurePackages();
  await mkdir(artifacts, { recursive: true });
  // First of all, because the lanes start their programs by what it compiles.
  if (chosen.some((name) => lanes[name]?.compiler)) await ensureCompiler();
  // What is built and installed for other lanes these do not wait for.
  await ensurePrograms(chosen.filter(isFirst));
  const quick = await quickStart(artifacts);
  // Before anything else runs beside it.
  const speed = startTime(quick);
  // Mostly waits for the network; lanes that need nothing of it run meanwhile.
  const preparing = Promise.all([prepare(chosen, vscode), buildFor(chosen)]).then(([impossible]) => impossible);
  // Whoever needs it tells why it failed.
  preparing.catch(() => undefined);

  const total = { passed: 0, failed: 0, skipped: 0 };
  // Told once more at the end, because what the lanes print is long.
  /** @type {string[]} */
  const failures = [];
  /** @type {string[]} */
  const unsteady = [];
  const isBrowser = (/** @type {string} */ name) => lanes[name]?.browser === true;
  const browsers = chosen.filter(isBrowser);
  const others = chosen.filter((name) => !isBrowser(name));
  const live = browsers.length === 0 || others.length === 0;
  /**
   * @param {string} name
   * @param {import('./lib/lanes.mjs').Wish} wish
   * @returns {Promise<Result>}
   */
  const prepareAndRun = async (name, wish) => {
    if (!isFirst(name)) {
      const why = (await preparing).get(name);
      const output = `Skipped: ${why}.\n`;
      if (why && live) process.stdout.write(output);
      if (why) return { passed: 0, failed: 0, skipped: 1, failures: [], output };
    }
    return runLane(name, wish);
  };
  /** @param {string} name */
  const runAndTell = async (name) => {
    const started = Date.now();
    tell(live ? `\n— ${name} —` : `… ${name}`);
    const wish = {
      ...{ grep: values.grep, vscode, files, live },
      ...{ startTime: speed, quick, thorough: values.thorough },
      behind: !live && !isBrowser(name),
    };
    /** @type {Result} */
    const result = await prepareAndRun(name, wish).catch((error) => {
      const words = error instanceof Error ? error.message : String(error);
      return { passed: 0, failed: 1, skipped: 0, failures: [`${name}: ${words}`], output: `${words}\n` };
    });
    const seconds = Math.round((Date.now() - started) / 1000);
    if (!live) process.stdout.write(`\n— ${name} —\n${result.output}`);
    tell(`${name}: ${summary(result)} (${seconds} s)`);
    total.passed += result.passed;
    total.failed += result.failed;
    total.skipped += result.skipped;
    failures.push(...result.failures);
    unsteady.push(...(result.unsteady ?? []));
  };
  /** Runs lanes until none is left; what is taken from the list here is not run by whoever shares it. @param {string[]} names */
  const runAll = async (names) => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) await runAndTell(name);
  };
  // Windows wait for what is drawn, so they run beside the rest, and what they print is told lane by lane. Whoever has ended helps the
  // other: lanes of programs wait too, for processes and for GitHub's pace.
  await (live ? runAll(chosen) : Promise.all([runAll(others), runAll(browsers).then(() => runAll(others))]));
  if (unsteady.length > 0) tell(`\nFailed at first, and passed when tried once more:\n  ${unsteady.join('\n  ')}`);
  if (failures.length > 0) tell(`\nFailed:\n  ${failures.join('\n  ')}`);
  tell(`\n${summary(total)}`);
  return total.failed === 0 ? 0 : 1;
});

/** @param {{ passed: number, failed: number, skipped: number }} count */
function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
