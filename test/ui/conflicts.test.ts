import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeSampleRepository } from '../../scripts/sampleRepository.mjs';
import { eventually } from './support/eventually.ts';
import { useWorkbench } from './support/useWorkbench.ts';

// A merge that stopped in a terminal, resolved in the editor.
describe('a person with files in conflict', () => {
  const open = useWorkbench({
    settings: { 'workbench.colorTheme': 'Default Dark Modern' },
    prepare: async ({ work, env }) => {
      const folder = await makeSampleRepository(join(work, 'orchard'), env);
      const git = (cwd: string, ...args: string[]) => promisify(execFile)('git', args, { cwd, env });
      const worktree = join(folder, '.worktrees/payment-form');
      await writeFile(join(worktree, 'src/cart.js'), 'export const total = (items) => items.length;\n');
      await git(worktree, 'commit', '--quiet', '-am', 'Count the items');
      await writeFile(join(folder, 'src/cart.js'), 'export const total = () => 0;\n');
      await git(folder, 'rm', '--quiet', 'src/search.js');
      await git(folder, 'commit', '--quiet', '-am', 'Make everything free');
      await writeFile(join(worktree, 'src/search.js'), 'export const search = () => [];\n');
      await git(worktree, 'commit', '--quiet', '-am', 'Find nothing');
      await assert.rejects(git(worktree, 'merge', '--quiet', 'main'));
      return { folder };
    },
  });

  it('finds them below their worktree, before what else changed', async () => {
    const { workbench } = open();
    await workbench.openContainer('Worktree Stacks');
    const tree = workbench.tree('Worktrees');
    await tree.waitForRow(/^payment-form, merge in progress, 2 conflicts/);
    await tree.expand(/^payment-form/);
    const rows = await tree.until('the conflicts are listed', (all) => all.some((row) => row.level === 2));
    const below = rows.filter((row) => row.level === 2).map((row) => row.name);
    assert.deepEqual(below.slice(0, 2), [
      'src/cart.js, in conflict, changed on both sides',
      'src/search.js, in conflict, deleted in the incoming version',
    ]);
    await workbench.screenshot('conflicts-tree');
  });

  it("resolves a text in VS Code's merge editor, which names the sides", async () => {
    const { workbench, folder } = open();
    await workbench.tree('Worktrees').click('src/cart.js, in conflict');
    await workbench.editor('Merging: cart.js');
    await workbench.page.getByText('Accept Incoming').first().waitFor();
    await workbench.screenshot('conflicts-merge-editor');
    await workbench.page.getByText('Accept Incoming').first().click();
    await workbench.runCommand('File: Save');
    await eventually(
      'the file is resolved',
      () => readFile(join(folder, '.worktrees/payment-form/src/cart.js'), 'utf8'),
      (text) => text === 'export const total = () => 0;\n',
    );
  });

  it('reads as it is on disk what one side has deleted', async () => {
    const { workbench } = open();
    await workbench.tree('Worktrees').click('src/search.js, in conflict');
    await workbench.editor(/^search\.js/);
  });
});
