import { createHash } from 'node:crypto';
import { isWithin } from '../base/paths.ts';
import { redact } from '../base/redact.ts';
import { waitsForPerson } from '../claude/agentStates.ts';
import type { LogEntry } from '../claude/decisionLog.ts';
import { undoneIds, type Operation } from '../operations/operation.ts';
import type { Worktree } from '../worktree/model.ts';

/** What happened in a worktree; a row of the database each. */
export type EventKind =
  | 'session_started'
  | 'session_ended'
  | 'waits'
  | 'task_taken'
  | 'task_completed'
  | 'denied'
  | 'sent_back'
  | 'handed_over'
  | 'merged'
  | 'merge_undone';

/** One thing that happened in a worktree. Holds no secrets and no file content. */
export interface AgentEvent {
  /** The same for the same thing, however often it is read: what makes a sync harmless to repeat. */
  readonly id: string;
  readonly kind: EventKind;
  /** ISO 8601. */
  readonly at: string;
  readonly session?: string | undefined;
  readonly run?: string | undefined;
  readonly agent?: string | undefined;
  readonly task?: string | undefined;
  readonly tool?: string | undefined;
  /** The command, shortened, or the path, that was denied; the branch that was merged into. */
  readonly subject?: string | undefined;
  readonly detail?: string | undefined;
}

/** What events are made from. */
export interface Sources {
  /** The log of the hooks, the oldest first. */
  readonly log: readonly LogEntry[];
  /** The log of operations, the latest first. */
  readonly operations: readonly Operation[];
  readonly worktrees: readonly Worktree[];
}

/** The longest text in a row: what says more is cut. */
const longest = 1000;

/** What happened in a worktree, the oldest first, each once. */
export function eventsOf({ log, operations, worktrees }: Sources, worktree: Worktree): AgentEvent[] {
  const renamings = renamingsOf(operations);
  const events = new Map<string, AgentEvent>();
  const add = (event: AgentEvent): void => void (events.has(event.id) || events.set(event.id, event));
  for (const entry of log) {
    if (!belongs(entry, worktree, worktrees, renamings)) continue;
    const event = eventOf(entry);
    if (event) add(event);
  }
  for (const event of taskOf(worktree)) add(event);
  for (const event of mergesOf(operations, worktree)) add(event);
  return [...events.values()].sort((one, other) => one.at.localeCompare(other.at));
}

/** An entry names its worktree as that was called then; one without a name belongs to the innermost worktree around its folder. */
function belongs(
  { worktree: named, cwd, at }: LogEntry,
  worktree: Worktree,
  worktrees: readonly Worktree[],
  renamings: readonly NameChange[],
): boolean {
  if (named === undefined) {
    if (cwd === undefined || !isWithin(worktree.path, cwd)) return false;
    return !worktrees.some(
      ({ path }) => path !== worktree.path && isWithin(worktree.path, path) && isWithin(path, cwd),
    );
  }
  if (worktree.main || named !== nameAt(worktree.name, at, renamings)) return false;
  // One of the same name was there before, and is gone.
  return worktree.entry?.created === undefined || at >= worktree.entry.created;
}

interface NameChange {
  readonly at: string;
  readonly from: string;
  readonly to: string;
}

/** The renamings, the latest first. */
function renamingsOf(operations: readonly Operation[]): NameChange[] {
  return operations.flatMap(({ renaming, started, state }) =>
    renaming && state === 'done' ? [{ at: started, from: renaming.from.name, to: renaming.to.name }] : [],
  );
}

function nameAt(name: string, at: string, renamings: readonly NameChange[]): string {
  let then = name;
  for (const change of renamings) {
    if (change.at <= at) break;
    if (change.to === then) then = change.from;
  }
  return then;
}

function eventOf(entry: LogEntry): AgentEvent | undefined {
  const kind = kindOf(entry);
  if (kind === undefined) return undefined;
  const { at, session, agentId, agent, tool, toolUse, words, reason, detail, event, run } = entry;
  // The plugin and a generated agent may both have refused the same call, a moment apart.
  const what = kind === 'denied' && toolUse !== undefined ? [toolUse] : [at, event, toolUse, words, detail];
  return {
    id: idOf([kind, session, agentId, ...what]),
    kind,
    ...{ at, session, run, agent: agent ?? agentId, tool },
    ...(run === undefined ? { subject: short(words) } : { task: short(words) }),
    detail: short(
      kind === 'denied' || kind === 'sent_back'
        ? reason
        : (detail ?? (kind === 'waits' || run !== undefined ? event : undefined)),
    ),
  };
}

function kindOf(entry: LogEntry): EventKind | undefined {
  const { event, decision } = entry;
  if (decision === 'deny') return 'denied';
  if (decision === 'block') return 'sent_back';
  if (event === 'SessionStart') return 'session_started';
  if (event === 'SessionEnd') return 'session_ended';
  if (waitsForPerson(entry)) return 'waits';
  if (event === 'WorkflowBegin') return 'task_taken';
  if (event === 'WorkflowEnd') return 'task_completed';
  if (event === 'TaskCompleted' && decision !== 'failed') return 'task_completed';
  // A team-mate or a sub-agent leaves its work to whoever has started it; a workflow leaves its to the one that takes over.
  if (event === 'TeammateIdle' || event === 'SubagentStop' || event === 'WorkflowTakeOver') return 'handed_over';
  return undefined;
}

/** The task that a worktree was made for. */
function* taskOf({ entry, branch }: Worktree): Generator<AgentEvent> {
  const { created, createdBy, workflowRunId: run, workId } = entry ?? {};
  const task = entry?.task ?? workId;
  if (created === undefined || task === undefined) return;
  yield {
    id: idOf(['task_taken', created, task]),
    kind: 'task_taken',
    at: created,
    run: typeof run === 'string' ? run : undefined,
    agent: createdBy,
    task: short(redact(task)),
    subject: branch,
    detail: workId,
  };
}

function* mergesOf(operations: readonly Operation[], { branch, entry }: Worktree): Generator<AgentEvent> {
  const undone = undoneIds(operations);
  const merges = new Map<string, Operation>();
  const task = entry?.task;
  for (const operation of operations) {
    const { merged, id, started, moves, state } = operation;
    if (!merged || merged.branch !== branch || branch === undefined || state !== 'done') continue;
    merges.set(id, operation);
    const into = moves[0]?.branch;
    const detail = moves[0]?.to;
    yield { id: idOf(['merged', id]), kind: 'merged', at: started, task, subject: into, detail };
  }
  for (const { kind, of, id, started, state } of operations) {
    const merge = of === undefined || kind !== 'undo' || state !== 'done' ? undefined : merges.get(of);
    if (!merge || !undone.has(merge.id)) continue;
    yield { id: idOf(['merge_undone', id]), kind: 'merge_undone', at: started, task, subject: merge.moves[0]?.branch };
  }
}

const short = (text: string | undefined): string | undefined => text?.slice(0, longest);

function idOf(parts: readonly (string | undefined)[]): string {
  return createHash('sha256')
    .update(parts.map((part) => part ?? '').join('\0'))
    .digest('hex')
    .slice(0, 24);
}
