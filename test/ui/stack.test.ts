import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { makeSampleStack } from '../support/sampleStack.ts';
import { eventually } from './support/eventually.ts';
import { useWorkbench } from './support/useWorkbench.ts';

/** Drags the border of the side bar. */
async function dragSideBar(page: Page, to: number): Promise<void> {
  await page.mouse.move(349, 500);
  await page.mouse.down();
  await page.mouse.move(to, 500, { steps: 8 });
  await page.mouse.up();
}

// A person with two stacks; each test goes on where the one before it ended.
describe('a person who looks at stacks', () => {
  const open = useWorkbench({
    settings: { 'workbench.colorTheme': 'Default Dark Modern' },
    prepare: async (place) => ({ folder: await makeSampleStack(join(place.work, 'orchard'), place.env) }),
  });
  const tree = () => open().workbench.tree('Worktrees');
  const levels = async (): Promise<string[]> =>
    (await tree().rows())
      .filter(({ name }) => /^(main|feat-auth|auth-ui|auth-docs|pay-api),/.test(name))
      .map(({ level, name }) => `${level} ${name.split(',')[0]}`);

  it('sees the stacks at once, turns them into a list, and back, with a button of the view', async () => {
    const { workbench } = open();
    await workbench.openContainer('Worktree Stacks');
    await tree().waitForRow(/^pay-api,/);
    const drawn = ['1 main', '2 feat-auth', '3 auth-ui', '4 auth-docs', '2 pay-api'];
    await eventually('the stacks are drawn', levels, (rows) => JSON.stringify(rows) === JSON.stringify(drawn));
    await workbench.pressViewAction('View as List', 'Worktrees');
    await eventually('the list is there', levels, (rows) => rows.length === 5 && rows.every((row) => /^1 /.test(row)));
    await workbench.pressViewAction('View as Stacks', 'Worktrees');
    await eventually('the stacks are drawn again', levels, (rows) => JSON.stringify(rows) === JSON.stringify(drawn));
    await tree().waitForRow(/^feat-auth,.*needs restack/);
  });

  it('sees conflicts coming, with the other worktree and the files', async () => {
    const { workbench, folder } = open();
    await writeFile(join(folder, '.worktrees/pay-api/src/login.js'), 'export const login = () => "paid";\n');
    await tree().waitForRow(/^pay-api,.*would conflict with .*feat-auth/i);
    await tree().waitForRow(/^feat-auth,.*would conflict with .*pay-api/i);
    await workbench.screenshot('stack-dark');
    const named = workbench.page.getByRole('cell', { name: /feat-auth: src\/login\.js/ }).first();
    await tree().pointAt(/^pay-api,/, named);
    await workbench.screenshot('stack-tooltip');
    await workbench.page.mouse.move(700, 400);
  });

  it('sees what a worktree changed by a click, and goes on with the keys: rename, remove, open', async () => {
    const { workbench, folder } = open();
    const { page, quickInput } = workbench;
    await tree().click(/^pay-api,/);
    await workbench.editor(/^pay-api against main/);
    await page.getByText('"paid"').first().waitFor();
    // The view has the focus again once the changes are there.
    const focused = page.getByRole('tree', { name: 'Worktrees' }).and(page.locator(':focus-within, :focus'));
    await focused.first().waitFor();
    await workbench.screenshot('stack-click');
    // The arrow moves the focus only, not the selection.
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('F2');
    await quickInput.shows(/The new name of auth-docs/);
    await quickInput.cancel();
    await quickInput.closes();
    // Past the row of its changes.
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Delete');
    await workbench.dialog('Remove the worktree auth-ui?');
    await workbench.pressInDialog('Cancel');
    await tree().click(/^feat-auth,/);
    await focused.first().waitFor();
    for (const [how, act] of [
      ['Enter', async () => page.keyboard.press('Enter')],
      ['a double-click', async () => (await tree().row(/^feat-auth,/)).dblclick()],
    ] as const) {
      const [opened] = await Promise.all([page.context().waitForEvent('page'), act()]);
      assert.equal(new URL(opened.url()).searchParams.get('folder'), join(folder, '.worktrees/feat-auth'), how);
      await opened.close();
      await page.bringToFront();
    }
  });

  it('narrows the view down and finds a name, with buttons of the view', async () => {
    const { workbench } = open();
    const { page, quickInput } = workbench;
    await workbench.pressViewAction('Filter Worktrees…', 'Worktrees');
    const { rows } = await quickInput.shows('Select which worktrees to show');
    assert.match(rows.join('; '), /Needs Me.*Agents.*Changed, 2.*Merged/);
    await workbench.screenshot('stack-filter');
    await quickInput.pick('Changed');
    await tree().until('only those with changes are there', (all) => all.length === 2);
    await workbench.screenshot('stack-filtered');
    await workbench.pressViewAction('Clear Filter', 'Worktrees');
    await tree().waitForRow(/^main,/);
    await workbench.pressViewAction('Find Worktree', 'Worktrees');
    await page.keyboard.type('docs');
    await workbench.screenshot('stack-find');
    await page.keyboard.press('Escape');
    await workbench.runCommand('View: Close All Editors');
  });

  it('goes through the worktrees of the stack with the keyboard', async () => {
    const { workbench } = open();
    const { page } = workbench;
    await tree().click(/^feat-auth,/);
    // Its changes are shown, and the keys of the view go on working.
    await workbench.editor(/feat-auth against main/);
    await workbench.rowsHaveFocus();
    const selected = (): Promise<string | null> =>
      page.getByRole('tree', { name: 'Worktrees' }).locator('[aria-selected=true]').first().getAttribute('aria-label');
    for (const [key, name] of [
      ['Alt+PageDown', 'auth-ui'],
      ['Alt+PageDown', 'auth-docs'],
      ['Alt+PageUp', 'auth-ui'],
    ] as const) {
      await page.keyboard.press('Control+K');
      await page.keyboard.press(key);
      await eventually(`${name} is selected`, selected, (label) => label?.startsWith(`${name},`) === true);
    }
  });

  it('goes from a file to the same file in the branch above, and says why where there is none', async () => {
    const { workbench } = open();
    const { page } = workbench;
    await tree().expand(/^auth-docs,/);
    await tree().click(/^docs\/login\.md,/);
    await workbench.editor(/login\.md/);
    // The tab is there before its editor, which is what hears keys.
    await page.locator('.view-line').filter({ hasText: 'Log in' }).first().waitFor();
    await page.keyboard.press('Control+K');
    await page.keyboard.press('Alt+ArrowUp');
    await workbench.notification(/auth-ui has no file docs\/login\.md/);
    await workbench.screenshot('stack-no-file');
  });

  it('finds in each mode what they have collapsed there, also when the window is loaded again', async () => {
    const { workbench } = open();
    const { page } = workbench;
    const collapsed = ['1 main', '2 feat-auth', '3 auth-ui', '2 pay-api'];
    const untilCollapsed = (what: string): Promise<unknown> =>
      eventually(what, levels, (rows) => JSON.stringify(rows) === JSON.stringify(collapsed));
    await tree().collapse(/^auth-ui,/);
    await untilCollapsed('what stands on auth-ui is hidden');
    await workbench.pressViewAction('View as List', 'Worktrees');
    await eventually('the list is there', levels, (rows) => rows.length === 5 && rows.every((row) => /^1 /.test(row)));
    await workbench.pressViewAction('View as Stacks', 'Worktrees');
    await untilCollapsed('it is hidden still');
    const loaded = page.waitForEvent('load');
    await workbench.runCommand('Developer: Reload Window');
    await loaded;
    await workbench.ready();
    await workbench.openContainer('Worktree Stacks');
    await untilCollapsed('it is hidden in the new window');
    // The file that was open, against what it was in the commit of its base.
    await workbench.editor(/login\.md \(auth-docs against auth-ui\)/);
    await page.locator('.view-line').filter({ hasText: 'Log in' }).first().waitFor();
    await workbench.screenshot('stack-collapsed');
    await tree().expand(/^auth-ui,/);
    await tree().waitForRow(/^auth-docs,/);
  });

  it('sees the same in a light theme and in high contrast', async () => {
    const { workbench } = open();
    for (const [theme, look, name] of [
      ['Light Modern', 'vs', 'light'],
      ['Dark High Contrast', 'hc-black', 'high-contrast'],
    ] as const) {
      await workbench.chooseTheme(theme, look);
      await workbench.screenshot(`stack-${name}`);
    }
    // As narrow as VS Code lets a side bar be.
    await dragSideBar(workbench.page, 218);
    await workbench.screenshot('stack-narrow');
    assert.deepEqual((await levels()).length, 5);
  });
});
