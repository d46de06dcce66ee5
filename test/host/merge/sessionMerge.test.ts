import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { mergeSessionText } from '../../../src/core/session/mergeText.ts';
import type { Choice } from '../../../src/core/session/model.ts';
import type { SessionMergeDocument } from '../../../src/extension/sessionMerge/document.ts';
import { frameOf } from '../../../src/extension/sessionMerge/pageState.ts';
import type { TestHandle } from '../../../src/extension/testHandle.ts';
import { usualSides } from '../../support/sessionConflict.ts';
import { extensionUnderTest, folderOfWindow, git, untilEvent } from '../../support/hostWindow.ts';

const viewType = 'worktreeStacks.sessionMerge';
const path = 'agents/session.md';

/** What the rules and some choices give. */
const merged = (choices: Record<string, Choice> = {}, file = path): string =>
  mergeSessionText({
    kind: file === path ? 'session' : 'learnings',
    base: usualSides.base[file],
    ours: usualSides.ours[file] ?? '',
    theirs: usualSides.theirs[file] ?? '',
    slug: 'feat-auth',
    choices: new Map(Object.entries(choices)),
  }).text;

const renaming = 'task:0:rename config keys';

describe('the session merge editor', () => {
  let handle: TestHandle;
  let folder: string;
  const uriOf = (file = path): vscode.Uri => vscode.Uri.file(join(folder, file));
  const textOf = (file = path): Promise<string> => readFile(join(folder, file), 'utf8');

  before(async () => {
    handle = await extensionUnderTest();
    folder = folderOfWindow();
  });
  beforeEach(async () => {
    await assert.rejects(git(folder, 'merge', 'feat-auth'));
  });
  afterEach(async () => {
    for (const document of [
      handle.sessionMerge.find(uriOf()),
      handle.sessionMerge.find(uriOf('agents/learnings.md')),
    ]) {
      if (!document) continue;
      await vscode.commands.executeCommand('vscode.openWith', document.uri, viewType);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await git(folder, 'reset', '--quiet', '--hard');
    for (const file of [path, 'agents/learnings.md']) {
      await handle.sessionMerge.savedChoices.keep(uriOf(file), undefined);
      await handle.sessionMerge.savedChoices.setText(uriOf(file), undefined);
    }
    await handle.repositories.refresh();
  });

  /** What the tabs of the window show: a file and the kind of its editor. */
  const tabs = (): string[] =>
    vscode.window.tabGroups.all.flatMap((group) =>
      group.tabs.map(({ input, isDirty }) => {
        const mark = isDirty ? '*' : '';
        if (input instanceof vscode.TabInputCustom) return `merge ${input.uri.path.split('/').at(-1) ?? ''}${mark}`;
        if (input instanceof vscode.TabInputText) return `text ${input.uri.path.split('/').at(-1) ?? ''}${mark}`;
        return 'other';
      }),
    );
  const untilTabs = (what: string, wanted: readonly string[]): Promise<string[]> =>
    untilEvent(vscode.window.tabGroups.onDidChangeTabs, what, tabs, (seen) => seen.join() === wanted.join());

  const open = async (file = path): Promise<SessionMergeDocument> => {
    await vscode.commands.executeCommand('worktreeStacks.openSessionMerge', uriOf(file));
    const document = handle.sessionMerge.find(uriOf(file));
    assert.ok(document, `the editor did not open; there are ${tabs().join(', ')}`);
    return document;
  };
  const choose = (document: SessionMergeDocument, id: string, choice: Choice): void => {
    const entry = document.outcome?.entries.find((each) => each.id === id);
    assert.ok(entry, `no entry ${id} among ${document.outcome?.entries.map((each) => each.id).join(', ') ?? 'none'}`);
    document.choose(entry, choice, `${id}: ${choice}`);
  };
  const choices = (document: SessionMergeDocument): Record<string, Choice> => Object.fromEntries(document.choices);
  const untilMode = (document: SessionMergeDocument, mode: string): Promise<string> =>
    untilEvent(
      document.onDidChange,
      `the mode is ${mode}`,
      () => document.mode,
      (seen) => seen === mode,
    );

  it('opens by itself in the place of a text editor that shows a session file in conflict', async () => {
    await vscode.window.showTextDocument(uriOf());
    await untilTabs('the editor is there', ['merge session.md']);
  });

  it('opens by itself when the file that is open comes into conflict', async () => {
    await git(folder, 'merge', '--abort');
    await handle.repositories.refresh();
    await vscode.window.showTextDocument(uriOf());
    assert.deepEqual(tabs(), ['text session.md']);
    await assert.rejects(git(folder, 'merge', 'feat-auth'));
    await untilTabs('the editor is there', ['merge session.md']);
  });

  it('leaves other files in conflict, and session files without one, to their editors', async () => {
    await git(folder, 'checkout', '--ours', '--', 'agents/learnings.md');
    await git(folder, 'add', 'agents/learnings.md');
    await handle.repositories.refresh();
    await vscode.window.showTextDocument(uriOf('src/cart.js'), { preview: false });
    await vscode.window.showTextDocument(uriOf('agents/learnings.md'), { preview: false });
    // The one that does open shows that the others had their turn.
    await vscode.window.showTextDocument(uriOf(), { preview: false });
    await untilTabs('only the session file', ['text cart.js', 'text learnings.md', 'merge session.md']);
  });

  it('does not open by itself where the setting says so', async () => {
    const configuration = vscode.workspace.getConfiguration('worktreeStacks.sessionMerge');
    await configuration.update('openByItself', false, vscode.ConfigurationTarget.Global);
    try {
      await handle.repositories.refresh();
      await vscode.window.showTextDocument(uriOf());
      await open('agents/learnings.md');
      assert.deepEqual(
        tabs().filter((tab) => tab.endsWith('session.md')),
        ['text session.md'],
      );
    } finally {
      await configuration.update('openByItself', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('shows what the rules decide, and leaves the file alone', async () => {
    const before = await textOf();
    const document = await open();
    assert.equal(document.mode, 'rules');
    assert.equal(document.result, merged());
    assert.deepEqual(document.conflict?.sides.ours, 'main');
    assert.deepEqual(document.conflict?.sides.theirs, 'feat-auth');
    assert.equal(await textOf(), before);
    assert.deepEqual(tabs(), ['merge session.md']);
  });

  for (const style of ['diff3', 'zdiff3']) {
    it(`shows the same for markers in the style ${style}`, async () => {
      await git(folder, 'merge', '--abort');
      await assert.rejects(git(folder, '-c', `merge.conflictStyle=${style}`, 'merge', 'feat-auth'));
      const document = await open();
      assert.deepEqual([document.mode, document.result], ['rules', merged()]);
    });
  }

  it('takes, in a rebase, the branch that is replayed as ours', async () => {
    const worktree = join(folder, '.worktrees/feat-auth');
    await assert.rejects(git(worktree, 'rebase', 'main'));
    try {
      const file = '.worktrees/feat-auth/agents/session.md';
      const document = await open(file);
      const { ours, theirs, operation } = document.conflict?.sides ?? {};
      assert.deepEqual([operation, ours, theirs], ['rebase', 'feat-auth', 'main']);
      const wanted = mergeSessionText({
        kind: 'session',
        base: usualSides.base[path],
        ours: usualSides.theirs[path] ?? '',
        theirs: usualSides.ours[path] ?? '',
      });
      assert.deepEqual([document.mode, document.result], ['rules', wanted.text]);
      await vscode.commands.executeCommand('worktreeStacks.acceptMerge', { ask: false });
      assert.equal(await textOf(file), wanted.text);
    } finally {
      await git(worktree, 'rebase', '--abort');
    }
  });

  it('shows what takes a person in a rebase, and counts what is left behind in a merge apart', async () => {
    await git(folder, 'merge', '--abort');
    const main = await git(folder, 'rev-parse', 'HEAD');
    const [file, worktree] = ['.worktrees/gate/agents/session.md', join(folder, '.worktrees/gate')];
    const notes = async (blocker: string, next: string): Promise<string> =>
      `${(await textOf()).split('## Next Steps')[0] ?? ''}## Blockers\n\n- ${blocker}\n\n## Next Steps\n\n- ${next}\n`;
    const commit = async (cwd: string, text: string): Promise<void> => {
      await writeFile(join(cwd, path), text);
      await git(cwd, 'commit', '--quiet', '--all', '-m', 'Notes');
    };
    const before = await textOf();
    const [base, ours, theirs] = [
      await notes('The gate is closed', 'ask'),
      await notes('The gate is closed, ask Ann', 'ask'),
      await notes('The gate is closed until Monday', 'ask Bob'),
    ];
    try {
      await commit(folder, base);
      await git(folder, 'worktree', 'add', '--quiet', '-b', 'gate', worktree);
      await commit(folder, ours);
      await commit(worktree, theirs);
      await assert.rejects(git(worktree, 'rebase', 'main'));
      await handle.repositories.refresh();
      const document = await open(file);
      assert.equal(frameOf(document).toReview, 'To review 1');
      const [entry] = document.outcome?.entries.filter(({ needsLook }) => needsLook) ?? [];
      assert.deepEqual([entry?.reason, entry?.ours], ['bothChangedHere', '- The gate is closed until Monday']);
      choose(document, entry?.id ?? '', 'ours');
      await vscode.commands.executeCommand('worktreeStacks.acceptMerge', { ask: false });
      assert.equal(await textOf(file), theirs);
      await git(worktree, 'rebase', '--abort');
      await commit(worktree, theirs.replace('- ask Bob', '- ask Bob\n- call Eve'));
      await assert.rejects(git(folder, 'merge', 'gate'));
      const merging = await open();
      const { all, toReview, groups } = frameOf(merging);
      assert.deepEqual([all, toReview], ['All 3', 'To review 1']);
      assert.deepEqual(
        groups.map(({ what, why }) => [what, why]),
        [['2 entries left behind', 'this part stays as in main']],
      );
      assert.ok(merging.outcome?.text.includes('- ask\n'));
    } finally {
      await git(folder, 'reset', '--quiet', '--hard', main);
      await git(folder, 'worktree', 'remove', '--force', worktree);
      await git(folder, 'branch', '-D', 'gate');
    }
    assert.equal(await textOf(), before);
  });

  it('leaves a revert to the person, because the rules would keep what it takes out', async () => {
    await git(folder, 'merge', '--abort');
    await git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'Stay');
    const text = (await textOf()).replace('Order new labels', 'Order old labels');
    await writeFile(join(folder, path), text);
    await git(folder, 'commit', '--quiet', '-am', 'Rename labels');
    await writeFile(join(folder, path), text.replace('Order old labels', 'Order no labels'));
    await git(folder, 'commit', '--quiet', '-am', 'Rename labels again');
    await assert.rejects(git(folder, 'revert', '--no-edit', 'HEAD~1'));
    const document = await open();
    assert.deepEqual([document.outcome?.known, document.result], [false, undefined]);
    await git(folder, 'revert', '--abort');
    await git(folder, 'reset', '--quiet', '--hard', 'HEAD~3');
  });

  it('writes and stages exactly what the rules give, says what is left, and closes', async () => {
    await open();
    await vscode.commands.executeCommand('worktreeStacks.acceptMerge', { ask: false });
    assert.equal(await textOf(), merged());
    assert.equal(`${await git(folder, 'show', `:0:${path}`)}\n`, merged());
    assert.equal(await git(folder, 'diff', '--name-only', '--diff-filter=U'), 'agents/learnings.md\nsrc/cart.js');
    await untilTabs('the editor is closed', []);
  });

  it('merges learnings by their own rules', async () => {
    await open('agents/learnings.md');
    await vscode.commands.executeCommand('worktreeStacks.acceptMerge', { ask: false });
    assert.equal(await textOf('agents/learnings.md'), merged({}, 'agents/learnings.md'));
  });

  it('takes choices, makes them undone and done again, and accepts them', async () => {
    const document = await open();
    choose(document, renaming, 'theirs');
    assert.equal(document.result, merged({ [renaming]: 'theirs' }));
    await untilTabs('it is dirty', ['merge session.md*']);
    await vscode.commands.executeCommand('undo');
    assert.deepEqual(choices(document), {});
    await untilTabs('it is clean again', ['merge session.md']);
    await vscode.commands.executeCommand('redo');
    assert.deepEqual(choices(document), { [renaming]: 'theirs' });
    await vscode.commands.executeCommand('worktreeStacks.acceptMerge', { ask: false });
    assert.equal(await textOf(), merged({ [renaming]: 'theirs' }));
    await untilTabs('the editor is closed without a question', []);
  });

  it('is saved without being staged, and opened again with its choices', async () => {
    choose(await open(), renaming, 'ours');
    await vscode.commands.executeCommand('workbench.action.files.save');
    assert.equal(await textOf(), merged({ [renaming]: 'ours' }));
    assert.match(await git(folder, 'status', '--porcelain', path), /^UU/);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    const again = await open();
    assert.deepEqual([again.mode, choices(again)], ['rules', { [renaming]: 'ours' }]);
  });

  it('opens as text with the result of its choices, stays text, and has them when it comes back', async () => {
    choose(await open(), renaming, 'neither');
    await vscode.commands.executeCommand('worktreeStacks.openMergeAsText');
    await untilTabs('it is text', ['text session.md']);
    await untilEvent(
      vscode.workspace.onDidChangeTextDocument,
      'the text is the result',
      () => vscode.window.activeTextEditor?.document.getText(),
      (text) => text === merged({ [renaming]: 'neither' }),
    );
    await handle.repositories.refresh();
    assert.deepEqual(tabs(), ['text session.md']);
    assert.deepEqual(choices(await open()), { [renaming]: 'neither' });
    await untilTabs('it is the merge editor again', ['merge session.md']);
  });

  it('counts down as entries are reviewed or edited, undoes each, and keeps an edit through text and back', async () => {
    const document = await open();
    const entry = document.outcome?.entries.find(({ id }) => id === renaming);
    assert.ok(entry);
    const undo = (): Thenable<unknown> => vscode.commands.executeCommand('undo');
    const untilOpen = (wanted: number): Promise<string> =>
      untilEvent(
        document.onDidChange,
        `${wanted} are to be reviewed`,
        () => frameOf(document).toReview,
        (seen) => seen === `To review ${wanted}`,
      );
    document.review(entry, true, 'Reviewed');
    assert.deepEqual([frameOf(document).toReview, document.result], ['To review 0', merged()]);
    await undo();
    await untilOpen(1);
    const line = '- [x] **Rename config keys** — mine';
    document.edit(entry, `${line}\n`, 'Edited');
    const edited = merged().replace(entry.result ?? '', line);
    assert.deepEqual([frameOf(document).toReview, document.result], ['To review 0', edited]);
    // What is written as it was is no edit, and reviewed all the same.
    document.edit(entry, entry.result ?? '', 'Edited');
    assert.deepEqual([document.edits.size, frameOf(document).toReview, document.result], [0, 'To review 0', merged()]);
    await undo();
    await untilEvent(
      document.onDidChange,
      'the edit is back',
      () => document.result,
      (seen) => seen === edited,
    );
    await vscode.commands.executeCommand('worktreeStacks.openMergeAsText');
    await untilTabs('it is text', ['text session.md']);
    assert.equal(await textOf(), edited);
    const again = await open();
    assert.deepEqual([again.mode, again.result, [...again.edits]], ['rules', edited, [[renaming, `${line}\n`]]]);
    choose(again, renaming, 'ours');
    assert.deepEqual([again.edits.size, again.result], [0, merged({ [renaming]: 'ours' })]);
    again.review(entry, false, 'Review again');
    assert.deepEqual([frameOf(again).toReview, again.result], ['To review 1', merged()]);
  });

  it('asks what is to become of a text that was edited by hand, and takes it as it is', async () => {
    await writeFile(join(folder, path), '# By hand\n');
    const document = await open();
    assert.deepEqual([document.mode, document.result], ['undecided', undefined]);
    await vscode.commands.executeCommand('worktreeStacks.acceptMerge', { ask: false });
    assert.match(await git(folder, 'status', '--porcelain', path), /^UU/);
    document.decide('file');
    await vscode.commands.executeCommand('worktreeStacks.acceptMerge', { ask: false });
    assert.equal(await git(folder, 'show', `:0:${path}`), '# By hand');
  });

  it('keeps a text that was edited by hand when the person starts from the rules', async () => {
    await writeFile(join(folder, path), '# By hand\n');
    const document = await open();
    document.decide('rules');
    await vscode.commands.executeCommand('worktreeStacks.acceptMerge', { ask: false });
    assert.equal(await textOf(), merged());
    const [ref] = (await git(folder, 'for-each-ref', '--format=%(refname)', 'refs/wt-backup')).split('\n');
    assert.equal(await git(folder, 'cat-file', 'blob', ref ?? ''), '# By hand');
  });

  it('never stages a file with conflict markers in it', async () => {
    await writeFile(join(folder, path), `${await textOf()}- by hand\n`);
    const document = await open();
    document.decide('file');
    await vscode.commands.executeCommand('worktreeStacks.acceptMerge', { ask: false });
    assert.match(await git(folder, 'status', '--porcelain', path), /^UU/);
    document.decide('rules');
  });

  it('notices that the file is changed under it, and loses neither that nor the choices', async () => {
    const document = await open();
    choose(document, renaming, 'theirs');
    await writeFile(join(folder, path), '# Meanwhile\n');
    await untilMode(document, 'undecided');
    assert.deepEqual(choices(document), { [renaming]: 'theirs' });
    assert.equal(await textOf(), '# Meanwhile\n');
    document.decide('rules');
    assert.equal(document.result, merged({ [renaming]: 'theirs' }));
  });

  it('notices that the conflict was resolved elsewhere', async () => {
    const document = await open();
    await writeFile(join(folder, path), '# Elsewhere\n');
    await git(folder, 'add', path);
    await untilEvent(document.onDidChange, 'it is no conflict', () => document.conflict === undefined, Boolean);
    await vscode.commands.executeCommand('worktreeStacks.acceptMerge', { ask: false });
    assert.equal(await textOf(), '# Elsewhere\n');
  });

  it('writes a file again that was deleted', async () => {
    const document = await open();
    await rm(join(folder, path));
    await untilEvent(
      document.onDidChange,
      'it is known',
      () => document.conflict?.looked.text,
      (text) => text === undefined,
    );
    await vscode.commands.executeCommand('worktreeStacks.acceptMerge', { ask: false });
    assert.equal(await textOf(), merged());
  });

  it('does not write over unsaved changes of a text editor', async () => {
    const document = await open();
    const text = await vscode.workspace.openTextDocument(uriOf());
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uriOf(), new vscode.Position(0, 0), 'typed');
    await vscode.workspace.applyEdit(edit);
    assert.equal(text.isDirty, true);
    await vscode.commands.executeCommand('worktreeStacks.acceptMerge', { resourceUri: uriOf(), ask: false });
    assert.match(await git(folder, 'status', '--porcelain', path), /^UU/);
    assert.equal(document.mode, 'rules');
    await vscode.window.showTextDocument(text);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('keeps what was not saved for a window that is closed and opened again', async () => {
    const document = await open();
    choose(document, renaming, 'both');
    const destination = vscode.Uri.joinPath(handle.context.globalStorageUri, 'backup-of-a-test');
    const backup = await handle.sessionMerge.backupCustomDocument(document, { destination });
    const again = await handle.sessionMerge.openCustomDocument(uriOf(), {
      backupId: backup.id,
      untitledDocumentData: undefined,
    });
    assert.deepEqual(choices(again), { [renaming]: 'both' });
    assert.equal(again.result, merged({ [renaming]: 'both' }));
    again.dispose();
    backup.delete();
  });

  it('opens from a row of the Worktrees view, and other files in the merge editor of VS Code', async () => {
    await handle.repositories.refresh();
    const [main] = await handle.view.getChildren();
    assert.ok(main);
    const rows = await handle.view.getChildren(main);
    const rowOf = (name: string) => rows.find((row) => row.kind === 'conflict' && row.file.path === name);
    await vscode.commands.executeCommand('worktreeStacks.openConflict', rowOf(path));
    await untilTabs('the session file', ['merge session.md']);
    await vscode.commands.executeCommand('worktreeStacks.openConflict', rowOf('src/cart.js'));
    await untilTabs('the code', ['merge session.md', 'other']);
    // It begins with a result of its own, and would ask whether to save that.
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
