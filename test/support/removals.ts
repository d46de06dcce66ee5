import { join } from 'node:path';
import { updateRegistry } from '../../src/core/repository/registry.ts';
import { removeWorktree, type Removed } from '../../src/core/remove/remove.ts';
import { findWorktree } from '../../src/core/worktree/find.ts';
import { inspectRemoval, type Removal } from '../../src/core/remove/inspect.ts';
import { readSnapshot } from '../../src/core/snapshot/snapshot.ts';
import { deleteTrash } from '../../src/core/trash/trash.ts';
import type { Workspace } from '../../src/core/worktree/workspace.ts';
import { testHome, type TestHome, type TestRepository } from './tempRepo.ts';
import { testWorkspace } from './workspace.ts';

/** A repository whose worktrees are removed in a test, with nothing of the product between git and the removal. */
export class Removals {
  readonly home: TestHome;
  readonly repository: TestRepository;
  readonly workspace: Workspace;

  private constructor(home: TestHome, repository: TestRepository, workspace: Workspace) {
    this.home = home;
    this.repository = repository;
    this.workspace = workspace;
  }

  static async start(name?: string): Promise<Removals> {
    const home = await testHome();
    const repository = await home.repository(name);
    await repository.write('.git/info/exclude', '/.worktrees/\n');
    return new Removals(home, repository, await testWorkspace(home, repository.root));
  }

  /** Makes a worktree with plain git and registers it; its path. */
  async add(name: string, options: { base?: string; registered?: boolean; commits?: number } = {}): Promise<string> {
    const { base = 'main', registered = true, commits = 0 } = options;
    const path = join(this.repository.root, '.worktrees', name);
    await this.repository.git('worktree', 'add', '--quiet', '--no-track', '-b', name, path, base);
    for (let number = 1; number <= commits; number++) {
      await this.repository.commit(`${name} ${number}`, { [`${name}-${number}.txt`]: `${number}\n` }, path);
    }
    if (registered) {
      const baseCommit = await this.repository.git('rev-parse', base);
      await updateRegistry(this.workspace.environment, this.workspace.repository, ({ worktrees }) => {
        worktrees.set(name, { path, branch: name, base, baseCommit, pr: null });
      });
    }
    return path;
  }

  /** Looks at what removing a worktree would do. */
  async inspect(word: string, workspace = this.workspace): Promise<Removal> {
    const snapshot = await readSnapshot(workspace, { withChanges: false });
    return inspectRemoval(workspace, snapshot, await findWorktree(snapshot, word, workspace.environment.cwd));
  }

  /** The kinds of what stops a removal. */
  async obstacles(word: string): Promise<string[]> {
    return (await this.inspect(word)).obstacles.map((each) => each.kind);
  }

  /** Removes a worktree and waits until it is deleted as well. */
  async remove(
    word: string,
    options: { force?: boolean; lookLater?: boolean; workspace?: Workspace } = {},
  ): Promise<Removed> {
    const workspace = options.workspace ?? this.workspace;
    return this.act(await this.inspect(word, workspace), { ...options, workspace });
  }

  /** Removes what was looked at before. */
  async act(
    removal: Removal,
    options: { force?: boolean; lookLater?: boolean; workspace?: Workspace } = {},
  ): Promise<Removed> {
    const later: string[] = [];
    const removed = await removeWorktree(options.workspace ?? this.workspace, removal, {
      force: options.force ?? false,
      drop: options.force ?? false,
      lookLater: options.lookLater ?? false,
      deleteLater: (folder) => later.push(folder),
    });
    for (const folder of later) await deleteTrash(this.workspace.git, folder);
    return removed;
  }

  /** The branches that there are. */
  async branches(): Promise<string[]> {
    return (await this.repository.git('for-each-ref', '--format=%(refname:short)', 'refs/heads')).split('\n');
  }

  /** The worktrees that git knows, main first. */
  async listed(): Promise<string[]> {
    const output = await this.repository.git('worktree', 'list', '--porcelain', '-z');
    return output
      .split('\0')
      .filter((line) => line.startsWith('worktree '))
      .map((line) => line.slice('worktree '.length));
  }

  dispose(): Promise<void> {
    return this.home.dispose();
  }
}
