import assert from 'node:assert/strict';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSampleRepository } from '../../scripts/sampleRepository.mjs';
import { eventually } from './support/eventually.ts';
import { useWorkbench } from './support/useWorkbench.ts';
import { Workbench } from './support/workbench.ts';

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

describe('a person who goes to a worktree', () => {
  const open = useWorkbench();

  it('finds wt in the terminal', async () => {
    const { workbench, folder, place } = open();
    const out = join(place.out, 'list.txt');
    await workbench.openContainer('Worktree Stacks');
    await workbench.tree('Worktrees').waitForRow('payment-form');
    await workbench.runInTerminal(`wt list --porcelain > '${out}'`);
    const text = await eventually(
      'wt list has answered',
      () => readFile(out, 'utf8').catch(() => ''),
      (seen) => seen.includes('release-notes'),
    );
    assert.match(text, /^payment-form\tpayment-form\t.*$/m);
    assert.equal(await exists(join(folder, '.worktrees/stack.json')), false, 'listing wrote something');
  });

  it('has the packaged extension running', async () => {
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
    await workbench.runCommand('View: Close All Editors');
  });

  it('opens a terminal in it', async () => {
    const { workbench, folder } = open();
    await workbench.tree('Worktrees').pickFromContextMenu('payment-form', 'Open With', 'Open in Terminal');
    const terminal = workbench.page.getByRole('textbox', { name: /^Terminal \d.*payment-form/ });
    await terminal.waitFor({ state: 'attached' });
    await terminal.focus();
    await workbench.page.keyboard.type('touch here.txt');
    await workbench.page.keyboard.press('Enter');
    await eventually(
      'the terminal is in the worktree',
      () => exists(join(folder, '.worktrees/payment-form/here.txt')),
      (there) => there,
    );
    await workbench.screenshot('terminal');
  });

  it('opens it in a new window from its menu', async () => {
    const { workbench, folder } = open();
    const [page] = await Promise.all([
      workbench.page.context().waitForEvent('page'),
      workbench.tree('Worktrees').pickFromContextMenu('payment-form', 'Open in New Window'),
    ]);
    assert.equal(new URL(page.url()).searchParams.get('folder'), join(folder, '.worktrees/payment-form'));
    const other = new Workbench(page);
    await other.ready();
    await other.openContainer('Worktree Stacks');
    await other.tree('Worktrees').waitForRow(/^payment-form, open in this window/);
    await other.tree('Worktrees').waitForRow(/^main, main working tree/);
    await other.screenshot('window-of-a-worktree');
    await page.close();
  });

  it('is told nothing of where Claude is led on a machine without Claude', async () => {
    const { workbench } = open();
    const items = await workbench.tree('Worktrees').openContextMenu('payment-form');
    assert.deepEqual(
      items.filter((item) => item.includes("Claude's Worktree")),
      [],
    );
    await workbench.page.keyboard.press('Escape');
    assert.deepEqual(await workbench.commandsOffered("Claude's Worktree"), []);
  });

  it('is told how to get Claude on such a machine, and can try all the same', async () => {
    const { workbench } = open();
    await workbench.tree('Worktrees').pickFromContextMenu(/^payment-form/, 'Open With', 'Start Claude Here');
    await workbench.notification('Claude Code isn’t installed');
    await workbench.screenshot('claude-missing');
    await workbench.pressInNotification('Claude Code isn’t installed', 'Try in a Terminal');
    await workbench.page
      .getByRole('textbox', { name: /payment-form/ })
      .first()
      .waitFor({ state: 'attached' });
  });

  it('opens it in this window, whose row is told from the others', async () => {
    const { workbench, folder } = open();
    await workbench.tree('Worktrees').pickFromContextMenu('payment-form', 'Open in This Window');
    await workbench.page.waitForURL(
      (url) => url.searchParams.get('folder') === join(folder, '.worktrees/payment-form'),
    );
    await workbench.ready();
    await workbench.openContainer('Worktree Stacks');
    const { text } = await workbench.tree('Worktrees').waitForRow(/^payment-form, open in this window/);
    assert.match(text, /this window/);
    await workbench.screenshot('this-window');
  });

  it('removes it from its own window, which then shows the main working tree', async () => {
    const { workbench, folder } = open();
    await workbench.openContainer('Worktree Stacks');
    await workbench.tree('Worktrees').pickFromContextMenu(/^payment-form, open/, 'Remove…');
    assert.match(await workbench.dialog('payment-form'), /This window shows it, and opens orchard instead\./);
    await workbench.pressInDialog('Remove Anyway');
    await workbench.page.waitForURL((url) => url.searchParams.get('folder') === folder);
    await workbench.ready();
    await workbench.openContainer('Worktree Stacks');
    await workbench.tree('Worktrees').waitForRow(/^main, main working tree, open in this window/);
    await workbench.tree('Worktrees').waitForNoRow(/^payment-form/);
  });
});

describe('a person whose team has setup commands', () => {
  const open = useWorkbench({
    prepare: async (place) => {
      const folder = await makeSampleRepository(join(place.work, 'orchard'), place.env);
      await writeFile(join(folder, '.worktrees.yml'), 'setup:\n  - touch ready.txt\n  - sleep 600\n');
      return { folder };
    },
  });

  async function create(name: string): Promise<void> {
    const { workbench } = open();
    await workbench.runCommand('Worktree Stacks: Create Worktree…');
    await workbench.quickInput.shows('Create Worktree (1/2)');
    await workbench.quickInput.type(name);
    await workbench.quickInput.firstRowIs(`Create “${name}” from`);
    await workbench.quickInput.accept();
    await workbench.quickInput.shows(/^Select what to do after creating/);
    await workbench.quickInput.pick('Stay here');
    // The file of the setup commands is not committed.
    await workbench.quickInput.shows('main has uncommitted changes');
    await workbench.quickInput.pick('Leave Them Here');
  }

  it('reads every command before any of them runs, and may say no', async () => {
    const { workbench, folder } = open();
    await workbench.openContainer('Worktree Stacks');
    await create('careful');
    const text = await workbench.dialog('Run 2 setup commands in the new worktree?');
    assert.match(text, /touch ready\.txt\nsleep 600/);
    await workbench.screenshot('setup-approval');
    await workbench.pressInDialog('Do Not Run');
    await workbench.tree('Worktrees').waitForRow(/^careful, up to date/);
    assert.equal(await exists(join(folder, '.worktrees/careful/ready.txt')), false);
    await workbench.notification('careful is not set up yet: touch ready.txt, sleep 600');
  });

  it('sees which command runs, cancels it, and finds nothing left behind', async () => {
    const { workbench, folder } = open();
    await create('hasty');
    await workbench.dialog('Run 2 setup commands');
    await workbench.pressInDialog('Run');
    // The name of a notification stays what it was at first; what is written on it follows the progress.
    await workbench.page.getByText('Creating worktree hasty: Running sleep 600', { exact: true }).waitFor();
    await workbench.screenshot('creating');
    assert.equal(await exists(join(folder, '.worktrees/hasty/ready.txt')), true);
    await workbench.pressInNotification(/Creating worktree hasty/, 'Cancel');
    await eventually(
      'the worktree is taken back',
      () => exists(join(folder, '.worktrees/hasty')),
      (there) => !there,
    );
    await workbench.tree('Worktrees').waitForNoRow(/^hasty/);
  });
});
