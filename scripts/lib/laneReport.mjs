// The report that a lane leaves: mocha's own JSON, as far as it is read.
import { readFile } from 'node:fs/promises';

/**
 * @typedef {object} ReportedTest
 * @property {string} title
 * @property {string} fullTitle
 * @property {string} [file] its absolute path
 * @property {number} [duration] milliseconds
 * @property {{ message?: string, stack?: string }} [err]
 */

/**
 * @typedef {object} Report
 * @property {ReportedTest[]} passes
 * @property {ReportedTest[]} failures
 * @property {ReportedTest[]} pending
 * @property {ReportedTest[]} [unsteady] the tests that failed at first, where the lane has tried some twice itself
 */

/**
 * A report; an empty one where there is none, or one that was not written to its end.
 * @param {string} file
 * @returns {Promise<Report>}
 */
export async function readReport(file) {
  try {
    const { passes, failures, pending, unsteady } = JSON.parse(await readFile(file, 'utf8'));
    return { passes, failures, pending, ...(unsteady ? { unsteady } : {}) };
  } catch {
    return { passes: [], failures: [], pending: [] };
  }
}

/** Up to so many files of a lane whose tests failed are tried once more, alone, and the lane says so: on a busy machine a test may wait too short a time. */
const most = 2;

/**
 * The files that are worth a second try: those of the failed tests, unless that are too many to be an accident of a busy machine, or a failure names
 * none.
 * @param {Report} report
 * @returns {string[]}
 */
export function filesToTryAgain({ failures }) {
  const files = [...new Set(failures.map(({ file }) => file))];
  const known = files.filter((file) => file !== undefined);
  return known.length === files.length && files.length <= most ? known : [];
}

/**
 * The tests that failed at first and passed when their file was tried once more.
 * @param {Report} first
 * @param {Report} second
 */
export function unsteadyTests({ failures }, { passes }) {
  const passed = new Set(passes.map(({ fullTitle }) => fullTitle));
  return failures.filter(({ fullTitle }) => passed.has(fullTitle));
}

/**
 * What counts when files were tried twice: their second report, and the first one for all others.
 * @param {Report} first
 * @param {Report} second
 * @param {readonly string[]} files
 * @returns {Report}
 */
export function withSecondTry(first, second, files) {
  const isOther = (/** @type {ReportedTest} */ { file = '' }) => !files.includes(file);
  return {
    passes: [...first.passes.filter(isOther), ...second.passes],
    failures: [...first.failures.filter(isOther), ...second.failures],
    pending: [...first.pending.filter(isOther), ...second.pending],
  };
}

/**
 * A failed test with the beginning of what it said: whoever sees only the end of a long run has no more than this.
 * @param {ReportedTest} test
 */
export function titleAndWords({ fullTitle, err }) {
  const words = (err?.message ?? '').split('\n').filter((line) => line.trim() !== '');
  return [fullTitle, ...words.slice(0, 8).map((line) => line.slice(0, 300))].join('\n      ');
}
