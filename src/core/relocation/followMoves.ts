import { samePlace } from '../base/paths.ts';
import { Problem, errorCode, messageOf } from '../base/problem.ts';
import type { AgentSubject } from '../claude/agentDefinition.ts';
import { hasDrifted, namesOtherLauncher } from '../claude/agentDrift.ts';
import { repairAgents } from '../claude/agentFiles.ts';
import { repairLaunchers, type Programs } from '../repository/launchers.ts';
import { readRegistry, updateRegistry, type RegistryEntry } from '../repository/registry.ts';
import { replaceActive, type ActiveWorktree } from '../repository/stateFile.ts';
import type { Snapshot } from '../worktree/model.ts';
import { activeIn, isSeen, movedIn, mustFollow, type LocalBranches, type Moved } from './moves.ts';
import { syncTracking } from '../lifecycle/tracking.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { verbatim } from '../messages/message.ts';

/** What following has brought up to date. */
export interface Followed {
  /** The snapshot that it was given, with entries and active worktree as they are now. */
  readonly snapshot: Snapshot;
  /** The names of the worktrees whose entry was not right any more. */
  readonly entries: readonly string[];
  /** The state file names another path or branch now. */
  readonly active: boolean;
  /** The agents and launchers that were written. */
  readonly files: readonly string[];
  /** What could not be written, as problems that are no reason to stop. */
  readonly problems: readonly Problem[];
}

/** What is needed to follow completely. */
export interface FollowOptions {
  readonly branches?: LocalBranches | undefined;
  /** What launchers are to start; without it they are left alone. */
  readonly programs?: Programs | undefined;
}

/**
 * Brings everything up to date that looks worktrees up by what was written down, when one was found elsewhere: the registry (path, id,
 * the branch and the bases on it), the tracking file, the state file, the generated agents and what starts their guards. A worktree that
 * cannot be seen now keeps all that is recorded of it.
 *
 * Nothing of this is what the caller was asked for, so what cannot be written is told, never thrown.
 */
export async function followMoves(
  workspace: Workspace,
  snapshot: Snapshot,
  options: FollowOptions = {},
): Promise<Followed> {
  const problems: Problem[] = [];
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (thrown) {
      if (Problem.is(thrown) ? thrown.reason === 'cancelled' : errorCode(thrown) === undefined) throw thrown;
      problems.push(Problem.is(thrown) ? thrown : new Problem('not-writable', verbatim(messageOf(thrown))));
      return undefined;
    }
  };
  const moved = await reallyMoved(snapshot, options.branches);
  // Before the registry, which then tells nobody any more that something has moved: whoever is killed in between does both again.
  const untracked = moved.length > 0 ? await syncTracking(workspace, () => entriesAfter(workspace, moved)) : [];
  const written = moved.length > 0 && (await attempt(() => enter(workspace, moved)));
  problems.push(...untracked.map((what) => new Problem('not-writable', what)));
  const active = await attempt(() => followActive(workspace, snapshot));
  const files = await attempt(() =>
    followFiles(workspace, snapshot, mustFollow(snapshot, options.branches), options.programs),
  );
  const entries = new Map(written ? moved.map(({ worktree, after }) => [worktree, after]) : []);
  return {
    snapshot: {
      ...snapshot,
      worktrees: snapshot.worktrees.map((each) => ({ ...each, entry: entries.get(each) ?? each.entry })),
      active: active ?? snapshot.active,
    },
    entries: [...entries.keys()].map(({ name }) => name),
    active: active !== undefined,
    files: files ?? [],
    problems,
  };
}

/** Those of {@link movedIn} whose path is not merely spelled otherwise. */
export async function reallyMoved(snapshot: Snapshot, branches?: LocalBranches): Promise<Moved[]> {
  const moved = await Promise.all(
    movedIn(snapshot, branches).map(async (each) => {
      const { before, after } = each;
      const samePath = before.path !== after.path && (await samePlace(before.path, after.path));
      const kept = samePath ? { ...after, path: before.path } : after;
      const same = kept.path === before.path && kept.id === before.id && kept.branch === before.branch;
      return same ? [] : [{ ...each, after: kept }];
    }),
  );
  return moved.flat();
}

/** The entries of the registry as {@link enter} will leave them. */
async function entriesAfter({ repository }: Workspace, moved: readonly Moved[]): Promise<RegistryEntry[]> {
  const { worktrees } = await readRegistry(repository);
  const found = new Map(moved.map(({ worktree, after }) => [worktree.name, after]));
  return [...worktrees].map(([name, entry]) => {
    const after = found.get(name);
    return after ? { ...entry, path: after.path, branch: after.branch } : entry;
  });
}

/** Only what is still as it was read is changed; another process may have been quicker. */
async function enter({ environment, repository }: Workspace, moved: readonly Moved[]): Promise<boolean> {
  await updateRegistry(environment, repository, ({ worktrees }) => {
    const renamed = new Map(moved.map(({ before, after }) => [before.branch, after.branch]));
    for (const [name, entry] of worktrees) {
      const found = moved.find(({ worktree }) => worktree.name === name);
      const own =
        found && entry.path === found.before.path && entry.branch === found.before.branch
          ? {
              ...entry,
              path: found.after.path,
              branch: found.after.branch,
              ...(found.after.id ? { id: found.after.id } : {}),
            }
          : entry;
      const base = renamed.get(own.base) ?? own.base;
      if (own !== entry || base !== own.base) worktrees.set(name, { ...own, base });
    }
  });
  return true;
}

async function followActive(
  { environment, repository }: Workspace,
  snapshot: Snapshot,
): Promise<ActiveWorktree | undefined> {
  const { active } = snapshot;
  const wanted = activeIn(snapshot);
  if (!active || !wanted || wanted.path === active.path || (await samePlace(wanted.path, active.path)))
    return undefined;
  return (await replaceActive(environment, repository, active, wanted)) ? wanted : undefined;
}

/** Agents hold the path of their worktree and of the launcher; one of them tells whether the main root was moved. */
async function followFiles(
  workspace: Workspace,
  snapshot: Snapshot,
  moved: boolean,
  programs: Programs | undefined,
): Promise<string[]> {
  const { environment, repository } = workspace;
  const subjects = agentSubjects(snapshot);
  const seen = subjects.filter(({ path }) => snapshot.worktrees.some((each) => each.path === path && isSeen(each)));
  const launchers = programs ? await repairLaunchers(environment, repository, programs) : [];
  const [first] = seen;
  if (!first) return launchers;
  const drifted = moved ? hasDrifted(repository.mainRoot, seen) : namesOtherLauncher(repository.mainRoot, first.slug);
  if (!(await drifted)) return launchers;
  const { written, removed } = await repairAgents(workspace, subjects);
  return [...launchers, ...written, ...removed];
}

/** The worktrees that have a generated agent. A worktree that has no branch checked out at the moment keeps its own. */
export function agentSubjects({ worktrees }: Snapshot): AgentSubject[] {
  return worktrees.flatMap(({ name, slug, path, branch, entry }) =>
    entry ? [{ name, slug, path, branch: branch ?? entry.branch }] : [],
  );
}
