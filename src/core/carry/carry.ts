import { Problem } from '../base/problem.ts';
import { isThere } from '../base/isThere.ts';
import { join } from 'node:path';
import { carryMessages } from '../messages/carry.ts';
import { textOf, type Message } from '../messages/message.ts';
import { newOperation, type CarrySide, type CarryOperation, type WorkState } from '../operations/operation.ts';
import { fieldsOf } from '../git/repositoryGit.ts';
import { inTree } from '../worktree/treeState.ts';
import type { Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { runCarry } from './carryKind.ts';
import { keepBytes } from '../operations/exactBytes.ts';
import { notesOfLinks } from './linkNotes.ts';
import { readWork, type CarryPlace, type UncommittedWork } from './readWork.ts';
import { foreignIn, lookAt } from './standing.ts';
import { mergeWork } from './threeWay.ts';
import { treeDiff } from '../worktree/rawTrees.ts';
import { changesBetween, type StateChanges } from './trees.ts';

/** What is to be carried, and how. */
export interface CarryRequest {
  readonly from: Pick<Worktree, 'name' | 'path' | 'gitDir' | 'condition' | 'bare'>;
  readonly to: CarryRequest['from'];
  /** Whether it is gone from where it was. */
  readonly mode: 'move' | 'copy';
}

/** What carrying would do: checked, and nothing has been touched. */
export interface CarryPlan {
  readonly from: string;
  readonly to: string;
  readonly mode: 'move' | 'copy';
  /** The files that come along, sorted. */
  readonly files: readonly string[];
  /** What stays where it is, and what a person may not expect. */
  readonly notes: readonly Message[];
  readonly sides: readonly CarrySide[];
}

/** Uncommitted work that was carried. */
export interface Carried extends Omit<CarryPlan, 'sides'> {
  /** The operation, as the log holds it. */
  readonly id: string;
}

/** How many names of files the log keeps. */
const namesKept = 100;

/**
 * Works out what carrying the uncommitted work of a worktree to another would do. Git's object store apart, nothing changes.
 *
 * @throws Problem `not-found` when there is nothing to carry, `conflicts`, `dirty` where files are in the way, `in-use`: each names the files.
 */
export async function planCarry(workspace: Workspace, request: CarryRequest, signal?: AbortSignal): Promise<CarryPlan> {
  const [from, to] = [await placeOf(request.from), await placeOf(request.to)];
  if (from.gitDir === to.gitDir) {
    throw new Problem('usage', carryMessages.sameWorktree({ name: from.name }), { next: carryMessages.nameTwo() });
  }
  const source = await readWork(workspace, from, signal);
  const files = await filesOf(workspace, source, signal);
  if (files.length === 0) throw nothingToCarry(source);
  const target = await readWork(workspace, to, signal);
  const after = await mergeWork(workspace, source, target, signal);
  const given = await withNames(workspace, source, target, after);
  const own: WorkState = { work: source.headTree, index: source.headTree, intent: [], bytes: [] };
  if (request.mode === 'move') await refuseOutside(workspace, source, own, signal);
  await refuseInTheWay(workspace, source, target, given, signal);
  const sides = [
    await sideOf(workspace, target, given, signal),
    ...(request.mode === 'move' ? [await sideOf(workspace, source, own, signal)] : []),
  ];
  const links = await notesOfLinks(
    workspace,
    { place: to, before: target.state, after: given },
    request.mode === 'move' ? { place: from, before: source.state, after: own } : undefined,
  );
  const told = new Set(source.left.map(textOf));
  return {
    ...{ from: from.name, to: to.name, mode: request.mode, files },
    notes: [...source.left, ...links.filter((each) => !told.has(textOf(each)))],
    sides,
  };
}

/**
 * Carries the uncommitted work of a worktree to another, three-way, all or nothing. Can be undone; killed in between, the next `wt` rolls it
 * back or completes it.
 *
 * @param id of the operation; a new one by default.
 * @throws Problem as {@link planCarry}: neither worktree was changed then.
 */
export async function carry(
  workspace: Workspace,
  request: CarryRequest,
  options: { readonly signal?: AbortSignal | undefined; readonly id?: string | undefined } = {},
): Promise<Carried> {
  let planned: CarryPlan | undefined;
  const plan = async (): Promise<CarryOperation> => {
    const { sides, files, notes, from, to, mode } = (planned = await planCarry(workspace, request, options.signal));
    const started = newOperation(workspace, 'carry', titleOf(planned));
    const carried = { from, to, mode, files: { some: files.slice(0, namesKept), count: files.length }, sides };
    return { ...started, ...(options.id === undefined ? {} : { id: options.id }), carried, notes };
  };
  const { id } = await runCarry(workspace, plan, options.signal);
  if (!planned) throw new Error('nothing was planned');
  const { from, to, mode, files, notes } = planned;
  return { from, to, mode, files, notes, id };
}

const titleOf = ({ from, to, mode }: Pick<CarryPlan, 'from' | 'to' | 'mode'>): string =>
  `${mode === 'move' ? 'carry' : 'copy'} changes from ${from} to ${to}`;

/** The files that are not committed and would be carried, sorted. */
export async function filesOf(
  workspace: Workspace,
  { headTree, state }: UncommittedWork,
  signal?: AbortSignal,
): Promise<string[]> {
  const changes = await Promise.all([
    treeDiff(workspace, headTree, state.work, signal),
    treeDiff(workspace, headTree, state.index, signal),
  ]);
  const paths = changes.flat().map(({ path }) => path);
  return [...new Set([...paths, ...state.intent.map((name) => Buffer.from(name, 'base64').toString('utf8'))])].sort();
}

function nothingToCarry({ place, left }: UncommittedWork): Problem {
  const name = place.name;
  const what = left.length === 0 ? carryMessages.nothingToCarry({ name }) : carryMessages.nothingElse({ name });
  return new Problem('not-found', what, { items: left, outcome: 'incomplete' });
}

/**
 * A worktree whose files git finds.
 *
 * @throws Problem `not-found` for any other.
 */
export async function placeOf({ name, path, gitDir, condition, bare }: CarryRequest['from']): Promise<CarryPlace> {
  if (!bare && condition === 'fine' && gitDir !== undefined && (await isThere(join(path, '.git'))))
    return { name, path, gitDir };
  throw new Problem('not-found', carryMessages.noFiles({ name }), { next: carryMessages.repairFirst() });
}

/** The state with the names that are to be staged alone: its own, and those that come along and are staged in no other way. */
async function withNames(
  workspace: Workspace,
  source: UncommittedWork,
  target: UncommittedWork,
  after: WorkState,
): Promise<WorkState> {
  const news = new Set(
    (await treeDiff(workspace, target.state.work, after.work)).map(({ raw }) => raw.toString('base64')),
  );
  const coming = source.state.intent.filter((name) => news.has(name));
  return { ...after, intent: [...new Set([...target.state.intent, ...coming])] };
}

/** @throws Problem `dirty`, `unsupported`. */
async function refuseInTheWay(
  workspace: Workspace,
  source: UncommittedWork,
  target: UncommittedWork,
  after: WorkState,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { place, state, overlooked } = target;
  const names = { from: source.place.name, to: place.name };
  const changes = await changesBetween(workspace, state, after, signal);
  const isMixed = ({ before, after: then }: (typeof changes.links)[number]): boolean =>
    before !== undefined && then !== undefined && before.mode !== then.mode;
  if (changes.links.some(isMixed)) {
    throw new Problem('unsupported', carryMessages.linkAndFile(names), {
      next: carryMessages.commitFirst({ path: source.place.path }),
      items: changes.links.filter(isMixed).map(({ path }) => path),
      outcome: 'incomplete',
    });
  }
  await refuseOutside(workspace, target, after, signal);
  const touched = pathsOf(changes);
  const dirty = new Set([...(await filesOf(workspace, target, signal)), ...overlooked]);
  const foreign = foreignIn(await lookAt(workspace, place, state, after, signal));
  const inTheWay = [...new Set([...touched.filter((path) => dirty.has(path)), ...foreign])].sort();
  if (inTheWay.length > 0) {
    throw new Problem('dirty', carryMessages.overlaps(names), {
      next: carryMessages.commitThere({ path: place.path }),
      items: inTheWay,
      outcome: 'incomplete',
    });
  }
}

const pathsOf = ({ files, index, links }: StateChanges): string[] =>
  [...files, ...index, ...links].map(({ path }) => path);

/** @throws Problem `dirty` for files that a sparse checkout leaves out: git would have to write them there. */
async function refuseOutside(
  workspace: Workspace,
  { place, state }: UncommittedWork,
  after: WorkState,
  signal: AbortSignal | undefined,
): Promise<void> {
  const touched = new Set(pathsOf(await changesBetween(workspace, state, after, signal)));
  const outside = await outsideSparse(workspace, place, touched, signal);
  if (outside.length === 0) return;
  throw new Problem('dirty', carryMessages.outsideSparse({ name: place.name }), {
    next: carryMessages.widenSparse({ path: place.path }),
    items: outside,
    outcome: 'incomplete',
  });
}

/** In a sparse checkout the files that are not there although they are in the index. */
async function outsideSparse(
  { git }: Workspace,
  place: CarryPlace,
  touched: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  if (!(await isThere(join(place.gitDir, 'info', 'sparse-checkout')))) return [];
  const records = fieldsOf(await git.text(inTree(place, 'ls-files', '-z', '-t'), { cwd: place.path, signal }));
  return records.filter((each) => each.startsWith('S ') && touched.has(each.slice(2))).map((each) => each.slice(2));
}

async function sideOf(
  workspace: Workspace,
  work: UncommittedWork,
  after: WorkState,
  signal: AbortSignal | undefined,
): Promise<CarrySide> {
  const { place, head, state } = work;
  const { files } = await changesBetween(workspace, state, after, signal);
  const before = { ...state, bytes: await keepBytes(workspace, place, files, signal) };
  return { ...place, head, before, after };
}
