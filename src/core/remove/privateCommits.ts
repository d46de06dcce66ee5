import type { Workspace } from '../worktree/workspace.ts';
import { inTree } from '../worktree/treeState.ts';
import type { PrivateCommit, AdminDirState } from './adminDirState.ts';
import { removeMessages } from '../messages/remove.ts';

/**
 * The commits that nothing but a worktree holds: its detached `HEAD`, its own refs, and what operations under way have on
 * record, as far as no branch, tag, stash or other shared ref reaches them.
 *
 * @throws Problem when git cannot tell.
 */
export async function readPrivateCommits(
  { git, repository }: Workspace,
  gitDir: string,
  adminDir: AdminDirState,
  signal?: AbortSignal,
): Promise<PrivateCommit[]> {
  const bare = { path: gitDir, gitDir };
  const [detached, refs] = await Promise.all([
    readDetached(),
    adminDir.privateRefs
      ? git.text(
          inTree(
            bare,
            'for-each-ref',
            '--format=%(objectname) %(refname)',
            'refs/worktree',
            'refs/bisect',
            'refs/rewritten',
          ),
          { cwd: gitDir, signal },
        )
      : '',
  ]);
  const candidates = [...detached, ...refs.split('\n').flatMap(toPrivateRef), ...adminDir.commits];
  if (candidates.length === 0) return [];
  // All other worktrees' HEADs would count as refs: also the very one that is about to go.
  const args = [
    'rev-list',
    '--ignore-missing',
    '--no-commit-header',
    '--format=%H',
    '--stdin',
    '--not',
    '--single-worktree',
    '--all',
  ];
  const input = candidates.map((each) => `${each.oid}\n`).join('');
  const output = await git.in(repository.commonDir).text(args, { input, signal });
  const outside = new Set(output.split('\n'));
  return candidates.filter((each) => outside.has(each.oid));

  async function readDetached(): Promise<PrivateCommit[]> {
    // With the reftable format the file is there for old programs only, and names a branch that cannot be.
    if (adminDir.head.startsWith('ref: ') && adminDir.head !== 'ref: refs/heads/.invalid') return [];
    const [branch, head] = await Promise.all([
      git.line(inTree(bare, 'symbolic-ref', '--quiet', 'HEAD'), { cwd: gitDir, signal }),
      git.line(inTree(bare, 'rev-parse', '--quiet', '--verify', 'HEAD^{commit}'), { cwd: gitDir, signal }),
    ]);
    if (branch !== undefined || head === undefined) return [];
    return [{ what: removeMessages.commitsOfDetached(), name: 'head', oid: head }];
  }
}

function toPrivateRef(line: string): PrivateCommit[] {
  const [oid, ref] = line.split(' ');
  if (!oid || !ref) return [];
  return [{ what: removeMessages.privateRef({ ref }), name: ref.replace(/^refs\//, ''), oid }];
}
