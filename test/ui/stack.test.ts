import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSampleStack } from '../support/sampleStack.ts';
import { eventually } from './support/eventually.ts';
import { useWorkbench } from './support/useWorkbench.ts';

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

  it('turns the list into the tree of what stands on what, and back, with a button of the view', async () => {
    const { workbench } = open();
    await workbench.openContainer('Worktree Stacks');
    await tree().waitForRow(/^pay-api,/);
    await workbench.pressViewAction('View as Stacks', 'Worktrees');
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
    await eventually(
      'the tooltip names the files',
      async () => {
        // Drawing the row anew closes its tooltip: a person would point at it once more.
        await workbench.page.mouse.move(700, 400);
        await (await tree().row(/^pay-api,/)).hover();
        return named.waitFor({ timeout: 3000 }).then(
          () => true,
          () => false,
        );
      },
      Boolean,
    );
    await workbench.screenshot('stack-tooltip');
    await workbench.page.mouse.move(700, 400);
  });

  it('goes through the worktrees of the stack with the keyboard', async () => {
    const { workbench } = open();
    const { page } = workbench;
    await tree().click(/^feat-auth,/);
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
    assert.deepEqual((await levels()).length, 5);
  });
});
