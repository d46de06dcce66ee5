import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mergeSessionText } from '../../src/core/session/mergeText.ts';
import type { Choice } from '../../src/core/session/model.ts';
import {
  conflictedRepository,
  manyTasks,
  sidesToReview,
  usualSides,
  type ConflictedRepository,
} from '../support/sessionConflict.ts';
import type { Place } from '../support/launch/place.ts';
import { eventually } from './support/eventually.ts';
import { MergePage } from './support/mergePage.ts';
import { useWorkbench } from './support/useWorkbench.ts';

const path = 'agents/session.md';

/** What the rules and some choices give for the usual conflict. */
const merged = (choices: Record<string, Choice> = {}, sides = usualSides): string =>
  mergeSessionText({
    kind: 'session',
    base: sides.base[path],
    ours: sides.ours[path] ?? '',
    theirs: sides.theirs[path] ?? '',
    slug: 'feat-auth',
    choices: new Map(Object.entries(choices)),
  }).text;

/** What the extension keeps of choices that are not saved, as VS Code asks it to. */
async function keptChoices({ userData }: Place): Promise<string[]> {
  const entries = await readdir(userData, { recursive: true, withFileTypes: true });
  const own = entries.filter((each) => each.isFile() && /workspaceStorage.*worktree-stacks/.test(each.parentPath));
  return Promise.all(own.map((each) => readFile(join(each.parentPath, each.name), 'utf8').catch(() => '')));
}

/** The themes that people use, and how VS Code calls their kinds in a page. */
const themes = [
  ['Dark Modern', 'vscode-dark', 'dark'],
  ['Light Modern', 'vscode-light', 'light'],
  ['Dark High Contrast', 'vscode-high-contrast', 'high-contrast'],
  ['Light High Contrast', 'vscode-high-contrast-light', 'high-contrast-light'],
] as const;

