import { basename, join, win32 } from 'node:path';
import { readTextIfThere } from '../base/atomicFile.ts';
import { Problem } from '../base/problem.ts';
import { fitName } from './fitName.ts';
import { quoted } from '../base/quoted.ts';
import { unfitPart } from '../base/windowsNames.ts';
import { whyUnfit } from '../base/windowsNameProblem.ts';
import { writeAgent } from '../claude/agentFiles.ts';
import { syncTracking } from '../lifecycle/tracking.ts';
import { createMessages } from '../messages/create.ts';
import type { Message } from '../messages/message.ts';
import { worktreeMessages } from '../messages/worktree.ts';
import { writeLaunchers, type Programs } from '../repository/launchers.ts';
import { updateRegistry } from '../repository/registry.ts';
import { readAllBranches } from '../snapshot/trunk.ts';
import { NearestBases } from '../stack/nearestBase.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** A worktree that another program has made, and what the registry is to say of it. */
export interface Adoption {
  readonly name: string;
  readonly slug: string;
  readonly path: string;
  readonly id: string | undefined;
  readonly branch: string;
  readonly base: string;
  /** The commit of the base after which the branch's own commits begin; `undefined` where both share none. */
  readonly baseCommit: string | undefined;
}

/** A worktree that cannot be adopted as it is. */
export interface NotAdopted {
  readonly worktree: Worktree;
  readonly problem: Problem;
  /** The branches that it may be based on, where a person has to say which one it is. */
  readonly bases: readonly string[];
}

/** What adopting worktrees would do. */
export interface AdoptionPlan {
  readonly adoptions: readonly Adoption[];
  readonly left: readonly NotAdopted[];
}

/**
 * Finds out what worktrees are based on that other programs have made: what was asked for, else what their history shows, with what git
 * wrote down when it made their branches. Changes nothing.
 *
 * @param options.base the base of all of them; without it each is found.
 */
