import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf } from '../../../src/core/base/environment.ts';
import { processTree, stillThere } from '../../../src/core/base/processSignals.ts';
import { ancestorsOf } from '../../../src/core/base/processTree.ts';
import { standingProcesses } from '../../../src/core/base/standing.ts';
import { needsPrograms } from '../../support/skip.ts';

/** Starts a process below itself, tells its id, and waits. */
const program = `
const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
child.once('spawn', () => console.log(child.pid));
process.once('SIGTERM', () => { child.kill('SIGKILL'); process.exit(); });
`;

describe('what macOS is asked of processes, by the programs that tell it there', () => {
  const platform = 'darwin' as const;
  const mac = { ...environmentOf(process), platform };
  let folder: string;
  let parent: ChildProcess;
  let child: number;
  before(async function () {
    needsPrograms(this, 'ps');
    folder = await realpath(await mkdtemp(join(tmpdir(), "Größe $(x) 'n ")));
    parent = spawn(process.execPath, ['-e', program], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    const [told] = (await once(parent.stdout!, 'data')) as [Buffer];
    child = Number(told.toString());
  });
  after(async () => {
    if (parent === undefined) return;
    const ended = once(parent, 'exit');
    parent.kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  });

  it('finds those that one descends from, its parent first, as Linux tells it of itself', async () => {
    const above = await ancestorsOf({ ...mac, pid: child });
    assert.deepEqual(
      above.slice(0, 2).map(({ pid }) => pid),
      [parent.pid, process.pid],
    );
    assert.equal(above[0]?.name, 'node');
    assert.ok(above[0]?.words.includes('-e'));
    if (process.platform !== 'linux') return;
    const known = await ancestorsOf({ ...mac, platform: 'linux', pid: child });
    assert.deepEqual(
      above.map(({ pid }) => pid),
      known.map(({ pid }) => pid),
    );
  });

  it('finds all that one has started, and who of some is there still', async () => {
    assert.deepEqual(await processTree(parent.pid ?? 0, platform), [parent.pid, child]);
    const ended = spawnSync(process.execPath, ['-e', '']).pid;
    assert.deepEqual(await stillThere([child, ended], platform), [child]);
  });

  it('finds who stands in a folder, whatever its letters and the locale are', async function () {
    needsPrograms(this, 'lsof');
    for (const LC_ALL of ['C', 'C.UTF-8']) {
      const found = await standingProcesses({ platform, variables: { ...mac.variables, LC_ALL } });
      const here = found.filter((each) => each.folder === folder).map(({ pid }) => pid);
      assert.deepEqual([LC_ALL, here.sort()], [LC_ALL, [parent.pid ?? 0, child].sort()]);
    }
  });
});
