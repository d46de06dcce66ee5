import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generatedBy } from '../../../src/core/claude/agentDefinition.ts';
import { agentFile, orphanedAgents } from '../../../src/core/claude/agentFiles.ts';
import { readRegistry, updateRegistry } from '../../../src/core/repository/registry.ts';
import { planRename, renameWorktree } from '../../../src/core/restack/rename.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { findWorktree } from '../../../src/core/worktree/find.ts';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';
import { Creations } from '../../support/creations.ts';

/** Names with their accents in letters, as git has them on macOS, and with signs of their own, as a shell there may give them. */
const [composed, apart] = ['Füße', 'Füße'.normalize('NFD')] as const;
const [ga, gaApart] = ['が', 'が'.normalize('NFD')] as const;

function on<T extends Workspace>(platform: NodeJS.Platform, workspace: T): T {
  return { ...workspace, environment: { ...workspace.environment, platform } };
}

describe('names with accents on macOS', function () {
  this.timeout(300_000);
  let at: Creations;
  beforeEach(async () => {
    at = await Creations.start();
  });
  afterEach(() => at.dispose());

  const find = async (word: string): Promise<string> => {
    const snapshot = await readSnapshot(at.workspace, { withChanges: false });
    return (await findWorktree(snapshot, word, at.repository.root)).name;
  };

  it('are those that git makes of them, for name, branch and base, in a creation and a renaming', async () => {
    assert.notEqual(composed, apart);
    const mac = on('darwin', at.workspace);
    const low = await at.create({ name: apart, branch: `x/${apart}` }, {}, mac);
    assert.deepEqual([low.name, low.branch], [composed, `x/${composed}`]);
    const high = await at.create({ name: gaApart, base: `x/${apart}` }, {}, mac);
    assert.deepEqual([high.name, high.branch, high.base], [ga, ga, `x/${composed}`]);
    assert.equal(await find(apart), composed);
    assert.equal(await find(`x/${apart}`), composed);
    assert.equal(await find(gaApart), ga);

    const snapshot = await readSnapshot(mac, { withChanges: false });
    const worktree = await findWorktree(snapshot, composed, at.repository.root);
    const asked = { name: `${apart}2`, branch: `y/${apart}` };
    await renameWorktree(mac, (await planRename(mac, snapshot, worktree, asked)).renaming);
    assert.equal(await find(`y/${apart}`), `${composed}2`);
    assert.ok((await at.repository.git('branch', '--list')).includes(`y/${composed}`));
  });

  it('are two where the system tells them apart', async () => {
    await at.create({ name: 'one', branch: composed }, {}, on('linux', at.workspace));
    const { branch } = await at.create({ name: 'two', branch: apart }, {}, on('linux', at.workspace));
    assert.equal(branch, apart);
    assert.deepEqual([await find(composed), await find(apart)], ['one', 'two']);
  });

  it('stay with their worktree where the disk gives them in another way than they were written', async () => {
    const { root } = at.repository;
    const file = agentFile(root, ga);
    await mkdir(join(root, '.claude', 'agents'), { recursive: true });
    await writeFile(file.normalize('NFD'), `# ${generatedBy}\n`);
    const subject = { name: ga, slug: ga, path: join(root, '.worktrees', ga), branch: ga };
    assert.deepEqual(await orphanedAgents(root, [subject]), []);
    assert.equal((await orphanedAgents(root, [])).length, 1);

    // The admin directory of a worktree that has ports, and another worktree that asks for some.
    await mkdir(join(root, '.git', 'worktrees', gaApart), { recursive: true });
    const { environment, repository } = at.workspace;
    const block = { first: 40_000, count: 2 };
    await updateRegistry(environment, repository, ({ ports }) => void ports.set(ga, block));
    const configuration = { ...at.workspace.configuration, ports: { from: 40_000, to: 40_999, each: 2 } };
    const { ports } = await at.create('one', {}, { ...at.workspace, configuration });
    assert.ok(ports);
    assert.deepEqual((await readRegistry(repository)).ports.get(ga), block);
  });
});
