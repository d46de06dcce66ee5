import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfiguration } from '../../src/core/repository/configuration.ts';
import { readRegistry } from '../../src/core/repository/registry.ts';
import { readActive } from '../../src/core/repository/stateFile.ts';
import { createWorktree } from '../../src/core/create/create.ts';
import type { CreateOptions, Created } from '../../src/core/create/created.ts';
import { resolveRequest, type ResolvedRequest } from '../../src/core/create/resolveRequest.ts';
import type { CreateRequest } from '../../src/core/create/request.ts';
import type { Workspace } from '../../src/core/worktree/workspace.ts';
import { testHome, type TestHome, type TestRepository } from './tempRepo.ts';
import { testWorkspace } from './workspace.ts';

/** Everything that a creation leaves behind, in a form that compares well. */
export interface Traces {
  readonly branches: readonly string[];
  /** The worktrees that git knows, the main one first. */
  readonly listed: readonly string[];
  /** The names in the registry. */
  readonly registered: readonly string[];
  readonly active: string | undefined;
  /** The folders below `.worktrees`, without our own. */
  readonly folders: readonly string[];
  /** Journals that were not closed. */
  readonly pending: readonly string[];
  /** What git has on record of worktrees. */
  readonly records: readonly string[];
  readonly status: string;
}

/** A repository in which worktrees are created by the core, as the command line would. */
export class Creations {
  readonly home: TestHome;
  readonly repository: TestRepository;
  workspace: Workspace;

  private constructor(home: TestHome, repository: TestRepository, workspace: Workspace) {
    this.home = home;
    this.repository = repository;
    this.workspace = workspace;
  }

  /** @param given where the repository is made; by default a home of its own. */
  static async start(name?: string, given?: TestHome): Promise<Creations> {
    const home = given ?? (await testHome());
    const repository = await home.repository(name);
    return new Creations(home, repository, await testWorkspace(home, repository.root));
  }

  /** Writes and commits a team's configuration, and reads it. */
  async configure(yaml: string): Promise<void> {
    await this.repository.commit('Configure', { '.worktrees.yml': yaml });
    this.workspace = { ...this.workspace, configuration: await readConfiguration(this.repository.root) };
  }

  /** The workspace as it is for somebody in another folder. */
  at(folder: string): Promise<Workspace> {
    return testWorkspace(this.home, folder);
  }

  create(
    request: Partial<CreateRequest> | string,
    options: CreateOptions = {},
    workspace = this.workspace,
  ): Promise<Created> {
    const given = typeof request === 'string' ? { name: request } : request;
    return createWorktree(workspace, { createdBy: 'test', ...given }, options);
  }

  plan(request: Partial<CreateRequest> | string, workspace = this.workspace): Promise<ResolvedRequest> {
    const given = typeof request === 'string' ? { name: request } : request;
    return resolveRequest(workspace, { createdBy: 'test', ...given });
  }

  path(slug: string): string {
    return join(this.repository.root, '.worktrees', slug);
  }

  async traces(): Promise<Traces> {
    const { root } = this.repository;
    const git = (...args: string[]): Promise<string> => this.repository.git(...args);
    const { repository } = this.workspace;
    const own = new Set(['bin', 'hooks', 'stack.json']);
    const list = async (folder: string): Promise<string[]> => (await readdir(folder).catch(() => [])).sort();
    return {
      branches: (await git('for-each-ref', '--format=%(refname:short)', 'refs/heads')).split('\n'),
      listed: (await git('worktree', 'list', '--porcelain', '-z'))
        .split('\0')
        .filter((line) => line.startsWith('worktree '))
        .map((line) => line.slice('worktree '.length)),
      registered: [...(await readRegistry(repository)).worktrees.keys()].sort(),
      active: (await readActive(repository))?.path,
      folders: (await list(join(root, '.worktrees'))).filter((name) => !own.has(name)),
      pending: await list(join(root, '.git', 'worktree-stacks', 'operations')),
      records: await list(join(root, '.git', 'worktrees')),
      status: await git('status', '--porcelain'),
    };
  }

  dispose(): Promise<void> {
    return this.home.dispose();
  }
}
