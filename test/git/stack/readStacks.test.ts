import assert from 'node:assert/strict';
import { silentLog } from '../../../src/core/base/log.ts';
import { Git } from '../../../src/core/git/git.ts';
import { readSnapshot, type SnapshotSources } from '../../../src/core/snapshot/snapshot.ts';
import { SnapshotCache } from '../../../src/core/snapshot/snapshotCache.ts';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';
import { besides, readStacks, stackStateOf } from '../../../src/extension/repository/readStacks.ts';
import type { StackFacts } from '../../../src/extension/repository/repositoryState.ts';
import { Stacks } from '../../support/stacks.ts';

describe('stacks read with a snapshot', function () {
  this.timeout(300_000);
  let at: Stacks;
  let workspace: Workspace;
  let commands: string[];
  let cache: SnapshotCache;
  beforeEach(async () => {
    at = await Stacks.start();
    await at.add('quince', 'main', { 'a.txt': 'a\n' });
    await at.add('medlar', 'quince', { 'b.txt': 'b\n' });
    commands = [];
    const debug = (line: string): void => void (line.startsWith('[git] ') && commands.push(line));
    const environment = { ...at.workspace.environment, log: { ...silentLog, debug } };
    workspace = { ...at.workspace, environment, git: new Git(environment, { binary: at.workspace.git.binary }) };
    cache = new SnapshotCache();
  });
  afterEach(() => at.dispose());

  /** Reads both; gives the git commands that the stacks took beyond the snapshot's. */
  async function read(distances = besides(cache)): Promise<{ stacks: StackFacts | undefined; further: string[] }> {
    let sources: SnapshotSources | undefined;
    const snapshot = await readSnapshot(workspace, { cache, onSources: (each) => (sources = each) });
    commands = [];
    const state = stackStateOf(workspace, snapshot, sources ?? assert.fail('no sources'));
    const { signal } = new AbortController();
    const stacks = state && (await readStacks(workspace, state, { signal, cache: distances }));
    return { stacks, further: commands };
  }

  it('asks git for nothing that the snapshot knows, and for nothing twice', async () => {
    const distances = besides(cache);
    const first = await read(distances);
    assert.deepEqual([...(first.stacks?.branches.keys() ?? [])], ['quince', 'medlar']);
    assert.deepEqual(first.further, []);
    await at.commit('quince', 'More', { 'c.txt': 'c\n' });
    const second = await read(distances);
    assert.equal(second.stacks?.branches.get('medlar')?.needsRestack, true);
    assert.deepEqual(second.further, []);
    assert.deepEqual((await read(distances)).further, []);
  });

  it('are not known where the registry cannot be read', async () => {
    await at.repository.write('.worktrees/stack.json', '{ no');
    const { stacks, further } = await read();
    assert.equal(stacks, undefined);
    assert.deepEqual(further, []);
  });
});
