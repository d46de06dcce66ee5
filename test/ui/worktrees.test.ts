import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from './support/eventually.ts';
import { openSubmenu } from './support/tree.ts';
import { useWorkbench } from './support/useWorkbench.ts';

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

// A person's first hour with one repository; each test goes on where the one before it ended.
describe('a person with one repository', () => {
  const open = useWorkbench({ settings: { 'workbench.colorTheme': 'Default Dark Modern' } });
  const git = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd: open().folder, env: open().place.env })).stdout.trim();

  it('sees every worktree in the side bar', async () => {
    const { workbench } = open();
    await workbench.openContainer('Worktree Stacks');
    const rows = await workbench
      .tree('Worktrees')
      .until('the changes are known', (all) => all.some((row) => /search-index, 2 files changed/.test(row.name)));
    assert.deepEqual(rows.map((row) => row.name.split(',')[0]).slice(0, 2), ['main', 'search-index']);
    await workbench.screenshot('tree-dark');
  });

  it('is told while typing what is wrong with a name, and what would be made', async () => {
    const { workbench } = open();
    const { quickInput } = workbench;
    await workbench.runCommand('Worktree Stacks: Create Worktree…');
    await quickInput.shows('Create Worktree (1/2)');
    const { rows } = await quickInput.shows(/^Create a new branch from main/);
    assert.match(rows[0] ?? '', /type its name, or what it is for/);
    await workbench.screenshot('create-1-empty');
    await quickInput.accept();
    await quickInput.shows('Type a name first, or choose one of the rows.');
    await quickInput.type('payment-form');
    await quickInput.firstRowIs('Open payment-form, there is a worktree already');
    await workbench.screenshot('create-1-taken');
    await quickInput.type('fix..login^{');
    await quickInput.shows('Create “fix.login” from main, in .worktrees/fix-login');
    await quickInput.type('@');
    const refused = await quickInput.shows('"@" cannot be a name');
    await quickInput.accept();
    assert.deepEqual((await quickInput.state()).rows, refused.rows);
    await quickInput.type('fix-login');
    await quickInput.shows('Create “fix-login” from main, in .worktrees/fix-login');
    await workbench.screenshot('create-1-name');
    await quickInput.cancel();
  });

  it('names a worktree as they like, and reads which branch and folder come of it', async () => {
    const { workbench } = open();
    const { quickInput } = workbench;
    await git('branch', 'spare');
    await git('update-ref', 'refs/remotes/origin/teammate', 'main');
    for (const [remote, commit] of [
      ['one', 'main'],
      ['two', await git('commit-tree', 'main^{tree}', '-m', 'Other')],
    ] as const) {
      await git('remote', 'add', remote, `https://example.com/${remote}/shop.git`);
      await git('update-ref', `refs/remotes/${remote}/shared`, commit);
    }
    await workbench.runCommand('Worktree Stacks: Create Worktree…');
    await quickInput.shows('Create Worktree (1/2)');
    for (const [name, made] of [
      ['Login: form v2', 'Create “login-form-v2” from main, in .worktrees/login-form-v2'],
      ['Füße', 'Create “fuesse” from main, in .worktrees/fuesse'],
      ['日本語', 'Create “日本語” from main, in .worktrees/日本語'],
      ['v1.0', 'Create “v1.0” from main, in .worktrees/v1-0'],
      ['ship it 🚀', 'Create “ship-it” from main, in .worktrees/ship-it'],
      ['it’s “quoted”', 'Create “it-s-quoted” from main, in .worktrees/it-s-quoted'],
      ['fix/Crème brûlée', 'Create “fix/creme-brulee” from main, in .worktrees/fix-creme-brulee'],
      ['a..b~c', 'Create “a.b-c” from main, in .worktrees/a-b-c'],
      ['teammate', 'Continue origin/teammate, based on main, in .worktrees/teammate'],
      ['shared', 'Continue one/shared'],
      ['spare', 'Continue branch spare, based on main, in .worktrees/spare'],
    ] as const) {
      await quickInput.type(name);
      await quickInput.firstRowIs(made);
    }
    await workbench.screenshot('create-1-existing');
    await quickInput.accept();
    await quickInput.shows('Select what to do after creating spare');
    await quickInput.pressButton('Back');
    await quickInput.shows('Create Worktree (1/2)');
    await quickInput.type('shared');
    const { rows } = await quickInput.firstRowIs('Continue one/shared');
    assert.deepEqual(
      rows.slice(0, 3).map((row) => row.replace(/^([a-z-]+ {2})+/, '')),
      ['Continue one/shared', 'Continue two/shared', 'Start a new branch shared'],
    );
    await workbench.screenshot('create-1-remote');
    // Words find branches wherever they stand, and the first row stays the text itself.
    await quickInput.type('spa');
    const found = await quickInput.firstRowIs(/^Create “spa” from main/);
    assert.ok(
      found.rows.some((row) => row.includes('spare')),
      found.rows.join('\n'),
    );
    await quickInput.type('');
    await quickInput.shows(/^Create a new branch from main/);
    await workbench.screenshot('create-1-branches');
    await quickInput.pick('spare');
    await quickInput.shows('Select what to do after creating spare');
    await quickInput.cancel();
    await git('branch', '-D', 'spare');
    await git('update-ref', '-d', 'refs/remotes/origin/teammate');
    for (const remote of ['one', 'two']) await git('remote', 'remove', remote);
    await workbench.runCommand('Worktree Stacks: Create Worktree…');
    await quickInput.type('fix-login');
    await quickInput.shows('Create “fix-login” from main, in .worktrees/fix-login');
  });

  it('chooses another base with a button, with the current branch first, and can go back', async () => {
    const { workbench } = open();
    const { quickInput } = workbench;
    await quickInput.pressButton('From Another Base…');
    const { rows } = await quickInput.shows('Select the base of fix-login');
    assert.match(rows[0] ?? '', /^main, current branch · trunk/);
    await workbench.screenshot('create-2-base');
    await quickInput.pressButton('Back');
    const { value } = await quickInput.shows('Create Worktree (1/2)');
    assert.equal(value, 'fix-login');
    await quickInput.pressButton('From Another Base…');
    await quickInput.shows('Select the base of fix-login');
    await quickInput.pick('Other branch…');
    await quickInput.shows('Select a branch');
    await quickInput.pressButton('Back');
    await quickInput.shows('Select the base of fix-login');
    await quickInput.pick('main');
    await quickInput.firstRowIs('Create “fix-login” from main, in .worktrees/fix-login');
    await quickInput.accept();
  });

  it('says what to do then, and finds the worktree in the tree', async () => {
    const { workbench, folder } = open();
    await workbench.quickInput.shows('Select what to do after creating fix-login');
    await workbench.screenshot('create-3-then');
    await workbench.quickInput.pick('Stay here');
    await workbench.tree('Worktrees').waitForRow(/^fix-login, up to date with main/);
    assert.equal(await exists(join(folder, '.worktrees/fix-login/README.md')), true);
    assert.equal(await git('-C', '.worktrees/fix-login', 'branch', '--show-current'), 'fix-login');
  });

  it('has made it the active one, which changes nothing in a status bar that Claude does not concern', async () => {
    const { workbench, folder } = open();
    assert.deepEqual(
      (await workbench.statusBar()).filter((item) => item.includes('fix-login')),
      [],
    );
    await eventually(
      'it is the active one',
      () => readFile(join(folder, '.claude/dev-worktree.local.md'), 'utf8').catch(() => ''),
      (state) => /^active_worktree: .*\.worktrees\/fix-login$/m.test(state),
    );
    await workbench.screenshot('created');
  });

  it('is offered the last choice first the next time', async () => {
    const { quickInput } = open().workbench;
    await open().workbench.runCommand('Worktree Stacks: Create Worktree…');
    await quickInput.shows('Create Worktree (1/2)');
    await quickInput.type('second');
    await quickInput.pressButton('From Another Base…');
    await quickInput.shows('Select the base of second');
    await quickInput.pick('fix-login');
    await quickInput.firstRowIs(/^Create “second” from fix-login/);
    await quickInput.accept();
    const { rows } = await quickInput.shows('Select what to do after creating second');
    assert.match(rows[0] ?? '', /^Stay here/);
    await quickInput.accept();
    await open()
      .workbench.tree('Worktrees')
      .waitForRow(/^second, up to date with fix-login/);
  });

  it('leaves nothing behind by leaving the questions', async () => {
    const { workbench, folder } = open();
    await workbench.runCommand('Worktree Stacks: Create Worktree…');
    await workbench.quickInput.shows('Create Worktree (1/2)');
    await workbench.quickInput.type('never');
    await workbench.quickInput.firstRowIs(/^Create “never” from main/);
    await workbench.quickInput.accept();
    await workbench.quickInput.shows('Select what to do after creating never');
    await workbench.quickInput.cancel();
    await workbench.quickInput.closes();
    assert.equal(await exists(join(folder, '.worktrees/never')), false);
    assert.equal(await git('branch', '--list', 'never'), '');
  });

  it('sees the count of changed files grow', async () => {
    const { workbench, folder } = open();
    await writeFile(join(folder, '.worktrees/fix-login/src/cart.js'), 'export const total = () => 0;\n');
    await workbench.tree('Worktrees').waitForRow(/^fix-login, 1 file changed/);
    await writeFile(join(folder, '.worktrees/fix-login/login.js'), 'export const login = () => true;\n');
    await workbench.tree('Worktrees').waitForRow(/^fix-login, 2 files changed/);
  });

  it('opens the diff of a file with a click', async () => {
    const { workbench } = open();
    const tree = workbench.tree('Worktrees');
    await tree.expand('fix-login');
    // Another one is based on it, so its files are in a row of their own.
    await tree.expand('Changes of fix-login');
    await tree.click('src/cart.js, modified');
    await workbench.editor('src/cart.js (fix-login against main)');
    await workbench.page.getByText('total = () =>').first().waitFor();
    await workbench.screenshot('diff');
    await workbench.runCommand('View: Close All Editors');
  });

  it('opens a worktree from the list of all', async () => {
    const { workbench, folder } = open();
    await workbench.runCommand('Worktree Stacks: Show Worktrees');
    const { rows } = await workbench.quickInput.shows('Create Worktree…');
    assert.ok(
      rows.some((row) => row.startsWith('fix-login, 2 changed')),
      rows.join('\n'),
    );
    await workbench.screenshot('show-worktrees');
    const [page] = await Promise.all([
      workbench.page.context().waitForEvent('page'),
      workbench.quickInput.pick('fix-login'),
    ]);
    assert.equal(new URL(page.url()).searchParams.get('folder'), join(folder, '.worktrees/fix-login'));
    await page.close();
    await workbench.page.bringToFront();
  });

  it('sees the same in a light theme and in high contrast', async () => {
    const { workbench } = open();
    for (const [theme, look, name] of [
      ['Light Modern', 'vs', 'light'],
      ['Dark High Contrast', 'hc-black', 'high-contrast'],
      ['Light High Contrast', 'hc-light', 'high-contrast-light'],
      ['Dark Modern', 'vs-dark', 'dark-again'],
    ] as const) {
      await workbench.chooseTheme(theme, look);
      await workbench.tree('Worktrees').waitForRow('search-index, 2 files changed');
      await workbench.screenshot(`tree-${name}`);
    }
  });

  it('finds every action in the menu of a row, what destroys last', async () => {
    const { workbench } = open();
    const items = await workbench.tree('Worktrees').openContextMenu('second');
    assert.equal(items[0], 'Open in This Window');
    assert.equal(items.at(-1), 'Remove…');
    const { height = 0 } = (await workbench.page.getByRole('menu').last().boundingBox()) ?? {};
    assert.ok(height > 0 && height <= 450, `the menu is ${height} pixels high`);
    await workbench.screenshot('context-menu');
    await workbench.page.keyboard.press('Escape');
    const main = await workbench.tree('Worktrees').openContextMenu('main');
    assert.equal(main.includes('Remove…'), false);
    await workbench.page.keyboard.press('Escape');
  });

  it('finds in the menu only what would not be refused, and by keyboard what the button of the row does', async () => {
    const { workbench } = open();
    const { page } = workbench;
    const tree = workbench.tree('Worktrees');
    const clean = await tree.openContextMenu('second');
    // There is no remote, and nothing is changed in it.
    for (const item of ['Share', 'Open Changes', 'Carry Changes To…', 'Review Changes'])
      assert.ok(!clean.includes(item), `${item} is among ${clean.join(', ')}`);
    await page.keyboard.press('Escape');
    const dirty = await tree.openContextMenu(/^search-index, /);
    for (const item of ['Open Changes', 'Carry Changes To…', 'Merge…', 'Remove…'])
      assert.ok(dirty.includes(item), `${item} is not among ${dirty.join(', ')}`);
    const { height = 0 } = (await page.getByRole('menu').last().boundingBox()) ?? {};
    // A model that writes and the plugin for Claude Code add one line each.
    assert.ok(height > 0 && height + 2 * 26 <= 450, `the menu is ${height} pixels high`);
    await workbench.screenshot('context-menu-changed');
    await page.keyboard.press('Escape');
  });

  it('can unlock a worktree where its removal is refused, and is asked again', async () => {
    const { workbench, folder } = open();
    const tree = workbench.tree('Worktrees');
    await git('worktree', 'lock', '--reason', 'on the usb disk', join(folder, '.worktrees/second'));
    await tree.waitForRow(/^second, .*locked: on the usb disk/);
    const items = await tree.openContextMenu(/^second, /);
    assert.deepEqual([items.includes('Remove…'), items.includes('Unlock')], [false, true]);
    await workbench.page.keyboard.press('Escape');
    await tree.click(/^second, /);
    await workbench.page.keyboard.press('Delete');
    assert.match(await workbench.dialog('second cannot be removed.'), /It is locked: on the usb disk/);
    await workbench.screenshot('remove-locked');
    await workbench.pressInDialog('Unlock');
    await workbench.dialog('Remove the worktree second?');
    await workbench.pressInDialog('Cancel');
    assert.doesNotMatch(await git('worktree', 'list', '--porcelain'), /^locked on the usb disk/m);
  });

  it('is told when a command of the palette has nothing to do, without a button that would not help', async () => {
    const { workbench } = open();
    for (const [command, words] of [
      ['Repair Worktree', 'No worktree needs a repair.'],
      ["Go to Agent's Terminal", 'No agent works in a worktree.'],
      ['Review Changes', 'No agent has changes for you to review.'],
    ] as const) {
      await workbench.runCommand(`Worktree Stacks: ${command}`);
      assert.deepEqual(await workbench.notificationButtons(words), [], command);
    }
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('finds in the menu of a row what is for this row, whatever is selected elsewhere', async () => {
    const { workbench } = open();
    const tree = workbench.tree('Worktrees');
    const [one, other, beside] = [/^search-index, /, /^payment-form/, /^release-notes/];
    const menuOf = async (row: RegExp): Promise<string[]> => {
      const items = await tree.openContextMenu(row);
      await workbench.screenshot('context-menu-beside');
      await workbench.page.keyboard.press('Escape');
      return items;
    };
    const alone = await menuOf(beside);
    assert.ok(alone.length > 5, alone.join());
    await tree.click(one);
    await tree.addToSelection(other);
    const selected = workbench.page.locator('[role=treeitem][aria-selected=true]');
    await eventually(
      'both are selected',
      () => selected.count(),
      (count) => count === 2,
    );
    // The rows are drawn with the new selection a moment after it.
    const isShort = (items: string[]): boolean => items.join() === 'Remove…';
    await eventually('the menu is that of several', () => menuOf(other), isShort);
    assert.deepEqual(await menuOf(beside), alone);
    // Those that are selected together with others are it still.
    assert.deepEqual(await menuOf(one), ['Remove…']);
    for (const row of [one, other, beside])
      await eventually(
        'the menu is whole once the selection is another',
        async () => {
          await tree.click(beside);
          return menuOf(row);
        },
        (items) => items.length > 5,
      );
  });

  it('reads the whole truth in the tooltip', async () => {
    const { workbench } = open();
    const subject = workbench.page.getByRole('cell', { name: 'Add a payment form' });
    await workbench.tree('Worktrees').pointAt('payment-form', subject);
    // Nothing is ignored there, so nothing is said of it.
    await workbench.page.getByRole('cell', { name: /^\d+ kB$/ }).waitFor();
    await workbench.screenshot('tooltip');
    await workbench.page.mouse.move(700, 400);
  });

  it('opens what runs in a worktree from its menu, at the address that is theirs', async () => {
    const { workbench, folder } = open();
    const { quickInput, page } = workbench;
    const file = join(folder, '.worktrees.yml');
    const address = 'http://{slug}.shop.example:{port}/start?from=tree';
    await writeFile(
      file,
      `ports: { range: 28000-28999 }\nurls: { app: "${address}", docs: "http://docs.shop.example/{branch}" }\n`,
    );
    try {
      const tree = workbench.tree('Worktrees');
      const ask = async (which: string): Promise<string> => {
        await tree.pickFromContextMenu(/^search-index, /, 'Open With', 'Open in Browser');
        await quickInput.shows('Select the address to open');
        await workbench.screenshot('open-in-browser-several');
        await quickInput.pick(which);
        // VS Code asks before it leaves for an address that nobody has trusted yet, and shows it.
        return workbench.dialog(/open the external website/);
      };
      await eventually(
        'the menu offers it',
        async () => {
          await tree.openContextMenu(/^search-index, /);
          const items = await openSubmenu(page, 'Open With');
          await page.keyboard.press('Escape');
          await page.keyboard.press('Escape');
          return items;
        },
        (items) => items.includes('Open in Browser'),
      );
      assert.match(await ask('app'), /http:\/\/search-index\.shop\.example:28\d{3}\/start/);
      await workbench.screenshot('open-in-browser');
      await workbench.pressInDialog('Copy');
      assert.match(
        await page.evaluate(() => navigator.clipboard.readText()),
        /^http:\/\/search-index\.shop\.example:28\d{3}\/start\?from=tree$/,
      );
      assert.match(await ask('docs'), /http:\/\/docs\.shop\.example\/search-index/);
      await workbench.pressInDialog('Cancel');
    } finally {
      await rm(file);
    }
  });

  it('reads what did not happen, and finds the log behind a button', async () => {
    const { workbench } = open();
    await workbench.runCommand('Worktree Stacks: Show Worktrees');
    await workbench.quickInput.pick('old-experiment');
    await workbench.notification(/old-experiment cannot be opened: no worktree was found at/);
    await workbench.screenshot('failure');
    const buttons = await workbench.notificationButtons(/cannot be opened/);
    assert.deepEqual(buttons.toSorted(), ['Remove Worktree…', 'Show Log']);
    await workbench.pressInNotification(/cannot be opened/, 'Show Log');
    // The log shows its end; each git command stands in it with its time.
    await workbench.page.locator('.view-line').filter({ hasText: '[git]' }).first().waitFor();
    await workbench.screenshot('log');
    await workbench.runCommand('View: Hide Panel');
  });

  it('is asked before a worktree goes, with all that would be lost, and may leave it', async () => {
    const { workbench, folder } = open();
    await workbench.tree('Worktrees').pickFromContextMenu('fix-login', 'Remove…');
    const text = await workbench.dialog('Remove the worktree fix-login?');
    assert.match(text, /2 files are not committed/);
    assert.match(text, /login\.js/);
    assert.match(text, /backs up what exists only there, under refs\/wt-backup\//);
    await workbench.screenshot('remove-modal');
    await workbench.pressInDialog('Cancel');
    assert.equal(await exists(join(folder, '.worktrees/fix-login/login.js')), true);
  });

  it('removes it anyway and is told where the backup is', async () => {
    const { workbench, folder } = open();
    await workbench.tree('Worktrees').pickFromContextMenu('fix-login', 'Remove…');
    await workbench.dialog('Remove the worktree fix-login?');
    await workbench.pressInDialog('Remove Anyway');
    await workbench.notification(/kept in refs\/wt-backup\//);
    await workbench.screenshot('removed');
    await workbench.tree('Worktrees').waitForNoRow(/^fix-login/);
    assert.equal(await exists(join(folder, '.worktrees/fix-login')), false);
    assert.match(await git('for-each-ref', 'refs/wt-backup'), /refs\/wt-backup\//);
  });

  it('asks once about several selected worktrees, and keeps one whose folder is out of sight', async () => {
    const { workbench } = open();
    const tree = workbench.tree('Worktrees');
    await (await tree.row('second')).click();
    await (await tree.row('old-experiment')).click({ modifiers: ['ControlOrMeta'] });
    await tree.pickFromContextMenu('second', 'Remove…');
    const text = await workbench.dialog('Remove the worktree second?');
    assert.match(text, /second:\nThe folder/);
    assert.match(text, /old-experiment:\n[^]*It stays\./);
    await workbench.screenshot('remove-two');
    await workbench.pressInDialog('Remove');
    await tree.waitForNoRow(/^second/);
    await tree.waitForRow(/^old-experiment/);
  });

  it('reads which line of the configuration is wrong, above the rows and where it stands in the way', async () => {
    const { workbench, folder } = open();
    await writeFile(join(folder, '.worktrees.yml'), 'worktree:\n  strategy: sideways\n');
    await workbench.page.getByText('.worktrees.yml, line 2').first().waitFor();
    await workbench.runCommand('Worktree Stacks: Create Worktree…');
    await workbench.notification(/\.worktrees\.yml, line 2/);
    await workbench.screenshot('bad-configuration');
  });
});
