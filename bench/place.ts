import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { environmentOf } from '../src/core/base/environment.ts';
import { Git } from '../src/core/git/git.ts';
import { readConfiguration } from '../src/core/repository/configuration.ts';
import { locate } from '../src/core/repository/identity.ts';
import type { Workspace } from '../src/core/worktree/workspace.ts';

const execute = promisify(execFile);

/** The bundle that is measured. */
export const wt = resolve(import.meta.dirname, '../dist/wt.js');

/** A repository for measuring, in a throw-away home. */
export interface Place {
  readonly root: string;
  readonly variables: Record<string, string>;
  /** Runs git to its end; rejects when it fails. */
  git(args: readonly string[], cwd?: string): Promise<string>;
  /** Runs the bundled `wt` as a process of its own. */
  wt(args: readonly string[], cwd?: string): Promise<string>;
  dispose(): Promise<void>;
}

/** Makes a repository with so many files, spread over folders of 50, in one commit on `main`. */
export async function makePlace(files: number): Promise<Place> {
  const home = await mkdtemp(join(process.env['BENCH_DIR'] ?? tmpdir(), 'wt-bench-'));
  const root = join(home, 'project');
  const variables: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    WORKTREE_STACKS_HOME: join(home, 'own'),
  };
  await writeFile(
    join(home, '.gitconfig'),
    '[user]\n\tname = Ada Example\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n',
  );
  const options = { env: variables, maxBuffer: 1 << 28 };
  const git = async (args: readonly string[], cwd = root): Promise<string> =>
    (await execute('git', args, { ...options, cwd })).stdout;
  await mkdir(root);
  await git(['init', '--quiet']);
  for (let folder = 0; folder * 50 < files; folder++) {
    const path = join(root, `area${folder % 20}`, `part${folder}`);
    await mkdir(path, { recursive: true });
    const count = Math.min(50, files - folder * 50);
    await Promise.all(
      Array.from({ length: count }, (_, n) =>
        writeFile(join(path, `file${n}.txt`), `${folder} ${n}\n`.repeat(20 + (n % 30))),
      ),
    );
  }
  await git(['add', '--all']);
  await git(['commit', '--quiet', '-m', 'Start']);
  await git(['pack-refs', '--all']);
  return {
    root,
    variables,
    git,
    wt: async (args, cwd = root) => (await execute(process.execPath, [wt, ...args], { ...options, cwd })).stdout,
    dispose: () => rm(home, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** What core's functions work with in it, in this very process. */
export async function openWorkspace(place: Place): Promise<Workspace> {
  const environment = { ...environmentOf(process), variables: place.variables, cwd: place.root };
  const git = new Git(environment);
  const { repository } = await locate(git, place.root);
  return { environment, git, repository, configuration: await readConfiguration(repository.mainRoot) };
}

/** Starts a git process and waits for its end, its output thrown away: as cheap as a process can be had from Node. */
export function bareGit(args: readonly string[], cwd: string, variables: Record<string, string>): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn('git', args, {
      cwd,
      env: { ...variables, GIT_OPTIONAL_LOCKS: '0' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout.resume();
    child.once('error', failed);
    child.once('close', (code) =>
      code === 0 ? done() : failed(new Error(`git ${args.join(' ')}: exit ${String(code)}`)),
    );
  });
}
