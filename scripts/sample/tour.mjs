// The repository that `npm start` opens: everything that the view can show, in a small shop.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../lib/install.mjs';
import { must, run } from '../lib/processes.mjs';
import { branches, goneOn, labels, laterBranches, pullRequests, shop, uncommitted } from './texts.mjs';

/** Where the stand-in for GitHub usually listens; {@link pointTour} tells the repository when it does not. */
export const usualAddress = 'http://127.0.0.1:4101';

/** The repository's owner and name there. */
export const tourRepository = { owner: 'orchard', repo: 'shop' };

/**
 * Where the parts of a tour are.
 * @param {string} place the folder that holds them
 */
export function tourFolders(place) {
  const server = join(place, 'github');
  return {
    /** The repository to open. */
    folder: join(place, 'orchard'),
    /** The folder that the stand-in for GitHub serves. */
    server,
    bare: join(server, tourRepository.owner, `${tourRepository.repo}.git`),
    /** Its pull requests. */
    pulls: join(server, 'pulls.json'),
  };
}

/**
 * Makes the tour's repository, its remote and the remote's pull requests:
 *
 *     main                        has gone on
 *      +-- cart-model   #1        needs a restack
 *      |    +-- cart-api   #2
 *      |         +-- cart-page   #3   an uncommitted file
 *      +-- gift-cards             will conflict with cart-model
 *      +-- order-notes            a merge of labels stopped in agents/session.md
 *      +-- search                 uncommitted changes, an agent's
 *
 * @param {string} place a folder without a tour
 * @param {NodeJS.ProcessEnv} [env] git's environment
 * @param {number} [now] the moment of the last commit, in milliseconds; the others are hours before it
 */
export async function makeTour(place, env = process.env, now = Date.now()) {
  const { folder, bare, pulls } = tourFolders(place);
  let commits = 0;
  /** @param {string} cwd @param {string[]} args */
  const git = async (cwd, ...args) => {
    const date = new Date(now - (12 - commits) * 3_600_000).toISOString();
    const dated = { ...env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    return (await must('The sample repository could not be made.', 'git', args, { cwd, env: dated })).trim();
  };
  /** @param {string} name */
  const path = (name) => (name === 'main' ? folder : join(folder, '.worktrees', name));
  /** @param {string} name @param {Readonly<Record<string, string>>} files */
  const write = async (name, files) => {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(path(name), file)), { recursive: true });
      await writeFile(join(path(name), file), text);
    }
  };
  /** @param {string} name @param {string} message @param {Readonly<Record<string, string>>} files */
  const commit = async (name, message, files) => {
    await write(name, files);
    await git(path(name), 'add', '--all');
    await git(path(name), 'commit', '--quiet', '--message', message);
    commits += 1;
  };

  await mkdir(folder, { recursive: true });
  await git(folder, 'init', '--quiet', '--initial-branch=main');
  await configure(folder, git);
  const titles = JSON.parse(await readFile(join(root, 'package.nls.json'), 'utf8'));
  await commit('main', 'Open the shop', shop(titles));
  await ignore(folder);
  await git(folder, 'switch', '--quiet', '--create', 'labels');
  await commit('main', 'Order labels in two sizes', labels);
  await git(folder, 'switch', '--quiet', 'main');

  /** @type {Record<string, object>} */
  const worktrees = {};
  /** @param {(typeof branches)[number]} branch */
  const add = async ({ name, base, commits: some }) => {
    await git(folder, 'worktree', 'add', '--quiet', '--no-track', '-b', name, path(name), base);
    const number = pullRequests.findIndex(({ head }) => head === name) + 1;
    const url = `${usualAddress}/${tourRepository.owner}/${tourRepository.repo}/pull/${number}`;
    worktrees[name] = {
      path: `.worktrees/${name}`,
      branch: name,
      base,
      pr: number > 0 ? { number, url } : null,
      baseCommit: await git(folder, 'rev-parse', base),
    };
    for (const { message, files } of some) await commit(name, message, files);
  };
  for (const branch of branches) await add(branch);
  await commit('main', 'Round prices to cents', goneOn);
  for (const branch of laterBranches) await add(branch);
  for (const [name, files] of Object.entries(uncommitted)) await write(name, files);
  await writeFile(join(folder, '.worktrees/stack.json'), `${JSON.stringify({ version: 1, worktrees }, null, 2)}\n`);

  await mkdir(dirname(bare), { recursive: true });
  await git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
  await git(bare, 'config', 'http.receivepack', 'true');
  await git(folder, 'push', '--quiet', bare, 'main', ...pullRequests.map(({ head }) => head));
  await git(folder, 'remote', 'add', 'origin', `${usualAddress}/${tourRepository.owner}/${tourRepository.repo}.git`);
  await git(folder, 'fetch', '--quiet', bare, '+refs/heads/*:refs/remotes/origin/*');
  await git(folder, 'remote', 'set-head', 'origin', 'main');
  await writeFile(pulls, `${JSON.stringify(pullRequests, null, 2)}\n`);
  // It conflicts, which is what it is for.
  await run('git', ['merge', '--quiet', 'labels'], { cwd: path('order-notes'), env, quiet: true });
}

/**
 * What the repository needs on a machine where git has never been told who its user is.
 * @param {string} folder
 * @param {(cwd: string, ...args: string[]) => Promise<string>} git
 */
async function configure(folder, git) {
  const settings = {
    'user.name': 'Sample Person',
    'user.email': 'sample@example.invalid',
    'commit.gpgSign': 'false',
    'push.gpgSign': 'false',
  };
  for (const [name, value] of Object.entries(settings)) await git(folder, 'config', name, value);
}

/** @param {string} folder */
async function ignore(folder) {
  const exclude = join(folder, '.git/info/exclude');
  await mkdir(dirname(exclude), { recursive: true });
  const before = await readFile(exclude, 'utf8').catch(() => '');
  await writeFile(exclude, `${before}/.worktrees/\n/.claude/\n`);
}

/**
 * Tells the tour's repository where its GitHub is now, and gives it a token for it, so that nobody has to have one.
 * @param {string} place
 * @param {string} address such as `http://127.0.0.1:4101`
 */
export async function pointTour(place, address) {
  const { folder } = tourFolders(place);
  const { owner, repo } = tourRepository;
  const url = `${address}/${owner}/${repo}.git`;
  /** @param {string[]} args */
  const git = (...args) => must('The sample could not be told where its GitHub is.', 'git', args, { cwd: folder });
  await git('remote', 'set-url', 'origin', url);
  await git('config', `credential.${address}.helper`, '!f() { echo username=sample; echo password=sample; }; f');
  const registry = join(folder, '.worktrees/stack.json');
  const text = await readFile(registry, 'utf8').catch(() => '');
  const pointed = text.replaceAll(/http:\/\/127\.0\.0\.1:\d+(?=\/)/g, address);
  if (pointed !== text) await writeFile(registry, pointed);
}
