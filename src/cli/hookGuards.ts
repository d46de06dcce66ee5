import type { Environment } from '../core/base/environment.ts';
import { isWithin } from '../core/base/paths.ts';
import { shellWord } from '../core/base/quoted.ts';
import { guardCommand } from '../core/claude/guard/bashGuard.ts';
import { guardFile } from '../core/claude/guard/fileGuard.ts';
import { shellTools } from '../core/claude/guardedTools.ts';
import { noDecision, type Permission } from '../core/claude/hookDecision.ts';
import { scopeOf, scopeOfAgent, type Folders, type Scope } from '../core/claude/scope.ts';
import type { HookCall, WorktreeScope } from './hookCall.ts';
import { processorTime } from './processorTime.ts';

/**
 * Decides on any guarded tool call, for the plugin: as the guards of the worktree that the call belongs to would. `undefined` for a
 * call that belongs to none.
 */
export async function decideToolCall(call: HookCall, scope: Scope): Promise<Permission | undefined> {
  switch (scope.kind) {
    case 'none':
      return undefined;
    case 'unreadable':
      return deny(
        `The guard cannot tell which worktree this belongs to, because ${scope.root.mainRoot}/.worktrees/stack.json cannot be read, so it is denied. Tell the person you work for; \`wt list\` says what is wrong there.`,
      );
    case 'lost':
      return denyLost(scope);
    case 'worktree': {
      const { path, branch, name } = scope.worktree;
      const isCommand = shellTools.includes(call.input.tool_name ?? '');
      const permission = isCommand
        ? await guardCommand(call.input, { path, branch: branch || name }, guardEnvironment(call))
        : guardFile(call.input, path);
      return scope.by === 'agent' ? permission : forSession(permission, scope, call.host.environment);
    }
  }
}

/** The hook `bash-guard <worktree> <branch>` of a generated agent. */
export async function decideCommand(call: HookCall, scope: Scope): Promise<Permission> {
  const [path = '', branch = ''] = call.args;
  if (scope.kind === 'lost') return denyLost(scope);
  return guardCommand(call.input, { path: locationIn(scope) ?? path, branch }, guardEnvironment(call));
}

/** The hook `file-guard <worktree>` of a generated agent. */
export async function decideFile(call: HookCall, scope: Scope): Promise<Permission> {
  return scope.kind === 'lost' ? denyLost(scope) : guardFile(call.input, locationIn(scope) ?? call.args[0] ?? '');
}

/** The worktree of a generated agent, by the arguments that its definition gives to the guards. */
export async function agentScope({ host, input, args: [path = '', branch = ''] }: HookCall): Promise<Scope> {
  return scopeOfAgent({ path, branch }, input, foldersOf(host.environment));
}

/** The worktree of a session, or of the agent that acts in it. */
export async function sessionScope({ host, input }: HookCall): Promise<Scope> {
  return scopeOf(input, foldersOf(host.environment));
}

function foldersOf({ cwd, variables }: Environment): Folders {
  return { cwd, projectDir: variables['CLAUDE_PROJECT_DIR'] || undefined };
}

function guardEnvironment({ host }: HookCall): Parameters<typeof guardCommand>[2] {
  return { variables: host.environment.variables, milliseconds: processorTime };
}

/** Where the worktree is now; it may have moved since the agent was generated. */
function locationIn(scope: Scope): string | undefined {
  return scope.kind === 'worktree' ? scope.worktree.path : undefined;
}

function denyLost({ why, repair }: Extract<Scope, { kind: 'lost' }>): Permission {
  return deny(
    `The guard cannot tell which worktree this belongs to, because ${why}, so it is denied. Tell the person you work for; if the repository or the worktree was moved, \`git worktree repair ${shellWord(repair)}\`, run in the main working tree, repairs it.`,
  );
}

const deny = (reason: string): Permission => ({ kind: 'deny', reason });

/**
 * A session that belongs to a worktree only because of its folder may be a person's own: its edits are still asked about. The
 * reason names the way out for one that was started elsewhere.
 */
function forSession(permission: Permission, { root, worktree }: WorktreeScope, { variables }: Environment): Permission {
  if (permission.kind !== 'deny') return noDecision;
  const startedIn = variables['CLAUDE_PROJECT_DIR'];
  if (!startedIn || isWithin(root.worktreeRoot, startedIn)) return permission;
  return deny(
    `${permission.reason} (This session is in the worktree ${worktree.name}. If that is not where you work, change back to ${startedIn} first.)`,
  );
}
