import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  readBlobs,
  readStages,
  readTree,
  stageTexts,
  type Blob,
  type ReadOptions,
  type StagedFile,
} from '../git/blobs.ts';
import { sessionPaths } from '../repository/sessionPaths.ts';
import type { SessionKind } from '../session/model.ts';
import { isSettled, replaySessionText } from '../session/replayText.ts';
import type { Workspace } from '../worktree/workspace.ts';

interface Versions {
  readonly base: Blob | undefined;
  readonly onto: Blob;
  readonly commit: Blob;
}

interface NotesFile extends Versions {
  readonly kind: SessionKind;
  readonly path: string;
  /** What git has merged without a conflict. */
  readonly merged: Blob | undefined;
}

/**
 * Resolves and stages the session files of a rebase that has stopped, where that takes no person: those in conflict, and those that git has
 * merged by lines without one.
 *
 * @param cwd the root of the working tree.
 * @param how.fresh git has stopped this very moment, so that nobody can have worked on the files. Else only conflicts are resolved.
 * @returns the paths that were in conflict and are resolved.
 * @throws Problem with git's message when the index or the working tree cannot be written.
 */
export async function resolveNotes(
  workspace: Workspace,
  cwd: string,
  how: { readonly fresh: boolean },
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const { git } = workspace;
  const files = sessionPaths(workspace);
  const read = { cwd, signal };
  const paths = files.map(({ path }) => path);
  const stagesOf = await readStages(git, paths, read);
  const isClean = (path: string): boolean => stagesOf(path)[0] !== undefined;
  const inCommits = how.fresh && paths.some(isClean) ? await versionsInCommits(workspace, paths, read) : undefined;
  const open = files.flatMap(({ kind, path }): NotesFile[] => {
    // In a rebase stage 2 is what the commit is replayed onto, and stage 3 the commit.
    const [merged, base, onto, commit] = stagesOf(path);
    const versions = merged ? inCommits?.(path) : onto && commit ? { base, onto, commit } : undefined;
    return versions ? [{ kind, path, merged, ...versions }] : [];
  });
  if (open.length === 0) return [];
  const oids = open.flatMap(({ base, onto, commit }) => [...(base ? [base.oid] : []), onto.oid, commit.oid]);
  const merged = open.flatMap((file) => (file.merged ? [file.merged.oid] : []));
  const texts = await readBlobs(git, [...oids, ...merged], read);
  const unknown: string[] = [];
  const staged = open.flatMap(({ kind, path, base, onto, commit, merged }): StagedFile[] => {
    const [baseText, ontoText, commitText] = [base && texts.get(base.oid), texts.get(onto.oid), texts.get(commit.oid)];
    if (ontoText === undefined || commitText === undefined || (base && baseText === undefined)) return [];
    const outcome = replaySessionText({ kind, base: baseText, commit: commitText, onto: ontoText });
    if (!outcome.known && !merged) unknown.push(path);
    if (!isSettled(outcome) || (merged && texts.get(merged.oid) === outcome.text)) return [];
    return [{ path, mode: commit.mode, text: outcome.text }];
  });
  await stageTexts(git, staged, read);
  // Where the rules do not hold, what git has merged by lines without a conflict does.
  const byLines = how.fresh ? await withoutMarkers(cwd, unknown) : [];
  if (byLines.length > 0) await git.text(['--literal-pathspecs', 'add', '--', ...byLines], { ...read, writes: true });
  return [...staged.map(({ path }) => path).filter((path) => !isClean(path)), ...byLines];
}

async function withoutMarkers(cwd: string, paths: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(paths.map((path) => readFile(join(cwd, path), 'latin1').catch(() => undefined)));
  return paths.filter((_, index) => texts[index] !== undefined && !/^(?:<{7}|>{7})/m.test(texts[index]));
}

/** The versions of the files that both the stopped commit and what it is replayed onto have changed; by their path. */
async function versionsInCommits(
  { git }: Workspace,
  paths: readonly string[],
  read: ReadOptions,
): Promise<((path: string) => Versions | undefined) | undefined> {
  const oidOf = (name: string): Promise<string | undefined> =>
    git.line(['rev-parse', '--verify', '--quiet', `${name}^{commit}`], read);
  const [commit, before, merging] = await Promise.all(['REBASE_HEAD', 'REBASE_HEAD^', 'MERGE_HEAD'].map(oidOf));
  if (commit === undefined || before === undefined || merging !== undefined) return undefined;
  const [ofBase, ofOnto, ofCommit] = await Promise.all(
    [before, 'HEAD', commit].map((each) => readTree(git, each, paths, read)),
  );
  return (path) => {
    const [base, onto, own] = [ofBase?.get(path), ofOnto?.get(path), ofCommit?.get(path)];
    const isFile = (blob: Blob | undefined): boolean => blob !== undefined && /^100/.test(blob.mode);
    if (!onto || !own || !isFile(onto) || !isFile(own) || (base && !isFile(base))) return undefined;
    // Where only one side changed it, git has taken that one.
    const isOneSided = own.oid === onto.oid || base?.oid === own.oid || base?.oid === onto.oid;
    return isOneSided ? undefined : { base, onto, commit: own };
  };
}
