import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentDefinition, type HookLauncher } from '../../../src/core/claude/agentDefinition.ts';
import { hasDrifted, namesOtherLauncher } from '../../../src/core/claude/agentDrift.ts';
import { hookLauncher } from '../../../src/core/repository/launcherFile.ts';

describe('whether a generated agent has drifted', () => {
  let root: string;
  let path: string;
  beforeEach(async () => {
    root = join(await mkdtemp(join(tmpdir(), 'wt-test-')), "it's \\ here");
    path = join(root, '.worktrees', 'one');
    await mkdir(path, { recursive: true });
    await mkdir(join(root, '.claude', 'agents'), { recursive: true });
  });
  afterEach(() => rm(join(root, '..'), { recursive: true }));

  const launcher = (): string => hookLauncher(root);
  const systems: Record<string, () => HookLauncher> = {
    'as its arguments': () => ({ launcher: launcher(), throughBash: false }),
    'through Bash': () => ({ launcher: launcher(), throughBash: true }),
    'through PowerShell': () => ({ launcher: launcher(), throughBash: true, batch: `${launcher()}.cmd` }),
  };
  for (const [title, start] of Object.entries(systems)) {
    it(`is told of one that starts its guards ${title}`, async () => {
      const write = (at: string, branch: string, by = start()): Promise<void> =>
        writeFile(
          join(root, '.claude/agents/wt-one.md'),
          agentDefinition({ name: 'one', slug: 'one', path: at, branch }, by),
        );
      const drifted = (): Promise<boolean> => hasDrifted(root, [{ name: 'one', slug: 'one', path, branch: 'x/y z' }]);
      assert.equal(await drifted(), true, 'it is missing');
      await write(path, 'x/y z');
      assert.deepEqual([await drifted(), await namesOtherLauncher(root, 'one')], [false, false]);
      await write(`${path}-other`, 'other');
      assert.equal(await drifted(), true, 'another worktree');
      await write(path, 'x/y z', { launcher: '/elsewhere/run', throughBash: start().throughBash });
      assert.deepEqual([await drifted(), await namesOtherLauncher(root, 'one')], [true, true]);
    });
  }
});
