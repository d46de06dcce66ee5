import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';
import type { Snapshot, Worktree } from '../../../src/core/worktree/model.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
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
  /** The fork of the person, where there is one: `origin` leads to it, and `upstream` to what it was forked from. */
  readonly fork: { readonly bare: string; readonly state: HubState } | undefined;
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

/**
 * Makes a {@link Stage} in a home. Closing it closes the home as well.
 *
 * @param options.forkOwner makes a fork of the repository for this owner.
 * @param options.forkRepo what the fork is called; by default like what it was forked from.
 */
export async function makeStage(
  home: TestHome,
  options: { readonly graphql?: boolean; readonly forkOwner?: string; readonly forkRepo?: string } = {},
): Promise<Stage> {
  const repository = await home.repository();
  const server = join(home.root, 'server');
  const bare = join(server, 'octo', 'demo.git');
  await mkdir(server, { recursive: true });
  await repository.git('clone', '--quiet', '--bare', repository.root, bare);
  await repository.gitIn(bare, 'config', 'http.receivepack', 'true');
  await repository.gitIn(bare, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  const variables = { ...home.variables, GH_ENTERPRISE_TOKEN: 'ghp_0123456789abcdefghijABCDEFGHIJ012345' };
  const state = new HubState(refsOf(bare, home.variables));
  const { forkOwner, forkRepo = 'demo' } = options;
  const fork =
    forkOwner === undefined ? undefined : await makeFork(home, repository, state, server, [forkOwner, forkRepo]);
  const hub = await startHub(
    state,
    { root: server, variables: home.variables },
    { ...options, others: fork ? [fork.state] : [] },
  );
  await repository.git(
    'remote',
    'add',
    'origin',
    `${hub.url}/${fork ? `${fork.state.owner}/${fork.state.repo}` : 'octo/demo'}.git`,
  );
  if (fork) {
    // Here they are shown where they are asked for, as on GitHub: the address tells the repository.
    for (const each of [state, fork.state]) each.web = hub.url;
    await repository.git('remote', 'add', 'upstream', `${hub.url}/octo/demo.git`);
  }
  await repository.git('fetch', '--quiet', '--all');
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
    ...{ home, repository, bare, fork, hub, variables, workspace, look, commit },
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

async function makeFork(
  home: TestHome,
  repository: TestRepository,
  project: HubState,
  server: string,
  [owner, repo]: readonly [owner: string, repo: string],
): Promise<NonNullable<Stage['fork']>> {
  const bare = join(server, owner, `${repo}.git`);
  await repository.git('clone', '--quiet', '--bare', join(server, 'octo', 'demo.git'), bare);
  await repository.gitIn(bare, 'config', 'http.receivepack', 'true');
  const refs = refsOf(bare, home.variables);
  // The objects of forks are in one place on GitHub.
  await appendFile(join(server, 'octo', 'demo.git', 'objects/info/alternates'), `${join(bare, 'objects')}\n`);
  project.forks.set(`${owner}/${repo}`, refs);
  const state = new HubState(refs, owner, repo);
  state.parent = 'octo/demo';
  return { bare, state };
}
