// The lane `windows` on Linux: its own test files, those of the unit lane and some of other lanes, bundled and run by mocha in Node for Windows below
// Wine. On Windows its own files are run as those of every other lane, and the other lanes run theirs.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './install.mjs';
import { filesToTryAgain, unsteadyTests, withSecondTry } from './laneReport.mjs';
import { bundleForWindows } from './windowsBundles.mjs';
import { ensureWindowsPrograms, makeDrive, onZ } from './windowsPrograms.mjs';

/** @typedef {import('./windowsPrograms.mjs').Drive} Drive */
/** @typedef {import('./laneReport.mjs').ReportedTest} Test */
/** @typedef {import('./laneReport.mjs').Report} Report */

const second = 1000;
/** For the files of one run of mocha together. */
const deadline = 600 * second;
/** The longest that one test may take: a `wt` takes one second there, or two, and others share the machine. */
const testDeadline = 300 * second;
/** So many files of the unit lane are run by one mocha: to start it costs a second. */
const atOnce = 8;

/**
 * Files of other lanes that are run on Windows too, as they are; docs/dev/systems.md says why there are none.
 * @type {readonly string[]}
 */
export const alsoOnWindows = [];
/** Files of the unit lane that read our sources: what they show does not depend on the system. */
const ofSources = /^test\/unit\/messages\//;
/** Files that show what commands do beside each other; the others keep to one processor. */
const ofManyAtOnce = /^test\/(?:windows\/atOnce|unit\/base\/(?:fileLock|atomicFile))\./;
/**
 * Programs that the tests start (`test/support/bundled.ts`).
 * @type {readonly string[]}
 */
const drivers = ['test/support/lockDriver.ts'];

/**
 * Runs the lane.
 * @param {object} wish
 * @param {readonly string[]} wish.own test files of the lane to be run
 * @param {readonly string[]} wish.others test files of other lanes to be run
 * @param {string | undefined} wish.grep
 * @param {string} wish.folder for its throw-away drives
 * @param {string} wish.artifacts
 * @param {number} wish.niceness how far it stands back behind other lanes
 * @param {boolean} wish.again up to two files whose tests failed are tried once more
 * @param {(text: string) => void} wish.print
 * @returns {Promise<(Report & { unsteady: Test[] }) | { missing: string }>}
 */
export async function runWindowsLane({ own, others: all, grep, folder, artifacts, niceness, again, print }) {
  const programs = await ensureWindowsPrograms();
  if ('missing' in programs) return programs;
  const others = all.filter((file) => !ofSources.test(file));
  const bundleOf = await bundleForWindows([...own, ...others, ...drivers]);
  const fileOf = new Map([...own, ...others].map((file) => [onZ(bundleOf(file)).toLowerCase(), file]));
  let drives = 0;
  /** @param {number} number @param {(readonly string[])[]} queue @param {Report} sum */
  const work = async (number, queue, sum) => {
    const drive = await makeDrive(programs, join(folder, `drive-${++drives}`), { niceness, number });
    const runFiles = runner({ drive, bundleOf, fileOf, grep, artifacts, number });
    try {
      for (let files = queue.shift(); files !== undefined; files = queue.shift()) {
        const { report, unseen, stuck } = await runFiles(files);
        // One that ends mocha, or never comes back, does not hide the others.
        if (unseen.length > 0) queue.unshift(unseen);
        if (stuck !== undefined)
          print(`  … ${stuck} is tried once more: Wine stood still in it for ${deadline / second} s\n`);
        print(tell(files.slice(0, files.length - unseen.length), report, fileOf));
        const named = (/** @type {Test} */ test) => ({
          ...test,
          file: fileOf.get((test.file ?? '').toLowerCase()) ?? test.file ?? '',
        });
        for (const kind of /** @type {const} */ (['passes', 'failures', 'pending']))
          sum[kind].push(...report[kind].map(named));
      }
    } finally {
      await drive.end();
    }
  };

  /**
   * Runs files on two drives.
   * @param {(readonly string[])[]} queue those of one mocha each
   * @returns {Promise<Report>}
   */
  const runAll = async (queue) => {
    /** @type {Report} */
    const report = { passes: [], failures: [], pending: [] };
    // A drive takes some seconds, and one file needs but one.
    await Promise.all([1, 2].slice(0, queue.length).map((number) => work(number, queue, report)));
    return report;
  };

  // The longest first: begun last, one of them would run alone at the end.
  const tried = await runAll([...own.map((file) => [file]), ...inParts(others)]);
  const files = again ? filesToTryAgain(tried) : [];
  if (files.length > 0) print(`\nTried once more, because tests failed in it: ${files.join(', ')}\n`);
  const triedAgain = await runAll(files.map((file) => [file]));
  const sum = { ...withSecondTry(tried, triedAgain, files), unsteady: unsteadyTests(tried, triedAgain) };
  await writeFile(join(artifacts, 'windows.json'), JSON.stringify(sum, undefined, 2));
  return sum;
}

/**
 * Deals files out to so many runs of mocha that each has few.
 * @param {readonly string[]} files
 */
