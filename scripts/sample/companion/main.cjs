// An extension for the window of `npm start` only: it opens our view, the walkthrough and the sample's README, runs the sample's two agents
// in terminals, and signs in to its GitHub.
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { commands, Uri, window, workspace } = require('vscode');

const agent = join(__dirname, 'agent.cjs');

exports.activate = async ({ globalState }) => {
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (folder === undefined) return;
  const { sample, node } = JSON.parse(readFileSync(join(__dirname, 'place.json'), 'utf8'));
  const inSample = folder === sample;
  if (inSample) {
    runAgent(node, folder, 'search', 'asks');
    runAgent(node, folder, 'gift-cards', 'done');
  }
  // A window that is loaded again shows what the person had open.
  const key = `opened ${folder}`;
  if (!globalState.get(key)) {
    await globalState.update(key, true);
    await commands.executeCommand('worktreeStacks.worktrees.focus');
    if (inSample) await commands.executeCommand('markdown.showPreview', Uri.file(join(folder, 'README.md')));
    await commands.executeCommand('worktreeStacks.viewAsStack');
    await commands.executeCommand('worktreeStacks.getStarted', { beside: inSample });
  }
  if (!inSample) return;
  await commands.executeCommand('worktreeStacks.signIn', { repository: folder });
  await commands.executeCommand('notifications.clearAll');
};

function runAgent(node, folder, worktree, ending) {
  const cwd = join(folder, '.worktrees', worktree);
  // The person may have removed it.
  if (!existsSync(cwd)) return;
  const shellArgs = [agent, join(folder, '.git'), worktree, ending];
  window.createTerminal({ name: `Agent in ${worktree}`, cwd, shellPath: node, shellArgs, isTransient: true });
}