describe('a person whose session file is in conflict, with the keyboard alone', () => {
  let repository: ConflictedRepository;
  const open = useWorkbench({
    prepare: async (place) => {
      repository = await conflictedRepository(join(place.work, 'orchard'), place.env);
      await repository.merge();
      return { folder: repository.root };
    },
    settings: { 'files.autoSave': 'off' },
  });
  const pageOf = (): MergePage => new MergePage(open().workbench.page);

  it('opens the file and is in the merge editor, at the entry that is to be looked at', async () => {
    await open().workbench.openFile('session.md');
    const page = pageOf();
    await page.shown();
    const row = await page.focused('Rename config keys');
    assert.equal(row.name, 'Rename config keys, changed in both, mark from feat-auth, text from main, to review, auto');
    await page.summary('To review 1 All 5 1/1');
  });

  it('sees that one alone, unfolded into its three versions, and the others in groups by their reason', async () => {
    const page = pageOf();
    const unfolded = (await page.rows()).filter((row) => row.unfolded).map((row) => row.name.split(',')[0]);
    assert.deepEqual(unfolded, ['Rename config keys']);
    assert.deepEqual(
      (await page.versions()).map((text) => text.split('\n')[0]),
      ['Base', 'main', 'feat-auth'],
    );
    assert.deepEqual(await page.groups(), [
      '1 task done in feat-auth, main still had it open',
      '1 task kept, only main has it',
      '1 task new in feat-auth, main never had it',
      '1 task removed, feat-auth is merged and done',
    ]);
    assert.deepEqual(await page.outcome('Rename config keys'), {
      result: '- [x] **Rename config keys** — in every service, after the release\n  - the old names still work',
      dropped: ['[!]'],
    });
  });

  it('sees the result below, with the lines marked that ours does not have', async () => {
    const page = pageOf();
    assert.equal(await page.result(), merged());
    assert.deepEqual(await page.markedLines(), [
      '- [x] **Fix flaky test** — cart totals | sonnet',
      '- [x] **Rename config keys** — in every service, after the release',
      '  - the old names still work',
      '- [ ] **Write login docs** — one page',
    ]);
  });

  it('changes the choice with Space, and hears it', async () => {
    const page = pageOf();
    await page.key('Space');
    await page.row(/^Rename config keys, as in main, your choice, reviewed, main$/);
    assert.equal(await page.spoken(), 'Rename config keys: main');
    await page.summary('To review 0 All 5 1/1');
    assert.deepEqual((await page.outcome('Rename config keys')).dropped, ['[x]', '- the old names still work']);
    await page.key('Space');
    await page.row(/^Rename config keys, as in feat-auth, your choice, reviewed, feat-auth$/);
    assert.equal(await page.result(), merged({ 'task:0:rename config keys': 'theirs' }));
    await page.key('Shift+Space');
    await page.row(/^Rename config keys, .*, main$/);
  });

  it('takes choices back with Ctrl+Z, one at a time, and does them again with Ctrl+Y', async () => {
    const page = pageOf();
    await page.key('Control+Z');
    await page.row(/^Rename config keys, .*, feat-auth$/);
    await page.key('Control+Z');
    await page.row(/^Rename config keys, .*, main$/);
    await page.key('Control+Z');
    await page.row(/^Rename config keys, .*, to review, auto$/);
    await page.summary('To review 1 All 5 1/1');
    await page.key('Control+Y');
    await page.row(/^Rename config keys, .*, main$/);
    await page.focused('Rename config keys');
  });

  it('marks it as reviewed as it is with R, writes another result with F2, and takes both back', async () => {
    const page = pageOf();
    await page.key('Control+Z');
    await page.row(/^Rename config keys, .*, to review, auto$/);
    await page.key('r');
    await page.row(/^Rename config keys, .*, reviewed, auto$/);
    await page.summary('To review 0 All 5 1/1');
    await page.key('r');
    await page.row(/^Rename config keys, .*, to review, auto$/);
    await page.key('F2');
    await page.writes('Result of Rename config keys');
    await page.key('End', 'Shift+Home');
    await page.type('  - old and new names work, r and F2 are text here');
    await page.key('Control+Enter');
    await page.focused(/^Rename config keys, edited, your text, reviewed, edited$/);
    const own = merged().replace('the old names still work', 'old and new names work, r and F2 are text here');
    assert.equal(await page.result(), own);
    assert.deepEqual((await page.outcome('Rename config keys')).dropped, ['[!]', '- the old names still work']);
    await page.key('F2');
    await page.type(' no');
    await page.key('Escape');
    await page.focused(/, edited$/);
    assert.equal(await page.result(), own);
    await page.key('Control+Z');
    await page.row(/^Rename config keys, .*, to review, auto$/);
    await page.key('Space');
    await page.focused(/^Rename config keys, .*, main$/);
  });

  it('opens a group with the arrow keys, comes back to the entry to review with F7, and shows all', async () => {
    const page = pageOf();
    await page.key('ArrowDown', 'ArrowRight', 'ArrowDown');
    await page.focused(/^Fix flaky test, done in feat-auth/);
    await page.key('F7');
    await page.focused('Rename config keys');
    await page.key('End', 'Shift+F7');
    await page.focused('Rename config keys');
    // Back over the buttons: accept, next, previous, all.
    await page.key('Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Enter');
    await page.row('Build login');
    assert.equal((await page.rows()).length, 5);
    await page.key('Tab', 'Tab', 'Tab', 'Tab');
    await page.focused('Rename config keys');
  });

  it('goes from row to row with the arrow keys, and unfolds with Enter', async () => {
    const page = pageOf();
    await page.key('ArrowDown');
    await page.focused('Order new labels');
    await page.key('Enter');
    await page.row('Order new labels', (row) => row.unfolded);
    await page.key('ArrowLeft');
    await page.row('Order new labels', (row) => !row.unfolded);
    await page.key('End');
    await page.focused('Build login');
    await page.key('ArrowDown');
    await page.focused('Build login');
    await page.key('Home');
    await page.focused('Fix flaky test');
    await page.key('ArrowRight');
    await page.row('Fix flaky test', (row) => row.unfolded);
    await page.key('ArrowRight', 'ArrowLeft');
    await page.row('Fix flaky test', (row) => !row.unfolded);
  });

  it('finds the page as it was after a reload of the window, unsaved choices included', async () => {
    const { workbench, place } = open();
    const page = pageOf();
    await page.key('ArrowDown', 'Enter', 'ArrowDown', 'Enter');
    await page.row('Order new labels', (row) => row.unfolded);
    // VS Code has what is not saved kept a moment after the last change; a browser would ask before it lets go of a page until then.
    await eventually(
      'the choice is kept',
      () => keptChoices(place),
      (kept) => kept.some((text) => text.includes('"ours"')),
    );
    await workbench.runCommand('Developer: Reload Window');
    await workbench.page.waitForLoadState();
    await workbench.ready();
    await page.shown();
    await page.row(/^Rename config keys, .*, main$/, (row) => !row.unfolded);
    await page.row('Order new labels', (row) => row.unfolded);
    await page.summary('To review 0 All 5 –/1');
  });

  it('accepts with Ctrl+Enter: the file is written and staged, and is told what is left', async () => {
    const { workbench } = open();
    await workbench.editor(/session\.md/);
    await workbench.runCommand('View: Focus Active Editor Group');
    await pageOf().key('Control+Enter');
    await workbench.notification(
      /agents\/session\.md is merged and staged\. Still in conflict: agents\/learnings\.md and 1 more\./,
    );
    assert.equal(await readFile(join(repository.root, path), 'utf8'), merged({ 'task:0:rename config keys': 'ours' }));
    assert.equal(await repository.git('diff', '--name-only', '--diff-filter=U'), 'agents/learnings.md\nsrc/cart.js');
  });

  it('goes on with the next file from the message, and reads there how the merge goes on', async () => {
    const { workbench } = open();
    await workbench.pressInNotification(/is merged and staged/, 'Open learnings.md');
    const page = pageOf();
    await page.shown();
    await page.focused('When a test is flaky');
    await repository.git('checkout', '--ours', '--', 'src/cart.js');
    await repository.git('add', 'src/cart.js');
    await page.key('Control+Enter');
    await workbench.dialog(/1 entry has not been reviewed\. Accept anyway\?[^]*When a test is flaky/);
    await workbench.pressInDialog('Review');
    await page.focused('When a test is flaky');
    await page.key('r');
    await page.summary('To review 0 All 1 1/1');
    await page.key('Control+Enter');
    assert.deepEqual(await workbench.notificationButtons('main: all conflicts resolved.'), [
      'Commit Merge',
      'Abort Merge',
    ]);
  });
});

