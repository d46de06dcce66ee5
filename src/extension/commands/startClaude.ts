import process from 'node:process';
import { ThemeIcon, Uri, env as editor, l10n, window, type Terminal, type TerminalOptions } from 'vscode';
import { environmentOf } from '../../core/base/environment.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { agentOf } from '../claude/agentOf.ts';
import { findClaude } from '../claude/findClaude.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Services } from '../services/services.ts';
import { shellKindOf } from '../base/shellLine.ts';
import { uriOf } from '../base/uris.ts';
import { terminalVariables } from '../terminalVariables.ts';
import { requireFolder } from './openWorktree.ts';

/** The page that explains how to install Claude Code. */
const instructions = 'https://code.claude.com/docs/en/setup';

/**
 * Starts Claude Code in a terminal of its own, which is called like the worktree and has its variables; when Claude ends, its shell stays.
 * Where it is not installed, a message shows what to do.
 */
export async function startClaude(
  { log }: Services,
  model: RepositoryModel,
  worktree: Pick<Worktree, 'name' | 'slug' | 'path' | 'condition'>,
): Promise<void> {
  requireFolder(worktree);
  const [claude, agent, env] = await Promise.all([
    findClaude(environmentOf(process, log), shellKindOf(editor.shell)),
    agentOf(model.repository.mainRoot, worktree),
    terminalVariables(model, worktree),
  ]);
  // An agent's name is a slug, which is one word for every shell.
  const options = agent === undefined ? '' : ` --agent ${agent}`;
  if (claude) run(worktree, env, claude.command + options);
  else void showMissing(() => run(worktree, env, `claude${options}`));
}

function run(
  { name, path }: Pick<Worktree, 'name' | 'path'>,
  env: NonNullable<TerminalOptions['env']>,
  command: string,
): Terminal {
  const terminal = window.createTerminal({ name, cwd: uriOf(path), env, iconPath: new ThemeIcon('sparkle') });
  terminal.show();
  terminal.sendText(command);
  return terminal;
}

/**
 * Says that Claude Code was not found, and how to get it.
 *
 * @param tryAnyway does it all the same: the shell of a terminal may know more places than the editor.
 */
export async function showMissing(tryAnyway?: () => unknown): Promise<void> {
  const install = l10n.t('How to Install It');
  const attempt = l10n.t('Try in a Terminal');
  const choice = await window.showWarningMessage(
    l10n.t('Claude Code isn’t installed, or isn’t on your PATH.'),
    install,
    ...(tryAnyway ? [attempt] : []),
  );
  if (choice === install) await editor.openExternal(Uri.parse(instructions));
  if (choice === attempt) tryAnyway?.();
}
