// `npm start`: installs what is missing, builds, and opens the extension in a real VS Code, on a sample repository or on
// the one that is named. Node's own modules only: on a fresh machine this file runs before anything is installed.
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensurePackages, exists, node24, root, which } from './lib/install.mjs';
import { Failure, main, onEnd, run, say } from './lib/processes.mjs';
import { ensureServer, installExtension, quietSettings, startServer } from './lib/vscodeServer.mjs';
import { build, packExtension } from './package.mjs';
import { copyCompanion, installCompanion } from './sample/companion.mjs';
import { isFree, startGitHub } from './sample/github.mjs';
import { makeTour, pointTour, tourFolders } from './sample/tour.mjs';

const help = `npm start [-- [PATH] [--port N] [--server] [--fresh]]

Opens Worktree Stacks in a real VS Code, on a sample repository or on the repository at PATH.
  --port N   the port of the server build of VS Code, on 127.0.0.1 (4100, or a free one)
  --server   the server build, also where desktop VS Code is installed
  --fresh    make the sample repository anew
  --only-sample
             make the sample repository, and open nothing
`;
const usualPort = 4100;

/** Where the sample is, with its remote. */
const tour = join(root, '.cache/tour');

/**
 * The repository to open: the one that was named, or the sample.
 * @param {string | undefined} path
 * @param {boolean} fresh
 * @returns {Promise<{ folder: string, isSample: boolean }>}
 */
async function repository(path, fresh) {
  if (path === undefined) return { folder: await sample(fresh), isSample: true };
  // npm changes to the project's folder; the person typed the path in theirs.
  const folder = resolve(process.env['INIT_CWD'] ?? '.', path);
  const found = await stat(folder).catch(() => undefined);
  if (!found) throw new Failure(`${folder} does not exist.`);
  if (!found.isDirectory()) throw new Failure(`${folder} is a file: name the folder of a git repository.`);
  const { code } = await run('git', ['rev-parse', '--git-dir'], { cwd: folder, quiet: true });
  if (code === 127) throw new Failure('git is needed and is not on the PATH.');
  if (code !== 0) throw new Failure(`${folder} is not in a git repository: \`git init\` makes one there.`);
  return { folder, isSample: false };
}

/**
 * The sample stays between two starts, with what was done in it. Its worktrees name each other by absolute paths, so it is
 * made in its place, and a mark says that it was made whole.
 * @param {boolean} fresh
 */
async function sample(fresh) {
  const { folder } = tourFolders(tour);
  const complete = join(folder, '.git/sample-complete');
  if (!fresh && (await exists(complete))) return folder;
  say('Making a sample repository with worktrees …');
  await rm(tour, { recursive: true, force: true });
  await makeTour(tour);
  await writeFile(complete, '');
  return folder;
}

/**
 * A port that nobody uses: the wanted one, or else one that the system chooses.
 * @param {string | undefined} wanted
 */
async function freePort(wanted) {
  if (wanted === undefined) return (await isFree(usualPort)) ? usualPort : 0;
  const port = Number(wanted);
  if (!/^\d+$/.test(wanted) || port < 1 || port > 65_535)
    throw new Failure(`--port takes a number from 1 to 65535, not ${wanted}.`);
  if (!(await isFree(port))) throw new Failure(`Port ${port} is taken: name another one with --port, or leave it out.`);
  return port;
}

/** Desktop VS Code, if it is installed and has a screen; the `code` inside a remote window cannot open a new one. */
async function desktop() {
  const code = await which('code');
  const screen = process.platform !== 'linux' || process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'];
  return code && screen && !/remote-cli|vscode-server/.test(code) ? code : undefined;
}

/**
 * @param {string} code
 * @param {string} place
 * @param {string} folder
 * @param {string | undefined} sample the folder, where it is the sample's
 */
async function openDesktop(code, place, folder, sample) {
  const companion = join(place, 'companion');
  await copyCompanion(companion, { sample, node: node24 });
  say(`Opening ${folder} in VS Code, with a profile of its own. Closing the window ends this; so does Ctrl-C.`);
  const profile = ['--user-data-dir', join(place, 'user-data'), '--extensions-dir', join(place, 'extensions')];
  const developed = [root, companion].map((each) => `--extensionDevelopmentPath=${each}`);
  const window = ['--new-window', '--wait', '--disable-workspace-trust', ...developed];
  const { code: ended } = await run(code, [...profile, ...window, folder]);
  if (ended !== 0) throw new Failure(`VS Code ended with ${ended}; \`npm start -- --server\` does without it.`);
}

/**
 * @param {string} place
 * @param {string} folder
 * @param {number} port
 * @param {string | undefined} sample the folder, where it is the sample's
 */
async function openServer(place, folder, port, sample) {
  const server = await ensureServer();
  say('Packing and installing the extension …');
  const folders = {
    userData: join(place, 'user-data'),
    serverData: join(place, 'server-data'),
    extensions: join(place, 'extensions'),
  };
  await installExtension(server, folders, await packExtension());
  await installCompanion(folders.extensions, { sample, node: node24 });
  // The person named the folder, so the question whether they trust it has been answered.
  const started = await startServer({ server, folders, port, flags: ['--disable-workspace-trust'] });
  stopServer = started.stop;
  process.stdout.write(
    `Open http://${started.authority}/?folder=${encodeURI(folder).replace(/[#?&+]/g, encodeURIComponent)}\n`,
  );
  say('Ctrl-C ends it.');
  const code = await started.ended;
  if (!ending) throw new Failure(`VS Code's server ended by itself with ${code}. It said:\n${started.log().trim()}`);
}

let ending = false;
/** @type {() => Promise<void>} */
let stopServer = async () => {};
/** @type {() => Promise<void>} */
let stopGitHub = async () => {};

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: 'string' },
      server: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
      'only-sample': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  if (positionals.length > 1) throw new Failure('Name one repository, or none.');
  // What is wrong with the arguments is said before anything is installed.
  const port = await freePort(values.port);
  const { folder, isSample } = await repository(positionals[0], values.fresh);
  if (values['only-sample']) {
    say(folder);
    return;
  }
  const place = await mkdtemp(join(tmpdir(), 'worktree-stacks-'));
  const clear = () => rm(place, { recursive: true, force: true, maxRetries: 5 });
  onEnd(async () => {
    ending = true;
    await stopServer();
    await stopGitHub();
    await clear();
    process.exit(0);
  });
  try {
    await mkdir(join(place, 'user-data/User'), { recursive: true });
    await writeFile(join(place, 'user-data/User/settings.json'), JSON.stringify(quietSettings, null, 2));
    await ensurePackages();
    say('Building …');
    await build();
    if (isSample) {
      const github = await startGitHub(tour);
      stopGitHub = github.stop;
      await pointTour(tour, github.address);
    }
    const sampleFolder = isSample ? folder : undefined;
    const code = values.server || values.port !== undefined ? undefined : await desktop();
    if (code) await openDesktop(code, place, folder, sampleFolder);
    else await openServer(place, folder, port, sampleFolder);
  } finally {
    if (!ending) {
      await stopGitHub();
      await clear();
    }
  }
});
