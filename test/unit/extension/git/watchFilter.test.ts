import assert from 'node:assert/strict';
import {
  concernsFiles,
  concernsGit,
  effectInGit,
  effectInWorktree,
  leadsToGit,
  leavesList,
} from '../../../../src/extension/git/watchFilter.ts';

describe('what the extension hears of changed files', () => {
  const git = (paths: readonly string[]): string[] => paths.filter(concernsGit);
  const files = (paths: readonly string[]): string[] => paths.filter(concernsFiles);

  it('hears of everything in the git directory that says what is checked out, committed, staged or locked', () => {
    const told = [
      'HEAD',
      'index',
      'packed-refs',
      'config',
      'info/exclude',
      'refs/heads/feat/auth',
      'refs/remotes/origin/main',
      'MERGE_HEAD',
      'rebase-merge/onto',
      'worktrees/quince',
      'worktrees/quince/HEAD',
      'worktrees/quince/index',
      'worktrees/quince/locked',
      'worktrees/quince/gitdir',
      'worktrees/quince/rebase-merge/msgnum',
      'worktree-stacks/log/20260102-030405-006-7-rebase.json',
    ];
    assert.deepEqual(git(told), told);
  });

  it('does not hear of objects, locks, reflogs and pending operations', () => {
    const untold = [
      '',
      'objects/4b/825dc642cb6eb9a060e54bf8d69288fbee4904',
      'index.lock',
      'refs/heads/main.lock',
      'logs/HEAD',
      'FETCH_HEAD',
      'COMMIT_EDITMSG',
      'worktree-stacks/operations/quince.json',
      'worktree-stacks/log/hooks.jsonl',
      'worktrees/quince/wt-backup-index',
      'worktrees/quince/wt-bytes-index',
      'worktrees/quince/wt-predict-index-4711',
      'worktrees/quince/index.lock',
      'worktrees/quince/logs/HEAD',
      'worktrees/quince/COMMIT_EDITMSG',
    ];
    assert.deepEqual(git(untold), []);
  });

  it('takes a branch that is called like a folder of git for a branch', () => {
    assert.deepEqual(git(['refs/heads/logs/x', 'refs/heads/objects']), ['refs/heads/logs/x', 'refs/heads/objects']);
  });

  it('hears of files in working trees, also of nested ones', () => {
    const told = [
      'src/a.ts',
      '.worktrees/quince/src/a.ts',
      '.gitignore',
      '.env',
      'docs/node_modules.md',
      'node_modules',
    ];
    assert.deepEqual(files(told), told);
  });

  it('does not hear of what package managers and git keep there', () => {
    assert.deepEqual(
      files([
        'node_modules/x/y.js',
        '.worktrees/quince/node_modules/x',
        '.git/index',
        '.worktrees/quince/.git',
        '.claude-state/db',
      ]),
      [],
    );
  });

  it('keeps the list of worktrees and branches only after what cannot change it: indexes, records of operations and what is not shown', () => {
    const keeping = [
      'index',
      'worktrees/quince/index',
      'sharedindex.4b825dc642cb6eb9a060e54bf8d69288fbee4904',
      'worktree-stacks/log/20260102-030405-006-7-rebase.json',
      'objects/4b/825dc642cb6eb9a060e54bf8d69288fbee4904',
      'worktrees/quince/index.lock',
    ];
    const changing = [
      ...[
        '',
        'HEAD',
        'packed-refs',
        'config',
        'info/exclude',
        'refs/heads/index',
        'refs/heads/feat/auth',
        'refs/remotes/origin/main',
      ],
      ...[
        'MERGE_HEAD',
        'worktrees',
        'worktrees/quince',
        'worktrees/quince/HEAD',
        'worktrees/quince/locked',
        'worktrees/index',
      ],
      ...['worktrees/quince/gitdir', 'worktrees/quince/rebase-merge/msgnum', 'something/new'],
    ];
    assert.deepEqual([...keeping, ...changing].filter(leavesList), keeping);
  });

  it('tells the file that makes a folder a working tree from what lies around it', () => {
    const paths = ['.git', '.worktrees/quince/.git', '.gitignore', '.git/index', 'src/x.git'];
    assert.deepEqual(paths.filter(leadsToGit), ['.git', '.worktrees/quince/.git']);
  });

  it('sums up what a file can mean, and nothing where it means nothing', () => {
    assert.deepEqual(
      [
        'HEAD',
        'worktrees/quince/index',
        'worktree-stacks/log/hooks.jsonl',
        'objects/4b/82',
        'refs/heads/main.lock',
      ].map(effectInGit),
      [{ list: true, shown: true }, { shown: true }, { agents: true }, {}, {}],
    );
    assert.deepEqual(['src/a.ts', 'node_modules/x/a.js', '.worktrees/quince/.git'].map(effectInWorktree), [
      { status: true, shown: true },
      {},
      { status: true },
    ]);
  });
});
