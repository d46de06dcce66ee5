import assert from 'node:assert/strict';
import { useWorkbench } from './support/useWorkbench.ts';

describe('smoke: the packaged extension', () => {
  const open = useWorkbench();

  it('is installed and activates', async () => {
    const { workbench } = open();
    await workbench.openContainer('Extensions');
    await workbench.page.getByRole('treeitem', { name: /^Worktree Stacks/ }).or(workbench.page.getByText('Worktree Stacks').first()).first().waitFor();
    await workbench.runCommand('Developer: Show Running Extensions');
    await workbench.editor('Running Extensions');
    const row = workbench.page.getByRole('main').getByRole('listitem').filter({ hasText: 'Worktree Stacks' });
    await row.waitFor();
    assert.match(await row.innerText(), /Activation|Startup/);
    await workbench.screenshot('smoke-running-extensions');
  });
});
