import { Problem } from '../base/problem.ts';
import { nameKey } from '../session/lines.ts';
import { readSession } from '../session/sessionDocument.ts';
import { assignToWorktree } from '../session/tasksMove.ts';
import type { RemovedWorktree } from '../operations/operation.ts';
import { textHash, updateTaskFile } from '../tasks/taskFile.ts';
import type { Workspace } from '../worktree/workspace.ts';

/**
 * Hands the tasks that the removal of a worktree released to it again. A session file that nobody has changed since is what it was, byte
 * for byte. Doing it twice is harmless.
 *
 * @returns sentences about tasks that somebody else has by now, or a file that cannot be read: it stays as it is.
 */
export async function restoreTasks(
  workspace: Workspace,
  { slug, tasks }: Pick<RemovedWorktree, 'slug' | 'tasks'>,
): Promise<string[]> {
  if (!tasks) return [];
  const notes: string[] = [];
  try {
    await updateTaskFile(workspace, ({ text, document }) => {
      if (textHash(text) === tasks.after) return tasks.before;
      let now = document;
      for (const task of readSession(tasks.before).tasks.filter(({ first }) => first.slug === slug)) {
        const { name } = task.first;
        const same = now.tasks.filter(({ first }) => nameKey(first.name) === nameKey(name));
        const holder = same.find(({ first }) => first.slug !== undefined);
        if (holder && holder.first.slug !== slug)
          notes.push(`The task ${JSON.stringify(name)} is with wt/${holder.first.slug ?? ''} by now, and stays there.`);
        if (holder) continue;
        // One that was done with is written anew, as one that is pending would be.
        const free = same[0] ?? { ...task, section: { ...task.section, role: 'pending' as const } };
        now = readSession(assignToWorktree(now, free, slug));
      }
      return now.source.bom + now.source.lines.map((line) => line.text + line.end).join('');
    });
  } catch (thrown) {
    if (!Problem.is(thrown)) throw thrown;
    notes.push(`The session file was left as it is: ${thrown.message}`);
  }
  return notes;
}