describe('a person whose session file is in conflict, with the mouse', () => {
  let repository: ConflictedRepository;
  const open = useWorkbench({
    prepare: async (place) => {
      repository = await conflictedRepository(join(place.work, 'orchard'), place.env, sidesToReview);
      await repository.merge('-c', 'merge.conflictStyle=zdiff3');
      return { folder: repository.root };
    },
    // Without these the workbench follows the system that the browser says it runs on.
    settings: {
      'files.autoSave': 'off',
      'window.autoDetectColorScheme': false,
      'window.autoDetectHighContrast': false,
    },
  });
  const pageOf = (): MergePage => new MergePage(open().workbench.page);

  it('is in the merge editor for a session file that is opened from Source Control', async () => {
    const { workbench } = open();
    await workbench.openContainer('Source Control');
    const changes = workbench.tree('Source Control');
    await changes.click(/^learnings\.md/);
    const page = new MergePage(workbench.page);
    await page.shown();
    await page.row('When a test is flaky');
  });

  it('finds the same from the menu of its row there', async () => {
    const { workbench } = open();
    const changes = workbench.tree('Source Control');
    await workbench.runCommand('View: Close All Editors');
    await changes.pickFromContextMenu(/^session\.md/, 'Open Session Merge Editor');
    await new MergePage(workbench.page).row('Rename config keys');
  });

  it('sees text there when a file is no session file', async () => {
    const { workbench } = open();
    await workbench.tree('Source Control').click(/^cart\.js/);
    await workbench.editor(/cart\.js/);
    await workbench.page.locator('.monaco-editor').getByText('export const total').first().waitFor();
    await workbench.runCommand('View: Close All Editors');
  });

  it('opens it from its row in the Worktrees view', async () => {
    const { workbench } = open();
    await workbench.openContainer('Worktree Stacks');
    const tree = workbench.tree('Worktrees');
    await tree.waitForRow(/^main, .*merge in progress/);
    await tree.expand(/^main, /);
    await tree.click(/^agents\/session\.md, in conflict/);
    await pageOf().shown();
    await pageOf().row('Rename config keys');
    await pageOf().row('Search suggestions, removed in feat-auth, changed in main, kept, to review, auto');
    assert.equal((await pageOf().groups())[0], '1 entry left behind, this part stays as in main');
    await pageOf().summary('To review 2 All 7 1/2');
  });

  for (const [theme, kind, name] of themes) {
    it(`has nothing in its way in a ${name} theme`, async () => {
      const { workbench } = open();
      await workbench.runCommand('Preferences: Color Theme');
      await workbench.quickInput.shows('Select Color Theme');
      await workbench.quickInput.pick(theme);
      await pageOf().theme(kind);
      await workbench.screenshot(`session-merge-${name}`);
      assert.deepEqual(await pageOf().accessibilityProblems(), []);
    });
  }

  it('goes from one to the other with the buttons, and the count goes down as they are reviewed', async () => {
    const { workbench } = open();
    const page = pageOf();
    await page.focused('Search suggestions');
    await page.press(/^Next Entry/);
    await page.focused('Rename config keys');
    await page.summary('To review 2 All 7 2/2');
    await page.press(/^Previous Entry/);
    await page.focused('Search suggestions');
    await page.pressInRow('Search suggestions', /^Mark as Reviewed/);
    await page.row(/^Search suggestions, .*, reviewed, auto$/);
    await page.summary('To review 1 All 7 1/2');
    await page.choice('Rename config keys', 'main').click();
    await page.summary('To review 0 All 7 2/2');
    assert.deepEqual((await page.outcome('Rename config keys')).dropped, ['[x]', '- the old names still work']);
    await workbench.screenshot('session-merge-dropped');
    await page.choice('Rename config keys', 'auto').click();
  });

  it('opens the groups, takes along what is left behind, and writes a result in its row', async () => {
    const { workbench } = open();
    const page = pageOf();
    // What was marked as reviewed is folded already.
    await page.row('Search suggestions', (row) => !row.unfolded);
    await page.clickRow('Rename config keys');
    await page.row('Rename config keys', (row) => !row.unfolded);
    await page.clickGroup(/left behind/);
    await page.row(/^tell Ann of the login, left behind, .*, left behind, auto$/);
    await page.clickGroup(/new in feat-auth/);
    await workbench.screenshot('session-merge-left-behind');
    assert.deepEqual(await page.accessibilityProblems(), []);
    await page.pressInRow('Search suggestions', /^Edit Result/);
    await page.type(', or ten');
    await workbench.screenshot('session-merge-editing');
    assert.deepEqual(await page.accessibilityProblems(), []);
    await page.clickRow('Write login docs');
    await page.row(/^Search suggestions, edited, .*, edited$/);
    assert.match(await page.result(), /- \[ \] \*\*Search suggestions\*\* — as you type, five of them, or ten\n/);
    await page.key('Control+Z');
    await page.row(/^Search suggestions, .*, reviewed, auto$/);
  });

  it('clicks on another choice, and sees it in the result', async () => {
    const page = pageOf();
    await page.choice('Write login docs', 'neither').click();
    await page.row(/^Write login docs, left out, your choice, decided, neither$/);
    assert.equal(await page.result(), merged({ 'task:0:write login docs': 'neither' }, sidesToReview));
  });

  it('shows all, folds and unfolds rows, and closes the result; narrow as well', async () => {
    const { workbench } = open();
    const page = pageOf();
    await page.press(/^All 7/);
    await page.clickRow('Fix flaky test');
    await page.row('Fix flaky test', (row) => row.unfolded);
    await page.clickRow('Fix flaky test');
    await page.row('Fix flaky test', (row) => !row.unfolded);
    await page.press(/^Result as it/);
    await workbench.screenshot('session-merge-without-result');
    await page.press(/^To review/);
    const size = workbench.page.viewportSize();
    await workbench.page.setViewportSize({ width: 760, height: 800 });
    await workbench.screenshot('session-merge-narrow');
    assert.deepEqual(await page.accessibilityProblems(), []);
    if (size) await workbench.page.setViewportSize(size);
    await page.press(/^Result as it/);
  });

  it('opens it as text with the result, and comes back with the choices', async () => {
    const { workbench } = open();
    await workbench.page.getByRole('button', { name: 'Open as Text' }).first().click();
    await workbench.page.locator('.monaco-editor').getByText('Fix flaky test').first().waitFor();
    assert.equal(
      await readFile(join(repository.root, path), 'utf8'),
      merged({ 'task:0:write login docs': 'neither' }, sidesToReview),
    );
    await workbench.page.getByRole('button', { name: 'Open Session Merge Editor' }).first().click();
    await pageOf().row(/^Write login docs, .*, neither$/);
  });

  it('is asked what to do with a file that an agent has edited meanwhile', async () => {
    const page = pageOf();
    await writeFile(join(repository.root, path), `${merged({}, sidesToReview)}- by an agent\n`);
    await page.notice('The file was edited after the conflict arose.');
    await open().workbench.screenshot('session-merge-edited-by-hand');
    assert.deepEqual(await page.accessibilityProblems(), []);
    await page.press('Start from the Rules');
    await page.row(/^Write login docs, .*, neither$/);
  });

  it('accepts it with the button', async () => {
    const { workbench } = open();
    await pageOf().press('Accept and Stage');
    await workbench.notification(/The text that you edited is saved as Git object refs\/wt-backup\//);
    await workbench.notification(/agents\/session\.md is merged and staged\./);
    assert.equal(
      await readFile(join(repository.root, path), 'utf8'),
      merged({ 'task:0:write login docs': 'neither' }, sidesToReview),
    );
  });
});

describe('a person whose session file has 2,000 entries in conflict', () => {
  const sides = manyTasks(2000);
  let repository: ConflictedRepository;
  const open = useWorkbench({
    prepare: async (place) => {
      repository = await conflictedRepository(join(place.work, 'orchard'), place.env, sides);
      await repository.merge();
      return { folder: repository.root };
    },
    settings: { 'files.autoSave': 'off' },
  });

  it('sees them, of which only those in view are drawn', async () => {
    const { workbench } = open();
    await workbench.openFile('session.md');
    const page = new MergePage(workbench.page);
    await page.shown();
    await page.summary('To review 200 All 2000 1/200');
    await page.press(/^All 2000/);
    const { drawn, all } = await page.drawn();
    assert.equal(all, 2000);
    assert.ok(drawn > 5 && drawn < 200, `${drawn} are drawn`);
    await workbench.screenshot('session-merge-2000');
  });

  it('goes through all of them, chooses at the end, and accepts', async function () {
    this.timeout(300_000);
    const { workbench } = open();
    const page = new MergePage(workbench.page);
    const { idle, scrolling } = await page.scrollThrough();
    console.log(`      a frame takes ${Math.round(scrolling)} ms while scrolling, ${Math.round(idle)} ms at rest`);
    // From the button that shows all, over the others, to the list.
    await page.key('Tab', 'Tab', 'Tab', 'Tab');
    await page.key('End');
    await page.focused('Task 2000');
    await page.key('Space');
    await page.row(/^Task 2000, .*, main$/);
    await page.summary('To review 199 All 2000 200/200');
    const wanted = merged({ 'task:0:task 2000': 'ours' }, sides);
    assert.equal(await page.result(), wanted);
    await page.key('Control+Enter');
    await workbench.dialog(/199 entries have not been reviewed/);
    await workbench.pressInDialog('Accept Anyway');
    await workbench.notification('main: all conflicts resolved.');
    assert.equal(await readFile(join(repository.root, path), 'utf8'), wanted);
  });
});
