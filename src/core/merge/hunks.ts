import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { counted } from '../base/phrases.ts';
import type { Git } from '../git/git.ts';
import { quotePath } from '../git/quotePath.ts';
import type { IndexEntry } from '../git/indexEntries.ts';

/** A file in conflict, merged three ways with its conflicting hunks from one side. */
export interface TwoAnswers {
  /** The objects, written to git's store. */
  readonly sides: { readonly ours: string; readonly theirs: string };
  /** What either answer drops, a line for each hunk. */
  readonly dropped: { readonly ours: readonly string[]; readonly theirs: readonly string[] };
}

/** Longer than any marker that a file may hold itself. */
const markerSize = 57;

/**
 * Merges a file in conflict twice, with ours and with theirs in its conflicting hunks; all the rest keeps what both sides did.
 *
 * @returns `undefined` for what has no hunks: a deletion, a link, a binary file.
 */
export async function answerBothWays(
  git: Git,
  cwd: string,
  path: string,
  entries: readonly IndexEntry[],
): Promise<TwoAnswers | undefined> {
  const of = (stage: number): IndexEntry | undefined => entries.find((entry) => entry.stage === stage);
  const [base, ours, theirs] = [of(1), of(2), of(3)];
  const isFile = (entry: IndexEntry): boolean => entry.mode.startsWith('100');
  if (!ours || !theirs || !isFile(ours) || !isFile(theirs) || (base && !isFile(base))) return undefined;
  const scratch = await mkdtemp(join(tmpdir(), 'worktree-stacks-'));
  try {
    const files = { base: join(scratch, 'base'), ours: join(scratch, 'ours'), theirs: join(scratch, 'theirs') };
    for (const [name, entry] of [
      ['base', base],
      ['ours', ours],
      ['theirs', theirs],
    ] as const) {
      await writeFile(files[name], entry ? await git.bytes(['cat-file', 'blob', entry.oid], { cwd }) : '');
    }
    const inputs = [files.ours, files.base, files.theirs];
    const mergeFile = ['-c', 'merge.conflictStyle=merge', 'merge-file', '-p', '--quiet'];
    const marked = await git.run([...mergeFile, `--marker-size=${markerSize}`, ...inputs], { cwd });
    // From 128 on it is no number of conflicts: what has no lines cannot be merged by them.
    if (marked.exitCode >= 128) return undefined;
    const answer = async (side: 'ours' | 'theirs'): Promise<string> => {
      const result = join(scratch, `result-${side}`);
      await writeFile(result, await git.bytes([...mergeFile, `--${side}`, ...inputs], { cwd }));
      return (await git.text(['hash-object', '-w', '--no-filters', '--', result], { cwd, writes: true })).trim();
    };
    const sides = { ours: await answer('ours'), theirs: await answer('theirs') };
    return { sides, dropped: droppedIn(path, marked.stdout) };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Names the hunks that each answer drops, by the line at which the kept side stands in that answer. */
function droppedIn(path: string, marked: string): TwoAnswers['dropped'] {
  const dropped = { ours: [] as string[], theirs: [] as string[] };
  const line = { ours: 1, theirs: 1 };
  let at: 'outside' | 'ours' | 'theirs' = 'outside';
  let count = { ours: 0, theirs: 0 };
  const isMarker = (text: string, sign: string): boolean => text.startsWith(sign.repeat(markerSize));
  for (const text of marked.split('\n')) {
    if (at === 'outside' && isMarker(text, '<')) {
      at = 'ours';
      count = { ours: 0, theirs: 0 };
    } else if (at === 'ours' && isMarker(text, '=')) at = 'theirs';
    else if (at === 'theirs' && isMarker(text, '>')) {
      at = 'outside';
      for (const side of ['ours', 'theirs'] as const) {
        const other = side === 'ours' ? 'theirs' : 'ours';
        dropped[side].push(
          `${quotePath(path)}:${line[side]}: ${counted(count[other], 'line')} of ${other}, for ${counted(count[side], 'line')} of ${side}`,
        );
        line[side] += count[side];
      }
    } else if (at === 'outside') {
      line.ours++;
      line.theirs++;
    } else count[at]++;
  }
  return dropped;
}
