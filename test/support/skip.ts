import { spawnSync } from 'node:child_process';

/** Skips a test and says why in its title, since a silent skip looks like a pass. A hook skips the tests that it runs before. */
export function skipBecause(context: Mocha.Context, why: string): never {
  for (const test of skippedBy(context)) test.title += ` (skipped: ${why})`;
  return context.skip();
}

/** The tests that mocha leaves out when what runs in this context skips. */
function skippedBy({ test, currentTest }: Mocha.Context): readonly Mocha.Runnable[] {
  const running = test as Mocha.Test | Mocha.Hook | undefined;
  if (running?.type !== 'hook') return running ? [running] : [];
  if (!running.title.startsWith('"before all"')) return currentTest ? [currentTest] : [];
  const below: Mocha.Test[] = [];
  running.parent?.eachTest((each) => void below.push(each));
  return below;
}

/** Skips a test that needs a terminal where it cannot make one. */
export function needsTerminal(context: Mocha.Context): void {
  if (process.platform !== 'linux')
    skipBecause(context, 'the terminal of this test is made by the script command of Linux');
}

/** Skips a test that contradicts what a process says of its birth where the system does not tell that. */
export function needsBirths(context: Mocha.Context): void {
  if (process.platform !== 'linux') skipBecause(context, 'only Linux tells when a process was born');
}

/** Skips a test that reads of other processes, or makes a program read it, where the system has no files of them. */
export function needsProc(context: Mocha.Context): void {
  if (process.platform !== 'linux') skipBecause(context, 'only Linux has /proc');
}

/** Skips a test that needs programs, as Linux and macOS have them, where one of them is missing. */
export function needsPrograms(context: Mocha.Context, ...names: readonly string[]): void {
  for (const name of names) {
    if (process.platform === 'win32') skipBecause(context, `Windows has no ${name}`);
    if (spawnSync(name, ['--version']).error) skipBecause(context, `${name} is not installed`);
  }
}

/** Why a test is skipped that fills a disk of its own. */
export const noDisk = 'no disk can be mounted here: only root can, and not in every container';
