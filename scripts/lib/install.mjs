// Brings along what is missing: the packages of package-lock.json, Chromium for the lanes that need a browser, a C compiler for the one that needs that.
import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure, must, run, say } from './processes.mjs';

/** The project's folder. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** The Node 24 that comes as a package: the tests' TypeScript and VS Code's server need it, whatever Node the machine has. */
export const node24 = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

/**
 * @param {string} path
 * @returns {Promise<boolean>}
 */
export async function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Finds a program on the PATH.
 * @param {string} name
 * @param {string} [path]
 * @returns {Promise<string | undefined>}
 */
export async function which(name, path = process.env['PATH'] ?? '') {
  const names = process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name];
  for (const folder of path.split(delimiter).filter(Boolean)) {
    for (const each of names) {
      const file = join(folder, each);
      const runs = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (runs) return file;
    }
  }
  return undefined;
}

/** Installs the locked packages, if what is installed is missing or is not what the lock says. */
export async function ensurePackages() {
  if (!(await which('git'))) throw new Failure('git is needed and is not on the PATH: install git 2.38 or newer.');
  if ((await packagesMatch()) && (await exists(node24))) return;
  say('Installing the packages of package-lock.json …');
  await must('The packages could not be installed.', 'npm', ['ci', '--no-audit', '--no-fund'], { cwd: root });
  if (await exists(node24)) return;
  // An npm that was told to run no install scripts leaves this one package without its binary.
  await must('Node 24 could not be installed.', 'npm', ['rebuild', 'node', '--ignore-scripts=false'], { cwd: root });
}

/** npm keeps what it installed in a lock of its own; that is compared, because a folder can be there and be half empty. */
async function packagesMatch() {
  try {
    const wanted = await lockedPackages('package-lock.json');
    const installed = await lockedPackages('node_modules/.package-lock.json');
    return Object.entries(wanted).every(([path, entry]) => {
      const found = installed[path];
      return path === '' || entry.link || (found ? found.version === entry.version : entry.optional === true);
    });
  } catch {
    return false;
  }
}

/**
 * @param {string} file
 * @returns {Promise<Record<string, { version?: string, optional?: boolean, link?: boolean }>>}
 */
async function lockedPackages(file) {
  return JSON.parse(await readFile(join(root, file), 'utf8')).packages;
}

/** @returns {Promise<string | undefined>} the Chromium to drive: `CHROMIUM_PATH`, or the first that is installed */
export async function findChromium() {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen) {
    if (await exists(chosen)) return chosen;
    throw new Failure(`CHROMIUM_PATH names ${chosen}, which does not exist.`);
  }
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']) {
    const found = await which(name);
    if (found) return found;
  }
  const app = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  return (await exists(app)) ? app : undefined;
}

/** Debian's package of Chromium without a window, and its program. */
const headlessShell = 'chromium-headless-shell';

/**
 * Finds Chromium without a window of its own, which shows pages as Chromium does. It costs half the processor time: no tabs, no address bar, and no
 * pages for these. `CHROMIUM_PATH` comes first here as well.
 * @returns {Promise<string | undefined>}
 */
export async function findHeadlessShell() {
  return process.env['CHROMIUM_PATH'] ? findChromium() : which(headlessShell);
}

/** Installs Chromium without a window where that is ours to do and Debian has it. Without it Chromium does the same and takes longer. */
export async function ensureHeadlessShell() {
  if (process.platform !== 'linux' || (await findHeadlessShell()) || !(await aptGet()).mayInstall) return;
  await aptInstall(headlessShell, [headlessShell]).catch((error) => say(error.message));
}

/**
 * Finds Chromium, or installs it where that is ours to do.
 * @returns {Promise<{ path: string } | { missing: string }>} `missing` says what the person can do
 */
export async function ensureChromium() {
  const found = await findChromium();
  if (found) return { path: found };
  const apt = await aptGet();
  if (!apt.mayInstall) {
    const how = apt.found ? '`sudo apt-get install chromium`' : 'install Chromium or Chrome';
    return { missing: `no Chromium was found: ${how}, or name one in CHROMIUM_PATH` };
  }
  await aptInstall('Chromium', ['chromium', 'fonts-dejavu-core']);
  const installed = await findChromium();
  return installed ? { path: installed } : { missing: 'Chromium was installed, but is not on the PATH' };
}

/**
 * What tests of a lane start where it is there, with Debian's package of it: what macOS is asked of processes, the shells that `wt shell-init` is
 * tried in beside bash, and what `wt switch` picks with.
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
const programs = {
  unit: { ps: 'procps', lsof: 'lsof' },
  git: { ps: 'procps' },
  cli: { zsh: 'zsh', fish: 'fish', fzf: 'fzf' },
};

/**
 * Installs the programs of lanes where that is ours to do. Without one of them its tests are skipped, each with a reason.
 * @param {readonly string[]} lanes
 */
export async function ensurePrograms(lanes) {
  if (process.platform !== 'linux') return;
  const wanted = Object.entries(Object.assign({}, ...lanes.map((lane) => programs[lane] ?? {})));
  const found = await Promise.all(wanted.map(async ([name, of]) => ((await which(name)) ? [] : [of])));
  const missing = found.flat();
  if (missing.length === 0 || !(await aptGet()).mayInstall) return;
  await aptInstall(missing.join(', '), missing).catch((error) => say(error.message));
}

/**
 * Finds a C compiler and the headers of the C library, or installs them where that is ours to do.
 * @returns {Promise<{ path: string } | { missing: string }>} `missing` says what the person can do
 */
export async function ensureCompiler() {
  if (process.platform !== 'linux') return { missing: 'its library is one for Linux' };
  const headers = '/usr/include/stdio.h';
  const found = await which('cc');
  if (found && (await exists(headers))) return { path: found };
  const apt = await aptGet();
  if (!apt.mayInstall) {
    const how = apt.found ? '`sudo apt-get install gcc libc6-dev`' : 'install gcc and the headers of the C library';
    return { missing: `no C compiler was found: ${how}` };
  }
  await aptInstall('GCC', ['gcc', 'libc6-dev']);
  const installed = await which('cc');
  return installed ? { path: installed } : { missing: 'gcc was installed, but cc is not on the PATH' };
}

/**
 * Finds Wine, which runs Windows programs, or installs it where that is ours to do.
 * @returns {Promise<{ path: string } | { missing: string }>} `missing` says what the person can do
 */
export async function ensureWine() {
  const found = await which('wine');
  if (found) return { path: found };
  const apt = await aptGet();
  if (!apt.mayInstall) {
    const how = apt.found ? '`sudo apt-get install wine wine64`' : 'install Wine 8 or later';
    return { missing: `no Wine was found: ${how}` };
  }
  await aptInstall('Wine', ['wine', 'wine64']);
  const installed = await which('wine');
  return installed ? { path: installed } : { missing: 'Wine was installed, but is not on the PATH' };
}

/** Whether there is apt-get here, and whether we may install with it. */
async function aptGet() {
  const found = (await which('apt-get')) !== undefined;
  return { found, mayInstall: found && process.getuid?.() === 0 };
}

/**
 * Installs Debian's packages.
 * @param {string} what
 * @param {readonly string[]} packages
 */
async function aptInstall(what, packages) {
  say(`Installing ${what} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env, quiet: true });
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  await must(`${what} could not be installed.`, 'apt-get', install, { env });
}