export function inParts(files) {
  const count = Math.ceil(files.length / atOnce);
  // Neighbours are dealt out: the slow ones are in the same folders.
  return Array.from({ length: count }, (_, part) => files.filter((__, index) => index % count === part));
}

/**
 * Runs files in one mocha. Where it ends before its time, the file at which that was has failed, and those that it has not come to are given back. A
 * mocha that does not even end a test after the time of that is held up by Wine, not by what it tests: the first time its file is given back as well.
 * @param {object} on
 * @param {Drive} on.drive
 * @param {(file: string) => string} on.bundleOf
 * @param {ReadonlyMap<string, string>} on.fileOf
 * @param {string | undefined} on.grep
 * @param {string} on.artifacts
 * @param {number} on.number
 * @param {Set<string>} [on.known] the files in which Wine has stood still
 * @returns {(files: readonly string[]) => Promise<{ report: Report, unseen: string[], stuck?: string }>} `stuck` is the file that is given back
 */
export function runner(on) {
  const { drive, bundleOf, fileOf, grep, artifacts, number, known = new Set() } = on;
  const printed = join(artifacts, `windows-${number}.txt`);
  const lines = join(artifacts, `windows-${number}.jsonl`);
  const support = join(root, 'test/support/windows');
  return async (files) => {
    await rm(lines, { force: true });
    const args = [
      ...[onZ(join(root, 'node_modules/mocha/bin/mocha.js')), '--no-config', '--exit'],
      ...['--require', onZ(join(support, 'setUp.cjs')), '--timeout', String(testDeadline)],
      ...['--reporter', onZ(join(support, 'reporter.cjs')), '--reporter-option', `output=${onZ(lines)}`],
      ...(process.env['CI'] ? ['--forbid-only'] : []),
      ...(grep ? ['--grep', grep] : []),
      ...files.map((each) => onZ(bundleOf(each))),
    ];
    const spread = files.some((file) => ofManyAtOnce.test(file));
    const { code, late } = await drive.node(args, { output: printed, deadline, spread });
    // What the ended mocha has started is still there.
    if (late) await drive.end();
    const { report, running, ended } = await readReport(lines);
    if (ended) return { report, unseen: [] };
    const why = late ? `did not end within ${deadline / second} s` : `ended with ${code}`;
    // Before its first test mocha loads all files: then it cannot be said which one it was, unless it was alone.
    const at = fileOf.get((running?.file ?? '').toLowerCase()) ?? (files.length === 1 ? files[0] : undefined);
    if (at === undefined) {
      const [first = '', ...rest] = files;
      const alone = await runner({ ...on, known })([first]);
      return { ...alone, unseen: [...alone.unseen, ...rest] };
    }
    const behind = files.slice(files.indexOf(at) + 1);
    if (late && !known.has(at)) {
      known.add(at);
      const isBefore = (/** @type {Test} */ test) => fileOf.get((test.file ?? '').toLowerCase()) !== at;
      const { passes, failures, pending } = report;
      const before = {
        passes: passes.filter(isBefore),
        failures: failures.filter(isBefore),
        pending: pending.filter(isBefore),
      };
      return { report: before, unseen: [at, ...behind], stuck: at };
    }
    const title = running?.fullTitle ?? at;
    const message = `Mocha ${why} in this test.\n${await readFile(printed, 'utf8')}`;
    report.failures.push({ title, fullTitle: title, file: onZ(bundleOf(at)), err: { message } });
    return { report, unseen: behind };
  };
}

/**
 * Reads what test/support/windows/reporter.cjs has written.
 * @param {string} file
 * @returns {Promise<{ report: Report, running: Test | undefined, ended: boolean }>} `running` is the test at which it stopped
 */
async function readReport(file) {
  const text = await readFile(file, 'utf8').catch(() => '');
  /** @type {({ event: string } & Test)[]} */
  const events = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  /** @param {string} kind */
  const of = (kind) => events.filter(({ event }) => event === kind);
  const last = events.at(-1);
  return {
    report: { passes: of('passes'), failures: of('failures'), pending: of('pending') },
    running: last?.event === 'begins' ? last : of('begins').at(-1),
    ended: last?.event === 'ends',
  };
}

/**
 * What a person reads of some files: the number of tests and how long they took, each that was skipped with the reason in its title, and each failed one with what it said.
 * @param {readonly string[]} files
 * @param {Report} report
 * @param {ReadonlyMap<string, string>} fileOf
 */
function tell(files, report, fileOf) {
  /** @param {Test[]} tests @param {string} file */
  const of = (tests, file) => tests.filter((test) => fileOf.get((test.file ?? '').toLowerCase()) === file);
  const lines = files.flatMap((file) => {
    const failures = of(report.failures, file);
    const passes = of(report.passes, file);
    const took = [...passes, ...failures].reduce((sum, { duration = 0 }) => sum + duration, 0);
    return [
      `  ${failures.length > 0 ? '✗' : '✔'} ${file} (${passes.length}, ${Math.round(took / second)} s)`,
      ...of(report.pending, file).map(({ fullTitle }) => `    - ${fullTitle}`),
      ...failures.map(({ fullTitle, err }) => `    ✗ ${fullTitle}\n${err?.stack ?? err?.message ?? ''}`),
    ];
  });
  return `${lines.join('\n')}\n`;
}
