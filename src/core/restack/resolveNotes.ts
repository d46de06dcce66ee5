import { readBlobs, readStages, stageTexts, type StagedFile } from '../git/blobs.ts';
import { sessionPaths } from '../repository/sessionPaths.ts';
import { isSettled, replaySessionText } from '../session/replayText.ts';
import type { Workspace } from '../worktree/workspace.ts';

/**
 * Resolves and stages the session files that a rebase under way has left in conflict, where that takes no person. It is called right after
 * git has stopped, before anybody can have worked on them.
 *
 * @param cwd the root of the working tree.
 * @returns the paths that were resolved.
 * @throws Problem with git's message when the index or the working tree cannot be written.
 */
export async function resolveNotes(
  workspace: Workspace,
  cwd: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const { git } = workspace;
  const files = sessionPaths(workspace);
  const read = { cwd, signal };
  const stagesOf = await readStages(
    git,
    files.map(({ path }) => path),
    read,
  );
  const open = files.flatMap(({ kind, path }) => {
    // In a rebase stage 2 is what the commit is replayed onto, and stage 3 the commit.
    const [, base, onto, commit] = stagesOf(path);
    return onto && commit ? [{ kind, path, base, onto, commit }] : [];
  });
  if (open.length === 0) return [];
  const oids = open.flatMap(({ base, onto, commit }) => [...(base ? [base.oid] : []), onto.oid, commit.oid]);
  const texts = await readBlobs(git, oids, read);
  const staged = open.flatMap(({ kind, path, base, onto, commit }): StagedFile[] => {
    const [baseText, ontoText, commitText] = [base && texts.get(base.oid), texts.get(onto.oid), texts.get(commit.oid)];
    if (ontoText === undefined || commitText === undefined || (base && baseText === undefined)) return [];
    const outcome = replaySessionText({ kind, base: baseText, commit: commitText, onto: ontoText });
    return isSettled(outcome) ? [{ path, mode: commit.mode, text: outcome.text }] : [];
  });
  await stageTexts(git, staged, read);
  return staged.map(({ path }) => path);
}
