import * as vscode from 'vscode';

/** Starts the extension: see docs/architecture.md for what is composed here. */
export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(vscode.window.createOutputChannel('Worktree Stacks', { log: true }));
}
