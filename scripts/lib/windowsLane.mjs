// The lane `windows` on Linux: its own test files, those of the unit lane and some of other lanes, bundled and run by mocha in Node for Windows below
// Wine. On Windows its own files are run as those of every other lane, and the other lanes run theirs.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './install.mjs';
import { bundleForWindows } from './windowsBundles.mjs';
import { ensureWindowsPrograms, makeDrive, onZ } from './windowsPrograms.mjs';

/** @typedef {import('./windowsPrograms.mjs').Drive} Drive */
/** @typedef {{ title: string, fullTitle: string, file?: string, err?: { message?: string, stack?: string } }} Test */
/** @typedef {{ passes: Test[], failures: Test[], pending: Test[] }} Report of mocha */

const second = 1000;
/** For the files of one run of mocha together, and for one alone. */
const deadline = { together: 240 * second, alone: 120 * second };
/** The longest that one test may take: a `wt` takes one second there, or two, and others share the machine. */
const testDeadline = 60 * second;
/** So many files of the unit lane are run by one mocha: to start it costs a second. */
const atOnce = 8;

/**
 * Files of other lanes that are run on Windows too, as they are.
 * @type {readonly string[]}
 */
export const alsoOnWindows = [];

/**
 * Runs the lane.
 * @param {object} wish
 * @param {readonly string[]} wish.own test files of the lane to be run
 * @param {readonly string[]} wish.others test files of other lanes to be run
 * @param {string | undefined} wish.grep
 * @param {string} wish.folder for its throw-away drives
 * @param {string} wish.artifacts
 * @param {(text: string) => void} wish.print
 * @returns {Promise<Report | { missing: string }>}
 */
export async function runWindowsLane({ own, others, grep, folder, artifacts, print }) {
  const programs = await ensureWindowsPrograms();
  if ('missing' in programs) return programs;
  const bundleOf = await bundleForWindows([...own, ...others]);
  const fileOf = new Map([...own, ...others].map((file) => [onZ(bundleOf(file)).toLowerCase(), file]));
  // The longest first: begun last, one of them would run alone at the end.
  const queue = [...own.map((file) => [file]), ...inParts(others)];
  /** @type {Report} */
  const sum = { passes: [], failures: [], pending: [] };
  /** @param {Report} report */
  const add = (report) => {
    for (const kind of /** @type {const} */ (['passes', 'failures', 'pending'])) sum[kind].push(...report[kind]);
  };

  /** @param {number} number */
  const work = async (number) => {
    const drive = await makeDrive(programs, join(folder, `drive-${number}`));
    const runFiles = runner({ drive, bundleOf, grep, artifacts, number });
    try {
      for (let files = queue.shift(); files !== undefined; files = queue.shift()) {
        const { report, why, printed } = await runFiles(files, files.length > 1 ? deadline.together : deadline.alone);
        if (report) {
          print(tell(files, report, fileOf));
          add(report);
        } else if (files.length > 1) {
          // One of them has ended mocha or never comes back; the others are not hidden by it.
          print(`Mocha ${why}; its files are run one by one.\n`);
          queue.unshift(...files.map((file) => [file]));
        } else {
          const failure = { title: files[0] ?? '', fullTitle: files[0] ?? '', err: { message: `Mocha ${why}.` } };
          print(`✗ ${files[0]}: mocha ${why}\n${printed}\n`);
          add({ passes: [], failures: [failure], pending: [] });
        }
      }
    } finally {
      await drive.end();
    }
  };
  await Promise.all([work(1), work(2)]);
  await writeFile(join(artifacts, 'windows.json'), JSON.stringify(sum, undefined, 2));
  return sum;
}

/** @param {readonly string[]} files */
function inParts(files) {
  const count = Math.ceil(files.length / atOnce);
  // Neighbours are dealt out: the slow ones are in the same folders.
  return Array.from({ length: count }, (_, part) => files.filter((__, index) => index % count === part));
}

/**
 * @param {{ drive: Drive, bundleOf: (file: string) => string, grep: string | undefined, artifacts: string, number: number }} on
 * @returns {(files: readonly string[], within: number) => Promise<{ report: Report | undefined, why: string, printed: string }>}
 */
function runner({ drive, bundleOf, grep, artifacts, number }) {
  const output = join(artifacts, `windows-${number}.txt`);
  const file = join(artifacts, `windows-${number}.json`);
  return async (files, within) => {
    await rm(file, { force: true });
    const args = [
      ...[onZ(join(root, 'node_modules/mocha/bin/mocha.js')), '--no-config', '--exit'],
      ...['--require', onZ(join(root, 'test/support/windows/setUp.cjs')), '--timeout', String(testDeadline)],
      ...['--reporter', 'json', '--reporter-option', `output=${onZ(file)}`],
      ...(process.env['CI'] ? ['--forbid-only'] : []),
      ...(grep ? ['--grep', grep] : []),
      ...files.map((each) => onZ(bundleOf(each))),
    ];
    const { code, late } = await drive.node(args, { output, deadline: within });
    // What the ended mocha has started is still there.
    if (late) await drive.end();
    const why = late ? `did not end within ${within / second} s` : `ended with ${code} and without a report`;
    const report = await readFile(file, 'utf8').then(JSON.parse, () => undefined);
    return { report, why, printed: await readFile(output, 'utf8') };
  };
}

/**
 * What a person reads of some files: the number of tests, each that was skipped with the reason in its title, and each failed one with what it said.
 * @param {readonly string[]} files
 * @param {Report} report
 * @param {ReadonlyMap<string, string>} fileOf
 */
function tell(files, report, fileOf) {
  /** @param {Test[]} tests @param {string} file */
  const of = (tests, file) => tests.filter((test) => fileOf.get((test.file ?? '').toLowerCase()) === file);
  const lines = files.flatMap((file) => {
    const failures = of(report.failures, file);
    return [
      `  ${failures.length > 0 ? '✗' : '✔'} ${file} (${of(report.passes, file).length})`,
      ...of(report.pending, file).map(({ fullTitle }) => `    - ${fullTitle}`),
      ...failures.map(({ fullTitle, err }) => `    ✗ ${fullTitle}\n${err?.stack ?? err?.message ?? ''}`),
    ];
  });
  return `${lines.join('\n')}\n`;
}
