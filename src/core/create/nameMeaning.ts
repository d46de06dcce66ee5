import { Problem } from '../base/problem.ts';
import type { Message } from '../messages/message.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { branchesIn } from './branchOfName.ts';
import type { CreateRequest } from './request.ts';
import { resolveRequest, type ResolvedRequest } from './resolveRequest.ts';

/** What would come of a text as the name of a new worktree. */
export type NameMeaning =
  | {
      readonly kind: 'create';
      /** A new branch, one that is here, or one that continues a remote's. */
      readonly how: 'new' | 'existing' | 'remote';
      readonly request: Omit<CreateRequest, 'createdBy'>;
      readonly branch: string;
      /** The branch of a remote that is continued. */
      readonly from: string | undefined;
      readonly base: string;
      /** Where it would be, as {@link ResolvedRequest.relativePath}. */
      readonly folder: string;
      readonly warnings: readonly Message[];
    }
  /** Several remotes have branches of the name that differ: a person says which one is meant, or that a new one is. */
  | { readonly kind: 'several'; readonly branches: readonly string[]; readonly name: string }
  /** Nothing can be made. */
  | { readonly kind: 'refused'; readonly problem: Problem };

/** The base of a new worktree, as far as it is known. */
export interface KnownBase {
  /** What a person has chosen. */
  readonly chosen: string | undefined;
  /** What a new branch starts at otherwise. One that exists is based on what its history shows. */
  readonly likely: string | undefined;
}

/**
 * Finds out what a text means before anything is made of it: as a person types. A branch that is called so and has no worktree is the one
 * that is meant.
 *
 * @throws Problem `cancelled`; whatever else is wrong is the answer.
 */
export async function meaningOf(
  workspace: Workspace,
  { name, branch }: { readonly name: string; readonly branch?: string | undefined },
  { chosen, likely }: KnownBase,
  signal?: AbortSignal,
): Promise<NameMeaning> {
  const asked = { name, branch, base: chosen ?? (branch === undefined ? likely : undefined) };
  try {
    const found = await resolveRequest(workspace, { ...asked, createdBy: 'vscode' }, signal);
    if (found.newBranch && found.fromRemote === undefined) return toMeaning(asked, found);
    const request = { ...asked, base: chosen };
    if (chosen !== undefined || asked.base === undefined) return toMeaning(request, found);
    return toMeaning(request, await resolveRequest(workspace, { ...request, createdBy: 'vscode' }, signal));
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    const meant = branch === undefined ? branchesIn(thrown) : undefined;
    if (!meant) return { kind: 'refused', problem: thrown };
    if (meant.areRemote) return { kind: 'several', name, branches: meant.branches };
    return meaningOf(workspace, { name, branch: meant.branches[0] }, { chosen, likely }, signal);
  }
}

function toMeaning(request: Omit<CreateRequest, 'createdBy'>, found: ResolvedRequest): NameMeaning {
  const { branch, fromRemote: from, base, relativePath: folder, newBranch, warnings } = found;
  const how = from !== undefined ? 'remote' : newBranch ? 'new' : 'existing';
  return { kind: 'create', how, request, branch, from, base, folder, warnings };
}
