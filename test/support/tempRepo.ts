import { execFile } from 'node:child_process';
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { untilStarted } from '../../src/core/base/startAgain.ts';
import { KeptRepository } from './keptRepository.ts';
import { deleteFolder } from './savedPlace.ts';
import { isWine } from './systems.ts';

const execute = promisify(execFile);
/** Milliseconds after which a git below Wine, where some have hung, is ended and named; none elsewhere. */
const gitDeadline = isWine ? 240_000 : 0;
const gitOptions = { maxBuffer: 64 * 1024 * 1024, timeout: gitDeadline };

/**
 * A throw-away home with git settings of its own, so that nothing of the person who runs the tests is seen or changed.
 * Identity set, signing and maintenance off.
 */
export interface TestHome {
  readonly root: string;
  /** The environment for child processes: this HOME, no system git configuration, no inherited `GIT_*`. */
  readonly variables: Record<string, string>;
  /** Makes a repository with one commit on `main` in a folder below the root. */
  repository(name?: string): Promise<TestRepository>;
  dispose(): Promise<void>;
}

/** A real repository in a throw-away home. */
export interface TestRepository {
  readonly root: string;
  /** Runs git there and gives its trimmed output; a failure rejects with git's own words. */
  git(...args: string[]): Promise<string>;
  /** The same in another folder. */
  gitIn(folder: string, ...args: string[]): Promise<string>;
  /** Writes a file below the root (or an absolute one), folders included. */
  write(file: string, text: string): Promise<void>;
  /** Writes files and commits them; the commit's id. */
  commit(message: string, files: Record<string, string>, folder?: string): Promise<string>;
}

/**
 * Makes a {@link TestHome}.
 *
 * @param options.bundles for tests of the bundled programs, which are run as a person has them; tests of the sources keep what was compiled.
 */
export async function testHome(options: { readonly bundles?: boolean } = {}): Promise<TestHome> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'wt-test-')));
  await writeFile(
    join(root, '.gitconfig'),
    '[user]\n\tname = Ada Example\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n[commit]\n\tgpgSign = false\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[protocol "file"]\n\tallow = always\n',
  );
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (
      value !== undefined &&
      !/^(GIT_|CLAUDE|WT_|WORKTREE_STACKS)/.test(name) &&
      !['EDITOR', 'VISUAL', 'PAGER'].includes(name)
    )
      variables[name] = value;
  }
  if (options.bundles) delete variables['NODE_COMPILE_CACHE'];
  Object.assign(variables, {
    HOME: root,
    USERPROFILE: root,
    XDG_CONFIG_HOME: join(root, '.config'),
    XDG_STATE_HOME: join(root, '.state'),
    WORKTREE_STACKS_HOME: join(root, '.worktree-stacks'),
    GIT_CONFIG_NOSYSTEM: '1',
    LC_ALL: 'C.UTF-8',
  });
  await shareCode(variables['WORKTREE_STACKS_HOME'] ?? '');
  return {
    root,
    variables,
    repository: (name = 'project') => makeRepository(join(root, name), variables),
    // Processes that outlive their command keep folders on Windows; Wine's drive is thrown away as a whole.
    dispose: async () => {
      if (!isWine) deleteFolder(root);
    },
  };
}

/** What V8 has compiled of `wt` for one home is used by all: a third of the time of a run that has nothing else to do. */
const sharedCode = resolve(import.meta.dirname, '../../.cache/code');

async function shareCode(own: string): Promise<void> {
  if (isWine && takeStateFolder(own)) return;
  await Promise.all([mkdir(own), mkdir(sharedCode, { recursive: true })]);
  if (!isWine) await symlink(sharedCode, join(own, 'cache'), 'junction');
}

/** Wine makes no links: the drive has folders with one (scripts/lib/windowsPrograms.mjs). Gives whether there was one left. */
function takeStateFolder(own: string): boolean {
  const folder = join(process.env['LOCALAPPDATA'] ?? '', 'wt-test-states');
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    try {
      renameSync(join(folder, name), own);
      return true;
    } catch {
      // Another process has taken it.
    }
  }
  return false;
}

async function makeRepository(root: string, variables: Record<string, string>): Promise<TestRepository> {
  const gitIn = async (folder: string, ...args: string[]): Promise<string> =>
    (
      await untilStarted(async () => execute('git', args, { ...gitOptions, cwd: folder, env: variables }))
    ).stdout.trimEnd();
  const write = async (file: string, text: string): Promise<void> => {
    const path = isAbsolute(file) ? file : join(root, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  const isNew = (await mkdir(root, { recursive: true })) !== undefined;
  const repository: TestRepository = {
    root,
    gitIn,
    write,
    git: (...args) => gitIn(root, ...args),
    commit: async (message, files, folder = root) => {
      for (const [file, text] of Object.entries(files)) await write(join(folder, file), text);
      await gitIn(folder, 'add', '--all');
      await gitIn(folder, 'commit', '--quiet', '--allow-empty', '-m', message);
      return (await readHead(folder)) ?? gitIn(folder, 'rev-parse', 'HEAD');
    },
  };
  const wish = isNew ? await wishOf(variables) : '';
  const same = kept.get(wish);
  if (same) same.write(root);
  else {
    await gitIn(root, 'init', '--quiet');
    await repository.commit('Start', { 'README.md': '# project\n' });
    const made = isNew ? KeptRepository.read(root) : undefined;
    if (made) kept.set(wish, made);
  }
  return repository;
}

/** What new repositories look like, by what they depend on. */
const kept = new Map<string, KeptRepository>();

/** What a new repository depends on: git's settings, its variables, and which git it is. */
async function wishOf(variables: Readonly<Record<string, string>>): Promise<string> {
  const own = Object.entries(variables).filter(([name]) => name === 'PATH' || name.startsWith('GIT_'));
  return JSON.stringify([own.sort(), await readFile(join(variables['HOME'] ?? '', '.gitconfig'), 'utf8')]);
}

/**
 * The commit that a working tree is on, read from git's files: to ask git takes a process, and tests commit thousands of times.
 * `undefined` where it is not as plain as it is after a commit.
 */
async function readHead(folder: string): Promise<string | undefined> {
  const read = async (...file: string[]): Promise<string> => (await readFile(join(...file), 'utf8')).trim();
  const isCommit = (text: string): boolean => /^[0-9a-f]{40,64}$/.test(text);
  try {
    // A worktree and a submodule have a file there that says where git keeps theirs.
    const link = await read(folder, '.git').catch(() => 'gitdir: .git');
    const directory = resolve(folder, link.slice('gitdir: '.length));
    const head = await read(directory, 'HEAD');
    if (isCommit(head)) return head;
    const common = resolve(directory, await read(directory, 'commondir').catch(() => '.'));
    const commit = await read(common, head.slice('ref: '.length));
    return isCommit(commit) ? commit : undefined;
  } catch {
    return undefined;
  }
}
