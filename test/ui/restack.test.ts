import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeSampleStack } from '../support/sampleStack.ts';
import { eventually } from './support/eventually.ts';
import { openSubmenu, type TreeRow } from './support/tree.ts';
import { useWorkbench } from './support/useWorkbench.ts';

// A person with two stacks; each test goes on where the one before it ended.
describe('a person who restacks', () => {
  const open = useWorkbench({
    settings: { 'workbench.colorTheme': 'Default Dark Modern' },
    prepare: async (place) => ({ folder: await makeSampleStack(join(place.work, 'orchard'), place.env) }),
  });
  const git = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd: open().folder, env: open().place.env })).stdout.trim();
  const tips = (): Promise<string> => git('for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads');
  const path = (name: string): string => join(open().folder, '.worktrees', name);
  let start = '';
  /** The rows of branches, without those of what they changed. */
  const branchRows = (rows: readonly TreeRow[]): TreeRow[] =>
    rows.filter(({ name }) => /^(main|feat-auth|auth-ui|auth-docs|pay-api|pay),/.test(name));
  const nameOf = ({ name }: TreeRow): string => name.split(',')[0] ?? '';
  /** Waits for what is said of a branch, when all of them are there. */
  const untilRow = async (branch: string, wanted: (row: TreeRow) => boolean): Promise<TreeRow[]> => {
    const all = await open()
      .workbench.tree('Worktrees')
      .until(`${branch} is as wanted`, (rows) => {
        const found = branchRows(rows);
        return found.length === 5 && found.some((row) => nameOf(row) === branch && wanted(row));
      });
    return branchRows(all);
  };

  it('is offered to rebase the stack on the row that is behind', async () => {
    const { workbench } = open();
    start = await tips();
    await workbench.openContainer('Worktree Stacks');
    const tree = workbench.tree('Worktrees');
    const rows = await untilRow('feat-auth', ({ name, level }) => level === 2 && name.includes('needs restack'));
    assert.deepEqual(
      rows.map((row) => `${row.level} ${nameOf(row)}`),
      ['1 main', '2 feat-auth', '3 auth-ui', '4 auth-docs', '2 pay-api'],
    );
    assert.deepEqual((await tree.inlineActions(/^feat-auth,/))[0], 'Preview Restack…');
    await workbench.screenshot('restack-inline');
    const items = await tree.openContextMenu(/^auth-ui,/);
    assert.ok(items.includes('Rename…'), `Rename… is not in ${items.join(', ')}`);
    const stack = await openSubmenu(workbench.page, 'Stack');
    assert.deepEqual(stack, ['Rebase…', 'Restack…', 'Move Onto…']);
    await workbench.screenshot('restack-menu');
    await workbench.page.keyboard.press('Escape');
    await workbench.page.keyboard.press('Escape');
  });

  it('reads what would move before anything does, and can leave it', async () => {
    const { workbench } = open();
    await workbench.tree('Worktrees').pressInlineAction(/^feat-auth,/, 'Preview Restack…');
    const { rows } = await workbench.quickInput.shows('Restack feat-auth onto main?');
    await workbench.screenshot('restack-preview');
    assert.match(rows[0] ?? '', /Restack 3 branches/);
    assert.match(rows.join('\n'), /feat-auth, 1 commit from main \w{7} onto main \w{7}, clean/);
    assert.match(rows.join('\n'), /auth-ui, 2 commits from feat-auth .*keeps 1 uncommitted file/);
    await workbench.quickInput.cancel();
    await workbench.quickInput.closes();
    assert.equal(await tips(), start);
  });

  it('rebases the stack with Enter, and everything is where it should be', async () => {
    const { workbench } = open();
    await workbench.tree('Worktrees').pressInlineAction(/^feat-auth,/, 'Preview Restack…');
    await workbench.quickInput.shows('Restack 3 branches');
    await workbench.quickInput.accept();
    await workbench.notification(/Rebased 3 branches onto main\./);
    await untilRow('feat-auth', ({ name }) => !name.includes('needs restack'));
    await workbench.screenshot('restack-done');
    assert.equal(await git('rev-parse', 'feat-auth^'), await git('rev-parse', 'main'));
    assert.equal(await git('-C', path('auth-ui'), 'status', '--porcelain'), '?? notes.txt');
  });

  it('takes it back with the button of the message', async () => {
    const { workbench } = open();
    await workbench.pressInNotification(/Rebased 3 branches onto main/, 'Undo');
    await workbench.notification(/Undone: restack feat-auth onto main/);
    assert.equal(await tips(), start);
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('drags a branch onto another one, reads the plan, and moves it', async () => {
    const { workbench } = open();
    const tree = workbench.tree('Worktrees');
    await untilRow('feat-auth', ({ name }) => name.includes('needs restack'));
    await tree.dragOnto(/^pay-api,/, /^feat-auth,/);
    await workbench.quickInput.shows('Move pay-api onto feat-auth?');
    await workbench.screenshot('restack-drop');
    assert.equal(await tips(), start);
    await workbench.quickInput.accept();
    const rows = await untilRow('pay-api', ({ name }) => name.includes('ahead of feat-auth'));
    assert.equal(rows.find((row) => nameOf(row) === 'pay-api')?.level, 3);
    assert.equal(await git('rev-parse', 'pay-api^'), await git('rev-parse', 'feat-auth'));
  });

  it('is told why a branch cannot be based on one of its descendants', async () => {
    const { workbench } = open();
    const before = await tips();
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.tree('Worktrees').dragOnto(/^feat-auth,/, /^auth-docs,/);
    await workbench.notification(/feat-auth cannot be based on auth-docs: auth-docs is based on feat-auth/);
    await workbench.screenshot('restack-refused');
    assert.equal(await tips(), before);
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('undoes the move from the palette, after reading what goes back', async () => {
    const { workbench } = open();
    await workbench.runCommand('Worktree Stacks: Undo Operation…');
    const { rows } = await workbench.quickInput.shows('Undo “move pay-api onto feat-auth”?');
    await workbench.screenshot('restack-undo');
    assert.match(rows.join('\n'), /pay-api, \w{7} → \w{7}, .*"Take money", is based on main again/);
    await workbench.quickInput.accept();
    await workbench.notification(/Undone: move pay-api onto feat-auth/);
    assert.equal(await tips(), start);
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('is told what is in the way with buttons, and loses none of it by Stash and Retry', async () => {
    const { workbench, folder } = open();
    await writeFile(join(folder, 'src/login.js'), 'export const login = undefined;\n');
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'Have no login');
    const before = await git('rev-parse', 'HEAD^');
    await writeFile(join(path('pay-api'), 'src/login.js'), 'mine\n');
    await untilRow('pay-api', ({ name }) => name.includes('2 behind main'));
    await workbench.tree('Worktrees').pickFromContextMenu(/^pay-api,/, 'Stack', 'Rebase…');
    const told = await workbench.notification(
      /pay-api was not moved: uncommitted changes are in the way \(src\/login\.js\)/,
    );
    assert.doesNotMatch(told, /`(?:wt|git) /);
    await workbench.screenshot('restack-in-the-way');
    await workbench.pressInNotification(/pay-api was not moved/, 'Open Changes');
    await workbench.editor(/Uncommitted changes in pay-api/);
    await workbench.screenshot('restack-open-changes');
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.tree('Worktrees').pickFromContextMenu(/^pay-api,/, 'Stack', 'Rebase…');
    await workbench.pressInNotification(/pay-api was not moved/, 'Stash and Retry');
    await workbench.quickInput.shows('Rebase pay-api onto main?');
    assert.match(await git('stash', 'list'), /Worktree Stacks: pay-api before “Rebase”/);
    await workbench.quickInput.accept();
    await workbench.notification(
      /Your changes in pay-api are not restored yet: src\/login\.js already exists, no checkout\. They are in the stash “Worktree Stacks: pay-api before/,
    );
    await workbench.screenshot('restack-stash-kept');
    assert.equal(await git('show', 'stash@{0}^3:src/login.js'), 'mine');
    // The file that came with main is not overwritten; once it is out of the way again, the button brings the changes back.
    assert.equal(await readFile(join(path('pay-api'), 'src/login.js'), 'utf8'), 'export const login = undefined;\n');
    await workbench.pressInNotification(/Rebased 1 branch onto main/, 'Undo');
    await workbench.notification(/Undone: rebase pay-api onto main/);
    await workbench.pressInNotification(/Your changes in pay-api are not restored yet/, 'Restore Changes');
    await eventually(
      'the changes are back',
      () => readFile(join(path('pay-api'), 'src/login.js'), 'utf8').catch(() => ''),
      (text) => text === 'mine\n',
    );
    await eventually(
      'the stash is dropped',
      () => git('stash', 'list').catch(() => 'being dropped'),
      (stashes) => stashes === '',
    );
    await rm(join(path('pay-api'), 'src/login.js'));
    await git('reset', '--quiet', '--hard', before);
    await workbench.runCommand('Notifications: Clear All Notifications');
    assert.equal(await tips(), start);
  });

  it('opens the settings at the line that is wrong, from the view that tells of it', async () => {
    const { workbench, folder } = open();
    await writeFile(join(folder, '.worktrees.yml'), 'stack:\n  trunk: main\n remote: origin\n');
    await workbench.pressViewAction('Show Problems', 'Worktrees');
    await workbench.notification(/\.worktrees\.yml, line \d/);
    await workbench.screenshot('restack-problems');
    await workbench.pressInNotification(/\.worktrees\.yml, line \d/, 'Open .worktrees.yml');
    await workbench.editor(/\.worktrees\.yml/);
    await rm(join(folder, '.worktrees.yml'));
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Notifications: Clear All Notifications');
    await untilRow('feat-auth', ({ name }) => name.includes('needs restack'));
  });

  it('reads of a conflict before it is there, and goes on after resolving it', async () => {
    const { workbench, folder } = open();
    await writeFile(join(folder, 'src/form.js'), 'export const form = null;\n');
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'Have no form');
    await writeFile(join(path('auth-ui'), 'notes.txt'), 'Ask about the colour.\n');
    const tree = workbench.tree('Worktrees');
    await untilRow('feat-auth', ({ name }) => name.includes('2 behind main'));
    await tree.pickFromContextMenu(/^auth-docs,/, 'Stack', 'Restack…');
    const { rows } = await workbench.quickInput.shows('Restack auth-docs onto main?');
    await workbench.screenshot('restack-conflict');
    assert.match(rows[0] ?? '', /Restack 1 branch, then stops in auth-ui/);
    assert.match(rows.join('\n'), /auth-ui, .*will conflict: src\/form\.js/);
    assert.match(rows.join('\n'), /auth-docs, .*waits: auth-ui conflicts/);
    await workbench.quickInput.pick('Restack Clean Branches Only');
    await workbench.pressInNotification(/Rebased 1 branch onto main/, 'Undo');
    await workbench.notification(/Undone/);
    await workbench.runCommand('Notifications: Clear All Notifications');
    await untilRow('feat-auth', ({ name }) => name.includes('2 behind main'));
    await tree.pickFromContextMenu(/^auth-docs,/, 'Stack', 'Restack…');
    await workbench.quickInput.shows('Restack auth-docs onto main?');
    await workbench.quickInput.accept();
    await workbench.notification(/auth-ui stopped: 1 conflict in src\/form\.js\. Rebased so far: feat-auth/);
    await untilRow('auth-ui', ({ name }) => name.includes('restack stopped'));
    const actions = await tree.inlineActions(/^auth-ui,/);
    // To continue would be refused as long as the conflict is there.
    assert.deepEqual(actions.slice(0, 3), ['Open Conflict', 'Skip Commit', 'Abort Rebase']);
    await workbench.statusBarItem('auth-ui: 1 conflict left');
    await workbench.screenshot('restack-stopped');
  });

  it('opens the conflict from the message', async () => {
    const { workbench } = open();
    await workbench.pressInNotification(/auth-ui stopped/, 'Open Conflict');
    await workbench.editor('Merging: form.js');
    await workbench.page.getByText('Accept Incoming').first().waitFor();
    await workbench.screenshot('restack-open-conflict');
  });

  it('is told that the conflict is still there, and then goes on', async () => {
    const { workbench } = open();
    const tree = workbench.tree('Worktrees');
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.runCommand('Worktree Stacks: Continue Rebase');
    await workbench.notification(/auth-ui stopped: 1 conflict in src\/form\.js/);
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.page.getByText('Accept Incoming').first().click();
    await workbench.completeMerge();
    await workbench.notification('auth-ui: all conflicts resolved.');
    await workbench.statusBarItem('auth-ui: Continue Rebase');
    // VS Code shows Source Control after that button.
    await workbench.containerShown('Worktree Stacks');
    const actions = await tree.inlineActions(/^auth-ui,/);
    assert.deepEqual(actions.slice(0, 3), ['Continue Rebase', 'Skip Commit', 'Abort Rebase']);
    await workbench.screenshot('restack-resolved');
    await workbench.pressInNotification('auth-ui: all conflicts resolved.', 'Continue Rebase');
    await workbench.notification(/Rebased 3 branches/);
    await untilRow('auth-docs', ({ name }) => !/needs restack|waits/.test(name));
    await workbench.screenshot('restack-continued');
    assert.equal(await git('show', 'auth-docs:src/form.js'), 'export const form = [];');
    assert.equal(await git('-C', path('auth-ui'), 'status', '--porcelain'), '?? notes.txt');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('is asked before a stopped rebase is taken back', async () => {
    const { workbench } = open();
    const tree = workbench.tree('Worktrees');
    await workbench.runCommand('Worktree Stacks: Undo Operation…');
    await workbench.quickInput.shows('Undo “restack auth-docs onto main”?');
    await workbench.quickInput.accept();
    await workbench.notification(/Undone/);
    const before = await tips();
    await workbench.runCommand('Notifications: Clear All Notifications');
    await untilRow('feat-auth', ({ name }) => name.includes('needs restack'));
    await tree.pickFromContextMenu(/^auth-docs,/, 'Stack', 'Restack…');
    await workbench.quickInput.shows('Restack 1 branch');
    await workbench.quickInput.accept();
    await workbench.notification(/auth-ui stopped/);
    await workbench.runCommand('Worktree Stacks: Abort Rebase');
    await workbench.dialog(/Abort “/);
    await workbench.screenshot('restack-abort');
    await workbench.pressInDialog('Abort');
    await eventually('the branches are back', tips, (now) => now === before);
    await workbench.notification(/Every branch is restored/);
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('picks another base by keyboard, and reads while typing what a new name would do', async () => {
    const { workbench } = open();
    const { quickInput } = workbench;
    await workbench.runCommand('Worktree Stacks: Move Onto…');
    await quickInput.shows('Select the worktree to move');
    await quickInput.pick('auth-docs');
    const { rows } = await quickInput.shows('Select the new base of auth-docs');
    await workbench.screenshot('restack-bases');
    assert.equal(
      rows.some((row) => row.includes('auth-docs')),
      false,
    );
    await quickInput.cancel();
    await quickInput.closes();
    await workbench.runCommand('Worktree Stacks: Rename Worktree…');
    await quickInput.pick('pay-api');
    await quickInput.shows('The new name of pay-api');
    await quickInput.type('auth-ui');
    await quickInput.shows(/auth-ui.*already/);
    await quickInput.type('pay');
    await quickInput.shows('Its branch pay-api becomes pay');
    await workbench.screenshot('restack-rename');
    await quickInput.accept();
    await workbench.tree('Worktrees').waitForRow(/^pay,/);
    await workbench.notification(/Renamed pay-api to pay, and its branch to pay/);
  });

  it('rebases one worktree from the palette, and is told when there is nothing to do', async () => {
    const { workbench } = open();
    const { quickInput } = workbench;
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.runCommand('Worktree Stacks: Rebase Worktree…');
    await quickInput.shows('Select the worktree to rebase');
    await quickInput.pick('pay');
    await quickInput.shows('Rebase pay onto main?');
    await quickInput.accept();
    await workbench.notification(/Rebased 1 branch onto main\./);
    await untilRow('pay', ({ name }) => !name.includes('needs restack'));
    await workbench.tree('Worktrees').pickFromContextMenu(/^pay,/, 'Stack', 'Rebase…');
    await workbench.notification('Nothing to do: pay is already based on main.');
    await workbench.screenshot('restack-nothing');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('picks from the log what is to be taken back, and can go back from the preview to it', async () => {
    const { workbench } = open();
    const { quickInput } = workbench;
    await workbench.runCommand('Worktree Stacks: Undo Operation…');
    const { rows } = await quickInput.shows('Select what to undo');
    await workbench.screenshot('restack-log');
    assert.match(rows[0] ?? '', /rebase pay onto main, .* · 1 branch$/);
    assert.match(rows[1] ?? '', /rename pay-api to pay, /);
    await quickInput.pick('rename pay-api to pay');
    await quickInput.shows('Undo “rename pay-api to pay”?');
    await quickInput.pressButton('Back');
    await quickInput.shows('Select what to undo');
    await quickInput.pick('rebase pay onto main');
    await quickInput.shows('Undo “rebase pay onto main”?');
    await quickInput.accept();
    await workbench.notification(/Undone: rebase pay onto main/);
    await untilRow('pay', ({ name }) => name.includes('needs restack'));
  });

  it('reads what a merge would do before it is made: commits, conflicts, notes and checks, and can leave it', async () => {
    const { workbench, folder } = open();
    const session = (task: string): string => `# Session\n\n## Pending Tasks\n\n- [ ] **Config** — ${task}\n`;
    const commit = async (cwd: string, files: Readonly<Record<string, string>>): Promise<void> => {
      for (const [file, text] of Object.entries(files)) await writeFile(join(cwd, file), text);
      await git('-C', cwd, 'add', ...Object.keys(files));
      await git('-C', cwd, 'commit', '--quiet', '-m', 'Rename config keys');
    };
    await mkdir(join(folder, 'agents'), { recursive: true });
    await commit(folder, { 'agents/session.md': session('one'), 'keys.txt': 'base\n' });
    await git('-C', path('pay-api'), 'merge', '--quiet', '--no-edit', 'main');
    await commit(path('pay-api'), { 'agents/session.md': session('by pay'), 'keys.txt': 'pay\n' });
    await commit(folder, {
      ...{ 'agents/session.md': session('by main'), 'keys.txt': 'main\n' },
      '.worktrees.yml': 'checks: node --test\n',
    });
    const before = await tips();
    await workbench.tree('Worktrees').pickFromContextMenu(/^pay,/, 'Merge…');
    const { rows } = await workbench.quickInput.shows('Merge pay into main?');
    await workbench.quickInput.shows('Merging pay into main: 1 conflict');
    await workbench.screenshot('merge-preview');
    for (const wanted of [
      /^Merge, .*stops for you to resolve 1 conflict/,
      /^Merges \d+ commits into main\./,
      /^Will conflict: keys\.txt.*changed in main and pay/,
      /^agents\/session\.md: 1 entry to review.*Config \(changed in main and pay\)/,
      /^Then the checks run: node --test.*not approved yet/,
    ])
      assert.ok(
        rows.some((row) => wanted.test(row)),
        `no ${String(wanted)} in ${rows.join('\n')}`,
      );
    assert.equal(
      rows.some((row) => row.includes('Then Remove Worktree')),
      false,
    );
    await workbench.quickInput.cancel();
    await workbench.quickInput.closes();
    assert.equal(await tips(), before);
    await git('-C', folder, 'rm', '--quiet', '.worktrees.yml');
    await commit(folder, { 'keys.txt': 'base\n' });
  });

  it('merges with the keyboard, and has the worktree removed in the same go', async () => {
    const { workbench, folder } = open();
    const { quickInput } = workbench;
    await workbench.runCommand('Worktree Stacks: Merge Worktree…');
    await quickInput.pick('pay');
    await quickInput.shows('Merging pay into main: no conflicts');
    await workbench.screenshot('merge-preview-clean');
    await quickInput.pick('Merge, Then Remove Worktree');
    await workbench.notification(/Merged pay into main\./);
    await workbench.screenshot('merge-removed');
    await eventually(
      'the worktree is gone',
      () => git('worktree', 'list'),
      (list) => !list.includes('/pay-api '),
    );
    assert.equal(await readFile(join(folder, 'keys.txt'), 'utf8'), 'pay\n');
    assert.match(await git('log', '-1', '--format=%s'), /Merge wt\/pay/);
  });
});