export async function planAdoption(
  workspace: Workspace,
  snapshot: Snapshot,
  worktrees: readonly Worktree[],
  options: { readonly base?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<AdoptionPlan> {
  const { signal } = options;
  const isOnWindows = workspace.environment.platform === 'win32';
  const { trunk } = snapshot;
  const branches = await readAllBranches(workspace, signal);
  const entries = snapshot.worktrees.flatMap(({ entry }) => entry ?? []);
  const candidates = {
    branches,
    trunk,
    checkedOut: snapshot.worktrees.flatMap(({ branch }) => branch ?? []),
    recorded: new Map(entries.map(({ branch, base }) => [branch, base])),
  };
  const base = options.base === undefined ? undefined : baseOf(options.base, snapshot, branches.local);
  const adoptions: Adoption[] = [];
  const left: NotAdopted[] = [];
  const possible: (Worktree & { readonly branch: string; readonly head: string })[] = [];
  for (const worktree of worktrees) {
    const why =
      whyNot(worktree, trunk, base) ??
      (isOnWindows ? whyUnfitForWindows(worktree, snapshot, branches.local.keys()) : undefined);
    if (why) left.push({ worktree, problem: why, bases: [] });
    else if (worktree.branch !== undefined && worktree.head !== undefined)
      possible.push({ ...worktree, branch: worktree.branch, head: worktree.head });
  }
  // Where the base is said, only the commit is looked for.
  const around = base === undefined ? candidates : { ...candidates, trunk: base, checkedOut: [], recorded: new Map() };
  const heads = possible.map(({ head }) => head);
  const nearest = possible.length === 0 ? undefined : await NearestBases.read(workspace, around, heads, signal);
  for (const worktree of possible) {
    const { name, slug, path, branch, head, gitDir } = worktree;
    const madeFrom = base === undefined ? await readMadeFrom(workspace, branch) : undefined;
    const found = nearest?.find({ branch, tip: head, madeFrom, mayEqual: true });
    const [first = base ?? trunk, ...others] = found?.branches ?? [];
    if (first === undefined || others.length > 0) {
      left.push({ worktree, problem: unsure(worktree, found?.branches ?? []), bases: found?.branches ?? [] });
      continue;
    }
    const id = gitDir === undefined ? undefined : basename(gitDir);
    adoptions.push({ name, slug, path, id, branch, base: first, baseCommit: found?.commit });
  }
  return { adoptions, left };
}

/**
 * Enters worktrees into the registry where they are, and gives them what worktrees of ours have: the agent and the launchers. Doing it
 * twice is harmless; killed half-way, doing it again completes it.
 *
 * @param programs what the launchers start; without it neither they nor the agents are written.
 * @returns sentences about what a person may not expect.
 * @throws Problem as {@link updateRegistry}.
 */
export async function adopt(
  workspace: Workspace,
  adoptions: readonly Adoption[],
  programs?: Programs,
): Promise<readonly Message[]> {
  if (adoptions.length === 0) return [];
  const { environment, repository } = workspace;
  await updateRegistry(environment, repository, ({ worktrees }) => {
    for (const { name, id, path, branch, base, baseCommit } of adoptions) {
      if (worktrees.has(name)) continue;
      const known = { ...(id === undefined ? {} : { id }), ...(baseCommit === undefined ? {} : { baseCommit }) };
      worktrees.set(name, { path, branch, base, pr: null, ...known });
    }
  });
  const notes: Message[] = [];
  if (programs) {
    await writeLaunchers(environment, repository, programs);
    for (const [index, adoption] of adoptions.entries()) {
      const { notes: said } = await writeAgent(workspace, adoption, { isIgnored: index > 0 });
      notes.push(...said);
    }
  }
  return [...notes, ...(await syncTracking(workspace))];
}

function baseOf(asked: string, { worktrees }: Snapshot, local: ReadonlyMap<string, unknown>): string {
  if (local.has(asked)) return asked;
  const named = worktrees.find(({ name, slug }) => name === asked || slug === asked)?.branch;
  if (named !== undefined) return named;
  throw new Problem('not-found', createMessages.noBranchWorktree({ asked: JSON.stringify(asked) }), {
    next: createMessages.nameBaseBase(),
  });
}

function whyNot(
  { name, path, main, branch, head, entry, condition }: Worktree,
  trunk: string | undefined,
  base: string | undefined,
): Problem | undefined {
  const refuse = (what: Message, next: Message): Problem =>
    new Problem('usage', what, { next, file: path, outcome: 'incomplete' });
  if (main) return refuse(createMessages.mainNeedsNoAdoption(), createMessages.nameLinkedWorktree());
  if (entry) return refuse(createMessages.adoptedAlready({ name, base: entry.base }), createMessages.moveToChange());
  if (condition !== 'fine') return refuse(createMessages.folderNotInOrder({ name, path }), createMessages.seeDoctor());
  if (branch === undefined || head === undefined)
    return refuse(createMessages.noBranchToAdopt({ name }), createMessages.checkOutBranch({ path }));
  if (branch === trunk || branch === base)
    return refuse(createMessages.trunkToAdopt({ name, branch }), createMessages.checkOutBranch({ path }));
  return undefined;
}

/**
 * Why Windows cannot work with a worktree that another system has made: its folder or its branch has a name that no disk there holds.
 * The next step has one that works.
 */
function whyUnfitForWindows(
  { path, branch = '' }: Worktree,
  { worktrees }: Snapshot,
  branches: Iterable<string>,
): Problem | undefined {
  const refuse = (what: Message, next: Message): Problem =>
    new Problem('invalid-name', what, { next, file: path, outcome: 'incomplete' });
  const belowRoot = (folder: string): string => folder.slice(win32.parse(folder).root.length).replaceAll('\\', '/');
  const folder = unfitPart(belowRoot(path));
  if (folder !== undefined) {
    const fit = fitName(
      belowRoot(path),
      worktrees.map((each) => belowRoot(each.path)),
    );
    const better = quoted(`${win32.parse(path).root}${fit}`);
    return refuse(
      worktreeMessages.unfitFolder({ path, why: whyUnfit(folder) }),
      createMessages.moveToFit({ path: quoted(path), better }),
    );
  }
  const unfit = unfitPart(branch);
  if (unfit === undefined) return undefined;
  return refuse(
    createMessages.branchUnfit({ branch, why: whyUnfit(unfit) }),
    createMessages.continueOnFit({ path: quoted(path), better: quoted(fitName(branch, branches)) }),
  );
}

function unsure({ name, path, branch = '' }: Worktree, bases: readonly string[]): Problem {
  const what =
    bases.length === 0
      ? createMessages.noBaseFound({ name, branch })
      : createMessages.severalBasesFound({ name, bases: bases.join(', ') });
  return new Problem('ambiguous', what, {
    next: createMessages.adoptWithBase({ name: quoted(name) }),
    file: path,
    items: bases,
    outcome: 'incomplete',
  });
}

/** The branch that a branch was made from, by the first entry of git's log of it. It is read as a file: there may be a thousand. */
async function readMadeFrom({ repository }: Workspace, branch: string): Promise<string | undefined> {
  const log = join(repository.commonDir, 'logs', 'refs', 'heads', ...branch.split('/'));
  const text = await readTextIfThere(log).catch(() => undefined);
  const [, from] = /^[^\n]*\tbranch: Created from (\S+)/.exec(text ?? '') ?? [];
  return from?.replace(/^refs\/heads\//, '');
}
