import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { appears } from '../../support/appears.ts';
import {
  extensionUnderTest,
  folderOfWindow,
  git,
  rowsOf,
  until,
  untilEvent,
  untilRows,
  worktreeNode,
} from '../../support/hostWindow.ts';

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

describe('the commands', () => {
  let handle: TestHandle;
  let folder: string;

  before(async () => {
    handle = await extensionUnderTest();
    folder = folderOfWindow();
    // These make stacks, which would be shown as such.
    await vscode.commands.executeCommand('worktreeStacks.viewAsList');
  });

  const run = <T>(command: string, ...args: unknown[]): Thenable<T> =>
    vscode.commands.executeCommand<T>(`worktreeStacks.${command}`, ...args);
  const labels = async (): Promise<string[]> => (await rowsOf(handle)).map((row) => row.label);
  const stateFile = (): string => join(folder, '.claude/dev-worktree.local.md');

  it('are all in the manifest, and those of the manifest are all there', async () => {
    const { contributes } = vscode.extensions.getExtension('worktree-stacks.worktree-stacks')?.packageJSON as {
      contributes: { commands: { command: string }[] };
    };
    // The view brings commands of its own along, all below its id.
    const registered = (await vscode.commands.getCommands(true)).filter((id) =>
      /^worktreeStacks\.(?!(worktrees|tasks)\b)/.test(id),
    );
    assert.deepEqual(registered.sort(), contributes.commands.map(({ command }) => command).sort());
  });

  it('set the context keys that menus ask for', () => {
    assert.equal(handle.keys.get('worktreeStacks.state'), 'ready');
    assert.equal(handle.keys.get('worktreeStacks.hasWorktrees'), true);
    assert.equal(handle.keys.get('worktreeStacks.hasActive'), false);
  });

  it('make a worktree without a question when everything is given', async () => {
    const path = await run<string>('create', { name: 'quince', base: 'main', then: 'stay', task: 'Bake it' });
    assert.equal(path, join(folder, '.worktrees/quince'));
    assert.equal(await git(path, 'branch', '--show-current'), 'quince');
    const row = (await rowsOf(handle)).find((each) => each.label === 'quince');
    assert.equal(row?.icon, 'circle-large-outline');
    const registry = JSON.parse(await readFile(join(folder, '.worktrees/stack.json'), 'utf8')) as {
      worktrees: Record<string, { base: string; task: string; createdBy: string }>;
    };
    assert.deepEqual(
      [registry.worktrees['quince']?.base, registry.worktrees['quince']?.task, registry.worktrees['quince']?.createdBy],
      ['main', 'Bake it', 'vscode'],
    );
  });

  it('make the new worktree the active one, which is no news where no plugin leads Claude there', async () => {
    assert.match(await readFile(stateFile(), 'utf8'), /^active_worktree: .*\.worktrees\/quince$/m);
    assert.equal(handle.keys.get('worktreeStacks.hasActive'), true);
    assert.equal(handle.statusBar.text, '');
    const spoken = (await rowsOf(handle)).find((each) => each.label === 'quince')?.spoken;
    assert.equal(spoken, 'quince, up to date with main');
  });

  it('leave the repository clean for git', async () => {
    assert.equal(await git(folder, 'status', '--porcelain'), '');
  });

  it('refuse a name that is taken with a message, and change nothing', async () => {
    const before = await labels();
    assert.equal(await run('create', { name: 'quince', base: 'main', then: 'stay' }), undefined);
    assert.deepEqual(await labels(), before);
  });

  it('switch the active worktree, by name, by path and on a row', async () => {
    const active = (): string | undefined =>
      handle.repositories.models[0]?.state?.worktrees.find((each) => each.active)?.name;
    await run('switchActive', 'payment-form');
    assert.equal(active(), 'payment-form');
    await run('switchActive', vscode.Uri.file(join(folder, '.worktrees/quince')));
    assert.equal(active(), 'quince');
    await run('switchActive', await worktreeNode(handle, 'main'));
    assert.equal(active(), 'main');
  });

  it('clear the active worktree', async () => {
    await run('clearActive');
    assert.equal(await exists(stateFile()), false);
    assert.equal(handle.keys.get('worktreeStacks.hasActive'), false);
  });

  it('notice a state file that a terminal wrote', async () => {
    // What is made and deleted before its watcher has told of it never was, for VS Code.
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '.claude/*.md'));
    const made = new Promise((resolve) => watcher.onDidCreate(resolve));
    await writeFile(
      stateFile(),
      `---\nactive_worktree: ${join(folder, '.worktrees/quince')}\nbranch: quince\ncreated: 2026-01-01\n---\n`,
    );
    await until(
      handle,
      'it is known',
      () => handle.keys.get('worktreeStacks.hasActive'),
      (hasActive) => hasActive === true,
    );
    await made;
    watcher.dispose();
    await rm(stateFile());
    await until(
      handle,
      'it is forgotten',
      () => handle.keys.get('worktreeStacks.hasActive'),
      (hasActive) => hasActive === false,
    );
  });

  it('open a changed file against the base', async () => {
    const [change] = await handle.view.getChildren(await worktreeNode(handle, 'search-index'));
    await run('openChange', change);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal(input.modified.fsPath, join(folder, '.worktrees/search-index/src/search.js'));
    const base = await vscode.workspace.openTextDocument(input.original);
    assert.equal(base.getText(), `${await git(folder, 'show', 'main:src/search.js')}\n`);
    assert.equal(base.languageId, 'javascript');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('read the base of a file that is no text, byte for byte', async () => {
    const base = await run<string>('create', { name: 'pictures', base: 'main', then: 'stay' });
    await writeFile(join(base, 'dot.bin'), Buffer.from([0xff, 0x00, 0xfe, 0x0a]));
    await git(base, 'add', '.');
    await git(base, 'commit', '--quiet', '-m', 'Add a picture');
    const path = await run<string>('create', { name: 'frames', base: 'pictures', then: 'stay' });
    await writeFile(join(path, 'dot.bin'), Buffer.from([0x00]));
    await untilRows(handle, 'the edit is counted', (rows) =>
      rows.some((row) => row.label === 'frames' && row.description === '1 changed'),
    );
    const [change] = await handle.view.getChildren(await worktreeNode(handle, 'frames'));
    await run('openChange', change);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.deepEqual([...(await vscode.workspace.fs.readFile(input.original))], [0xff, 0x00, 0xfe, 0x0a]);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const name of ['frames', 'pictures']) await run('cleanup', { worktree: name, ask: false, force: true });
  });

  it('compare a new file with nothing', async () => {
    const changes = await handle.view.getChildren(await worktreeNode(handle, 'search-index'));
    await run(
      'openChange',
      changes.find((node) => node.kind === 'change' && node.change.path.endsWith('searchIndex.js')),
    );
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal((await vscode.workspace.openTextDocument(input.original)).getText(), '');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('compare all of a worktree in one editor', async () => {
    await run('diff', 'search-index');
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    assert.match(tab?.label ?? '', /^search-index against main/);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('open only what is not committed as the changes of a worktree', async () => {
    // The number of files comes a moment after the editor.
    const opens = (label: string): Promise<unknown> =>
      untilEvent(
        vscode.window.tabGroups.onDidChangeTabs,
        label,
        () => vscode.window.tabGroups.activeTabGroup.activeTab?.label,
        (seen) => seen === label,
      );
    const path = join(folder, '.worktrees/sloe');
    await run('create', { name: 'sloe', base: 'main', then: 'stay' });
    try {
      await writeFile(join(path, 'committed.md'), '# Sloe\n');
      await git(path, 'add', '.');
      await git(path, 'commit', '--quiet', '-m', 'Add a sloe');
      await writeFile(join(path, 'uncommitted.md'), '# Gin\n');
      await handle.repositories.refresh();
      const node = await worktreeNode(handle, 'sloe');
      await run('openChanges', node);
      await opens('Uncommitted changes in sloe (1 file)');
      await run('diff', node);
      await opens('sloe against main (2 files)');
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await run('cleanup', { worktree: 'sloe', ask: false, force: true });
    }
  });

  it('open a terminal in a worktree, called like it', async () => {
    await run('openInTerminal', 'quince');
    const [terminal] = await untilEvent(
      vscode.window.onDidOpenTerminal,
      'a terminal is open',
      () => vscode.window.terminals.filter((each) => each.name === 'quince'),
      (found) => found.length > 0,
    );
    const { cwd } = terminal?.creationOptions as vscode.TerminalOptions;
    assert.equal(typeof cwd === 'string' ? cwd : cwd?.fsPath, join(folder, '.worktrees/quince'));
    terminal?.dispose();
  });

  it('give a terminal the variables of its worktree, and ports, which the tooltip names with the address', async () => {
    const file = join(folder, '.worktrees.yml');
    await writeFile(
      file,
      'ports: { range: 28000-28999 }\nurls: { app: "http://localhost:{port}/{branch}" }\ncompose: {}\n',
    );
    const [model] = handle.repositories.models;
    // Those of tests before it may not be closed yet.
    const earlier = new Set(vscode.window.terminals);
    try {
      await run('openInTerminal', 'quince');
      const [terminal] = await untilEvent(
        vscode.window.onDidOpenTerminal,
        'a terminal is open',
        () => vscode.window.terminals.filter((each) => each.name === 'quince' && !earlier.has(each)),
        (found) => found.length > 0,
      );
      const { env = {} } = terminal?.creationOptions as vscode.TerminalOptions;
      const port = env['WT_PORT'];
      assert.match(port ?? '', /^28\d{3}$/);
      assert.deepEqual(
        [env['WT_NAME'], env['WT_PATH'], env['WT_TASK']],
        ['quince', join(folder, '.worktrees/quince'), 'Bake it'],
      );
      assert.match(env['COMPOSE_PROJECT_NAME'] ?? '', /-quince$/);
      terminal?.dispose();
      await model?.refresh();
      const node = await worktreeNode(handle, 'quince');
      const { token } = new vscode.CancellationTokenSource();
      const { tooltip } = await handle.view.resolveTreeItem(handle.view.getTreeItem(node), node, token);
      assert.ok(tooltip instanceof vscode.MarkdownString);
      assert.ok(tooltip.value.includes(`(http://localhost:${port}/quince)`), tooltip.value);
      assert.match(handle.view.getTreeItem(node).contextValue ?? '', /;urls(;|$)/);
    } finally {
      await rm(file);
    }
  });

  it('run a command in a terminal in a worktree, and the doctor in the main root', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'wt-run-')), 'where');
    await run('runInWorktree', { worktree: 'quince', command: `pwd > '${file}.new'; mv '${file}.new' '${file}'` });
    await appears(file);
    assert.equal((await readFile(file, 'utf8')).trim(), join(folder, '.worktrees/quince'));
    await run('doctor');
    const [doctor] = await untilEvent(
      vscode.window.onDidOpenTerminal,
      'the terminal of the doctor is open',
      () => vscode.window.terminals.filter((each) => each.name === 'wt doctor'),
      (found) => found.length > 0,
    );
    const { cwd } = doctor?.creationOptions as vscode.TerminalOptions;
    assert.equal(typeof cwd === 'string' ? cwd : cwd?.fsPath, folder);
    for (const each of vscode.window.terminals) each.dispose();
    await rm(dirname(file), { recursive: true });
  });

  it('copy the path of a worktree', async () => {
    await run('copyPath', 'quince');
    assert.equal(await vscode.env.clipboard.readText(), join(folder, '.worktrees/quince'));
  });

  it('lock a worktree with a reason, which its row knows for its menu, and unlock it', async () => {
    const listed = async (): Promise<string> =>
      (await git(folder, 'worktree', 'list', '--porcelain')).split('\n\n').find((each) => each.includes('/quince\n')) ??
      '';
    const isLocked = ({ label, flags }: { readonly label: string; readonly flags: string }): boolean =>
      label === 'quince' && /;locked(;|$)/.test(flags);
    await run('lock', { worktree: 'quince', reason: 'on the usb disk' });
    assert.match(await listed(), /^locked on the usb disk$/m);
    await untilRows(handle, 'the lock', (rows) => rows.some(isLocked));
    await run('unlock', { worktree: 'quince' });
    assert.doesNotMatch(await listed(), /^locked/m);
    await untilRows(handle, 'no lock', (rows) => !rows.some(isLocked));
  });

  it('do not remove a worktree with uncommitted work unless they are told to', async () => {
    await writeFile(join(folder, '.worktrees/quince/recipe.md'), '# Recipe\n');
    await run('cleanup', { worktree: 'quince', ask: false });
    assert.equal(await exists(join(folder, '.worktrees/quince/recipe.md')), true);
  });

  it('keep a backup of what goes when they are told to', async () => {
    const removed = await run<{ backups: { ref: string }[] }[]>('cleanup', {
      worktree: 'quince',
      ask: false,
      force: true,
    });
    assert.equal(await exists(join(folder, '.worktrees/quince')), false);
    const [backup] = removed[0]?.backups ?? [];
    assert.ok(backup, 'no backup was made');
    assert.match(backup.ref, /^refs\/wt-backup\//);
    assert.match(await git(folder, 'ls-tree', '-r', '--name-only', backup.ref), /^recipe\.md$/m);
    assert.equal((await labels()).includes('quince'), false);
  });

  it('bring it back as it was, and remove it again', async () => {
    const done = await run<{ restored?: { name: string }[] }>('undo', { ask: false });
    assert.deepEqual(
      done.restored?.map(({ name }) => name),
      ['quince'],
    );
    assert.equal(await exists(join(folder, '.worktrees/quince/recipe.md')), true);
    assert.equal(await git(join(folder, '.worktrees/quince'), 'status', '--porcelain'), '?? recipe.md');
    await untilRows(handle, 'its row is there again', (rows) => rows.some(({ label }) => label === 'quince'));
    await run('cleanup', { worktree: 'quince', ask: false, force: true });
    assert.equal((await labels()).includes('quince'), false);
  });

  it('remove a worktree and its branch when nothing is lost by it', async () => {
    const path = await run<string>('create', { name: 'pear', base: 'main', then: 'stay' });
    await run('cleanup', { worktree: path, ask: false });
    assert.equal((await labels()).includes('pear'), false);
    assert.equal(await git(folder, 'branch', '--list', 'pear'), '');
  });

  it('keep a worktree whose folder is missing, and drop it when that is asked for', async () => {
    await run('create', { name: 'plum', base: 'main', then: 'stay' });
    await rm(join(folder, '.worktrees/plum'), { recursive: true });
    await untilRows(handle, 'plum is missing', (rows) =>
      rows.some((row) => row.label === 'plum' && row.description.startsWith('folder missing')),
    );
    await run('cleanup', { worktree: 'plum', ask: false });
    assert.ok((await labels()).includes('plum'));
    await run('cleanup', { worktree: 'plum', ask: false, force: true });
    assert.equal((await labels()).includes('plum'), false);
  });

  it('repair a worktree that was moved by hand', async () => {
    const path = await run<string>('create', { name: 'fig', base: 'main', then: 'stay' });
    await rename(path, join(folder, '.worktrees/moved-fig'));
    await run('refresh');
    await untilRows(handle, 'fig is found, and git does not know', (rows) =>
      rows.some((row) => row.label === 'fig' && row.flags.includes(';unlinked')),
    );
    await run('repair', { worktree: 'fig' });
    await untilRows(handle, 'fig is repaired', (rows) =>
      rows.some((row) => row.label === 'fig' && !row.flags.includes(';unlinked')),
    );
    assert.match(await git(folder, 'worktree', 'list'), /moved-fig/);
    await run('cleanup', { worktree: 'fig', ask: false });
  });

  it('put wt on the path of terminals, through a launcher that runs', async () => {
    const extension = vscode.extensions.getExtension('worktree-stacks.worktree-stacks');
    const storage = handle.context.globalStorageUri.fsPath;
    const mutator = await until(
      handle,
      'the path is changed',
      () => handle.context.environmentVariableCollection.get('PATH'),
      (found) => found !== undefined,
    );
    assert.equal(mutator?.value, `${join(storage, 'bin')}${delimiter}`);
    const { stdout } = await promisify(execFile)(join(storage, 'bin/wt'), ['--version'], { cwd: folder });
    assert.equal(stdout.trim(), (extension?.packageJSON as { version: string }).version);
  });

  it('install the engine of the database with the npm that is there, into the storage of the extension', async () => {
    const bin = join(folder, '..', 'npm-path');
    await mkdir(bin, { recursive: true });
    const modules = join(handle.context.extensionPath, 'node_modules');
    const body = `mkdir node_modules && cp -R ${modules}/@duckdb ${modules}/detect-libc node_modules`;
    await writeFile(join(bin, 'npm'), `#!/bin/sh\n[ "$1" = --version ] && exit\n${body}\n`, { mode: 0o755 });
    const before = process.env['PATH'];
    process.env['PATH'] = `${bin}${delimiter}${before}`;
    try {
      assert.equal(await run('installDatabase', { ask: false }), 'installed');
      assert.equal(await run('installDatabase', { ask: false }), 'already');
    } finally {
      process.env['PATH'] = before;
    }
  });

  it('remove all that are merged, and undo brings them back', async () => {
    const before = await git(folder, 'rev-parse', 'main');
    const at = (name: string): string => join(folder, '.worktrees', name);
    for (const name of ['done-1', 'done-2', 'idle']) {
      await git(folder, 'worktree', 'add', '--quiet', '-b', name, at(name));
      if (name !== 'idle') await git(at(name), 'commit', '--quiet', '--allow-empty', '-m', name);
      if (name !== 'idle') await git(folder, 'merge', '--quiet', '--no-edit', name);
    }
    try {
      const removed = await run<{ name: string }[]>('cleanupMerged', { ask: false });
      assert.deepEqual(removed.map(({ name }) => name).sort(), ['done-1', 'done-2']);
      assert.deepEqual(await Promise.all(['done-1', 'done-2', 'idle'].map((name) => exists(at(name)))), [
        false,
        false,
        true,
      ]);
      await run('undo', { ask: false });
      assert.deepEqual(await Promise.all(['done-1', 'done-2'].map((name) => exists(join(at(name), 'README.md')))), [
        true,
        true,
      ]);
    } finally {
      for (const name of ['done-1', 'done-2', 'idle']) {
        await git(folder, 'worktree', 'remove', '--force', at(name));
        await git(folder, 'branch', '-D', name);
      }
      await git(folder, 'reset', '--quiet', '--hard', before);
    }
  });
});
