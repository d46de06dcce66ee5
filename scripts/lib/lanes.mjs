// The lanes of `npm test`: what each needs, how it is run, and how its tests are counted.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { node24, root } from './install.mjs';
import { filesToTryAgain, readReport, titleAndWords, unsteadyTests, withSecondTry } from './laneReport.mjs';
import { filesFor, whyLeft } from './machineSpeed.mjs';
import { Failure, run, say } from './processes.mjs';
import { alsoOnWindows, runWindowsLane } from './windowsLane.mjs';

/** Where lanes leave their reports and what a person may want to look at. */
export const artifacts = join(root, 'artifacts');

const minute = 60_000;
/** The longest that a lane may take. Lanes share the machine; every variation takes hours (.github/workflows/thorough.yml). */
const deadline = 60 * minute;
const thoroughDeadline = 330 * minute;
/** How far lanes stand back that run beside others with deadlines of their own: these get three times as much of a busy processor. */
const niceness = 5;

/**
 * @typedef {object} Lane
 * @property {'nothing' | 'bundles' | 'vsix'} needs what must be built before
 * @property {boolean} [browser] drives a VS Code in a browser; these lanes run beside the others
 * @property {boolean} [compiler] compiles a library in C
 * @property {number} [jobs] so many files at the same time: they are independent, and wait for processes most of the time
 * @property {boolean} [memory] its throw-away repositories are in memory, where there is room
 * @property {boolean} [long] on a machine on which programs start slowly a share of its files is tried
 * @property {number} [patience] milliseconds for each test, where what it waits for may take a busy machine so long
 * @property {readonly string[]} [first] the files that take longest: begun last, one of them would run alone at the end
 */

/**
 * In the order of what tells soonest.
 * @type {Record<string, Lane>}
 */
export const lanes = {
  check: { needs: 'nothing' },
  unit: { needs: 'nothing' },
  git: {
    ...{ needs: 'nothing', jobs: 3, memory: true, long: true },
    first: [
      ...['operations/operationsKilled', 'merge/mergeKilled', 'restack/restackKilled', 'remove/cleanupOutOfSight'],
      ...['restack/restackNotes', 'restack/restackRandom', 'merge/mergeSubmodules', 'restack/commitsAsThere'],
    ],
  },
  cli: {
    ...{ needs: 'bundles', jobs: 3, memory: true, long: true },
    first: ['killed', 'brokenPlaces', 'worktrees/cleanup'],
  },
  github: { needs: 'bundles', jobs: 4, memory: true, long: true },
  claude: { needs: 'bundles', jobs: 3, memory: true },
  faults: {
    ...{ needs: 'bundles', compiler: true, jobs: 4, memory: true },
    first: ['rebase', 'cleanupForce', 'undoCleanup', 'merge'],
  },
  windows: { needs: 'bundles', memory: true },
  package: { needs: 'vsix' },
  host: { needs: 'bundles', browser: true },
  ui: { needs: 'vsix', browser: true, long: true, patience: 5 * minute },
};

/**
 * What was asked for.
 * @typedef {object} Wish
 * @property {string | undefined} grep only tests whose title matches
 * @property {string} vscode `current` or `oldest`
 * @property {readonly string[]} files only these test files, relative to the project's folder; none are all of them
 * @property {number} startTime milliseconds that it takes to start a program here
 * @property {Readonly<Record<string, string>>} quick what lets Node start programs quickly (vfork.mjs)
 * @property {boolean} thorough every variation is tried, instead of a share of them
 * @property {boolean} live what it prints is shown at once; otherwise it is given back as a whole
 * @property {boolean} behind other lanes, which wait for deadlines of their own, come first
 */

/**
 * How a lane ended.
 * @typedef {object} Result
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} failures the failed tests, each with the beginning of what it said
 * @property {string[]} [unsteady] likewise those that failed at first, and passed when their file was tried once more
 * @property {string} output what it printed, unless that was shown at once
 */

/**
 * For processes that start many programs: Linux copies the page tables of whoever starts one. At 400 MB that takes 9 ms of processor time for each
 * `git`, at 100 MB it takes 2.
 */
const smallHeap = ['--max-semi-space-size=1'];

/** The lane that a test file belongs to. @param {string} file relative to the project's folder */
export function laneOf(file) {
  const [top, name = ''] = file.split('/');
  return top === 'test' && name in lanes && file.endsWith('.test.ts') ? name : undefined;
}

/**
 * Runs one lane and counts its tests from the report that it leaves; a lane that ends badly without a failed test counts
 * as one failure, because what it would have said is unknown.
 * @param {string} name
 * @param {Wish} wish
 * @returns {Promise<Result>}
 */
