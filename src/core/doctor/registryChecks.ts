import { isWithin } from '../base/paths.ts';
import { readRegistry, updateRegistry, type RegistryEntry } from '../repository/registry.ts';
import { baseCommitOf } from '../stack/baseCommits.ts';
import { History } from '../stack/history.ts';
import type { StackBranch } from '../stack/model.ts';
import { readOperations } from '../worktrees/operationLog.ts';
import { quoted } from '../worktrees/quoted.ts';
import { inspectRemoval } from '../worktrees/remove/removal.ts';
import { removeWorktree } from '../worktrees/remove/cleanup.ts';
import { tipsOf } from '../worktrees/read/trunk.ts';
import { syncTracking } from '../worktrees/tracking.ts';
import type { Examination, Finding } from './finding.ts';

/** Files of ours that cannot be read, and operations that wait for a person. */
export async function checkRecords({ workspace, snapshot }: Examination): Promise<Finding[]> {
  const unreadable = snapshot.problems.map(({ message, next, file }): Finding => ({
    kind: file?.endsWith('.json') ? 'registry' : 'state-file',
    subject: file ?? '',
    message,
    next,
  }));
  const stopped = (await readOperations(workspace)).filter(({ state }) => state === 'stopped');
  return [
    ...unreadable,
    ...stopped.map(({ title, stop, remaining }): Finding => {
      const name = quoted(stop?.name ?? remaining[0] ?? '');
      return {
        kind: 'stopped',
        subject: stop?.name ?? '',
        message: `An operation has stopped and waits for you: ${title}.`,
        next: `\`wt rebase ${name} --continue\`, or \`--abort\``,
      };
    }),
  ];
}

/** Worktrees whose folder is gone, entries whose worktree is gone, and worktrees of ours that the registry does not know. */
export async function checkWorktrees(examination: Examination): Promise<Finding[]> {
  const { workspace, snapshot, state } = examination;
  const found: Finding[] = [];
  for (const worktree of snapshot.worktrees) {
    const { name, path, condition, lockReason, main } = worktree;
    if (main || condition === 'fine') continue;
    const repair = async (): Promise<void> => {
      const removal = await inspectRemoval(workspace, snapshot, worktree);
      await removeWorktree(workspace, removal, { remember: false, deleteLater: () => undefined });
    };
    found.push({
      kind: 'worktree-missing',
      subject: name,
      message:
        condition === 'missing'
          ? `The folder of ${name} is gone: ${path}.`
          : `${path} is not the worktree ${name} any more.`,
      next:
        lockReason === undefined
          ? `bring it back, or run \`wt cleanup ${quoted(name)}\``
          : 'it is locked, perhaps since its disk is not there; unlock it with `git worktree unlock` to have it removed',
      // A locked one may be on a disk that is not there now; what else is at its place is somebody's.
      ...(condition === 'missing' && lockReason === undefined ? { repair } : {}),
    });
  }
  if (!state) return found;
  const registry = await readRegistry(workspace.repository);
  const matched = new Set(snapshot.worktrees.map(({ entry }) => entry));
  for (const [name, entry] of registry.worktrees) {
    if ([...matched].some((each) => each?.path === entry.path && each.branch === entry.branch)) continue;
    found.push(orphanEntry(examination, name, entry, registry.worktrees));
  }
  const home = `${workspace.repository.mainRoot}/.worktrees`;
  for (const { name, path, branch, entry, main, condition } of snapshot.worktrees) {
    if (main || entry || branch === undefined || condition !== 'fine' || !isWithin(home, path)) continue;
    found.push({
      kind: 'worktree-unregistered',
      subject: name,
      message: `${name} is not in the registry, so what it stands on is not known; ${snapshot.trunk ?? 'the trunk'} is assumed.`,
      next: `\`wt move ${quoted(name)} --onto <branch>\` records another base`,
      ...(snapshot.trunk === undefined
        ? {}
        : { repair: () => register(examination, { name, path, branch, base: snapshot.trunk ?? '' }) }),
    });
  }
  return found;
}

