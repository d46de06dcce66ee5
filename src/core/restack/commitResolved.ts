import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from '../base/isThere.ts';
import { Problem } from '../base/problem.ts';
import { refuseDamagedIndex } from '../git/damagedIndex.ts';
import { partsOf, readCommits, recommit, writeCommit, type CommitObject } from '../git/commitObject.ts';
import type { Stop } from '../operations/operation.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { recommitSigned, type Unsigned } from './commitWriter.ts';
import { rebaseInTempWorktree } from './rebaseInTempWorktree.ts';
import { subjectOf } from './replay.ts';
import { restackMessages } from '../messages/restack.ts';

/**
 * Commits what a person has resolved in a rebase that has stopped, as git's `rebase --continue` would, but with author, encoding and
 * message of the commit that it stopped at to the byte: git runs the message through an editor's rules, which drop lines that begin with
 * `#`. Where git has stopped for something else, or the person has committed, nothing happens; what is staged is git's to commit then.
 *
 * @param settings arguments with the settings of the worktree, which git may not find there while `HEAD` is on no branch.
 * @throws Problem `inconsistent` where git has damaged the index; `git-failed` when the commit could not be signed or written: nothing has
 *   changed then.
 */
export async function commitResolved(
  workspace: Workspace,
  stop: Stop,
  settings: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { git, repository } = workspace;
  const here = { cwd: stop.path, signal };
  const picked = await idIn(join(stop.gitDir, 'REBASE_HEAD'));
  // Amending, fixups and merges are not a matter of one commit's message.
  const others = ['rebase-merge/amend', 'rebase-merge/current-fixups', 'MERGE_HEAD', 'rebase-apply'];
  if (picked === undefined || picked !== (await idIn(join(stop.gitDir, 'rebase-merge', 'stopped-sha')))) return;
  if ((await Promise.all(others.map((name) => isThere(join(stop.gitDir, name))))).includes(true)) return;
  const commit = (await readCommits(git, repository.commonDir, [picked], signal)).get(picked);
  if (commit?.parents.length !== 1) return;
  await refuseDamagedIndex(git, stop.path, signal);
  const [tree, ...heads] = await Promise.all([
    git.line(['write-tree'], { ...here, writes: true }),
    git.text(['rev-parse', 'HEAD'], here),
    git.text(['rev-parse', 'HEAD^{tree}'], here),
  ]);
  const [parent = '', treeBefore = ''] = heads.map((line) => line.trim());
  if (tree === undefined || tree === treeBefore || parent !== stop.head) return;
  const sign = await isThere(join(stop.gitDir, 'rebase-merge', 'gpg_sign_opt'));
  const unsigned = async (): Promise<string> => {
    const committer = (await git.text([...settings, 'var', 'GIT_COMMITTER_IDENT'], { cwd: stop.path })).trim();
    return writeCommit(git.in(repository.commonDir), recommit(commit, tree, parent, committer));
  };
  const oid = !sign
    ? await unsigned()
    : partsOf(commit).tidied
      ? await signedByGit(workspace, { tip: await unsigned(), parent, commit, settings }, signal)
      : await recommitSigned(git, commit, { tree, parent }, { cwd: stop.path, args: settings }, signal);
  if (typeof oid !== 'string') {
    throw new Problem('git-failed', restackMessages.commitNotSigned({ words: oid.words }), { outcome: 'incomplete' });
  }
  const note = `rebase (continue): ${subjectOf(commit)}`;
  await git.text(['update-ref', '-m', note, 'HEAD', oid, parent], { ...here, writes: true });
  // As git does when it commits: how the conflict was resolved is remembered, where the user wants that.
  await git.run(['rerere'], { ...here, writes: true });
}

/** Only a rebase signs a commit whose author has a name that git would tidy up. */
async function signedByGit(
  workspace: Workspace,
  what: {
    readonly tip: string;
    readonly parent: string;
    readonly commit: CommitObject;
    readonly settings: readonly string[];
  },
  signal: AbortSignal | undefined,
): Promise<string | Unsigned> {
  const { tip, parent, commit } = what;
  const settings = { overrides: [...what.settings, '-c', 'commit.gpgSign=true'] };
  const range = { tip, onto: parent, upstream: parent, commits: [commit], force: true };
  const made = await rebaseInTempWorktree(workspace, { ...range, settings }, signal);
  return 'tip' in made ? made.tip : { words: made.conflict.unsigned ?? 'git could not sign it' };
}

async function idIn(file: string): Promise<string | undefined> {
  return (await readFile(file, 'utf8').catch(() => undefined))?.trim();
}
