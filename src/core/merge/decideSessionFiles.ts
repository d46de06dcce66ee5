import type { Git } from '../git/git.ts';
import { readBlobs, type Blob, type StageBlobs, type StagedFile } from '../git/blobs.ts';
import { mergeSessionText } from '../session/mergeText.ts';
import type { MergeOutcome, SessionKind } from '../session/model.ts';
import { replaySessionText } from '../session/replayText.ts';

/**
 * What became of a session file.
 *
 * - `absent`: neither side has it
 * - `git`: git's result stands: only one side has the file, or git followed a rename
 * - `merged`: both sides' entries are in it
 * - `kept`: theirs deleted the file, and what ours has is kept
 * - `deleted`: ours deleted it, and theirs has nothing new in it
 * - `unknown`: it does not have the shape that the rules are for, so that git's result stands, with its conflict if there is one
 */
export type SessionFileState = 'absent' | 'git' | 'merged' | 'kept' | 'deleted' | 'unknown';

export interface SessionFileResult {
  readonly kind: SessionKind;
  /** From the root of the working tree, with forward slashes. */
  readonly path: string;
  readonly state: SessionFileState;
  /** What is unknown, with the line, where `state` says so. */
  readonly unknown: string | undefined;
  /** The merge, where there was one. */
  readonly outcome: MergeOutcome | undefined;
  /** Whether the index was written: the result is another one than git's, or git had none. */
  readonly changed: boolean;
  /** Whether the file is still in conflict. */
  readonly conflicted: boolean;
}

/** The three versions of one file. */
export interface FileVersions {
  readonly kind: SessionKind;
  readonly path: string;
  readonly base: Blob | undefined;
  readonly ours: Blob | undefined;
  readonly theirs: Blob | undefined;
  readonly stages: StageBlobs;
  /** Whether theirs, which has no such file, moved it elsewhere. */
  readonly movedByTheirs: boolean;
}

/** How versions are merged. */
export interface VersionOptions {
  readonly cwd: string;
  readonly slug?: string | undefined;
  /** Ours is a commit that is replayed onto theirs, in a rebase. */
  readonly replayed?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What the rules make of files, and what has to be staged for it. */
export interface DecidedFiles {
  readonly results: SessionFileResult[];
  readonly staged: readonly StagedFile[];
}

/** Merges files whose three versions are known, in memory. */
export async function decideVersions(
  git: Git,
  versions: readonly FileVersions[],
  options: VersionOptions,
): Promise<DecidedFiles> {
  const blobs = versions.flatMap(({ base, ours, theirs, stages }) =>
    [base, ours, theirs, stages[0]].filter((blob) => blob !== undefined),
  );
  const texts = await readBlobs(
    git,
    blobs.filter(isFile).map(({ oid }) => oid),
    options,
  );
  const staged: StagedFile[] = [];
  const results = versions.map((file): SessionFileResult => {
    const { kind, path, ours, theirs, stages } = file;
    const decision = decide(file, texts, options);
    const inConflict = stages.slice(1).some((stage) => stage !== undefined);
    const mode = (ours ?? theirs)?.mode ?? '100644';
    const differs =
      decision.result !== undefined &&
      (inConflict ||
        (stages[0] === undefined ? '' : (texts.get(stages[0].oid) ?? '')) !== (decision.result.text ?? ''));
    if (differs) staged.push({ path, mode, text: decision.result?.text });
    return {
      kind,
      path,
      state: decision.state,
      unknown: decision.unknown,
      outcome: decision.outcome,
      changed: differs,
      conflicted: inConflict && !differs,
    };
  });
  return { results, staged };
}

interface Decision {
  readonly state: SessionFileState;
  readonly unknown?: string | undefined;
  readonly outcome?: MergeOutcome | undefined;
  /** What is to stand in the index; undefined where git's result stands. Its text is undefined where the file goes. */
  readonly result?: { readonly text: string | undefined } | undefined;
}

const isFile = ({ mode }: Blob): boolean => mode === '100644' || mode === '100755';

function decide(
  file: FileVersions,
  texts: ReadonlyMap<string, string | undefined>,
  { slug, replayed }: VersionOptions,
): Decision {
  const { kind, base, ours, theirs } = file;
  if (!ours && !theirs) return { state: 'absent' };
  for (const [blob, whose] of [[ours, 'ours'] as const, [theirs, 'theirs'] as const, [base, 'the base'] as const]) {
    if (blob && !isFile(blob)) return { state: 'unknown', unknown: `line 1 of ${whose}: this is no file` };
    if (blob && texts.get(blob.oid) === undefined) {
      return { state: 'unknown', unknown: `line 1 of ${whose}: this is no UTF-8 text` };
    }
  }
  const textOf = (blob: Blob | undefined): string | undefined => (blob ? texts.get(blob.oid) : undefined);
  const [baseText, ourText, theirText] = [textOf(base), textOf(ours), textOf(theirs)];
  if (ourText !== undefined && theirText === undefined) return decideDeletedByTheirs(file, ourText);
  if (!ours && (!base || base.oid === theirs?.oid)) return { state: 'git' };
  const input = { kind, ours: ourText ?? '', theirs: theirText ?? '', slug };
  const merge = (mergeBase: string | undefined): MergeOutcome =>
    replayed
      ? replaySessionText({ kind, base: mergeBase, commit: input.ours, onto: input.theirs })
      : mergeSessionText({ ...input, base: mergeBase });
  let outcome = merge(baseText);
  // A base with conflict markers is git's own mixture of several bases, and worth nothing.
  if (!outcome.known && outcome.unknown?.includes(' of the base: ')) outcome = merge(undefined);
  if (!outcome.known) return { state: 'unknown', unknown: outcome.unknown, outcome };
  if (ourText === undefined && outcome.text === '') return { state: 'deleted', outcome, result: { text: undefined } };
  return { state: 'merged', outcome, result: { text: outcome.text } };
}

/** Deleting tasks or rows by leaving out the whole file counts as little as by leaving them out one by one; learnings do go. */
function decideDeletedByTheirs({ kind, base, ours, stages, movedByTheirs }: FileVersions, text: string): Decision {
  if (!base || movedByTheirs) return { state: 'git' };
  const inConflict = stages.slice(1).some((stage) => stage !== undefined);
  if (!inConflict && kind === 'learnings' && base.oid === ours?.oid) return { state: 'git' };
  return { state: 'kept', result: { text } };
}