export async function runLane(name, wish) {
  if (name === 'check') return check(wish);
  const all = await testFiles(name);
  if (all.length === 0) throw new Failure(`test/${name} holds no *.test.ts.`);
  const wantsAll = wish.thorough || wish.files.length > 0 || wish.grep !== undefined || !lanes[name]?.long;
  const { tried: tests, left } = wantsAll ? { tried: all, left: 0 } : filesFor(all, wish.startTime);
  const leftOut = left === 0 ? '' : `${whyLeft(name, left, wish.startTime)}\n`;
  if (wish.live) process.stdout.write(leftOut);
  if (name === 'windows' && process.platform !== 'win32') return windowsByWine(wish, tests);
  const { report, output, problem } = await runMocha(name, wish, tests);
  // The host lane tries its suites again itself; and who names files or tests wants to see what they do.
  const once = name === 'host' || problem !== '' || wish.files.length > 0 || wish.grep !== undefined;
  const files = once ? [] : filesToTryAgain(report);
  if (files.length === 0) return sumUp(name, report, left, leftOut + output, problem);
  const names = files.map((file) => relative(root, file));
  const why = `\nTried once more, alone, because tests failed in it: ${names.join(', ')}\n`;
  if (wish.live) process.stdout.write(why);
  const second = await runMocha(name, wish, names);
  const both = withSecondTry(report, second.report, files);
  const sum = sumUp(name, both, left, leftOut + output + why + second.output, second.problem);
  const unsteady = unsteadyTests(report, second.report);
  return { ...sum, unsteady: titles(name, unsteady) };
}

/**
 * @param {string} name
 * @param {import('./laneReport.mjs').Report} report
 * @param {number} left
 * @param {string} output
 * @param {string} problem why the lane has no whole report, if so
 * @returns {Result}
 */
function sumUp(name, { passes, failures, pending, unsteady = [] }, left, output, problem) {
  const failed = [...titles(name, failures), ...(problem === '' ? [] : [`${name}: ${problem.trim()}`])];
  const counts = { passed: passes.length, failed: failed.length, skipped: pending.length + left };
  return { ...counts, failures: failed, unsteady: titles(name, unsteady), output };
}

/**
 * @param {string} name of the lane
 * @param {readonly import('./laneReport.mjs').ReportedTest[]} tests
 */
function titles(name, tests) {
  return tests.map((test) => `${name}: ${titleAndWords(test)}`);
}

/**
 * Runs test files of a lane. `problem` says why the report is not whole, if so: then it counts as a failure.
 * @param {string} name
 * @param {Wish} wish
 * @param {readonly string[]} tests
 */
async function runMocha(name, wish, tests) {
  const file = join(artifacts, `${name}.json`);
  await rm(file, { force: true });
  const memory = lanes[name]?.memory ? await memoryFolder() : undefined;
  // Also when the person ends us: what stays in memory is missing elsewhere.
  const forget = () => memory !== undefined && deleteFolder(memory);
  process.once('exit', forget);
  const longest = wish.thorough ? thoroughDeadline : deadline;
  const ended = await run(node24, commandLine(name, wish, tests), {
    cwd: root,
    deadline: longest,
    quiet: !wish.live,
    niceness: wish.behind ? niceness : 0,
    env: {
      ...process.env,
      ...wish.quick,
      // The tests start many programs from their sources; what was compiled for one is kept for the others.
      NODE_COMPILE_CACHE: join(root, '.cache/compiled'),
      ...(memory === undefined ? {} : { TMPDIR: memory }),
      ...(wish.thorough ? { WT_TEST_THOROUGH: '1' } : {}),
    },
  });
  process.off('exit', forget);
  forget();
  const report = await readReport(file);
  const crashed = ended.code !== 0 && report.failures.length === 0;
  const problem = ended.late
    ? `The ${name} lane did not end within ${longest / minute} minutes and was ended.\n`
    : crashed
      ? `The ${name} lane ended with ${ended.code} without saying which test failed.\n`
      : '';
  if (wish.live) process.stdout.write(problem);
  return { report, output: ended.output + problem, problem };
}

/**
 * Runs the lane of Windows where there is none.
 * @param {Wish} wish
 * @param {readonly string[]} all the test files of the lane
 * @returns {Promise<Result>}
 */
