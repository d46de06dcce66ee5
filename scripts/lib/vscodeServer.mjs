// A real VS Code from the npm registry: its server build, installed on demand into the git-ignored cache, and started.
import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exists, node24, root } from './install.mjs';
import { Failure, must, say, stopTree } from './processes.mjs';

/**
 * The two ends of what we promise. code-server's 4.x is VS Code's 1.x; each needs the Node that it was built for.
 * @type {Record<'current' | 'oldest', { codeServer: string, node?: string }>}
 */
const versions = {
  current: { codeServer: '4.139.1' },
  oldest: { codeServer: '4.110.0', node: '22.23.3' },
};

/**
 * @typedef {object} InstalledServer
 * @property {string} main the server's program
 * @property {string} node the Node to run it with
 * @property {string} version VS Code's version
 */

/**
 * Makes sure that VS Code's server build is installed.
 * @param {'current' | 'oldest'} [age] `oldest` is the oldest that `engines.vscode` promises
 * @returns {Promise<InstalledServer>}
 */
export async function ensureServer(age = 'current') {
  const { codeServer, node } = versions[age];
  const home = join(root, '.cache/vscode-server', codeServer);
  /** @type {InstalledServer} */
  const installed = {
    main: join(home, 'node_modules/code-server/lib/vscode/out/server-main.js'),
    node: node ? join(home, 'node_modules', nodePackage(), nodeBinary()) : node24,
    version: codeServer.replace(/^4/, '1'),
  };
  if (await exists(installed.main)) return installed;

  say(`Installing VS Code ${installed.version} (server build, once, about half a minute) …`);
  await mkdir(dirname(home), { recursive: true });
  await removeLeftDrafts(dirname(home));
  // Built aside and renamed when complete: an interrupted install can then never pass for a whole one.
  const draft = await mkdtemp(join(dirname(home), '.installing-'));
  try {
    await writeFile(join(draft, 'package.json'), '{ "private": true }\n');
    // Install scripts stay off: they would compile for minutes what is only nice to have (Kerberos, the log module).
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    const packages = [`code-server@${codeServer}`, ...(node ? [`${nodePackage()}@${node}`] : [])];
    const sentence = `VS Code ${installed.version} could not be installed.`;
    await must(sentence, 'npm', ['install', ...packages, ...flags], { cwd: draft });
    const inner = join(draft, 'node_modules/code-server/lib/vscode');
    await must(sentence, 'npm', ['install', '--omit=dev', ...flags], { cwd: inner });
    await copyFile(join(root, 'scripts/lib/logStandIn.cjs'), join(inner, 'node_modules/@vscode/spdlog/index.js'));
    await rename(draft, home).catch(async (error) => {
      // Another run may have been faster; its install is as good as this one.
      if (!(await exists(installed.main))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return installed;
}

/**
 * Removes what killed installs left: drafts that nobody can be working on any more.
 * @param {string} folder
 */
async function removeLeftDrafts(folder) {
  const hour = 3_600_000;
  for (const name of await readdir(folder)) {
    if (!name.startsWith('.installing-')) continue;
    const draft = join(folder, name);
    const { mtimeMs } = await stat(draft);
    if (Date.now() - mtimeMs > hour) await rm(draft, { recursive: true, force: true });
  }
}

/** Node comes as one package per kind of machine; these are the names that the `node` package itself installs. */
function nodePackage() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const prefix = platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${platform}-${process.arch}`;
}

function nodeBinary() {
  return process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
}

/**
 * What makes a fresh VS Code quiet: no welcome, no chat, no telemetry, nothing that fetches.
 * @type {Readonly<Record<string, unknown>>}
 */
export const quietSettings = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.autofetch': false,
  'git.openRepositoryInParentFolders': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.showReleaseNotes': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.experimentalOnboarding': false,
};

/**
 * @typedef {object} ServerFolders
 * @property {string} userData
 * @property {string} serverData
 * @property {string} extensions
 */

/**
 * @typedef {object} StartedServer
 * @property {string} authority `127.0.0.1:<port>`, exactly as the page must be addressed
 * @property {number} pid
 * @property {() => string} log what it printed so far
 * @property {Promise<number>} ended its exit code
 * @property {() => Promise<void>} stop ends it and its children
 */

/**
 * The flags that every start shares.
 * @param {ServerFolders} folders
 */
function folderFlags(folders) {
  return [
    ...['--user-data-dir', folders.userData],
    ...['--server-data-dir', folders.serverData],
    ...['--extensions-dir', folders.extensions],
  ];
}

/**
 * Starts the server and waits until it listens.
 * @param {object} options
 * @param {InstalledServer} options.server
 * @param {ServerFolders} options.folders
 * @param {number} [options.port] 0, the default, lets the system choose
 * @param {readonly string[]} [options.flags]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {number} [options.deadline] milliseconds to wait for it
 * @returns {Promise<StartedServer>}
 */
export async function startServer({ server, folders, port = 0, flags = [], env = process.env, deadline = 60_000 }) {
  const fixed = ['--host', '127.0.0.1', '--port', String(port), '--without-connection-token'];
  const quiet = ['--accept-server-license-terms', '--telemetry-level', 'off'];
  const child = spawn(server.node, [server.main, ...fixed, ...quiet, ...folderFlags(folders), ...flags], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group: a Ctrl-C at the terminal then reaches only us, and we end it in order.
    detached: process.platform !== 'win32',
  });
  let log = '';
  const ended = new Promise((resolve) => {
    child.once('error', (error) => {
      log += error.message;
      resolve(127);
    });
    child.once('close', (code) => resolve(code ?? 128));
  });
  // Its own group does not go with us when we are ended hard, so the last moment is used.
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null) killGroup(child.pid);
  };
  process.once('exit', kill);
  void ended.then(() => process.off('exit', kill));
  const stop = async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    await stopTree(child.pid);
    await ended;
  };
  const listening = new Promise((resolve, reject) => {
    /** @param {string} why */
    const fail = (why) => reject(new Failure(`VS Code's server ${why}. It said:\n${log.trim() || '(nothing)'}`));
    const timer = setTimeout(() => fail(`did not listen within ${deadline / 1000} s`), deadline);
    void ended.then((code) => {
      clearTimeout(timer);
      fail(`ended with ${code} before it listened`);
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        log += String(data);
        const found = /Extension host agent listening on (\d+)/.exec(log);
        if (!found) return;
        clearTimeout(timer);
        resolve(found[1]);
      });
    }
  });
  try {
    return { authority: `127.0.0.1:${await listening}`, pid: child.pid ?? 0, log: () => log, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @param {number} pid */
function killGroup(pid) {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has gone already.
  }
}

/**
 * Installs a packaged extension as a person would.
 * @param {InstalledServer} server
 * @param {ServerFolders} folders
 * @param {string} vsix
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function installExtension(server, folders, vsix, env = process.env) {
  const args = [server.main, '--install-extension', vsix, '--force', ...folderFlags(folders)];
  const output = await must('The extension could not be installed.', server.node, args, { env });
  if (!/successfully installed/i.test(output)) throw new Failure(`The extension was not installed:\n${output}`);
}
