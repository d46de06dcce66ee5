import { commitProblem } from '../worktrees/addCommit.ts';
import { Problem } from '../base/problem.ts';
import type { Configuration } from '../repository/configuration.ts';
import { againCommand, step, writing, type Merging } from './merging.ts';
import type { MergeRequest } from './model.ts';

/** The message of a merge commit, without what is only known at its end. */
export function mergeMessage(configuration: Configuration, { source, message }: MergeRequest): string {
  const subject = message?.trim() || `Merge wt/${source.slug}`;
  return `${configuration.merge.messagePrefix} ${subject}`.trim();
}

/**
 * Commits the merge as it is staged. Hooks run, commits are signed where the user has configured that.
 *
 * @returns the merge commit.
 * @throws Problem `git-failed` (outcome incomplete) with the words of a hook that refused; the merge can be gone on with.
 */
export async function commitMerge(merging: Merging): Promise<string> {
  const { workspace, keeper, source, options } = merging;
  const { git } = workspace;
  step(merging, 'committing');
  const args = ['-c', 'submodule.recurse=false', 'commit', '--quiet', '--cleanup=whitespace', '--file=-'];
  const answer = await git.run(args, { ...writing(merging), signal: options.signal, input: wholeMessage(merging) });
  if (answer.exitCode !== 0) {
    const problem = commitProblem(answer);
    if (problem.reason !== 'git-failed') throw problem;
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
  const commit = (await git.text(['rev-parse', '--verify', 'HEAD^{commit}'], writing(merging))).trim();
  await keeper.note({ commit });
  return commit;
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
