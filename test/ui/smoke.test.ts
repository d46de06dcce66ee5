import assert from 'node:assert/strict';
import { eventually } from './support/eventually.ts';
import { useWorkbench } from './support/useWorkbench.ts';

describe('smoke: the packaged extension', () => {
  const open = useWorkbench();

  it('is installed and activates', async () => {
    const { workbench } = open();
    await workbench.runCommand('Developer: Show Running Extensions');
    await workbench.editor('Running Extensions');
    // The list is sorted by activation time and holds only the rows in view, so ours may be further down.
    const list = workbench.page.getByRole('list', { name: 'Runtime Extensions' });
    const row = list.getByRole('listitem', { name: 'worktree-stacks' });
    await list.hover();
    const text = await eventually(
      'Worktree Stacks is among the running extensions, and started',
      async () => {
        if ((await row.count()) > 0) return row.first().innerText();
        await workbench.page.mouse.wheel(0, 300);
        return '';
      },
      (seen) => /Activation: \d+ms/.test(seen),
    );
    assert.doesNotMatch(text, /error|unresponsive/i);
    await workbench.screenshot('running-extensions');
  });
});
