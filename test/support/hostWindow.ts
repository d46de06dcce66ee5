import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { TestHandle } from '../../src/extension/testHandle.ts';
import type { Node, WorktreeNode } from '../../src/extension/views/nodes.ts';

const execute = promisify(execFile);

/** The extension, started; its handle is given out in test runs only. */
export async function extensionUnderTest(): Promise<TestHandle> {
  const extension = vscode.extensions.getExtension<TestHandle | undefined>('worktree-stacks.worktree-stacks');
  assert.ok(extension, 'the extension is not installed');
  const handle = await extension.activate();
  assert.ok(handle, 'the extension gave no handle to its tests');
  await handle.repositories.start();
  return handle;
}

/** The folder of the window, or the one of several. */
export function folderOfWindow(index = 0): string {
  const folder = vscode.workspace.workspaceFolders?.[index];
  assert.ok(folder, 'the window has no such folder');
  return folder.uri.fsPath;
}

/** Runs git as a person at a terminal would; gives its trimmed output. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  return (await execute('git', args, { cwd })).stdout.trim();
}

/** A row of the view as a person sees it. */
export interface Row {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly flags: string;
  readonly spoken: string;
}

/** What the row of a node says. */
export function rowOf({ view }: TestHandle, node: Node): Row {
  const item = view.getTreeItem(node);
  return {
    label: typeof item.label === 'string' ? item.label : '',
    description: typeof item.description === 'string' ? item.description : '',
    icon: item.iconPath instanceof vscode.ThemeIcon ? item.iconPath.id : '',
    flags: item.contextValue ?? '',
    spoken: item.accessibilityInformation?.label ?? '',
  };
}

/** The flags of a row without what its menu offers: some of that is known a moment later than the rest. */
export const withoutOffers = (flags = ''): string => flags.replaceAll(/;can:\w+/g, '');

/** The rows below a node, or the topmost ones. */
export async function rowsOf(handle: TestHandle, parent?: Node): Promise<Row[]> {
  return (await handle.view.getChildren(parent)).map((node) => rowOf(handle, node));
}

/** All rows but those of files, as they are drawn: indented by their level, with what stands behind the label. */
export async function drawn(handle: TestHandle, parent?: Node, level = 0): Promise<string[]> {
  const lines: string[] = [];
  for (const node of await handle.view.getChildren(parent)) {
    if (node.kind !== 'worktree' && node.kind !== 'branch' && node.kind !== 'repository') continue;
    const { label, description } = rowOf(handle, node);
    lines.push(`${'  '.repeat(level)}${label}: ${description}`);
    const holds = node.kind !== 'worktree' || (node.row?.children.length ?? 0) > 0;
    if (holds) lines.push(...(await drawn(handle, node, level + 1)));
  }
  return lines;
}

/** The node of a worktree by its name. */
export async function worktreeNode(handle: TestHandle, name: string): Promise<WorktreeNode> {
  const nodes = await handle.view.getChildren();
  const found = nodes.find((node) => node.kind === 'worktree' && node.worktree.name === name);
  assert.ok(
    found?.kind === 'worktree',
    `no row ${name}; there are ${(await rowsOf(handle)).map((row) => row.label).join(', ')}`,
  );
  return found;
}

/**
 * Waits until what the extension shows is as wanted: looks again whenever it says that something changed, and when the deadline has passed
 * fails with what was seen last.
 */
export async function until<T>(
  { repositories }: TestHandle,
  what: string,
  read: () => T | Promise<T>,
  accept: (seen: T) => boolean,
  deadline = 60_000,
): Promise<T> {
  let last = await read();
  if (accept(last)) return last;
  return new Promise<T>((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      subscription.dispose();
    };
    const timer = setTimeout(() => {
      end();
      reject(new Error(`${what}: not within ${deadline / 1000} s. Last seen: ${JSON.stringify(last, null, 2)}`));
    }, deadline);
    const look = async (): Promise<void> => {
      last = await read();
      if (!accept(last)) return;
      end();
      resolve(last);
    };
    const subscription = repositories.onDidChange(() => void look().catch((error: Error) => (end(), reject(error))));
  });
}

/** Waits until the topmost rows are as wanted. */
export async function untilRows(handle: TestHandle, what: string, accept: (rows: Row[]) => boolean): Promise<Row[]> {
  return until(handle, what, () => rowsOf(handle), accept);
}

/** Waits until an event of VS Code leaves something as wanted. */
export async function untilEvent<T>(
  event: vscode.Event<unknown>,
  what: string,
  read: () => T,
  accept: (seen: T) => boolean,
): Promise<T> {
  if (accept(read())) return read();
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      subscription.dispose();
      reject(new Error(`${what}: not within 60 s. Last seen: ${JSON.stringify(read(), null, 2)}`));
    }, 60_000);
    const subscription = event(() => {
      if (!accept(read())) return;
      clearTimeout(timer);
      subscription.dispose();
      resolve(read());
    });
  });
}
