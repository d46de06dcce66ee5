import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { useWorkbench } from './support/useWorkbench.ts';

const session = `# Session Handoff: 2026-11-28

**Status:** the shop is open, search is being built

## Pending Tasks

- [ ] **Fix login** — \`/design plans/login\` | sonnet
  - Plan: login-form | Status: designed
- [!] **Write docs** — waits for a writer
- [ ] **Sort the shelves**
- [ ] **Count the apples**
- [x] **Open the shop**

## Worktree Tasks

- [ ] **Build search** → \`wt/search-index\`

## Reference Files

- \`plans/login\` — drawings
`;

// A person's work with the tasks of a session file; each test goes on where the one before it ended.
describe('a person with a session file', () => {
  const open = useWorkbench({ settings: { 'workbench.colorTheme': 'Default Dark Modern' } });
  const file = (): string => join(open().folder, 'agents/session.md');
  const tasks = () => open().workbench.tree('Tasks');

  it('is told what a session file is where there is none, and begins one', async () => {
    const { workbench } = open();
    await workbench.openContainer('Worktree Stacks');
    await workbench.welcome(/A session file holds the tasks of this repository/);
    await workbench.screenshot('tasks-welcome');
    await workbench.page.getByRole('button', { name: 'Create Session File' }).click();
    await workbench.editor('session.md');
    await workbench.page.locator('.view-line').filter({ hasText: '## Worktree Tasks' }).waitFor();
    await workbench.runCommand('View: Revert and Close Editor');
  });

  it('sees the tasks in their lists as soon as there are some', async () => {
    await mkdir(dirname(file()), { recursive: true });
    await writeFile(file(), session);
    const rows = await tasks().until('the tasks are shown', (all) =>
      all.some((row) => row.name.startsWith('Fix login')),
    );
    assert.deepEqual(
      rows.map(({ name, level }) => `${'  '.repeat(level - 1)}${name}`),
      [
        'Pending, 4 tasks',
        '  Fix login, open, /design plans/login | sonnet',
        '  Write docs, blocked, waits for a writer',
        '  Sort the shelves, open',
        '  Count the apples, open',
        'In worktrees, 1 task',
        '  Build search, → search-index',
        'Done, 1 task',
      ],
    );
    await open().workbench.screenshot('tasks-dark');
  });

  it('reads the line of a task with a click, coloured by its parts', async () => {
    const { workbench } = open();
    await tasks().click('Fix login');
    await workbench.editor('session.md');
    const line = workbench.page.locator('.view-line').filter({ hasText: 'Fix login' }).first();
    await line.waitFor();
    // Name, mark and the rest of the line differ in their colours, so they are different tokens.
    const classes = await line
      .locator('span > span')
      .evaluateAll((all: { className: string }[]) => all.map((each) => each.className));
    const tokens = new Set(classes).size;
    assert.ok(tokens >= 4, `${tokens} kinds of tokens`);
    await workbench.screenshot('tasks-session-file');
    await workbench.runCommand('View: Close All Editors');
  });

  it('starts one in a worktree, with the name already given', async () => {
    const { workbench, folder } = open();
    await tasks().pressInlineAction('Fix login', 'Start in a Worktree…');
    await workbench.quickInput.shows('Select the base of fix-login');
    await workbench.screenshot('tasks-start-base');
    await workbench.quickInput.accept();
    await workbench.quickInput.shows('Select what to do after creating fix-login');
    await workbench.quickInput.pick('Stay here');
    await tasks().waitForRow('Fix login, → fix-login');
    await workbench.tree('Worktrees').waitForRow(/^fix-login, /);
    await workbench.screenshot('tasks-started');
    assert.match(
      await readFile(file(), 'utf8'),
      /- \[ \] \*\*Fix login\*\* → `wt\/fix-login` — `\/design plans\/login`/,
    );
    const focused = await readFile(join(folder, '.worktrees/fix-login/agents/session.md'), 'utf8');
    assert.match(focused, /^# Session: Worktree — Fix login\n[^]*## Reference Files\n\n- `plans\/login` — drawings\n$/);
  });

  it('starts several that are selected, with one question', async () => {
    const { workbench } = open();
    await (await tasks().row('Sort the shelves')).click();
    await (await tasks().row('Count the apples')).click({ modifiers: ['ControlOrMeta'] });
    await tasks().openContextMenuOf('Sort the shelves', ['Start in a Worktree…', 'Start in a Worktree with Claude…']);
    await workbench.screenshot('tasks-menu');
    await workbench.page.keyboard.press('Escape');
    await tasks().pickFromContextMenu('Sort the shelves', 'Start in a Worktree…');
    await workbench.quickInput.shows('Select the base of each of the 2 worktrees');
    await workbench.quickInput.accept();
    await tasks().waitForRow('Count the apples, → count-the-apples');
    await tasks().waitForRow('Sort the shelves, → sort-the-shelves');
    await workbench.screenshot('tasks-several');
  });

  it('sees a task pending again when its worktree is removed', async () => {
    const { workbench } = open();
    await workbench.tree('Worktrees').pickFromContextMenu('count-the-apples', 'Remove…');
    await workbench.dialog('Remove the worktree count-the-apples?');
    await workbench.pressInDialog('Remove');
    await tasks().waitForRow('Count the apples, open');
  });

  it('sees the same in a light theme and in high contrast', async () => {
    const { workbench } = open();
    await tasks().click('Build search');
    await workbench.editor('session.md');
    await workbench.statusBarItem(/Ln 13, Col 1/);
    for (const [theme, look, name] of [
      ['Light Modern', 'vs', 'light'],
      ['Dark High Contrast', 'hc-black', 'high-contrast'],
    ] as const) {
      await workbench.chooseTheme(theme, look);
      await workbench.screenshot(`tasks-${name}`);
    }
  });

  it('reads which line of the file is in the way, and gets there with a click', async () => {
    const { workbench } = open();
    await workbench.runCommand('View: Close All Editors');
    await writeFile(file(), `${session}\n\`\`\`\n`);
    await workbench.page.getByText('agents/session.md cannot be read: line 22').first().waitFor();
    await workbench.screenshot('tasks-unreadable');
    await rm(file());
    await workbench.welcome(/A session file holds the tasks of this repository/);
  });
});
