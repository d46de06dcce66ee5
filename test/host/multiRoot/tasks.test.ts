import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import type { TaskNode, TaskRow } from '../../../src/extension/views/taskNodes.ts';
import { extensionUnderTest, folderOfWindow, git, untilEvent } from '../../support/hostWindow.ts';

const session = `# Session

## Pending Tasks

- [ ] **Fix login** — \`/design login\` | sonnet
- [!] **Write docs**
- [ ] **Sort the shelves**
- [x] **Open the shop** — in spring

## Worktree Tasks

- [ ] **Build search** → \`wt/search-index\`
- [ ] **Old one** → \`wt/old-one\`
`;

// Each test goes on where the one before it ended.
describe('the Tasks view', () => {
  let handle: TestHandle;
  let orchard: string;
  let brewery: string;

  before(async () => {
    handle = await extensionUnderTest();
    [orchard, brewery] = [folderOfWindow(0), folderOfWindow(1)];
    await handle.tasks.boards.read();
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const fileOf = (folder: string): string => join(folder, 'agents/session.md');
  const write = async (folder: string, text: string): Promise<void> => {
    await mkdir(dirname(fileOf(folder)), { recursive: true });
    await writeFile(fileOf(folder), text);
  };
  const run = <T>(command: string, ...args: unknown[]): Thenable<T> =>
    vscode.commands.executeCommand<T>(`worktreeStacks.${command}`, ...args);
  /** Label and description of each row, deeper ones further to the right. */
  const rows = (node?: TaskNode, indent = ''): string[] =>
    handle.tasks.getChildren(node).flatMap((each) => {
      const { label, description } = handle.tasks.getTreeItem(each);
      const isText = (word: unknown): word is string => typeof word === 'string' && word !== '';
      const words = [label, description].filter(isText).join(': ');
      return [indent + words, ...rows(each, `${indent}  `)];
    });
  const until = (what: string, accept: (seen: string[]) => boolean): Promise<string[]> =>
    untilEvent(handle.tasks.boards.onDidChange, what, () => rows(), accept);
  const allTasks = (node?: TaskNode): TaskRow[] =>
    handle.tasks.getChildren(node).flatMap((each) => (each.kind === 'task' ? [each] : allTasks(each)));
  const row = (name: string): TaskRow => {
    const found = allTasks().find(({ task }) => task.name === name);
    assert.ok(found, `no row ${name}: ${rows().join('\n')}`);
    return found;
  };

  it('welcomes where there is no session file, and begins one that is made by saving it', async () => {
    assert.deepEqual(rows(), []);
    assert.equal(handle.keys.get('worktreeStacks.tasks'), 'noFile');
    await run('openSessionFile', { repository: 'orchard' });
    const { document } = vscode.window.activeTextEditor ?? {};
    assert.equal(document?.isUntitled, true);
    assert.match(document?.getText() ?? '', /^## Pending Tasks$/m);
    assert.equal(document?.languageId, 'markdown');
    await assert.rejects(readFile(fileOf(orchard)), { code: 'ENOENT' });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('welcomes where the file has no task', async () => {
    await write(orchard, '## Pending Tasks\n');
    await untilEvent(
      handle.tasks.boards.onDidChange,
      'the empty file is seen',
      () => handle.keys.get('worktreeStacks.tasks'),
      (key) => key === 'noTasks',
    );
  });

  it('shows the tasks as soon as they are written, in their lists', async () => {
    await write(orchard, session);
    const seen = await until('the tasks appear', (all) => all.length > 0);
    assert.deepEqual(seen, [
      'orchard',
      '  Pending: 3',
      '    Fix login: /design login | sonnet',
      '    Write docs',
      '    Sort the shelves',
      '  In worktrees: 2',
      '    Build search: → search-index',
      '    Old one: worktree old-one is gone',
      '  Done: 1',
      '    Open the shop: in spring',
    ]);
  });

  it('reads each row aloud, shows its state by its icon, and says what can be done with it', () => {
    const looks = allTasks().map((each) => {
      const { accessibilityInformation, iconPath, contextValue } = handle.tasks.getTreeItem(each);
      return [accessibilityInformation?.label, (iconPath as vscode.ThemeIcon).id, contextValue];
    });
    assert.deepEqual(looks, [
      ['Fix login, open, /design login | sonnet', 'circle-outline', 'task;pending;startable'],
      ['Write docs, blocked', 'stop', 'task;pending;startable'],
      ['Sort the shelves, open', 'circle-outline', 'task;pending;startable'],
      ['Build search, → search-index', 'git-branch', 'task;inWorktrees;there'],
      ['Old one, worktree old-one is gone', 'warning', 'task;inWorktrees;startable'],
      ['Open the shop, done, in spring', 'pass', 'task;done'],
    ]);
  });

  it('opens the line of a task', async () => {
    const { command } = handle.tasks.getTreeItem(row('Write docs'));
    assert.ok(command);
    await vscode.commands.executeCommand(command.command, ...(command.arguments as unknown[]));
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.fsPath, fileOf(orchard));
    assert.equal(editor.selection.active.line, 5);
  });

  it('starts a task in a worktree', async () => {
    const paths = await run<string[]>('startTask', {
      task: 'fix login',
      repository: 'orchard',
      base: 'main',
      then: 'stay',
    });
    assert.deepEqual(paths, [join(orchard, '.worktrees/fix-login')]);
    const focused = await readFile(join(paths[0] ?? '', 'agents/session.md'), 'utf8');
    assert.match(focused, /^# Session: Worktree — Fix login\n/);
    const seen = await until('the task has moved', (all) => all.some((each) => each.includes('Fix login: →')));
    assert.ok(seen.includes('    Fix login: → fix-login'), seen.join('\n'));
  });

  it('starts several that are selected, and passes over those that cannot be', async () => {
    const chosen = ['Write docs', 'Sort the shelves', 'Open the shop', 'Fix login'].map(row);
    const started = run<string[]>('startTask', chosen[0], chosen);
    // The base is asked for once.
    const paths = await acceptUntilDone(started);
    assert.deepEqual(
      paths,
      ['write-docs', 'sort-the-shelves'].map((slug) => join(orchard, '.worktrees', slug)),
    );
    const text = await readFile(fileOf(orchard), 'utf8');
    assert.match(text, /## Pending Tasks\n\n- \[x\] \*\*Open the shop/);
    assert.match(text, /\[!\] \*\*Write docs\*\* → `wt\/write-docs`/);
  });

  /** The question appears a moment after the command was given, and says so to nobody. */
  async function acceptUntilDone<T>(started: Thenable<T>): Promise<T> {
    let done = false;
    const ended = Promise.resolve(started).finally(() => (done = true));
    const accept = async (): Promise<void> => {
      if (done) return;
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 100))]);
      return accept();
    };
    await accept();
    return ended;
  }

  it('makes what it can of several, and tells of the rest', async () => {
    await write(orchard, '## Pending Tasks\n\n- [ ] **One**\n- [ ] **Two**\n');
    await until('the new tasks appear', (all) => all.some((each) => each.includes('Two')));
    const paths = await run<unknown>('startTask', { task: ['One', 'Nobody'], repository: 'orchard', base: 'main' });
    // The wrapper has told of the one that failed.
    assert.equal(paths, undefined);
    assert.equal(await git(join(orchard, '.worktrees/one'), 'branch', '--show-current'), 'one');
  });

  it('follows a cleanup: the task is pending again', async () => {
    await run('cleanup', { worktree: 'one', repository: 'orchard', ask: false });
    const seen = await until('the task is back', (all) => all.includes('    One'));
    assert.deepEqual(seen, ['orchard', '  Pending: 2', '    Two', '    One']);
  });

  it('keeps the rows of a file that cannot be read any more, and names the line', async () => {
    await write(orchard, '## Pending Tasks\n\n- [ ] **One**\n\n```\n');
    await untilEvent(
      handle.tasks.boards.onDidChange,
      'the line is named',
      () => handle.tasks.tree.message ?? '',
      (message) => /agents\/session\.md cannot be read: line 5/.test(message),
    );
    assert.deepEqual(rows(), ['orchard', '  Pending: 2', '    Two', '    One']);
    await run('openSessionFile', { repository: 'orchard' });
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 4);
  });

  it('shows the tasks of each repository below its name', async () => {
    await write(orchard, '## Pending Tasks\n\n- [ ] **One**\n');
    await write(brewery, '## Tasks\n\n- [ ] **Brew**\n');
    const seen = await until('both are shown', (all) => all.includes('    Brew') && all.includes('    One'));
    assert.deepEqual(seen, ['orchard', '  Pending: 1', '    One', 'brewery', '  Pending: 1', '    Brew']);
    assert.equal(handle.tasks.tree.message ?? '', '');
    await rm(fileOf(brewery));
    await until('brewery is gone', (all) => !all.includes('brewery'));
  });
});
