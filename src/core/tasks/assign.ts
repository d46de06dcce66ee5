import { Problem } from '../base/problem.ts';
import { readRegistry } from '../repository/registry.ts';
import type { Task } from '../session/sessionDocument.ts';
import { isFinished } from '../session/taskLine.ts';
import { findTask } from '../session/tasksFind.ts';
import { focusedSession } from '../session/tasksFocus.ts';
import { assignToWorktree, unassignFromWorktree } from '../session/tasksMove.ts';
import type { Naming } from '../worktree/naming.ts';
import { quoted } from '../base/quoted.ts';
import { readListing } from '../worktree/worktreeList.ts';
import { nameListings } from '../worktree/worktreeNames.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { readTaskFile, updateTaskFile, type TaskFile } from './taskFile.ts';
import { tasksMessages } from '../messages/tasks.ts';
import { worktreeMessages } from '../messages/worktree.ts';
import type { Message } from '../messages/message.ts';

/** A task of the session file that a worktree is to be made for. */
export interface TaskToAssign {
  /** As the file has it. */
  readonly name: string;
  /** The session file of the new worktree. */
  readonly focused: string;
}

/** What a task that was asked for turned out to be. */
export interface TaskChoice {
  /** `undefined` for a text that only says what the worktree is for. */
  readonly task: TaskToAssign | undefined;
  readonly warnings: readonly Message[];
}

/**
 * Finds out whether a worktree is asked for a task of the session file. Whoever names the worktree may say in any words what it is for;
 * without a name, the task has to be there.
 *
 * @param asked the task as it was asked for.
 * @param named whether the worktree has a name of its own.
 * @throws Problem `in-use` when another worktree has the task, `ambiguous`; without a name also `not-found` with the names that come
 *   close, `taken` for a task that is finished, `unreadable-file`.
 */
export async function chooseTask(
  workspace: Workspace,
  asked: string,
  named: boolean,
  signal: AbortSignal | undefined,
): Promise<TaskChoice> {
  try {
    const file = await readTaskFile(workspace);
    // Without a session file a task is a text.
    if (!file && named) return { task: undefined, warnings: [] };
    const task = requireTask(workspace, file, asked);
    if (task.first.slug !== undefined) await checkWorktreeGone(workspace, task.first.name, task.first.slug, signal);
    const { document } = file as TaskFile;
    return { task: { name: task.first.name, focused: focusedSession(document, task) }, warnings: [] };
  } catch (thrown) {
    const isText = Problem.is(thrown) && ['not-found', 'taken', 'unreadable-file'].includes(thrown.reason);
    if (!named || !isText) throw thrown;
    return { task: undefined, warnings: [tasksMessages.taskIsText({ reason: thrown.what })] };
  }
}

function requireTask({ configuration }: Workspace, file: TaskFile | undefined, asked: string): Task {
  const { session } = configuration.session;
  const word = JSON.stringify(asked);
  if (!file) {
    throw new Problem('not-found', tasksMessages.noSessionFile({ session, word }), {
      next: tasksMessages.giveWorktreeName({ word }),
    });
  }
  const found = findTask(file.document, asked);
  switch (found.found) {
    case 'none':
      throw new Problem('not-found', tasksMessages.noTask({ word, session }), {
        file: file.file,
        next: found.similar.length > 0 ? worktreeMessages.useOneNames() : tasksMessages.seeWtTasks(),
        items: found.similar,
      });
    case 'several':
      throw new Problem('ambiguous', tasksMessages.thereAreTasks({ count: found.lines.length, word, session }), {
        file: file.file,
        line: found.lines[0] ?? 1,
        next: tasksMessages.giveEachName(),
        items: found.lines.map((line) => `${session}:${line}`),
      });
    case 'one':
      break;
  }
  if (!isFinished(found.task.first.mark)) return found.task;
  throw new Problem(
    'taken',
    tasksMessages.taskFinishedAlready({ name: JSON.stringify(found.task.first.name), session }),
    {
      file: file.file,
      next: tasksMessages.chooseAnotherOne(),
      outcome: 'incomplete',
    },
  );
}

/** A worktree that is gone has left its mark behind; one that is there has the task. */
async function checkWorktreeGone(
  workspace: Workspace,
  name: string,
  slug: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const [listing, registry] = await Promise.all([
    readListing(workspace, signal ?? new AbortController().signal),
    readRegistry(workspace.repository),
  ]);
  const holder = (await nameListings(workspace, listing, registry)).find((each) => each.slug === slug);
  if (holder) throw handedOut(name, holder);
}

function handedOut(task: string, holder: Pick<Naming, 'name'>): Problem {
  return new Problem(
    'in-use',
    tasksMessages.taskWorktreeAlready({ task: JSON.stringify(task), holderName: holder.name }),
    {
      next: tasksMessages.switchToHolder({ holderName: quoted(holder.name) }),
      outcome: 'incomplete',
    },
  );
}

/** What is needed to assign a task; part of what a pending creation writes down. */
export interface AssignedTask {
  readonly slug: string;
  /** The task as the session file has it; `undefined` when the worktree was not made for one. */
  readonly handedTask?: string | undefined;
}

/** A change of the session file: to take it back exactly, as long as nobody has changed it further. */
export type TaskFileChange = { readonly before: string; readonly after: string };

/**
 * Moves the task that a worktree was made for to the worktree tasks. Doing it twice is harmless.
 *
 * @throws Problem `not-found`, `in-use` or `taken` when somebody has removed, handed out or finished the task meanwhile; as
 *   {@link updateTaskFile}.
 */
export async function assignTask(
  workspace: Workspace,
  { slug, handedTask }: AssignedTask,
  signal?: AbortSignal,
): Promise<TaskFileChange | undefined> {
  if (handedTask === undefined) return undefined;
  const seen = await readTaskFile(workspace);
  const before = requireTask(workspace, seen, handedTask);
  if (before.first.slug !== undefined && before.first.slug !== slug)
    await checkWorktreeGone(workspace, handedTask, before.first.slug, signal);
  return updateTaskFile(
    workspace,
    (file) => {
      const task = requireTask(workspace, file, handedTask);
      if (task.first.slug === slug && task.section.role === 'worktree') return undefined;
      // Handed out by somebody else since we have looked.
      const holder = task.first.slug;
      if (holder !== undefined && holder !== before.first.slug) throw handedOut(handedTask, { name: holder });
      return assignToWorktree(file.document, task, slug);
    },
    signal,
  );
}

/**
 * Rolls back what {@link assignTask} did: the file is what it was, or, where somebody has changed it since, the task is pending again.
 *
 * @param change what it gave, where that is known.
 */
export async function rollBackAssignment(
  workspace: Workspace,
  { slug, handedTask }: AssignedTask,
  change?: TaskFileChange,
): Promise<void> {
  if (handedTask === undefined) return;
  await updateTaskFile(workspace, ({ document, text }) =>
    change?.after === text ? change.before : unassignFromWorktree(document, slug, () => 'pending')?.text,
  );
}
