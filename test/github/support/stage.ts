import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import type { Workspace } from '../../../src/core/worktrees/workspace.ts';
import type { Snapshot, Worktree } from '../../../src/core/worktrees/model.ts';
import { readSnapshot } from '../../../src/core/worktrees/read/snapshot.ts';
import { updateRegistry } from '../../../src/core/repository/registry.ts';
import type { TestHome, TestRepository } from '../../support/tempRepo.ts';
import { testWorkspace } from '../../support/workspace.ts';
import { startHub, type Hub } from './hub.ts';
import { HubState } from './hubState.ts';
import { refsOf } from './refs.ts';

/** A repository with a remote on the stand-in for GitHub. */
export interface Stage {
  readonly home: TestHome;
  readonly repository: TestRepository;
  /** The bare repository behind the remote. */
  readonly bare: string;
  readonly hub: Hub;
  /** The variables of a person who has a token. */
  readonly variables: Record<string, string>;
  /** Makes a worktree with a branch on a base and one commit of its own, and records it; its path. */
  worktree(name: string, base?: string): Promise<string>;
  /** Makes a commit in a worktree. */
  commit(worktree: string, file: string, text?: string): Promise<string>;
  /** Runs git in a folder of the server. */
  onServer(...args: string[]): Promise<string>;
  workspace(): Promise<Workspace>;
  look(name: string): Promise<{ workspace: Workspace; snapshot: Snapshot; worktree: Worktree }>;
  close(): Promise<void>;
}

/** Makes a {@link Stage} in a home. Closing it closes the home as well. */
export async function makeStage(home: TestHome, options: { readonly graphql?: boolean } = {}): Promise<Stage> {
  const repository = await home.repository();
  const server = join(home.root, 'server');
  const bare = join(server, 'octo', 'demo.git');
  await mkdir(server, { recursive: true });
  await repository.git('clone', '--quiet', '--bare', repository.root, bare);
  await repository.gitIn(bare, 'config', 'http.receivepack', 'true');
  const variables = { ...home.variables, GH_ENTERPRISE_TOKEN: 'ghp_0123456789abcdefghijABCDEFGHIJ012345' };
  const hub = await startHub(
    new HubState(refsOf(bare, home.variables)),
    { root: server, variables: home.variables },
    options,
  );
  await repository.git('remote', 'add', 'origin', `${hub.url}/octo/demo.git`);
  await repository.git('fetch', '--quiet', 'origin');
  await repository.git('remote', 'set-head', 'origin', 'main');
  const workspace = async (): Promise<Workspace> => {
    const made = await testWorkspace({ ...home, variables }, repository.root);
    return made;
  };
  const look: Stage['look'] = async (name) => {
    const at = await workspace();
    const snapshot = await readSnapshot(at, { withChanges: false });
    const worktree = snapshot.worktrees.find((each) => each.name === name);
    assert.ok(worktree, `${name} is not among ${snapshot.worktrees.map((each) => each.name).join(', ')}`);
    return { workspace: at, snapshot, worktree };
  };
  const commit: Stage['commit'] = (worktree, file, text = `${file}\n`) =>
    repository.commit(`Add ${file}`, { [file]: text }, worktree);
  return {
    ...{ home, repository, bare, hub, variables, workspace, look, commit },
    async worktree(name, base = 'main') {
      const path = join(repository.root, '.worktrees', name);
      await repository.git('worktree', 'add', '--quiet', '--no-track', '-b', name, path, base);
      const baseCommit = await repository.git('rev-parse', base);
      const { environment, repository: where } = await workspace();
      await updateRegistry(environment, where, ({ worktrees }) => {
        worktrees.set(name, { path, branch: name, base, pr: null, baseCommit });
      });
      await commit(path, `${name}.txt`);
      return path;
    },
    onServer: (...args) => repository.gitIn(bare, ...args),
    async close() {
      await hub.close();
      await home.dispose();
      assert.deepEqual(hub.faults, [], 'requests or answers departed from what GitHub publishes');
    },
  };
}
