import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { readConfiguration } from '../../../src/core/repository/configuration.ts';
import { portNumbers, type PortBlock } from '../../../src/core/repository/portBlock.ts';
import { readRegistry, registryFile } from '../../../src/core/repository/registry.ts';
import { undo } from '../../../src/core/recovery/undo.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { variablesAt } from '../../../src/core/snapshot/variablesAt.ts';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { Creations } from '../../support/creations.ts';
import { inspectRemoval } from '../../../src/core/remove/inspect.ts';
import { removeWorktree } from '../../../src/core/remove/remove.ts';
import { findWorktree } from '../../../src/core/worktree/find.ts';

describe('the ports of worktrees', () => {
  let at: Creations;
  const servers: Server[] = [];
  beforeEach(async () => {
    at = await Creations.start();
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
    await at.dispose();
  });

  const ofCreated = async (name: string): Promise<PortBlock> => {
    const { ports, warnings } = await at.create(name);
    assert.ok(ports, warnings.map((each) => textOf(each)).join());
    return ports;
  };
  const listen = async (port: number, host: string): Promise<boolean> => {
    const server = createServer();
    server.listen({ port, host, exclusive: true, ipv6Only: host.includes(':') });
    try {
      await once(server, 'listening');
    } catch {
      // The machine has no such address.
      return false;
    }
    servers.push(server);
    return true;
  };
  const remove = async (name: string): Promise<void> => {
    const snapshot = await readSnapshot(at.workspace, { withChanges: false });
    const removal = await inspectRemoval(
      at.workspace,
      snapshot,
      await findWorktree(snapshot, name, at.repository.root),
    );
    await removeWorktree(at.workspace, removal, { force: true, deleteLater: () => {} });
  };
  const recorded = async (): Promise<PortBlock[]> => [...(await readRegistry(at.workspace.repository)).ports.values()];
  const reread = async (): Promise<void> => {
    at.workspace = { ...at.workspace, configuration: await readConfiguration(at.repository.root) };
  };

  it('are a block of its own for each, recorded, freed with it, and the first choice is the same for a name', async () => {
    await at.configure('ports: { range: 21000-21999, each: 2 }\n');
    const one = await ofCreated('one');
    const two = await ofCreated('two');
    assert.equal(new Set([one, two].flatMap(portNumbers)).size, 4);
    for (const port of [one, two].flatMap(portNumbers)) assert.ok(port >= 21_000 && port <= 21_999);
    assert.deepEqual(await recorded(), [one, two]);
    await remove('one');
    assert.deepEqual(await recorded(), [two]);
    assert.deepEqual(await ofCreated('one'), one);
  });

  it('pass over a block in which somebody listens, at any address', async () => {
    await at.configure('ports: { range: 22000-22999, each: 3 }\n');
    const first = await ofCreated('one');
    for (const host of ['127.0.0.1', '0.0.0.0', '::1', '::']) {
      await remove('one');
      const listens = await listen(first.first + 1, host);
      assert.equal((await ofCreated('one')).first === first.first, !listens, host);
      for (const server of servers.splice(0)) await new Promise((done) => server.close(done));
    }
  });

  it('are never shared, also where ten are created at once in a range for ten', async () => {
    await at.configure('ports: { range: 23000-23029, each: 3 }\n');
    const all = await Promise.all(Array.from({ length: 10 }, (_, index) => ofCreated(`w${index}`)));
    assert.equal(new Set(all.flatMap(portNumbers)).size, 30);
    const eleventh = await at.create('more');
    assert.equal(eleventh.ports, undefined);
    assert.ok(
      eleventh.warnings.some(({ id }) => id === 'worktree.noPorts'),
      'and the eleventh is told',
    );
  });

  it('come back with undo, or others where somebody has taken them, which is said', async () => {
    await at.configure('ports: { range: 24000-24999 }\n');
    const ports = await ofCreated('one');
    await remove('one');
    await undo(at.workspace);
    assert.deepEqual(await recorded(), [ports]);
    await remove('one');
    assert.ok(await listen(ports.first, '127.0.0.1'));
    const { notes } = (await undo(at.workspace)) as unknown as { notes: { id: string }[] };
    const [now] = await recorded();
    assert.notEqual(now?.first, ports.first);
    assert.ok(notes.some(({ id }) => id === 'worktree.otherPorts'));
  });

  it('are given to what was there before, also by other tools, when a program is started in it; none to the main working tree', async () => {
    const path = at.path('old');
    await at.repository.git('worktree', 'add', '--quiet', '-b', 'foreign', at.path('foreign'));
    await at.create('old');
    await at.configure('ports: { range: 25000-25999 }\nurls: { app: "http://{slug}.localhost:{port_2}/{branch}" }\n');
    const of = async (name: string) =>
      findWorktree(await readSnapshot(at.workspace, { withChanges: false }), name, at.repository.root);
    assert.deepEqual((await of('old')).urls, [{ name: 'app', url: undefined }]);
    const port = async (root: string, workspace: Workspace = at.workspace) =>
      (await variablesAt(workspace, root))['WT_PORT'];
    const [old, foreign] = [await port(path), await port(at.path('foreign'))];
    assert.ok(old !== undefined && foreign !== undefined && old !== foreign);
    assert.equal(await port(path), old, 'and it keeps them');
    assert.equal(await port(at.repository.root), undefined);
    assert.deepEqual((await of('foreign')).urls, [
      { name: 'app', url: `http://foreign.localhost:${Number(foreign) + 1}/foreign` },
    ]);
    // What git has removed by itself is free again, and what is written wrong by hand counts as none.
    await at.repository.git('worktree', 'remove', '--force', at.path('foreign'));
    const file = registryFile(at.workspace.repository);
    await writeFile(file, (await readFile(file, 'utf8')).replace(`"first": ${old}`, '"first": "x"'));
    assert.equal(await port(path), old);
    assert.equal((await recorded()).length, 1);
    // Other settings: they hold as long as they fit.
    await at.configure('ports: { range: 25000-25999, each: 2 }\n');
    assert.equal(await port(path), old);
    await at.configure('ports: { range: 26000-26999, each: 2 }\n');
    assert.ok(Number(await port(path)) >= 26_000);
    await at.configure('ports:\n');
    await reread();
    assert.equal(await port(path), undefined, 'switched off');
  });
});
