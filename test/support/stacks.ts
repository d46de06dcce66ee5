import { join } from 'node:path';
import { readRegistry, updateRegistry, type RegistryEntry } from '../../src/core/repository/registry.ts';
import { continueStopped, abortStopped, stoppedOperation } from '../../src/core/restack/resume.ts';
import { prepareRestack, type RestackOptions, type RestackRequest } from '../../src/core/restack/prepareRestack.ts';
import { restack, type Restacked } from '../../src/core/restack/restack.ts';
import type { RestackPlan } from '../../src/core/restack/plan.ts';
import { findWorktree } from '../../src/core/worktree/find.ts';
import { readSnapshot } from '../../src/core/snapshot/snapshot.ts';
import type { Workspace } from '../../src/core/worktree/workspace.ts';
import { testHome, type TestHome, type TestRepository } from './tempRepo.ts';
import { testWorkspace } from './workspace.ts';

type Wish = Omit<RestackRequest, 'worktree'>;

/** A repository with stacked worktrees, made with plain git and registered as `wt create` would. */
export class Stacks {
  readonly home: TestHome;
  readonly repository: TestRepository;
  readonly workspace: Workspace;

  private constructor(home: TestHome, repository: TestRepository, workspace: Workspace) {
    this.home = home;
    this.repository = repository;
    this.workspace = workspace;
  }

  /** @param variables for the processes of the home, `GIT_DEFAULT_HASH` for example. */
  static async start(variables: Record<string, string> = {}): Promise<Stacks> {
    const home = await testHome();
    Object.assign(home.variables, variables);
    const repository = await home.repository();
    await repository.write('.git/info/exclude', '/.worktrees/\n');
    return new Stacks(home, repository, await testWorkspace(home, repository.root));
  }

  path(name: string): string {
    return join(this.repository.root, '.worktrees', name);
  }

  /** Makes a worktree on a base, with a commit for each set of files. */
  async add(name: string, base: string, ...commits: Record<string, string>[]): Promise<void> {
    const path = this.path(name);
    await this.repository.git('worktree', 'add', '--quiet', '--no-track', '-b', name, path, base);
    const baseCommit = await this.tip(base);
    await updateRegistry(this.workspace.environment, this.workspace.repository, ({ worktrees }) => {
      worktrees.set(name, { path, branch: name, base, pr: null, baseCommit });
    });
    for (const [index, files] of commits.entries()) await this.commit(name, `${name} ${index + 1}`, files);
  }

  /** Commits in a worktree, `main` being the main one. */
  commit(name: string, message: string, files: Record<string, string>): Promise<string> {
    return this.repository.commit(message, files, name === 'main' ? this.repository.root : this.path(name));
  }

  /** Runs git in a worktree, `main` being the main one. */
  git(name: string, ...args: string[]): Promise<string> {
    return this.repository.gitIn(name === 'main' ? this.repository.root : this.path(name), ...args);
  }

  tip(branch: string): Promise<string> {
    return this.repository.git('rev-parse', `refs/heads/${branch}`);
  }

  /** The subjects of a branch's commits that are not on another, oldest first. */
  async subjects(branch: string, without = 'main'): Promise<string[]> {
    const output = await this.repository.git('log', '--reverse', '--format=%s', `${without}..${branch}`);
    return output === '' ? [] : output.split('\n');
  }

  async entry(name: string): Promise<RegistryEntry | undefined> {
    return (await readRegistry(this.workspace.repository)).worktrees.get(name);
  }

  async plan(name: string, wish: Wish = {}, options: RestackOptions = { offline: true }): Promise<RestackPlan> {
    const snapshot = await readSnapshot(this.workspace, { withChanges: false });
    return prepareRestack(
      this.workspace,
      { worktree: await findWorktree(snapshot, name, this.repository.root), ...wish },
      { tryTrees: true, ...options },
    );
  }

  async rebase(name: string, wish: Wish = {}, options: RestackOptions = { offline: true }): Promise<Restacked> {
    const snapshot = await readSnapshot(this.workspace, { withChanges: false });
    const worktree = await findWorktree(snapshot, name, this.repository.root);
    const plan = await prepareRestack(this.workspace, { worktree, ...wish }, options);
    return restack(this.workspace, { worktree, ...wish }, plan, options);
  }

  /** What became of each branch. */
  async outcomes(name: string, wish: Wish = {}, options?: RestackOptions): Promise<Record<string, string>> {
    const { branches } = await this.rebase(name, wish, options);
    return Object.fromEntries(branches.map(({ branch, outcome }) => [branch, outcome]));
  }

  async resume(name: string, step: 'continue' | 'skip' = 'continue'): ReturnType<typeof continueStopped> {
    return continueStopped(this.workspace, await stoppedOperation(this.workspace, name), step, { offline: true });
  }

  async abort(name: string): ReturnType<typeof abortStopped> {
    return abortStopped(this.workspace, await stoppedOperation(this.workspace, name));
  }

  /** Everything that an operation could change: branches, what every worktree looks like, the registry. */
  async picture(): Promise<Record<string, string>> {
    const picture: Record<string, string> = {
      refs: await this.repository.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads'),
      registry: JSON.stringify([...(await readRegistry(this.workspace.repository)).worktrees]),
    };
    const list = (await this.repository.git('worktree', 'list', '--porcelain')).split('\n');
    for (const line of list.filter((each) => each.startsWith('worktree '))) {
      const path = line.slice('worktree '.length);
      picture[path] = await this.repository.gitIn(path, 'status', '--porcelain', '--branch');
    }
    return picture;
  }

  dispose(): Promise<void> {
    return this.home.dispose();
  }
}
