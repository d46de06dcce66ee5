import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeSampleRepository } from '../../scripts/sampleRepository.mjs';
import { useWorkbench } from './support/useWorkbench.ts';

// A merge that stopped in a terminal, resolved in the editor.
describe('a person with files in conflict', () => {
  let env: NodeJS.ProcessEnv;
  const git = async (cwd: string, ...args: string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd, env })).stdout.trim();
  const open = useWorkbench({
    settings: { 'workbench.colorTheme': 'Default Dark Modern' },
    prepare: async (place) => {
      const { work } = place;
      env = place.env;
      const folder = await makeSampleRepository(join(work, 'orchard'), env);
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

  const at = (name: string): string => join(open().folder, '.worktrees', name);
  const change = async (cwd: string, text: string): Promise<void> => {
    await writeFile(join(cwd, 'README.md'), text);
    await git(cwd, 'commit', '--quiet', '-am', `Call it ${text.slice(2).trim()}`);
  };

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
    const { workbench } = open();
    await workbench.tree('Worktrees').click('src/cart.js, in conflict');
    await workbench.editor('Merging: cart.js');
    await workbench.page.getByText('Accept Incoming').first().waitFor();
    await workbench.screenshot('conflicts-merge-editor');
    await workbench.page.getByText('Accept Incoming').first().click();
    await workbench.completeMerge();
    await workbench.statusBarItem('payment-form: 1 conflict left');
    assert.equal(await git(at('payment-form'), 'show', ':0:src/cart.js'), 'export const total = () => 0;');
  });

  it('reads as it is on disk what one side has deleted, from the status bar', async () => {
    const { workbench } = open();
    await workbench.clickStatusBarItem('payment-form: 1 conflict left');
    await workbench.editor(/^search\.js/);
  });

  it('is told when a terminal has staged the last one, and commits the merge as git would', async () => {
    const { workbench } = open();
    await git(at('payment-form'), 'add', 'src/search.js');
    await workbench.notification('payment-form: all conflicts resolved.');
    await workbench.statusBarItem('payment-form: Commit Merge');
    await workbench.containerShown('Worktree Stacks');
    await workbench.screenshot('conflicts-all-resolved');
    await workbench.pressInNotification('payment-form: all conflicts resolved.', 'Commit Merge');
    await workbench.notification('Committed the merge in payment-form.');
    assert.equal(await git(at('payment-form'), 'log', '-1', '--format=%s'), "Merge branch 'main' into payment-form");
  });

  it('has the same three buttons for a merge of ours, for a rebase and for a cherry-pick of git, and gets to the end of each', async () => {
    const { workbench, folder } = open();
    await change(folder, '# Theirs\n');
    await change(at('payment-form'), '# Ours\n');
    const wt = join(import.meta.dirname, '../../dist/wt.js');
    const ways: { name: string; buttons: string[]; done: RegExp; begin: () => Promise<unknown> }[] = [
      {
        name: 'payment-form',
        buttons: ['Open Conflict', 'Continue Cherry-Pick', 'Abort Cherry-Pick'],
        done: /Finished the cherry-pick in payment-form/,
        begin: () => git(at('payment-form'), 'cherry-pick', 'main'),
      },
      {
        name: 'release-notes',
        buttons: ['Open Conflict', 'Continue Rebase', 'Abort Rebase'],
        done: /Finished the rebase of release-notes/,
        begin: async () => {
          await change(at('release-notes'), '# Notes\n');
          await git(at('release-notes'), 'rebase', 'main');
        },
      },
      {
        name: 'main',
        buttons: ['Open Conflict', 'Continue Merge', 'Abort Merge'],
        done: /Merged payment-form into main/,
        begin: async () => {
          await change(folder, '# Main\n');
          await promisify(execFile)(process.execPath, [wt, 'merge', 'payment-form'], { cwd: folder, env });
        },
      },
    ];
    for (const { name, buttons, done, begin } of ways) {
      await workbench.runCommand('Notifications: Clear All Notifications');
      await assert.rejects(begin());
      assert.deepEqual(await workbench.notificationButtons(`${name} stopped: 1 conflict in README.md.`), buttons);
      await workbench.screenshot(`conflicts-stopped-${name}`);
      await workbench.pressInNotification(`${name} stopped`, 'Open Conflict');
      await workbench.editor('Merging: README.md');
      await workbench.page.getByText('Accept Incoming').first().click();
      if (name === 'main') await workbench.screenshot('conflicts-merge-editor-ours');
      await workbench.completeMerge();
      const [, goOn = ''] = buttons;
      await workbench.statusBarItem(`${name}: ${goOn}`);
      await workbench.containerShown('Worktree Stacks');
      await workbench.pressInNotification(`${name}: all conflicts resolved.`, goOn);
      await workbench.notification(done);
      assert.equal(await git(name === 'main' ? folder : at(name), 'status', '--porcelain'), '');
    }
  });
});
