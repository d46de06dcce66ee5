import { Problem } from '../base/problem.ts';
import { nameKey } from '../session/lines.ts';
import { readSession } from '../session/sessionDocument.ts';
import { assignToWorktree } from '../session/tasksMove.ts';
import type { RemovedWorktree } from '../operations/operation.ts';
import { textHash, updateTaskFile } from '../tasks/taskFile.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Message } from '../messages/message.ts';
import { restoreMessages } from '../messages/restore.ts';
import { tasksMessages } from '../messages/tasks.ts';

/**
 * Assigns the tasks again that the removal of a worktree unassigned. A session file that nobody has changed since is what it was, byte
 * for byte. Doing it twice is harmless.
 *
 * @returns which tasks somebody else has by now, or that the file cannot be read: it stays as it is.
 */
export async function restoreTasks(
  workspace: Workspace,
  { slug, tasks }: Pick<RemovedWorktree, 'slug' | 'tasks'>,
): Promise<Message[]> {
  if (!tasks) return [];
  const notes: Message[] = [];
  try {
    await updateTaskFile(workspace, ({ text, document }) => {
      if (textHash(text) === tasks.after) return tasks.before;
      let now = document;
      for (const task of readSession(tasks.before).tasks.filter(({ first }) => first.slug === slug)) {
        const { name } = task.first;
        const same = now.tasks.filter(({ first }) => nameKey(first.name) === nameKey(name));
        const holder = same.find(({ first }) => first.slug !== undefined);
        if (holder && holder.first.slug !== slug)
          notes.push(restoreMessages.taskStays({ task: JSON.stringify(name), slug: holder.first.slug ?? '' }));
        if (holder) continue;
        // One that was done with is written anew, as one that is pending would be.
        const free = same[0] ?? { ...task, section: { ...task.section, role: 'pending' as const } };
        now = readSession(assignToWorktree(now, free, slug));
      }
      return now.source.bom + now.source.lines.map((line) => line.text + line.end).join('');
    });
  } catch (thrown) {
    if (!Problem.is(thrown)) throw thrown;
    notes.push(tasksMessages.sessionFileLeft({ reason: thrown.what }));
  }
  return notes;
}
