import type { Git } from '../git/git.ts';
import { gitProblem } from '../git/gitError.ts';
import type { Backup } from '../operations/backups.ts';
import { headOf, isAncestor, mergeHeadIn } from './commits.ts';
import type { MovedSubmodule } from './mergeData.ts';
import { repositoryOf } from '../worktree/submoduleRepository.ts';
import type { Message } from '../messages/message.ts';
import { mergeMessages } from '../messages/merge.ts';

/** What became of a submodule when the merge was rolled back. */
interface RolledBack {
  readonly moved: boolean;
  /** Why it was left as it is. */
  readonly note?: Message;
  readonly backup?: Backup;
}

/**
 * Puts a submodule back to what was checked out before the merge: only if the merge has moved it, and only if nothing in it is
 * uncommitted. A merge commit that was made in it stays in a ref.
 *
 * @param prefix what the names of refs begin with.
 */
export async function rollBackSubmodule(
  git: Git,
  tree: string,
  path: string,
  submodule: MovedSubmodule,
  prefix: string,
): Promise<RolledBack> {
  const { before, theirs, after } = submodule;
  const gitDir = await repositoryOf(tree);
  if (gitDir === undefined) return { moved: false };
  const at = { cwd: tree };
  const merging = await mergeHeadIn(gitDir);
  if (merging === theirs) {
    await git.run(['update-index', '-q', '--refresh'], { ...at, writes: true });
    const args = ['-c', 'submodule.recurse=false', 'merge', '--abort'];
    const answer = await git.run(args, { ...at, writes: true });
    if (answer.exitCode !== 0) throw gitProblem(args, answer);
    return { moved: true };
  }
  const head = await headOf(git, at);
  if (head === before) return { moved: false };
  const left = (why: Message): RolledBack => ({ moved: false, note: mergeMessages.submoduleLeft({ path, why }) });
  if (head !== after && !(await isOurMove(git, tree, head, submodule))) return left(mergeMessages.submoduleMovedOn());
  const status = await git.text(['status', '--porcelain', '--ignore-submodules=all'], at);
  if (status !== '') return left(mergeMessages.submoduleHasChanges());
  let backup: Backup | undefined;
  if (!(await isAncestor(git, at, head, theirs))) {
    const ref = `${prefix}/merge`;
    await git.text(['update-ref', ref, head, ''], { ...at, writes: true });
    backup = {
      ref,
      what: mergeMessages.mergeInSubmodule({ path }),
      restore: `git -C ${JSON.stringify(tree)} merge ${ref}`,
    };
  }
  await git.run(['update-index', '-q', '--refresh'], { ...at, writes: true });
  // Refuses where it would overwrite a changed file; moves the branch, if there is one.
  await git.text(['-c', 'submodule.recurse=false', 'reset', '--quiet', '--keep', before], { ...at, writes: true });
  return { moved: true, ...(backup ? { backup } : {}) };
}

/** Whether a commit is what the merge makes of these two, although it was not written down: its process was killed, or a person committed. */
async function isOurMove(
  git: Git,
  tree: string,
  head: string,
  { before, theirs, after }: MovedSubmodule,
): Promise<boolean> {
  if (head === theirs) return true;
  const parents = (await git.text(['rev-list', '--parents', '--max-count=1', head], { cwd: tree })).trim();
  return [before, after].some((first) => parents === [head, first, theirs].join(' '));
}
