import type { Uri } from 'vscode';
import type { SessionMergeHost } from './host.ts';
import { openFileInMergeEditor } from './openMergeEditor.ts';
import { openSessionMerge } from './openSessionMerge.ts';
import { kindOf, locateFile } from './readConflict.ts';

/** Opens a file in conflict where it is best resolved: a session file in the session merge editor, any other in VS Code's own merge editor. */
export async function openWhereResolved(host: SessionMergeHost, uri: Uri): Promise<void> {
  const { model, path } = await locateFile(host.repositories, uri.fsPath);
  const { configuration } = await model.workspace();
  if (kindOf(configuration, path)) await openSessionMerge(host, uri);
  else await openFileInMergeEditor(host, uri);
}
