import { displayPath } from '../core/base/paths.ts';
import type { Problem } from '../core/base/problem.ts';
import type { AgentsAtWork } from '../core/claude/agentsAtWork.ts';
import type { RunFacts } from '../core/claude/runs/runFacts.ts';
import type { StackInShort } from '../core/snapshot/facts.ts';
import { portNumbers } from '../core/repository/portBlock.ts';
import { worktreeId } from '../core/repository/context.ts';
import { lifecycleOf } from '../core/repository/standing.ts';
import type { Distance, Snapshot, Worktree } from '../core/worktree/model.ts';
import type { WorktreeSize } from '../core/worktree/worktreeSize.ts';
import { runJson } from './runJson.ts';

/**
 * A worktree as `--json` prints it; schemas/list.schema.json. Every key is always there, `null` where nothing is known.
 *
 * @param agents those in the worktree; `undefined` when there is nothing to say of any.
 * @param run the workflow that has claimed it.
 * @param around what is known of its stack, and of coming conflicts if they were looked for; only `wt list` reads that. And its size, where
 *   that was asked for.
 */
export function worktreeJson(
  snapshot: Snapshot,
  worktree: Worktree,
  agents: AgentsAtWork | undefined,
  run: RunFacts | undefined,
  around?: {
    readonly stack?: StackInShort | undefined;
    readonly isCompared?: boolean;
    readonly size?: WorktreeSize | undefined;
  },
): Record<string, unknown> {
  const { base, upstream, changes, lastCommit, entry } = worktree;
  return {
    name: worktree.name,
    slug: worktree.slug,
    path: displayPath(snapshot.repository.mainRoot, worktree.path),
    absolute_path: worktree.path,
    worktree_id: worktreeId(worktree.path),
    main: worktree.main,
    bare: worktree.bare,
    active: worktree.active,
    branch: worktree.branch ?? null,
    head: worktree.head ?? null,
    base: base
      ? {
          branch: base.branch,
          recorded: base.recorded,
          exists: base.exists,
          commit: entry?.baseCommit ?? null,
          ...distanceJson(base.distance),
        }
      : null,
    upstream: upstream ? { name: upstream.name, gone: upstream.gone, ...distanceJson(upstream.distance) } : null,
    changes: changes ?? null,
    operation: worktree.operation ?? null,
    condition: worktree.condition,
    locked: worktree.lockReason !== undefined,
    lock_reason: worktree.lockReason ?? null,
    shares_branch_with: worktree.sharesBranchWith,
    last_commit: lastCommit
      ? { time: new Date(lastCommit.time * 1000).toISOString(), subject: lastCommit.subject }
      : null,
    pr: entry?.pr ?? null,
    work_id: entry?.workId ?? null,
    task: entry?.task ?? null,
    compose_project: entry?.composeProject ?? null,
    ports: worktree.ports ? portNumbers(worktree.ports) : null,
    size: sizeJson(around?.size),
    urls: worktree.urls.map(({ name, url }) => ({ name, url: url ?? null })),
    created: entry?.created ?? null,
    created_by: entry?.createdBy ?? null,
    // The word holds only for the branch that it was said of.
    lifecycle: lifecycleOf(entry, entry?.branch === worktree.branch ? worktree.head : undefined) ?? null,
    needs_restack: around?.stack?.stacked ? around.stack.needsRestack : null,
    base_cycle: around?.stack?.cycle ?? null,
    restack_stopped_at: around?.stack?.stopped?.at ?? null,
    predicted: around?.isCompared ? (around.stack?.predicted ?? []) : null,
    agents: agentsJson(agents),
    run: runJson(run),
    trouble: worktree.trouble ?? null,
  };
}

/** The agents of a worktree, as `--json` prints them. */
export function agentsJson(agents: AgentsAtWork | undefined): Record<string, unknown> {
  const present = (agents?.agents ?? []).map(({ agent, activity, session, pid, since }) => ({
    name: agent ?? null,
    activity,
    session,
    pid: pid ?? null,
    since: since ?? null,
  }));
  return { activity: agents?.activity ?? null, denied: agents?.denied ?? 0, present };
}

/** A problem that did not stop the command, as `--json` prints it. */
export function problemJson(problem: Problem): Record<string, unknown> {
  return {
    reason: problem.reason,
    message: problem.message,
    next: problem.next ?? null,
    file: problem.file ?? null,
    line: problem.line ?? null,
  };
}

function sizeJson(size: WorktreeSize | undefined): Record<string, unknown> | null {
  return size ? { bytes: size.bytes, ignored_bytes: size.ignored, whole: size.whole } : null;
}

function distanceJson(distance: Distance | undefined): { ahead: number | null; behind: number | null } {
  return { ahead: distance?.ahead ?? null, behind: distance?.behind ?? null };
}