/** Bases that cannot be followed, records that are stale, and branches that go by another name now. */
export async function checkBases({ workspace, state, signal }: Examination): Promise<Finding[]> {
  if (!state) return [];
  const { environment, git, repository, configuration } = workspace;
  const { stack, branches } = state;
  const found: Finding[] = [];
  const all = [...stack.branches.values()];
  const edit = (name: string, change: (entry: RegistryEntry) => RegistryEntry): Promise<void> =>
    updateRegistry(environment, repository, ({ worktrees }) => {
      const entry = worktrees.get(name);
      if (entry) worktrees.set(name, change(entry));
    });
  for (const { name, branch, base, broken, entry, entryName, recordedBase } of all) {
    if (broken !== undefined) {
      const what =
        broken === 'gone' ? `the base ${base} of ${name} is gone` : `${name} stands on itself, over other branches`;
      const next =
        broken === 'gone'
          ? `\`wt rebase ${quoted(name)}\` looks where it went`
          : `\`wt move ${quoted(name)} --onto <branch>\``;
      found.push({ kind: 'base', subject: name, message: `${what.charAt(0).toUpperCase()}${what.slice(1)}.`, next });
    }
    if (!entry || entryName === undefined) continue;
    if (entry.branch !== branch) {
      const message = `The branch of ${name} is called ${branch} now, and was ${entry.branch}.`;
      found.push({
        kind: 'branch',
        subject: name,
        message,
        repair: () => edit(entryName, (old) => ({ ...old, branch })),
      });
    }
    if (recordedBase !== undefined && base !== undefined && recordedBase !== base) {
      const message = `The base of ${name} is called ${base} now, and was ${recordedBase}.`;
      found.push({ kind: 'base', subject: name, message, repair: () => edit(entryName, (old) => ({ ...old, base })) });
    }
  }
  const { remote } = configuration.stack;
  const bases = new Set(all.map(({ base }) => base).filter((base) => base !== undefined));
  const tips = [...bases].flatMap((base) => Object.values(tipsOf(branches, base, remote)) as (string | undefined)[]);
  const oids = [...tips, ...all.flatMap(({ tip, baseCommit }) => [tip, baseCommit])].filter((oid) => oid !== undefined);
  const history = await History.read(git, repository.commonDir, oids, signal);
  const sources = { stack, branches, remote, formerTips: new Map(), pullRequests: new Map() };
  for (const branch of all) {
    const { name, baseCommit, tip, base, entryName } = branch;
    if (entryName === undefined || base === undefined || branch.broken !== undefined) continue;
    if (baseCommit !== undefined && history.isAncestor(baseCommit, tip)) continue;
    const nearest = baseCommitOf(branch, [base], sources, history);
    const message =
      baseCommit === undefined
        ? `It is not recorded where the commits of ${name} begin.`
        : `${name} does not stand on the commit any more that is recorded as its base (${baseCommit.slice(0, 10)}).`;
    found.push({
      kind: 'base',
      subject: name,
      message,
      ...(nearest === undefined
        ? { next: `\`wt rebase ${quoted(name)} --base <commit>\` with the last commit that is not its own` }
        : { repair: () => edit(entryName, (old) => ({ ...old, baseCommit: nearest })) }),
    });
  }
  return found;
}

function orphanEntry(
  { workspace, state }: Examination,
  name: string,
  entry: RegistryEntry,
  entries: ReadonlyMap<string, RegistryEntry>,
): Finding {
  const there = state?.branches.local.has(entry.branch) ?? false;
  const dependents = [...entries].filter(([, each]) => each.base === entry.branch).map(([other]) => other);
  const repair = (): Promise<void> =>
    updateRegistry(workspace.environment, workspace.repository, ({ worktrees }) => void worktrees.delete(name));
  const message = `The registry names ${name}, but there is no such worktree any more.`;
  if (!there && dependents.length === 0) return { kind: 'entry', subject: name, message, repair };
  // What it says of its base is what tells where those on it belong.
  const next = there
    ? `\`git worktree add ${quoted(entry.path)} ${quoted(entry.branch)}\` brings it back, \`git branch -d ${quoted(entry.branch)}\` drops the branch`
    : `run \`wt rebase\` for what stands on it (${dependents.join(', ')}), then \`wt doctor --fix\` again`;
  return { kind: 'entry', subject: name, message, next };
}

async function register(
  { workspace, state, signal }: Examination,
  made: { readonly name: string; readonly path: string; readonly branch: string; readonly base: string },
): Promise<void> {
  const { environment, git, repository, configuration } = workspace;
  const branch: StackBranch | undefined = state?.stack.branches.get(made.branch);
  const tips = state && tipsOf(state.branches, made.base, configuration.stack.remote);
  const others = [tips?.local, tips?.remote].filter((oid) => oid !== undefined);
  const args = [`--git-dir=${repository.commonDir}`, 'merge-base', branch?.tip ?? made.branch, ...others];
  const baseCommit = await git.line(args, { cwd: repository.commonDir, signal });
  const { name, ...entry } = made;
  await updateRegistry(environment, repository, ({ worktrees }) => {
    if (worktrees.has(name)) return;
    worktrees.set(name, { ...entry, pr: null, ...(baseCommit ? { baseCommit } : {}) });
  });
  // What cannot be brought up to date there is a finding of its own.
  await syncTracking(workspace);
}
