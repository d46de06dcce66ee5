import { Problem } from '../base/problem.ts';
import type { Configuration } from '../repository/configuration.ts';
import { commitAsMerge, type CommittedMerge } from './commitAsMerge.ts';
import { againCommand, step, type Merging } from './merging.ts';
import type { MergeRequest } from './model.ts';

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
  const { workspace, keeper, source, options, target } = merging;
  step(merging, 'committing');
  let committed: CommittedMerge;
  try {
    committed = await commitAsMerge(workspace.git, {
      root: target.root,
      gitDir: target.gitDir,
      theirs: keeper.now.theirs,
      message: wholeMessage(merging),
      signal: options.signal,
      onTree: (tree) => keeper.note({ tree }),
    });
  } catch (problem) {
    if (!Problem.is(problem, 'git-failed') || problem.outcome !== 'incomplete') throw problem;
    const { message, items } = problem;
    const again = againCommand(source);
    const next = `correct what is said below, then run \`${again}\` again; \`${again} --abort\` takes the merge back`;
    throw new Problem('git-failed', `${source.name} is merged but not committed. ${message}`, {
      next,
      items,
      outcome: 'incomplete',
      cause: problem,
    });
  }
  await keeper.note({ commit: committed.commit });
  return committed;
}

function wholeMessage({ keeper, source }: Merging): string {
  const { message, trial } = keeper.now;
  const parts = [message];
  if (trial?.state === 'settled') {
    const other = trial.side === 'ours' ? 'theirs' : 'ours';
    parts.push(
      [
        `Conflicts settled by the checks in favour of ${trial.side}; dropped from ${other}:`,
        ...(trial.dropped ?? []),
      ].join('\n'),
      `What was dropped is kept in ${trial.ref}.`,
    );
  }
  return `${[...parts, `Wt-Merge: ${source.slug}`].join('\n\n')}\n`;
}
