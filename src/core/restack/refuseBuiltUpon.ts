import type { Message } from '../messages/message.ts';
import { Problem } from '../base/problem.ts';
import { quoted } from '../base/quoted.ts';
import type { Operation } from '../operations/operation.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { restackMessages } from '../messages/restack.ts';
import { restoreMessages } from '../messages/restore.ts';

/**
 * Checks whether the undo of a merge would lose something, or other branches contain the merge.
 *
 * @throws Problem `in-use` or `unsupported` (outcome incomplete) with what to do instead.
 */
export async function refuseBuiltUpon(
  workspace: Workspace,
  { title, moves, merged }: Operation,
  signal?: AbortSignal,
): Promise<void> {
  const [move] = moves;
  if (!move || !merged) return;
  const { branch, to, from } = move;
  const commit = to.slice(0, 12);
  const revert = restackMessages.gitRevertM({ commit });
  const refused = (
    reason: 'in-use' | 'unsupported',
    why: Message,
    next: Message,
    items: readonly string[] = [],
  ): Problem =>
    new Problem(reason, restoreMessages.cannotUndoneBecause({ why, title }), { next, items, outcome: 'incomplete' });
  const [holders, holdersOfTheirs] = await Promise.all(
    [to, merged.theirs].map((each) => holdersOf(workspace, each, signal)),
  );
  if (!holders || !holdersOfTheirs) throw refused('in-use', restackMessages.commitGone({ commit }), revert);
  const own = `refs/heads/${branch}`;
  if (holders.get(own) !== to) throw refused('in-use', restackMessages.goneSince({ branch }), revert);
  const pushed = [...holders.keys()].filter((ref) => ref.startsWith('refs/remotes/'));
  if (pushed.length > 0) throw refused('in-use', restackMessages.pushed(), revert, pushed.map(short));
  const upon = [...holders.keys()].filter((ref) => ref.startsWith('refs/heads/') && ref !== own);
  if (upon.length > 0)
    throw refused(
      'in-use',
      restackMessages.otherBranchesBased(),
      restackMessages.moveThemFirst({ revert }),
      upon.map(short),
    );
  if (merged.submodules.length > 0) {
    const next = restackMessages.gitResetKeep({ from: from.slice(0, 12), branch });
    throw refused('unsupported', restackMessages.movedSubmodulesToo(), next, merged.submodules);
  }
  if ([...holdersOfTheirs.keys()].every((ref) => ref === own)) {
    const next = restackMessages.takeBackRemoval({
      mergedBranch: quoted(merged.branch),
      theirs: merged.theirs.slice(0, 12),
    });
    throw refused('in-use', restackMessages.nothingButHolds({ branch, mergedBranch: merged.branch }), next);
  }
}

/** The branches, here and on remotes, that hold a commit, and where they are; `undefined` when there is no such commit. */
async function holdersOf(
  { git, repository }: Workspace,
  commit: string,
  signal: AbortSignal | undefined,
): Promise<Map<string, string> | undefined> {
  const args = [
    'for-each-ref',
    `--contains=${commit}`,
    '--format=%(refname) %(objectname)',
    'refs/heads',
    'refs/remotes',
  ];
  const output = await git.in(repository.commonDir).line(args, { signal });
  if (output === undefined) return undefined;
  const lines = output.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line): [string, string] => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']));
}

const short = (ref: string): string => ref.replace(/^refs\/(heads|remotes)\//, '');
