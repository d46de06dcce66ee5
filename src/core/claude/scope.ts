import { isAbsolute, join } from 'node:path';
import { endsAlike, isWithin, pathBelow, samePath, samePlaceNow } from '../base/paths.ts';
import { findHome, type Home } from './home.ts';
import type { HookInput } from './hookInput.ts';
import { agentPrefix, worktreeCalled, type KnownWorktree } from './knownWorktrees.ts';
import type { FoundRoot, LostRoot } from './mainRoot.ts';
import { entryAround, entryAt, locationOf } from './worktreeLocation.ts';

/** The worktree that a hook's event belongs to. */
export type Scope =
  /** It belongs to this worktree, because of the agent that acts or because of the folder. */
  | {
      readonly kind: 'worktree';
      readonly worktree: KnownWorktree;
      readonly by: 'agent' | 'folder';
      readonly root: FoundRoot;
    }
  /** It may belong to one, but the registry cannot be read. */
  | { readonly kind: 'unreadable'; readonly root: FoundRoot }
  /** It may belong to one that cannot be found. `why` is part of a sentence, `repair` the folder for `git worktree repair`. */
  | { readonly kind: 'lost'; readonly why: string; readonly repair: string; readonly root: FoundRoot | undefined }
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
 * An agent or team-mate that is named after a worktree belongs to that one, wherever it runs. Everything else belongs to the registered
 * linked worktree that holds the session's current folder, or, if that is outside of all worktrees, to the one that the session was
 * started in. The worktree in the result has its current path.
 */
export async function scopeOf(input: HookInput, folders: Folders): Promise<Scope> {
  const here = input.cwd ?? folders.cwd;
  const starts = folders.projectDir === undefined || folders.projectDir === here ? [here] : [here, folders.projectDir];
  const homes = (await Promise.all(starts.map(findHome))).filter((home) => home !== undefined);
  const agents = agentNames(input);
  for (const { root, known } of homes.filter(isHome)) {
    const worktree = known === 'broken' ? undefined : calledLike(known, agents);
    if (worktree) return agentScope(worktree, root, known);
  }
  for (const home of homes) {
    if (!isHome(home)) return lostScope(home, undefined);
    const scope = folderScope(home, agents.length > 0);
    if (scope) return scope;
  }
  return { kind: 'none', root: homes.find(isHome)?.root };
}

/** The arguments of a generated agent's guards. */
export interface AgentArguments {
  /** Where its worktree was. */
  readonly path: string;
  readonly branch: string;
}

/**
 * Finds the worktree of a generated agent. The arguments may be outdated: the worktree or the repository may have moved, another worktree
 * may be at that path, or the agent may belong to a copy of the repository and still name the original.
 *
 * @returns `none` if nothing better is known than the arguments.
 */
export async function scopeOfAgent(given: AgentArguments, input: HookInput, folders: Folders): Promise<Scope> {
  const { path } = given;
  const here = input.cwd ?? folders.cwd;
  const [home] = isAbsolute(path) ? await homesOf(path) : [];
  const root = home?.root;
  const known = home === undefined || home.known === 'broken' ? [] : home.known;
  if (root?.id !== undefined && samePlaceNow(root.worktreeRoot, path)) {
    // Agents are read from where the session was started.
    const [started] = isWithin(path, here) ? [] : await homesOf(folders.projectDir ?? here);
    if (started && !samePlaceNow(started.root.commonDir, root.commonDir)) {
      const copied = entryFor(given, input, started);
      if (copied) return agentScope(copied, started.root, started.known);
    }
    const recorded = known.find((each) => samePath(each.path, path));
    if (recorded?.id !== undefined && recorded.id !== root.id) return agentScope(recorded, root, known);
    const worktree = recorded ?? entryAt(root, known);
    const named = worktree ? undefined : calledLike(known, agentNames(input));
    if (named) return agentScope(named, root, known);
    return worktree ? { kind: 'worktree', worktree: at(worktree, path), by: 'agent', root } : { kind: 'none', root };
  }
  for (const candidate of [...(home ? [home] : []), ...(await homesOf(folders.projectDir ?? here, here))]) {
    const worktree = entryFor(given, input, candidate);
    if (worktree) return agentScope(worktree, candidate.root, candidate.known);
  }
  return { kind: 'none', root };
}

function isHome(found: Home | LostRoot | undefined): found is Home {
  return found !== undefined && 'root' in found;
}

async function homesOf(...paths: readonly string[]): Promise<Home[]> {
  return (await Promise.all(paths.map(findHome))).filter(isHome);
}

/** The entry that an agent was generated for: by path, by name, by location below the main root, by branch. */
function entryFor(
  { path, branch }: AgentArguments,
  input: HookInput,
  { root, known }: Home,
): KnownWorktree | undefined {
  if (known === 'broken') return undefined;
  const exact = known.find((each) => samePath(each.path, path)) ?? calledLike(known, agentNames(input));
  if (exact) return exact;
  const ways: ((each: KnownWorktree) => boolean)[] = [
    (each) => {
      const below = pathBelow(root.mainRoot, each.path);
      return below !== undefined && endsAlike(path, below);
    },
    (each) => branch !== '' && each.branch === branch,
  ];
  for (const way of ways) {
    const [found, another] = known.filter(way);
    if (found) return another ? undefined : found;
  }
  return undefined;
}

function agentScope(worktree: KnownWorktree, root: FoundRoot, known: Home['known']): Scope {
  const path = locationOf(worktree, root, known === 'broken' ? [] : known);
  if (path !== undefined) return { kind: 'worktree', worktree: at(worktree, path), by: 'agent', root };
  const why = `${join(worktree.path, '.git')} does not lead to the worktree ${worktree.name}, and it is nowhere else to be found`;
  return { kind: 'lost', why, repair: worktree.path, root };
}

/** @param named whether the actor may be called after a worktree. */
function folderScope({ root, known, lost, folder }: Home, named: boolean): Scope | undefined {
  const linked = !samePath(root.worktreeRoot, root.mainRoot);
  if (known === 'broken') return linked || named || lost ? { kind: 'unreadable', root } : undefined;
  if (linked) {
    const worktree = entryAt(root, known);
    // The registry's spelling of the same path is the one that the person uses.
    const path = worktree && samePlaceNow(worktree.path, root.worktreeRoot) ? worktree.path : root.worktreeRoot;
    if (worktree) return { kind: 'worktree', worktree: at(worktree, path), by: 'folder', root };
  } else {
    const around = entryAround(lost?.worktreeRoot ?? folder, known);
    if (around && !samePath(around.path, root.mainRoot))
      return { kind: 'worktree', worktree: around, by: 'folder', root };
  }
  // A damaged `.git` file where the registry has no worktree may be anything, such as test data.
  return lost?.lostTarget === undefined ? undefined : lostScope(lost, root);
}

function lostScope({ worktreeRoot, lostTarget }: LostRoot, root: FoundRoot | undefined): Scope {
  const file = join(worktreeRoot, '.git');
  const why =
    lostTarget === undefined
      ? `${file} is damaged`
      : `${file} leads to ${lostTarget}, which is no git directory any more`;
  return { kind: 'lost', why, repair: worktreeRoot, root };
}

const at = (worktree: KnownWorktree, path: string): KnownWorktree =>
  path === worktree.path ? worktree : { ...worktree, path };

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
