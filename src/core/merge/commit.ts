import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import type { Configuration } from '../repository/configuration.ts';
import { sessionPaths } from '../repository/sessionPaths.ts';
import { commitAsMerge, type CommittedMerge } from './commitAsMerge.ts';
import { mergeHeadIn } from './commits.ts';
import { againCommand, note, step, type Merging } from './merging.ts';
import type { MergeRequest } from './model.ts';
import { mergeMessages } from '../messages/merge.ts';

/** The message of a merge commit, without what is only known at its end. */
export function mergeMessage(configuration: Configuration, { source, message }: MergeRequest): string {
  const subject = message?.trim() || `Merge wt/${source.slug}`;
  return `${configuration.merge.messagePrefix} ${subject}`.trim();
}

/**
 * Commits the merge as it is staged. Hooks run, commits are signed where the user has configured that.
 *
 * @returns the merge commit, and what hooks have made of it.
 * @throws Problem `git-failed` (outcome incomplete) with the words of a hook that refused; the merge can be gone on with.
 */
export async function commitMerge(merging: Merging): Promise<CommittedMerge> {
  const { workspace, pending, source, options, target } = merging;
  step(merging, mergeMessages.stepCommitting());
  let committed: CommittedMerge;
  try {
    committed = await commitAsMerge(workspace.git, {
      root: target.root,
      gitDir: target.gitDir,
      theirs: pending.data.theirs,
      message: wholeMessage(merging),
      apart: sessionPaths(workspace).map(({ path }) => path),
      signal: options.signal,
      onTree: (tree) => note(merging, { tree }),
    });
  } catch (problem) {
    const again = againCommand(source);
    if (Problem.is(problem, 'inconsistent') && problem.id === mergeMessages.nothingMergeStaged.id)
      throw nothingStaged(merging, problem);
    if (!Problem.is(problem, 'git-failed') || problem.outcome !== 'incomplete') throw problem;
    const { message, items } = problem;
    const next = mergeMessages.correctOrAbort({ again });
    throw new Problem('git-failed', mergeMessages.mergedNotCommitted({ sourceName: source.name, message }), {
      next,
      items,
      outcome: 'incomplete',
      cause: problem,
    });
  }
  await note(merging, { commit: committed.commit });
  if ((await mergeHeadIn(target.gitDir)) === pending.data.theirs) throw stillNoted(merging, committed.commit);
  return committed;
}

/** What a person has staged is theirs, but this is more likely what a command has put back that knew nothing of the merge. */
function nothingStaged({ source, target }: Merging, { message }: Problem): Problem {
  const again = againCommand(source);
  return new Problem('inconsistent', mergeMessages.notMerged({ sourceName: source.name, message }), {
    next: mergeMessages.againAbortAgain({ again, targetRoot: target.root }),
    outcome: 'incomplete',
  });
}

function stillNoted({ source, target }: Merging, commit: string): Problem {
  return new Problem(
    'not-writable',
    mergeMessages.mergedNoteStays({ sourceName: source.name, commit: commit.slice(0, 12) }),
    {
      file: join(target.gitDir, 'MERGE_HEAD'),
      next: mergeMessages.seeMayWrite({ gitDir: target.gitDir, againCommand: againCommand(source) }),
      outcome: 'incomplete',
    },
  );
}

function wholeMessage({ pending, source }: Merging): string {
  const { message, attempt } = pending.data;
  const parts = [message];
  if (attempt?.state === 'settled') {
    const other = attempt.side === 'ours' ? 'theirs' : 'ours';
    parts.push(
      [
        `Conflicts settled by the checks in favour of ${attempt.side}; dropped from ${other}:`,
        ...(attempt.dropped ?? []),
      ].join('\n'),
      `What was dropped is kept in ${attempt.ref}.`,
    );
  }
  return `${[...parts, `Wt-Merge: ${source.slug}`].join('\n\n')}\n`;
}
