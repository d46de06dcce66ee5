import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TestHandle } from '../../src/extension/testHandle.ts';
import type { WorktreeNode } from '../../src/extension/views/nodes.ts';
import { git, rowOf } from './hostWindow.ts';

/** The sample stacks in a window, and what a person does with them. */
export class StackWindow {
  readonly #handle: TestHandle;
  /** The main root. */
  readonly folder: string;

  constructor(handle: TestHandle, folder: string) {
    this.#handle = handle;
    this.folder = folder;
  }

  path(name: string): string {
    return name === 'main' ? this.folder : join(this.folder, '.worktrees', name);
  }

  /** What a command is told so that it asks for no worktree and nothing on the network. */
  at(worktree: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
    return { worktree, repository: this.folder, offline: true, ...more };
  }

  /** Runs a command with an argument, and gives what it has done. */
  run<T>(command: string, argument?: unknown): Thenable<T | undefined> {
    return vscode.commands.executeCommand<T | undefined>(`worktreeStacks.${command}`, argument);
  }

  tip(branch: string): Promise<string> {
    return git(this.folder, 'rev-parse', `refs/heads/${branch}`);
  }

  /** The commits of all branches. */
  tips(): Promise<string> {
    return git(this.folder, 'for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads');
  }

  /** The subjects of the commits that a branch has and another has not, oldest first. */
  async subjects(branch: string, without: string): Promise<string[]> {
    const output = await git(this.folder, 'log', '--reverse', '--format=%s', `${without}..${branch}`);
    return output === '' ? [] : output.split('\n');
  }

  /** What the registry says that a worktree stands on. */
  async baseOf(name: string): Promise<string | undefined> {
    const text = await readFile(join(this.folder, '.worktrees/stack.json'), 'utf8');
    return (JSON.parse(text) as { worktrees: Record<string, { base: string }> }).worktrees[name]?.base;
  }

  row(name: string): WorktreeNode {
    const node = this.#handle.view.find(this.path(name));
    assert.ok(node, `there is no row of ${name}`);
    return node;
  }

  flags(name: string): readonly string[] {
    return rowOf(this.#handle, this.row(name)).flags.split(';');
  }

  /** Presses Enter at every question until the command has ended: a question appears a moment later, and says so to nobody. */
  accept<T>(started: Thenable<T>): Promise<T> {
    return press('workbench.action.acceptSelectedQuickOpenItem', started);
  }

  /** Presses Escape until the command has ended. */
  leave<T>(started: Thenable<T>): Promise<T> {
    return press('workbench.action.closeQuickOpen', started);
  }
}

async function press<T>(key: string, started: Thenable<T>): Promise<T> {
  let done = false;
  const ended = Promise.resolve(started).finally(() => (done = true));
  while (!done) {
    await vscode.commands.executeCommand(key);
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 100))]);
  }
  return ended;
}
