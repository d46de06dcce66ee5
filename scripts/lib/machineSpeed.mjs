// How quickly programs start here, and what follows for the longest lanes.
import { spawnSync } from 'node:child_process';
import { node24, root } from './install.mjs';

/**
 * Milliseconds that starting a git may take. Tests start some hundred thousand programs, mostly git; where each takes longer than this, as in some virtual
 * machines, the lanes that start most of them would take hours together.
 */
const usual = 3;
const tries = 20;

/** Starts a git some times, and prints the milliseconds that it took in the middle of them. */
const measure = `
  const { spawnSync } = require('node:child_process');
  const times = Array.from({ length: ${tries} }, () => {
    const before = performance.now();
    spawnSync('git', ['version'], { stdio: 'ignore' });
    return performance.now() - before;
  });
  console.log(times.sort((one, other) => one - other)[${tries / 2}]);
`;

/**
 * Milliseconds that it takes a test to start a git here.
 * @param {Readonly<Record<string, string>>} quick what tests have in their environment for that (vfork.mjs)
 */
export function startTime(quick) {
  const { stdout } = spawnSync(node24, ['--eval', measure], { encoding: 'utf8', env: { ...process.env, ...quick } });
  return Number(stdout) || 0;
}

/**
 * The test files that are tried here, and how many are left to other commits. On a usual machine all are tried. On a slow one one in three or four
 * is, and the commit says which: those after it try the rest.
 * @param {readonly string[]} files
 * @param {number} milliseconds see {@link startTime}
 * @returns {{ tried: string[], left: number }}
 */
export function filesFor(files, milliseconds) {
  if (milliseconds <= usual) return { tried: [...files], left: 0 };
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  // Other digits than those that choose the variations within a file (test/support/share.ts): else a file would always try the same ones.
  const commit = Number.parseInt((stdout ?? '').trim().slice(-8, -4), 16) || 0;
  const parts = Math.min(4, 1 + Math.ceil(milliseconds / usual));
  const tried = files.filter((_, index) => (index + commit) % parts === 0);
  return { tried, left: files.length - tried.length };
}

/**
 * Why files are left out, as a sentence.
 * @param {string} lane
 * @param {number} left
 * @param {number} milliseconds
 */
export function whyLeft(lane, left, milliseconds) {
  const took = `starting a program takes ${Math.round(milliseconds)} ms here`;
  return `Skipped: ${left} files of the ${lane} lane are left to other commits, because ${took} (usual: ${usual} or less). All are tried with --thorough, or when they are named.`;
}
