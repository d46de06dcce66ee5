import { Problem } from '../base/problem.ts';
import { quoted, shellWord } from '../base/quoted.ts';
import { execMessages } from '../messages/exec.ts';
import { isUnderWay, pendingFile, readPendingFile } from '../operations/store.ts';
import { worktreeGraph } from '../stack/graph.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** A worktree that a command is to run in. */
export interface ExecTarget {
  readonly worktree: Worktree;
  /** The name of the one below it in the stack, which comes first. */
  readonly after?: string;
  /** Why nothing can run in it. */
  readonly problem?: Problem;
}

/** Every linked worktree, in git's order. */
export function allTargets(workspace: Workspace, { worktrees }: Snapshot): Promise<ExecTarget[]> {
  return Promise.all(worktrees.filter(({ main }) => !main).map((worktree) => targetOf(workspace, worktree)));
}

/**
 * The worktrees of a stack, each after the one that it is based on.
 *
 * @throws Problem `usage` for a worktree that is in no stack.
 */
export function stackTargets(workspace: Workspace, snapshot: Snapshot, of: Worktree): Promise<ExecTarget[]> {
  const graph = worktreeGraph(snapshot);
  const stack = graph.stackOf(of.branch);
  if (stack.length === 0) {
    throw new Problem('usage', execMessages.noStack({ name: of.name }), { next: execMessages.nameStacked() });
  }
  return Promise.all(
    stack.map(async ({ branch, worktree }) => {
      const below = graph.parent(branch)?.worktree.name;
      return { ...(await targetOf(workspace, worktree)), ...(below === undefined ? {} : { after: below }) };
    }),
  );
}

/** One worktree, with what keeps a command from running in it. */
export async function targetOf(workspace: Workspace, worktree: Worktree): Promise<ExecTarget> {
  const problem = folderProblem(worktree);
  const busy = await busyProblem(workspace, worktree);
  const found = busy ?? problem;
  return found ? { worktree, problem: found } : { worktree };
}

function folderProblem({ name, path, bare, condition }: Worktree): Problem | undefined {
  if (bare)
    return new Problem('not-found', execMessages.bareRepository({ name }), { next: execMessages.nameWorktree() });
  switch (condition) {
    case 'fine':
      return undefined;
    case 'moved':
      return incomplete(execMessages.movedFolder({ name, path }), execMessages.repair({ path: shellWord(path) }));
    case 'missing':
      return incomplete(execMessages.noFolder({ name, path }), execMessages.bringBack({ name: quoted(name) }));
    case 'empty':
    case 'broken':
    case 'foreign':
      return incomplete(execMessages.notItsFolder({ name, path }), execMessages.bringBack({ name: quoted(name) }));
  }
}

/** Whether another process is just removing or making the worktree: a command would begin in a folder that goes. */
async function busyProblem(workspace: Workspace, { name, slug, main }: Worktree): Promise<Problem | undefined> {
  if (main) return undefined;
  const { environment, repository } = workspace;
  const pending = await readPendingFile(repository, pendingFile(repository, slug)).catch(() => undefined);
  if (pending === undefined || pending === 'empty' || !(await isUnderWay(environment, pending))) return undefined;
  const what =
    pending.kind === 'cleanup'
      ? execMessages.beingRemoved({ name })
      : pending.kind === 'create'
        ? execMessages.beingCreated({ name })
        : execMessages.beingChanged({ name });
  return new Problem('in-use', what, { next: execMessages.waitForIt(), outcome: 'incomplete' });
}

function incomplete(what: Problem['what'], next: Problem['what']): Problem {
  return new Problem('not-found', what, { next, outcome: 'incomplete' });
}
