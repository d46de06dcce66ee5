import process from 'node:process';
import { window, type Terminal, type TerminalOptions } from 'vscode';
import { environmentOf } from '../../core/base/environment.ts';
import { isWithin } from '../../core/base/paths.ts';
import { ancestorsOf } from '../../core/base/processTree.ts';
import type { AgentState } from '../../core/claude/agentStates.ts';
import type { Worktree } from '../../core/worktree/model.ts';

/**
 * The terminal of this window that an agent runs in: the one whose shell has started its process, else, where that cannot be told, the one that
 * was opened for its worktree last. `undefined` for an agent of another window or program.
 */
export async function terminalOf(
  agent: Pick<AgentState, 'pid'>,
  worktree: Pick<Worktree, 'name' | 'path'>,
): Promise<Terminal | undefined> {
  const open = window.terminals.filter(({ exitStatus }) => exitStatus === undefined);
  if (open.length === 0) return undefined;
  if (agent.pid !== undefined) {
    const above = await ancestorsOf({ ...environmentOf(process), pid: agent.pid });
    const shells = new Set([agent.pid, ...above.map(({ pid }) => pid)]);
    for (const terminal of open) {
      const shell = await terminal.processId;
      if (shell !== undefined && shells.has(shell)) return terminal;
    }
    // Where the system tells what a process descends from, that one runs elsewhere.
    if (above.length > 0) return undefined;
  }
  return open.findLast((terminal) => isOf(terminal, worktree));
}

/** Whether a terminal was opened for a worktree, or has gone there since. */
function isOf(
  { name, creationOptions, shellIntegration }: Terminal,
  worktree: Pick<Worktree, 'name' | 'path'>,
): boolean {
  const { cwd } = creationOptions as TerminalOptions;
  const started = typeof cwd === 'string' ? cwd : cwd?.path;
  const now = shellIntegration?.cwd?.path;
  return [now, started].some((path) => path !== undefined && isWithin(worktree.path, path)) || name === worktree.name;
}
