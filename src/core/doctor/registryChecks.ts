import { readRegistry, updateRegistry, type RegistryEntry } from '../repository/registry.ts';
import { baseCommitOf } from '../stack/baseCommits.ts';
import { History } from '../stack/history.ts';
import { readOperations } from '../operations/store.ts';
import { quoted } from '../base/quoted.ts';
import { tipsOf } from '../snapshot/trunk.ts';
import { adopt, planAdoption } from '../create/adopt.ts';
import type { Examination, Finding } from './finding.ts';
import { orphanEntry } from './lostWorktrees.ts';
import { doctorMessages } from '../messages/doctor.ts';
import { isUnadopted } from '../worktree/unadopted.ts';

/** Files of ours that cannot be read, and operations that wait for a person. */
export async function checkStopped({ workspace, snapshot }: Examination): Promise<Finding[]> {
  const unreadable = snapshot.problems.map(({ what, nextStep, file }): Finding => ({
    kind: file?.endsWith('.json') ? 'registry' : 'state-file',
    subject: file ?? '',
    message: what,
    next: nextStep,
  }));
  const stopped = (await readOperations(workspace)).filter(({ state }) => state === 'stopped');
  return [
    ...unreadable,
    ...stopped.map(({ title, stop, remaining }): Finding => {
      const name = quoted(stop?.name ?? remaining[0] ?? '');
      return {
        kind: 'stopped',
        subject: stop?.name ?? '',
        message: doctorMessages.operationStoppedWaits({ title }),
        next: doctorMessages.continueOrAbort({ name }),
      };
    }),
  ];
}

/** Entries whose worktree git does not list, and worktrees that the registry does not know. */
export async function checkWorktrees(examination: Examination): Promise<Finding[]> {
  const { workspace, snapshot, state } = examination;
  const found: Finding[] = [];
  if (!state) return found;
  const registry = await readRegistry(workspace.repository);
  const matched = new Set(snapshot.worktrees.filter(({ entry }) => entry).map(({ name }) => name));
  for (const [name, entry] of registry.worktrees) {
    if (!matched.has(name)) found.push(await orphanEntry(examination, name, entry, registry.worktrees));
  }
  return [...found, ...madeByOthers(examination)];
}

/** How many worktrees of other programs are named. */
const mostNamed = 3;

/** Worktrees that other programs have made are as good as ours: one line tells of all of them, and nothing is wrong. */
function madeByOthers({ workspace, snapshot, signal }: Examination): Finding[] {
  const others = snapshot.worktrees.filter(
    (each) =>
      isUnadopted(each) && each.condition === 'fine' && each.branch !== undefined && each.branch !== snapshot.trunk,
  );
  const [first] = others;
  if (!first) return [];
  const some = others
    .slice(0, mostNamed)
    .map(({ name }) => name)
    .join(', ');
  const more = others.length - mostNamed;
  const names = more > 0 ? doctorMessages.andMore({ names: some, count: more }) : some;
  const repair = async (): Promise<void> => {
    const { adoptions } = await planAdoption(workspace, snapshot, others, { signal });
    await adopt(workspace, adoptions);
  };
  return [
    {
      kind: 'worktree-unregistered',
      isInformation: true,
      subject: first.name,
      message: doctorMessages.madeByOthers({ count: others.length, names }),
      next: doctorMessages.adoptOthers(),
      repair,
    },
  ];
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
  for (const each of all) {
    const { name, branch, base, entry, entryName, recordedBase } = each;
    const broken = stack.broken(each);
    if (broken !== undefined) {
      const word = quoted(name);
      found.push({
        kind: 'base',
        subject: name,
        ...(broken === 'gone'
          ? { message: doctorMessages.baseGone({ base: base ?? '', name }), next: doctorMessages.findBase({ word }) }
          : { message: doctorMessages.baseCycle({ name }), next: doctorMessages.moveOnto({ word }) }),
      });
    }
    if (!entry || entryName === undefined) continue;
    if (entry.branch !== branch) {
      const message = doctorMessages.branchCalledNow({ name, branch, entryBranch: entry.branch });
      found.push({
        kind: 'branch',
        subject: name,
        message,
        repair: () => edit(entryName, (old) => ({ ...old, branch })),
      });
    }
    if (recordedBase !== undefined && base !== undefined && recordedBase !== base) {
      const message = doctorMessages.baseCalledNow({ name, base, recordedBase });
      found.push({ kind: 'base', subject: name, message, repair: () => edit(entryName, (old) => ({ ...old, base })) });
    }
  }
  const { remote } = configuration.stack;
  const bases = new Set(all.map(({ base }) => base).filter((base) => base !== undefined));
  const tips = [...bases].flatMap((base) => Object.values(tipsOf(branches, base, remote)) as (string | undefined)[]);
  const oids = [...tips, ...all.flatMap(({ tip, baseCommit }) => [tip, baseCommit])].filter((oid) => oid !== undefined);
  const history = await History.read(git, repository.commonDir, oids, signal);
  const sources = { stack, branches, remote, formerTips: new Map(), pullRequests: new Map(), mergedHeads: new Map() };
  for (const branch of all) {
    const { name, baseCommit, tip, base, entryName } = branch;
    if (entryName === undefined || base === undefined || stack.broken(branch) !== undefined) continue;
    if (baseCommit !== undefined && history.isAncestor(baseCommit, tip)) continue;
    const nearest = baseCommitOf(branch, [base], sources, history);
    const message =
      baseCommit === undefined
        ? doctorMessages.noBaseCommit({ name })
        : doctorMessages.doesNotStand({ name, baseCommit: baseCommit.slice(0, 10) });
    found.push({
      kind: 'base',
      subject: name,
      message,
      ...(nearest === undefined
        ? { next: doctorMessages.nameBaseCommit({ name: quoted(name) }) }
        : { repair: () => edit(entryName, (old) => ({ ...old, baseCommit: nearest })) }),
    });
  }
  return found;
}