async function windowsByWine({ files, grep, live, behind }, all) {
  const own = files.filter((file) => laneOf(file) === 'windows');
  const others = own.length > 0 ? [] : [...(await testFiles('unit')), ...alsoOnWindows];
  let output = '';
  const folder = (await memoryFolder()) ?? mkdtempSync(join(tmpdir(), 'wt-tests-'));
  const forget = () => deleteFolder(folder);
  process.once('exit', forget);
  try {
    const report = await runWindowsLane({
      ...{ own: own.length > 0 ? own : all, others, grep, folder, artifacts, niceness: behind ? niceness : 0 },
      again: own.length === 0 && grep === undefined,
      print: (text) => (live ? void process.stdout.write(text) : void (output += text)),
    });
    if ('missing' in report) {
      const why = `Skipped: ${report.missing}.\n`;
      if (live) process.stdout.write(why);
      return { passed: 0, failed: 0, skipped: 1, failures: [], output: why };
    }
    const { passes, failures, pending, unsteady } = report;
    const count = { passed: passes.length, failed: failures.length, skipped: pending.length };
    return { ...count, failures: titles('windows', failures), unsteady: titles('windows', unsteady), output };
  } finally {
    process.off('exit', forget);
    forget();
  }
}

/**
 * Runs the steps of `npm run check`; each counts as one test. None of them uses more than one processor, so the longest runs beside the others.
 * @param {Wish} wish
 * @returns {Promise<Result>}
 */
async function check({ live, behind }) {
  /** @type {Result} */
  const result = { passed: 0, failed: 0, skipped: 0, failures: [], output: '' };
  const rows = [['lint'], ['types', 'format']].map(async (steps) => {
    for (const step of steps) {
      const options = { cwd: root, deadline, quiet: true, niceness: behind ? niceness : 0 };
      const { code, output } = await run('npm', ['run', '--silent', step], options);
      result[code === 0 ? 'passed' : 'failed'] += 1;
      if (code !== 0) result.failures.push(`check: ${step}`);
      const text = `${output}${code === 0 ? '✔' : '✗'} ${step}\n`;
      if (live) process.stdout.write(text);
      result.output += text;
    }
  });
  await Promise.all(rows);
  return result;
}

/**
 * What a lane runs, below Node 24.
 * @param {string} name
 * @param {Wish} wish
 * @param {readonly string[]} all the test files of the lane
 */
function commandLine(name, { grep, vscode, files }, all) {
  const only = grep ? ['--grep', grep] : [];
  const own = files.filter((file) => laneOf(file) === name);
  if (name === 'host') {
    const suites = new Set(own.map((file) => file.split('/')[2] ?? ''));
    return ['test/support/launch/hostLane.ts', '--vscode', vscode, ...only, ...suites];
  }
  const report = [
    '--reporter',
    'test/support/launch/reporter.ts',
    '--reporter-option',
    `output=artifacts/${name}.json`,
  ];
  const jobs = lanes[name]?.jobs;
  const parallel = jobs === undefined || own.length === 1 ? [] : ['--parallel', '--jobs', String(jobs)];
  const strict = process.env['CI'] ? ['--forbid-only'] : [];
  const { patience } = lanes[name] ?? {};
  const timeout = patience === undefined ? [] : ['--timeout', String(patience)];
  const tests = own.length > 0 ? own : all;
  const flags = jobs === undefined ? [] : smallHeap;
  return [
    ...flags,
    'node_modules/mocha/bin/mocha.js',
    ...report,
    ...parallel,
    ...timeout,
    ...strict,
    ...only,
    ...tests,
  ];
}

/**
 * So many bytes have to be free in memory. Tests delete their repositories when they end, so that a lane holds little at any time: in the git lane
 * 28 MB were seen.
 */
const roomInMemory = 2 ** 31;

/**
 * A folder in memory for throw-away repositories: there nobody waits for a disk. `undefined` where there is none, or too little.
 * @returns {Promise<string | undefined>}
 */
async function memoryFolder() {
  if (process.platform !== 'linux' || process.env['TMPDIR']) return undefined;
  try {
    const { bavail, bsize } = await statfs('/dev/shm');
    if (bavail * bsize < roomInMemory) return undefined;
    const folder = mkdtempSync('/dev/shm/wt-tests-');
    // Some tests run as a user that is not root.
    chmodSync(folder, 0o755);
    return folder;
  } catch {
    return undefined;
  }
}

/** @param {string} folder */
function deleteFolder(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    say(`${folder} could not be deleted: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * The test files of a lane, relative to the project's folder, in the order in which they are begun.
 * @param {string} name
 */
async function testFiles(name) {
  const found = await readdir(join(root, 'test', name), { recursive: true }).catch(() => []);
  const files = found
    .map((file) => `test/${name}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts'));
  const early = (lanes[name]?.first ?? []).map((each) => `test/${name}/${each}.test.ts`);
  const first = early.filter((file) => files.includes(file));
  const rest = files.filter((file) => !early.includes(file)).sort();
  return [...first, ...rest];
}
