import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { findMainRoot, type FoundRoot } from './mainRoot.ts';
import type { HookInput } from './hookInput.ts';
import { agentPrefix, readKnownWorktrees, worktreeCalled, type KnownWorktree } from './knownWorktrees.ts';

/** Which worktree a hook's event belongs to. */
export type Scope =
  /** It belongs to this worktree: because of who acts, or because of where. */
  | {
      readonly kind: 'worktree';
      readonly worktree: KnownWorktree;
      readonly by: 'agent' | 'folder';
      readonly root: FoundRoot;
    }
  /** It may belong to one, but the registry, which would tell, cannot be read. */
  | { readonly kind: 'unreadable'; readonly root: FoundRoot }
  /** It belongs to none; `root` where the repository has a registry at all. */
  | { readonly kind: 'none'; readonly root: FoundRoot | undefined };

/** Where a session is and where it was started. */
export interface Folders {
  /** Where the hook runs, for input that does not say where the session is. */
  readonly cwd: string;
  /** `CLAUDE_PROJECT_DIR`: where the session was started, or the worktree that it was started for. */
  readonly projectDir: string | undefined;
}

/**
 * Finds the worktree that a tool call or another event belongs to, by reading a few files; no process is started.
 *
 * An agent or team-mate that is called after a worktree belongs to that one, wherever it stands. Everything else belongs to the
 * registered linked worktree that holds the session's current folder, or, when the session has left for a place outside of all
 * worktrees, to the one that it was started in.
 */
export async function scopeOf(input: HookInput, folders: Folders): Promise<Scope> {
  const here = input.cwd ?? folders.cwd;
  const places = folders.projectDir === undefined || folders.projectDir === here ? [here] : [here, folders.projectDir];
  const homes = (await Promise.all(places.map(findHome))).filter((home) => home !== undefined);
  const agents = agentNames(input);
  for (const { root, known } of homes) {
    const worktree = known === 'broken' ? undefined : calledLike(known, agents);
    if (worktree) return { kind: 'worktree', worktree, by: 'agent', root };
  }
  for (const { root, known } of homes) {
    const linked = root.worktreeRoot !== root.mainRoot;
    if (known === 'broken') {
      if (linked || agents.length > 0) return { kind: 'unreadable', root };
      continue;
    }
    const worktree = linked ? registeredAt(known, root.worktreeRoot) : undefined;
    if (worktree) return { kind: 'worktree', worktree, by: 'folder', root };
  }
  return { kind: 'none', root: homes[0]?.root };
}

/** A working tree of a repository that has a registry, and what that names. */
interface Home {
  readonly root: FoundRoot;
  readonly known: readonly KnownWorktree[] | 'broken';
}

/** A folder may be reached through a link from anywhere, also from another repository. */
async function findHome(folder: string): Promise<Home | undefined> {
  return (await homeOf(folder)) ?? homeOf(realPath(folder));
}

/**
 * The innermost working tree around a folder whose repository has a registry. A submodule is a repository of its own, without one:
 * what counts is the worktree that it lies in.
 */
async function homeOf(folder: string): Promise<Home | undefined> {
  for (let at = folder; ;) {
    const root = await findMainRoot(at);
    if (!root) return undefined;
    const known = readKnownWorktrees(root.mainRoot);
    if (known !== 'absent') return { root, known };
    const above = dirname(root.worktreeRoot);
    if (above === root.worktreeRoot) return undefined;
    at = above;
  }
}

function calledLike(known: readonly KnownWorktree[], agents: readonly string[]): KnownWorktree | undefined {
  return agents.map((agent) => worktreeCalled(known, agent)).find((found) => found !== undefined);
}

/**
 * The names under which an actor may be called after a worktree. A sub-agent of somebody else's making may be called `docs` like a
 * worktree: without the prefix only the name of a team-mate counts, and a team-mate is one whose id begins with its name.
 */
function agentNames({ agent_type: type, agent_id: id, teammate_name: teammate }: HookInput): string[] {
  const names = teammate === undefined ? [] : [teammate];
  if (type !== undefined && (type.startsWith(agentPrefix) || id?.startsWith(`a${type}-`))) names.push(type);
  return names;
}

function registeredAt(known: readonly KnownWorktree[], root: string): KnownWorktree | undefined {
  const exact = known.find((each) => each.path === root);
  if (exact) return exact;
  const real = realPath(root);
  return known.find((each) => each.path === real) ?? known.find((each) => realPath(each.path) === real);
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
