import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readTextIfThere, updateText } from '../base/atomicFile.ts';
import { withFileLock } from '../base/fileLock.ts';
import { Problem } from '../base/problem.ts';
import { readSession, type SessionDocument } from '../session/sessionDocument.ts';
import { shapeFault } from '../session/tasks.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { tasksMessages } from '../messages/tasks.ts';

/** The session file of the main working tree, which has the tasks. */
export interface TaskFile {
  /** Absolute. */
  readonly file: string;
  /** As it is configured, relative to the main root. */
  readonly relative: string;
  readonly text: string;
  readonly document: SessionDocument;
}

/** Where the session file is, or would be: absolute. `undefined` where there is no main working tree. */
export function taskFilePath({ repository, configuration }: Workspace): string | undefined {
  return repository.bare ? undefined : join(repository.mainRoot, configuration.session.session);
}

/**
 * Reads the session file of the main working tree; `undefined` where there is none.
 *
 * @throws Problem `unreadable-file` with the line, when its tasks cannot be told from its text.
 */
export async function readTaskFile(workspace: Workspace): Promise<TaskFile | undefined> {
  const file = taskFilePath(workspace);
  const text = file === undefined ? undefined : await readTextIfThere(file, { keepBom: true });
  if (file === undefined || text === undefined) return undefined;
  const relative = workspace.configuration.session.session;
  const document = readSession(text);
  const fault = shapeFault(document);
  if (!fault) return { file, relative, text, document };
  throw new Problem(
    'unreadable-file',
    tasksMessages.tasksCannotRead({ relative, line: fault.line, what: fault.what }),
    {
      file,
      line: fault.line,
      next: tasksMessages.correctFile(),
    },
  );
}

/**
 * Changes the session file of the main working tree, one process at a time, and so that nobody reads half a file. What an editor saves
 * meanwhile is kept: the change is then made to that text.
 *
 * @param edit gives the new text, or `undefined` to leave the file alone. What it throws leaves it alone too.
 * @returns the texts before and after, where it was changed.
 * @throws Problem as {@link readTaskFile}, `not-writable`, `locked-by-another`.
 */
export async function updateTaskFile(
  workspace: Workspace,
  edit: (file: TaskFile) => string | undefined,
  signal?: AbortSignal,
): Promise<{ readonly before: string; readonly after: string } | undefined> {
  const { environment, repository } = workspace;
  // Beside the file, the lock would show in `git status`.
  const lock = join(repository.commonDir, 'worktree-stacks', 'session');
  const change = async (write: (text: string) => void): Promise<{ before: string; after: string } | undefined> => {
    const file = await readTaskFile(workspace);
    const after = file && edit(file);
    if (!file || after === undefined || after === file.text) return undefined;
    write(after);
    return { before: file.text, after };
  };
  const path = taskFilePath(workspace);
  if (path === undefined) return undefined;
  return withFileLock(environment, lock, () => updateText(path, change), signal);
}

/** By what a text of the session file is known again. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
