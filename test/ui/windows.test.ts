import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../scripts/lib/install.mjs';
import { patience } from './support/eventually.ts';
import { useWorkbench } from './support/useWorkbench.ts';
import type { Workbench } from './support/workbench.ts';

const run = promisify(execFile);

// Each window has an extension host, and so a process, of its own: they share nothing but the files.
describe('three windows and a terminal at once', function () {
  this.timeout(8 * patience);
  const open = useWorkbench();

  const registered = async (): Promise<readonly string[]> => {
    const text = await readFile(join(open().folder, '.worktrees/stack.json'), 'utf8');
    return Object.keys((JSON.parse(text) as { worktrees: object }).worktrees);
  };

  /** Answers the questions of Create Worktree up to the last, which starts the work. */
  async function upToTheLastQuestion(workbench: Workbench, name: string): Promise<void> {
    const { quickInput } = workbench;
    await workbench.openContainer('Worktree Stacks');
    await workbench.tree('Worktrees').waitForRow(/^main/);
    await workbench.runCommand('Worktree Stacks: Create Worktree…');
    await quickInput.shows('Create Worktree (1/2)');
    await quickInput.type(name);
    await quickInput.firstRowIs(`Create “${name}” from`);
    await quickInput.accept();
    await quickInput.shows(`Select what to do after creating ${name}`);
  }

  it('create a worktree each while ten wt create run, and no entry is lost', async () => {
    const { workbench, folder, place } = open();
    const windows = [workbench, await open().open(), await open().open()];
    const fromWindows = windows.map((_, index) => `window-${index}`);
    for (const [index, window] of windows.entries()) await upToTheLastQuestion(window, `window-${index}`);

    const fromTerminal = Array.from({ length: 10 }, (_, index) => `terminal-${index}`);
    const commands = fromTerminal.map((name) =>
      run(process.execPath, [join(root, 'dist/wt.js'), 'create', name, '--no-setup'], { cwd: folder, env: place.env }),
    );
    await Promise.all(windows.map((window) => window.quickInput.pick('Stay here')));
    const answers = await Promise.all(commands);
    assert.deepEqual(
      answers.map(({ stdout }) => stdout.trim()),
      fromTerminal.map((name) => `.worktrees/${name}`),
    );

    const all = [...fromWindows, ...fromTerminal];
    for (const window of windows)
      for (const name of fromWindows) await window.tree('Worktrees').waitForRow(new RegExp(`^${name}`));
    assert.deepEqual([...(await registered())].sort(), [...all].sort());
    for (const name of all) {
      const at = join(folder, '.worktrees', name);
      const { stdout } = await run('git', ['status', '--porcelain', '--branch'], { cwd: at, env: place.env });
      assert.equal(stdout.trim(), `## ${name}`);
    }
    for (const [index, window] of windows.entries()) await window.screenshot(`three-windows-${index}`);
  });
});
